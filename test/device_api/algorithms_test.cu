/// Fused algorithms and Thrust iterators on the GPU against fills of host memory.

#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

#include <cstring>
#include <cub/device/device_reduce.cuh>

#include "device_api/source_cases.hpp"
#include "host_api/cuda_memory.hpp"
#include "tandem/algorithm.cuh"
#include "tandem/core/laws.hpp"
#include "tandem/core/rng.hpp"
#include "tandem/fill.hpp"
#include "tandem/thrust.cuh"

namespace tandem::test {
namespace {

const Key KEY{{0xdeadbeefu, 0x00c0ffeeu, 0x12345678u, 0x9abcdef0u}};
constexpr std::size_t GUARD = 256;

class Algorithms : public testing::Test {
    void SetUp() override {
        const std::string missing = gpus_missing(1);
        if (!missing.empty()) GTEST_SKIP() << missing;
    }
};
class AlgorithmsSanitizer : public Algorithms {};

struct Same {
    template <class V>
    __host__ __device__ V operator()(const V& value) const {
        return value;
    }
};
struct Store {
    void* out;
    template <class V>
    __device__ void operator()(const V& value, uint64_t i) const {
        static_cast<V*>(out)[i] = value;
    }
};
/// A value and its place, so that a sum shows each element missing, doubled or misplaced.
struct Placed {
    template <class V>
    __host__ __device__ uint64_t operator()(const V& value, uint64_t i) const {
        uint64_t wide = 0;
        memcpy(&wide, &value, sizeof(V) < 8 ? sizeof(V) : 8);
        return wide * (2 * i + 1) + (i ^ 0x5555);
    }
};
struct Plus {
    template <class V>
    __host__ __device__ V operator()(V a, V b) const {
        return a + b;
    }
};

/// A host fill beside its end.
template <class V>
std::vector<V> host_values(Fill fill, uint64_t n, uint64_t& end) {
    std::vector<V> values(n);
    fill.n = n;
    fill.out = values.data();
    end = host::fill(fill);
    return values;
}

/// Sums of placed values on the host.
template <class V>
uint64_t placed_sum(const std::vector<V>& values, uint64_t init) {
    for (uint64_t i = 0; i < values.size(); ++i) init += Placed()(values[i], i);
    return init;
}

template <class V>
using Stored = std::conditional_t<std::is_same<V, bool>::value, uint8_t, V>;

template <class S>
void expect_fused(const S& source, const Fill& fill, uint64_t n, std::size_t offset) {
    using V = Stored<typename S::value_type>;
    uint64_t end = 0;
    const std::vector<V> expected = host_values<V>(fill, n, end);
    const std::size_t bytes = n * sizeof(V);
    const std::string what = "draw " + std::to_string(static_cast<int>(fill.draw)) + ", K " + std::to_string(fill.chunk_length) +
                             ", position " + std::to_string(fill.position) + ", n " + std::to_string(n);
    const auto check = [&](const DeviceBytes& memory, const char* algorithm) {
        const std::vector<uint8_t> found = memory.read();
        EXPECT_EQ(std::memcmp(found.data() + offset, expected.data(), bytes), 0) << algorithm << ", " << what;
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (i < offset || i >= offset + bytes) ASSERT_EQ(found[i], DeviceBytes::POISON) << algorithm << ", " << what;
        }
    };
    {
        DeviceBytes memory(offset + bytes + GUARD);
        EXPECT_EQ(transform(source, n, reinterpret_cast<V*>(memory.data() + offset), Same{}), end) << what;
        check(memory, "transform");
    }
    {
        DeviceBytes memory(offset + bytes + GUARD);
        EXPECT_EQ(for_each(source, n, Store{memory.data() + offset}), end) << what;
        check(memory, "for_each");
    }
    std::size_t temp_bytes = 0;
    const auto placed = mapped(source, Placed{});
    EXPECT_EQ(reduce(nullptr, temp_bytes, placed, n, static_cast<uint64_t*>(nullptr), uint64_t{9}, Plus{}), end);
    DeviceBytes temp(temp_bytes), sum(sizeof(uint64_t));
    EXPECT_EQ(reduce(temp.data(), temp_bytes, placed, n, sum.as<uint64_t>(), uint64_t{9}, Plus{}), end);
    uint64_t found = 0;
    std::memcpy(&found, sum.read().data(), sizeof found);
    std::vector<typename S::value_type> as_drawn(expected.begin(), expected.end());
    EXPECT_EQ(found, placed_sum(as_drawn, 9)) << "reduce, " << what;
}

// std::vector<bool> holds no bools, but its elements convert.
template <>
uint64_t placed_sum(const std::vector<bool>& values, uint64_t init) {
    for (uint64_t i = 0; i < values.size(); ++i) init += Placed()(static_cast<bool>(values[i]), i);
    return init;
}

class Tables {
  public:
    Tables() : table_(poisson_table(3.5)), cut_(table_.m * sizeof(uint64_t)), alias_(table_.m * sizeof(uint32_t)) {
        EXPECT_EQ(cudaMemcpy(cut_.data(), table_.cut.data(), table_.m * sizeof(uint64_t), cudaMemcpyHostToDevice), cudaSuccess);
        EXPECT_EQ(cudaMemcpy(alias_.data(), table_.alias.data(), table_.m * sizeof(uint32_t), cudaMemcpyHostToDevice),
                  cudaSuccess);
    }
    ChoiceView host() const { return table_.view(); }
    ChoiceView device() const { return {cut_.as<uint64_t>(), alias_.as<uint32_t>(), table_.capacity, table_.m, table_.low}; }

