#include <cstring>
#include <memory>
#include <vector>

#include "host_api/backend_under_test.hpp"
#include "host_api/gate.cuh"
#include "support/reference.hpp"
#include "tandem/fill.hpp"
#include "tandem/tandem.hpp"

namespace tandem::test {
namespace {

class DeviceStreams : public BackendTest {};
class DevicePool : public BackendTest {};
class DeviceErrors : public BackendTest {};
class DeviceSwitch : public BackendTest {};

constexpr std::size_t N = std::size_t{1} << 20;
constexpr std::size_t LISTED = std::size_t{3} << 26;  // so many bounded elements use lists
constexpr uint64_t RANGE = 1000003;                   // a draw in 4500 is rejected

std::vector<uint8_t> reference(Draw draw, const Key& key, uint64_t n, uint64_t position = 0) {
    Fill fill;
    fill.draw = draw;
    fill.key = key;
    fill.position = position;
    fill.n = n;
    return reference_fill(fill);
}

std::vector<uint8_t> bounded(const Key& key, uint64_t position = 0) {
    std::vector<uint8_t> out(LISTED * 4);
    host::fill_below_u32(key, position, 32, reinterpret_cast<uint32_t*>(out.data()), LISTED, RANGE);
    return out;
}

TEST_F(DeviceStreams, AFillWaitsForItsStreamAndForNothingElse) {
    const TestStream slow, other;
    Generator behind = Generator::device(), beside = Generator::device();
    behind.set_stream(slow);
    beside.set_stream(other);
    const DeviceBytes held(N * 8), free(N * 8);
    // Warm calls must neither synchronise nor allocate: both would wait for the gate.
    behind.normal(held.as<double>(), N);
    beside.normal(free.as<double>(), N);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    behind.set_position(0);
    beside.set_position(0);
    ASSERT_EQ(cudaMemset(held.data(), DeviceBytes::POISON, N * 8), cudaSuccess);
    ASSERT_EQ(cudaMemset(free.data(), DeviceBytes::POISON, N * 8), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);

    Gate gate;
    gate.hold(slow);
    behind.normal(held.as<double>(), N);
    beside.normal(free.as<double>(), N);
    EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess);
    EXPECT_EQ(cudaStreamQuery(nullptr), cudaSuccess);  // nothing went to the default stream
    EXPECT_EQ(cudaStreamQuery(slow), cudaErrorNotReady);
    std::vector<uint8_t> early(N * 8);
    ASSERT_EQ(cudaMemcpyAsync(early.data(), held.data(), N * 8, cudaMemcpyDeviceToHost, other), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(other), cudaSuccess);
    EXPECT_EQ(early, std::vector<uint8_t>(N * 8, DeviceBytes::POISON));
    gate.open();
    const std::vector<uint8_t> expected = reference(Draw::normal64, behind.key(), N);
    EXPECT_EQ(held.read(), expected);
    EXPECT_EQ(free.read(), expected);
}

TEST_F(DeviceStreams, ChangingTheStreamMovesNothing) {
    const TestStream a, b;
    Generator g = Generator::device();
    const DeviceBytes out(3000 * 4);
    g.set_stream(a);
    g.generate(out.as<unsigned>(), 1000);
    g.set_stream(b);
    g.generate(out.as<unsigned>() + 1000, 1000);
    g.set_stream(cudaStreamPerThread);
    g.generate(out.as<unsigned>() + 2000, 1000);
    EXPECT_EQ(out.read(), reference(Draw::u32, g.key(), 3000));
}

TEST_F(DevicePool, GrowsOnceIsKeptAndReleased) {
    Generator g = Generator::device();
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    g.release_scratch();
    ASSERT_EQ(g.scratch_bytes(), 0u);
    const DeviceBytes out(LISTED * 4 * 3);
    g.below(out.as<unsigned>(), LISTED, RANGE);
    const std::size_t first = g.scratch_bytes();
    ASSERT_GT(first, 0u);
    EXPECT_EQ(first & (first - 1), 0u);
    g.below(out.as<unsigned>(), LISTED, RANGE);
    EXPECT_EQ(g.scratch_bytes(), first);
    g.below(out.as<unsigned>(), 3 * LISTED, RANGE);
    EXPECT_GT(g.scratch_bytes(), first);
    g.generate(out.as<unsigned>(), N);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    Generator::device().release_scratch();  // one pool a device
    EXPECT_EQ(g.scratch_bytes(), 0u);
}

TEST_F(DevicePool, AListInUseIsNotReleasedNorHandedOn) {
    const TestStream slow, other;
    Generator a = Generator::device(), b = Generator::device();
    const DeviceBytes first(LISTED * 4), second(LISTED * 4);
    a.set_stream(slow);
    b.set_stream(other);
    b.set_seed(5);
    a.below(first.as<unsigned>(), LISTED, RANGE);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    a.release_scratch();
    a.set_position(0);
    a.below(first.as<unsigned>(), LISTED, RANGE);
    const std::size_t one = a.scratch_bytes();
    ASSERT_GT(one, 0u);
    Gate gate;
    gate.hold(slow);
    a.below(first.as<unsigned>(), LISTED, RANGE);
    b.below(second.as<unsigned>(), LISTED, RANGE);
    EXPECT_EQ(a.scratch_bytes(), 2 * one);
    gate.open();
    EXPECT_TRUE(first.read() == bounded(a.key(), LISTED * 32));
    EXPECT_TRUE(second.read() == bounded(b.key()));
}

TEST_F(DevicePool, WarmCallsAllocateNothing) {
    Generator g = Generator::device();
    const TestStream stream;
    g.set_stream(stream);
    const DeviceBytes out(LISTED * 4);
    const Distribution distribution = Distribution::poisson(1000);
    const auto one_of_each = [&] {
        g.generate(out.as<unsigned>(), N);
        g.normal(out.as<double>(), N);
        g.exponential(out.as<double>(), N);
        g.below(out.as<unsigned>(), N, 1000);
        g.below(out.as<unsigned>(), LISTED, RANGE);
        g.discrete(out.as<unsigned>(), N, distribution);
        g.poisson(out.as<unsigned>(), N, 10.0);
    };
    for (int i = 0; i < 3; ++i) one_of_each();
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::size_t before = 0, after = 0, total = 0;
    ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
    const std::size_t scratch = g.scratch_bytes();
    for (int i = 0; i < 100; ++i) one_of_each();
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
    EXPECT_EQ(g.scratch_bytes(), scratch);
    EXPECT_EQ(after, before);
    cudaMemPool_t pool = nullptr;
    ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
    uint64_t high = 1;
    ASSERT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high), cudaSuccess);
    EXPECT_EQ(high, 0u);  // no cudaMallocAsync either
}

