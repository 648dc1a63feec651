/// Draws inside kernels: each generator on the GPU against itself on the host, where it is tested against the reference.

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "host_api/cuda_memory.hpp"
#include "tandem/core/laws.hpp"
#include "tandem/device.cuh"

namespace tandem::test {
namespace {

constexpr uint32_t THREADS = 4096, DRAWS = 256;  // 2^20 of each kind

/// A table in device memory.
struct DeviceTable {
    explicit DeviceTable(const ChoiceTable& table)
        : cut(table.cut.size() * sizeof(uint64_t)), alias(table.alias.size() * sizeof(uint32_t)) {
        EXPECT_EQ(cudaMemcpy(cut.data(), table.cut.data(), table.cut.size() * sizeof(uint64_t), cudaMemcpyHostToDevice),
                  cudaSuccess);
        EXPECT_EQ(cudaMemcpy(alias.data(), table.alias.data(), table.alias.size() * sizeof(uint32_t), cudaMemcpyHostToDevice),
                  cudaSuccess);
        view = table.view();
        view.cut = cut.as<uint64_t>();
        view.alias = alias.as<uint32_t>();
    }
    DeviceBytes cut, alias;
    ChoiceView view;
};

struct Setting {
    Key key;
    uint64_t position;
    uint32_t chunk_length;
    ChoiceView table;
};

template <class G>
__host__ __device__ G generator_of(const Setting& at, uint32_t thread) {
    if constexpr (std::is_same<G, ChunkRng>::value) {
        return ChunkRng(at.key, static_cast<uint32_t>(at.position) ^ thread);
    } else {
        return G(at.key, at.position + thread * 12347ull, at.chunk_length);
    }
}

/// The bits of a value, widened.
template <class V>
__host__ __device__ uint64_t bits(const V& value) {
    uint64_t wide = 0;
    memcpy(&wide, &value, sizeof(V) < 8 ? sizeof(V) : 8);
    return wide;
}

struct Words {
    template <class G>
    __host__ __device__ uint64_t operator()(G& rng, const Setting&, uint32_t) const {
        return rng.urand();
    }
};
struct Doubles {
    template <class G>
    __host__ __device__ uint64_t operator()(G& rng, const Setting&, uint32_t) const {
        return bits(rng.drand());
    }
};
/// Every width in turn, in an order that depends on the thread.
struct Widths {
    template <class G>
    __host__ __device__ uint64_t operator()(G& rng, const Setting&, uint32_t i) const {
        switch (i * 2654435761u >> 29) {
            case 0: return rng.bit();
            case 1: return rng.template next<uint8_t>();
            case 2: return rng.f16_bits();
            case 3: return bits(rng.frand());
            case 4: return rng.urand64();
            case 5: return rng.next_128().hi;
            case 6: return rng.character();
            default: return rng.urand();
        }
    }
};
struct Bounded {
    template <class G>
    __host__ __device__ uint64_t operator()(G& rng, const Setting&, uint32_t i) const {
        return (i & 1) != 0 ? rng.urand(0x80000001u) : rng.urand64((1ull << 63) + 1);
    }
};
struct Normals {
    template <class G>
    __host__ __device__ uint64_t operator()(G& rng, const Setting&, uint32_t) const {
        return bits(rng.normal(1.0, 2.0));
    }
};
struct Batches {
    template <class G>
    __host__ __device__ uint64_t operator()(G& rng, const Setting&, uint32_t) const {
        double z[8];
        rng.normals(z);
        uint64_t all = 0;
        TANDEM_UNROLL
        for (int i = 0; i < 8; ++i) all = all * 31 + bits(z[i]);
        return all;
    }
};
struct Singles {
    template <class G>
    __host__ __device__ uint64_t operator()(G& rng, const Setting&, uint32_t) const {
        const Pair<float> z = rng.normalf2();
        return bits(z) ^ bits(rng.lognormalf(0.5f, 0.25f));
    }
};
struct Exponentials {
    template <class G>
    __host__ __device__ uint64_t operator()(G& rng, const Setting&, uint32_t) const {
        return bits(rng.exponential(3.0)) ^ bits(rng.exponentialf());
    }
};
struct Choices {
    template <class G>
    __host__ __device__ uint64_t operator()(G& rng, const Setting& at, uint32_t) const {
        return rng.choice(at.table);
    }
};

template <class G, class Draw>
__global__ void draw_kernel(Setting at, uint32_t draws, uint64_t* out) {
    const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    G rng = generator_of<G>(at, thread);
    for (uint32_t i = 0; i < draws; ++i) out[static_cast<uint64_t>(i) * THREADS + thread] = Draw()(rng, at, i + thread);
}

template <class G, class Draw>
void expect_host_values(uint32_t draws) {
    const ChoiceTable table = poisson_table(50.0);
    const DeviceTable device_table(table);
    std::mt19937_64 random(draws);
    for (const uint32_t k : {1u, 32u, 64u}) {
        Setting at{{{static_cast<uint32_t>(random()), static_cast<uint32_t>(random()), static_cast<uint32_t>(random()), 4}},
                   random() >> 2,
                   k,
                   device_table.view};
        DeviceBytes out(static_cast<std::size_t>(THREADS) * draws * sizeof(uint64_t));
        draw_kernel<G, Draw><<<THREADS / 128, 128>>>(at, draws, out.as<uint64_t>());
        const std::vector<uint8_t> raw = out.read();
        at.table = table.view();
        uint64_t different = 0;
        for (uint32_t thread = 0; thread < THREADS; ++thread) {
            G rng = generator_of<G>(at, thread);
            for (uint32_t i = 0; i < draws; ++i) {
                const uint64_t expected = Draw()(rng, at, i + thread);
                uint64_t value;
                std::memcpy(&value, &raw[(static_cast<std::size_t>(i) * THREADS + thread) * sizeof value], sizeof value);
                if (value != expected && different++ == 0) ADD_FAILURE() << "K " << k << ", thread " << thread << ", draw " << i;
            }
        }
        EXPECT_EQ(different, 0u);
    }
}

template <class G>
class KernelDraws : public testing::Test {
    void SetUp() override {
        const std::string missing = gpus_missing(1);
        if (!missing.empty()) GTEST_SKIP() << missing;
    }
};
using Generators = testing::Types<Rng, RowRng, ChunkRng>;
TYPED_TEST_SUITE(KernelDraws, Generators, );

TYPED_TEST(KernelDraws, Words) { expect_host_values<TypeParam, Words>(DRAWS); }
TYPED_TEST(KernelDraws, Doubles) { expect_host_values<TypeParam, Doubles>(DRAWS); }
TYPED_TEST(KernelDraws, Widths) { expect_host_values<TypeParam, Widths>(DRAWS); }
TYPED_TEST(KernelDraws, Bounded) { expect_host_values<TypeParam, Bounded>(DRAWS); }
TYPED_TEST(KernelDraws, Normals) { expect_host_values<TypeParam, Normals>(DRAWS); }
TYPED_TEST(KernelDraws, NormalsInBatches) { expect_host_values<TypeParam, Batches>(DRAWS / 8); }
TYPED_TEST(KernelDraws, SingleNormals) { expect_host_values<TypeParam, Singles>(DRAWS); }
TYPED_TEST(KernelDraws, Exponentials) { expect_host_values<TypeParam, Exponentials>(DRAWS); }
TYPED_TEST(KernelDraws, Choices) { expect_host_values<TypeParam, Choices>(DRAWS); }

/// What unrolled loops compile to: the place in the row is known there.
__global__ void unrolled_kernel(Key key, uint32_t rows, uint32_t* words, double* doubles) {
    const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    RowRng row(key, static_cast<uint64_t>(thread) << 20, 32);
    uint32_t sum = 0;
#pragma unroll 32
    for (uint32_t i = 0; i < rows * 32; ++i) sum = sum * 31 + row.urand();
    words[thread] = sum;
    double batch[16], total = 0;
    for (uint32_t i = 0; i < rows; ++i) {
        row.normals(batch);
        TANDEM_UNROLL
        for (int j = 0; j < 16; ++j) total += batch[j];
    }
    doubles[thread] = total;
}

TEST(RowRngKernel, UnrolledLoopsGiveTheSameValues) {
    const std::string missing = gpus_missing(1);
    if (!missing.empty()) GTEST_SKIP() << missing;
    constexpr uint32_t COUNT = 1024, ROWS = 70;
    const Key key{{5, 6, 7, 8}};
    DeviceBytes words(COUNT * sizeof(uint32_t)), doubles(COUNT * sizeof(double));
    unrolled_kernel<<<COUNT / 128, 128>>>(key, ROWS, words.as<uint32_t>(), doubles.as<double>());
    const std::vector<uint8_t> word_bytes = words.read(), double_bytes = doubles.read();
    for (uint32_t thread = 0; thread < COUNT; ++thread) {
        Rng rng(key, static_cast<uint64_t>(thread) << 20, 32);
        uint32_t sum = 0, found;
        for (uint32_t i = 0; i < ROWS * 32; ++i) sum = sum * 31 + rng.urand();
        std::memcpy(&found, &word_bytes[thread * sizeof found], sizeof found);
        ASSERT_EQ(found, sum) << thread;
        double total = 0, found_total;
        for (uint32_t i = 0; i < ROWS * 16; ++i) total += rng.normal();
        std::memcpy(&found_total, &double_bytes[thread * sizeof found_total], sizeof found_total);
        ASSERT_EQ(found_total, total) << thread;
    }
}

}  // namespace
}  // namespace tandem::test