  private:
    ChoiceTable table_;
    DeviceBytes cut_, alias_;
};

TEST_F(Algorithms, AMillionOfEveryDraw) {
    const Tables tables;
    for (const uint32_t k : {1u, 16u, 32u, 1024u}) {
        for (const uint64_t position : {0ull, 32ull * 12345, (1ull << 45) + 992}) {
            for_each_source({KEY, position, k}, tables.device(), tables.host(),
                            [&](const auto& source, const Fill& fill) { expect_fused(source, fill, 1u << 20, 0); });
        }
    }
}

TEST_F(Algorithms, ShortAndUnalignedOnes) {
    const Tables tables;
    for (const uint32_t k : {1u, 8u, 32u}) {
        for (const uint64_t position : {0ull, 1ull, 96ull, 32ull * 1024 - 32}) {
            for_each_source({KEY, position, k}, tables.device(), tables.host(), [&](const auto& source, const Fill& fill) {
                using V = Stored<typename std::decay_t<decltype(source)>::value_type>;
                for (const uint64_t n : {0ull, 1ull, 2ull, 31ull, 257ull, 5001ull}) expect_fused(source, fill, n, sizeof(V));
            });
        }
    }
}

TEST_F(AlgorithmsSanitizer, EveryDrawOnce) {
    const Tables tables;
    for_each_source({KEY, 96, 8}, tables.device(), tables.host(), [&](const auto& source, const Fill& fill) {
        using V = Stored<typename std::decay_t<decltype(source)>::value_type>;
        expect_fused(source, fill, 3001, sizeof(V));
    });
}

TEST_F(Algorithms, ElementsByRandomAccess) {
    const Tables tables;
    for (const uint32_t k : {1u, 32u}) {
        for_each_source({KEY, 12345, k}, tables.device(), tables.host(), [&](const auto& source, const Fill& fill) {
            using V = Stored<typename std::decay_t<decltype(source)>::value_type>;
            constexpr uint64_t N = 1u << 20;
            uint64_t end = 0;
            const std::vector<V> expected = host_values<V>(fill, N, end);
            DeviceBytes memory(N * sizeof(V));
            thrust::copy_n(thrust::device, make_iterator(source), static_cast<long long>(N), memory.as<V>());
            EXPECT_EQ(std::memcmp(memory.read().data(), expected.data(), N * sizeof(V)), 0) << static_cast<int>(fill.draw);
        });
    }
}

TEST_F(Algorithms, IteratorsHave64BitIndices) {
    const uint64_t first = (1ull << 32) + 3;
    const uniform<uint64_t> source(KEY, 64);
    const auto words = make_iterator(source);
    DeviceBytes memory(100 * sizeof(uint64_t));
    thrust::copy(thrust::device, words + static_cast<long long>(first), words + static_cast<long long>(first + 100),
                 memory.as<uint64_t>());
    const std::vector<uint8_t> found = memory.read();
    for (uint64_t i = 0; i < 100; ++i) {
        uint64_t value;
        std::memcpy(&value, &found[i * sizeof value], sizeof value);
        ASSERT_EQ(value, Rng(KEY, 64 + 64 * (first + i)).urand64());
    }
    EXPECT_EQ(make_iterator(source, first)[1], Rng(KEY, 64 + 64 * (first + 1)).urand64());
}

TEST_F(Algorithms, ThrustAndCubReadTheIterators) {
    constexpr uint64_t N = 100000;
    uint64_t end = 0;
    const std::vector<uint32_t> values = host_values<uint32_t>(fill_at(Draw::u32, {KEY, 0, 1}), N, end);
    uint32_t expected = 0;
    for (const uint32_t v : values) expected += v;
    const auto words = make_iterator(uniform<uint32_t>(KEY, 0, 1));
    EXPECT_EQ(thrust::reduce(thrust::device, words, words + static_cast<long long>(N)), expected);
    std::size_t bytes = 0;
    DeviceBytes sum(sizeof(uint32_t));
    TANDEM_CUDA_OK(cub::DeviceReduce::Sum(nullptr, bytes, words, sum.as<uint32_t>(), N));
    DeviceBytes temp(bytes);
    TANDEM_CUDA_OK(cub::DeviceReduce::Sum(temp.data(), bytes, words, sum.as<uint32_t>(), N));
    uint32_t found;
    std::memcpy(&found, sum.read().data(), sizeof found);
    EXPECT_EQ(found, expected);
}

TEST_F(Algorithms, SumsOfFloatsAreTheSameInEveryRun) {
    constexpr uint64_t N = (1u << 22) + 77;
    const normal<double> source(KEY, 640, 32);
    std::size_t bytes = 0;
    reduce(nullptr, bytes, source, N, static_cast<double*>(nullptr), 0.0, Plus{});
    DeviceBytes temp(bytes), out(sizeof(double));
    double first = 0;
    for (int run = 0; run < 5; ++run) {
        reduce(temp.data(), bytes, source, N, out.as<double>(), 0.0, Plus{});
        double sum;
        std::memcpy(&sum, out.read().data(), sizeof sum);
        if (run == 0) first = sum;
        EXPECT_EQ(sum, first);
    }
    uint64_t end = 0;
    double expected = 0;
    for (const double z : host_values<double>(fill_at(Draw::normal64, {KEY, 640, 32}), N, end)) expected += z;
    EXPECT_NEAR(first, expected, 1e-6);
}

TEST_F(Algorithms, MayBeCaptured) {
    constexpr uint64_t N = 5000;
    cudaStream_t stream;
    TANDEM_CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const uniform<uint32_t> source(KEY);
    std::size_t bytes = 0;
    reduce(nullptr, bytes, source, N, static_cast<uint32_t*>(nullptr), 0u, Plus{});
    DeviceBytes temp(bytes), out(sizeof(uint32_t));
    TANDEM_CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    reduce(temp.data(), bytes, source, N, out.as<uint32_t>(), 0u, Plus{}, stream);
    cudaGraph_t graph;
    TANDEM_CUDA_OK(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t executable;
    TANDEM_CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
    TANDEM_CUDA_OK(cudaGraphLaunch(executable, stream));
    TANDEM_CUDA_OK(cudaStreamSynchronize(stream));
    uint64_t end = 0;
    uint32_t expected = 0, found;
    for (const uint32_t v : host_values<uint32_t>(fill_at(Draw::u32, {KEY, 0, 32}), N, end)) expected += v;
    std::memcpy(&found, out.read().data(), sizeof found);
    EXPECT_EQ(found, expected);
    TANDEM_CUDA_OK(cudaGraphExecDestroy(executable));
    TANDEM_CUDA_OK(cudaGraphDestroy(graph));
    TANDEM_CUDA_OK(cudaStreamDestroy(stream));
}

}  // namespace
}  // namespace tandem::test
