#include <gtest/gtest.h>

#include "host_api/cuda_memory.hpp"
#include "host_api/cuda_streams.hpp"
#include "host_api/runtime_calls.hpp"
#include "tandem/tandem.hpp"

// What the library asks of the CUDA runtime, call by call: free memory tells nothing of what comes from a pool or goes back at
// once.

namespace tandem::test {
namespace {

class DeviceCalls : public ::testing::Test {
  protected:
    void SetUp() override {
        const std::string missing = gpus_missing(1);
        if (!missing.empty()) GTEST_SKIP() << missing;
    }
};

/// One call of every function that fills, with n elements each. `room` has 8n bytes.
void fill_all(Generator& g, const DeviceBytes& room, std::size_t n, const Distribution& distribution) {
    g.generate(room.as<unsigned>(), n);
    g.generate(room.as<unsigned long long>(), n);
    g.generate(room.as<unsigned short>(), n);
    g.generate(room.as<unsigned char>(), n);
    g.bits(room.as<unsigned char>(), n);
    g.uniform(room.as<float>(), n);
    g.uniform(room.as<double>(), n);
    g.uniform_half(room.as<uint16_t>(), n);
    g.below(room.as<unsigned>(), n, 3000000000u);
    g.below(room.as<unsigned long long>(), n, 1000);
    g.int_range(room.as<int>(), n, -5, 5);
    g.int_range(room.as<long long>(), n, -5, 5);
    g.normal(room.as<float>(), n);
    g.normal(room.as<double>(), n);
    g.log_normal(room.as<float>(), n);
    g.log_normal(room.as<double>(), n);
    g.exponential(room.as<float>(), n);
    g.exponential(room.as<double>(), n);
    g.discrete(room.as<unsigned>(), n, distribution);
    g.poisson(room.as<unsigned>(), n, 10.0);
}

TEST_F(DeviceCalls, TheCountSeesTheLibrary) {
    Generator g = Generator::device();
    const DeviceBytes room(8000);
    const RuntimeCalls before = runtime_calls();
    g.poisson(room.as<unsigned>(), 1000, 123.5);
    const RuntimeCalls after = runtime_calls();
    EXPECT_GT(after.allocations, before.allocations);  // the table
    EXPECT_GT(after.waits, before.waits);              // for its copy
}

TEST_F(DeviceCalls, WarmCallsNeitherAllocateNorFreeNorWait) {
    constexpr std::size_t SMALL = 1000, LARGE = std::size_t{1} << 20;
    Generator g = Generator::device();
    const TestStream stream;
    g.set_stream(stream);
    const DeviceBytes room(LARGE * 8);
    const Distribution distribution = Distribution::binomial(1000, 0.25);
    const auto fill_both = [&] {
        fill_all(g, room, SMALL, distribution);
        fill_all(g, room, LARGE, distribution);
    };
    fill_both();
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    fill_both();
    const RuntimeCalls before = runtime_calls();
    for (int i = 0; i < 20; ++i) fill_both();  // the device falls behind: nothing of this is done when it is asked for again
    EXPECT_TRUE(runtime_calls() == before);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(DeviceCalls, ChangingStateAllocatesNothing) {
    Generator g = Generator::device();
    const DeviceBytes room(8000);
    g.generate(room.as<unsigned>(), 1000);
    const RuntimeCalls before = runtime_calls();
    for (uint64_t i = 0; i < 100; ++i) {
        g.set_seed(i);
        g.set_position(i * 32);
        g.set_chunk_length(8);
        g.restore(g.save());
        EXPECT_EQ(tandemGenerateNormal(g.get(), room.as<float>(), 1000, 0, -1), TANDEM_STATUS_OUT_OF_RANGE);
        EXPECT_EQ(tandemGenerate(g.get(), nullptr, 1000), TANDEM_STATUS_OUT_OF_RANGE);
        g.generate(room.as<unsigned>(), 1000);
    }
    EXPECT_TRUE(runtime_calls() == before);
}

TEST_F(DeviceCalls, LivesThatEndGiveBackAllTheyTook) {
    constexpr std::size_t N = 1000;
    const DeviceBytes room(N * 8);
    const auto lives = [&](int turns) {
        for (int i = 0; i < turns; ++i) {
            Generator g = Generator::device();
            for (Generator& child : g.fork(3)) child.normal(room.as<double>(), N);
            const Distribution distribution = Distribution::poisson(1e4);
            g.discrete(room.as<unsigned>(), N, distribution);
            g.poisson(room.as<unsigned>(), N, 50 + i % 2);
            tandemDistribution_t none = nullptr;
            EXPECT_EQ(tandemCreatePoissonDistribution(-1, &none), TANDEM_STATUS_OUT_OF_RANGE);
            EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        }
        Generator::device().release_scratch();
    };
    lives(20);
    const RuntimeCalls before = runtime_calls();
    lives(200);
    const RuntimeCalls after = runtime_calls();
    EXPECT_LE(after.allocations - after.frees, before.allocations - before.frees);
    EXPECT_LE(after.events_made - after.events_destroyed, before.events_made - before.events_destroyed);
    EXPECT_LE(after.streams_made - after.streams_destroyed, before.streams_made - before.streams_destroyed);
}

}  // namespace
}  // namespace tandem::test