TEST_F(DeviceErrors, ThePendingErrorOfTheCallerIsNeitherBlamedNorCleared) {
    Generator g = Generator::device();
    const DeviceBytes out(N * 8);
    ASSERT_EQ(cudaMemset(nullptr, 0, 16), cudaErrorInvalidValue);
    g.generate(out.as<unsigned>(), 1000);
    g.normal(out.as<double>(), N);
    g.poisson(out.as<unsigned>(), 1000, 3.0);
    EXPECT_EQ(tandemGenerateNormal(g.get(), nullptr, 1, 0, -1), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(DeviceErrors, AHostPointerIsRefusedWhenAsked) {
    int reaches_host_memory = 0;
    ASSERT_EQ(cudaDeviceGetAttribute(&reaches_host_memory, cudaDevAttrPageableMemoryAccess, 0), cudaSuccess);
    if (reaches_host_memory != 0) GTEST_SKIP() << "this GPU reaches all host memory";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            setenv("TANDEM_CHECK_POINTERS", "1", 1);
            std::vector<unsigned> host(1000);
            Generator g = Generator::device();
            const bool refused = tandemGenerate(g.get(), host.data(), 1000) == TANDEM_STATUS_OUT_OF_RANGE && g.position() == 0;
            const DeviceBytes out(4000);
            const bool accepted = tandemGenerate(g.get(), out.as<unsigned>(), 1000) == TANDEM_STATUS_SUCCESS;
            _exit(refused && accepted ? 0 : 1);
        },
        ::testing::ExitedWithCode(0), "");
}

TEST_F(DeviceSwitch, CallsGoToTheGeneratorsDeviceAndLeaveTheCallers) {
    const std::string missing = gpus_missing(2);
    if (!missing.empty()) GTEST_SKIP() << missing;
    ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
    Generator g = Generator::device();
    tandemGenerator_t child = nullptr;
    const DeviceBytes out(N * 8), small(4000);
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    const auto current = [] {
        int device = -1;
        EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
        return device;
    };
    const Distribution distribution = Distribution::poisson(100);
    for (int call = 0; call < 4; ++call) {
        g.set_position(0);
        g.normal(out.as<double>(), N);
        EXPECT_EQ(current(), 0);
    }
    g.discrete(small.as<unsigned>(), 1000, distribution);
    EXPECT_EQ(current(), 0);
    EXPECT_EQ(tandemGenerateNormal(g.get(), nullptr, 1, 0, 1), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(current(), 0);
    ASSERT_EQ(tandemSplitGenerator(g.get(), 3, &child), TANDEM_STATUS_SUCCESS);
    Generator on_one(child);
    on_one.generate(small.as<unsigned>(), 1000);
    g.release_scratch();
    EXPECT_EQ(current(), 0);
    ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
    EXPECT_EQ(out.read(), reference(Draw::normal64, g.key(), N));
    EXPECT_EQ(small.read(), reference(Draw::u32, on_one.key(), 1000));
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

// Small enough for compute-sanitizer: one call of each family, and odd addresses.
TEST_F(DeviceStreams, SanitizerSelection) {
    Generator g = Generator::device();
    constexpr std::size_t SMALL = 5000, LARGE = (std::size_t{1} << 16) + 77;
    const DeviceBytes out(LARGE * 8 + 64);
    unsigned char* const base = out.data();
    g.bits(base + 3, SMALL);
    g.generate(base + 5, SMALL);
    g.generate(reinterpret_cast<unsigned short*>(base + 6), SMALL);
    g.generate(reinterpret_cast<unsigned*>(base + 4), SMALL);
    g.uniform(reinterpret_cast<double*>(base + 8), SMALL);
    g.normal(reinterpret_cast<float*>(base + 4), SMALL);
    g.normal(reinterpret_cast<double*>(base + 8), SMALL);
    g.exponential(reinterpret_cast<double*>(base), SMALL);
    g.below(reinterpret_cast<unsigned*>(base), SMALL, 3000000000u);
    g.poisson(reinterpret_cast<unsigned*>(base), SMALL, 20.0);
    const uint64_t start = g.position();
    g.normal(reinterpret_cast<double*>(base + 8), LARGE);
    const std::vector<uint8_t> bytes = out.read();
    const std::vector<uint8_t> expected = reference(Draw::normal64, g.key(), LARGE, start);
    EXPECT_EQ(std::memcmp(bytes.data() + 8, expected.data(), expected.size()), 0);
}

}  // namespace
}  // namespace tandem::test
