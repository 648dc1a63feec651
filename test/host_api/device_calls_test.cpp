#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

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

/// A call of a function that fills.
struct Call {
    const char* name;
    std::function<void()> make;
};

/// One call of every such function, with n elements each. `room` has 8n bytes.
std::vector<Call> all_calls(Generator& g, const DeviceBytes& room, std::size_t n, const Distribution& distribution) {
    return {{"u32", [&, n] { g.generate(room.as<unsigned>(), n); }},
            {"u64", [&, n] { g.generate(room.as<unsigned long long>(), n); }},
            {"u16", [&, n] { g.generate(room.as<unsigned short>(), n); }},
            {"u8", [&, n] { g.generate(room.as<unsigned char>(), n); }},
            {"bits", [&, n] { g.bits(room.as<unsigned char>(), n); }},
            {"f32", [&, n] { g.uniform(room.as<float>(), n); }},
            {"f64", [&, n] { g.uniform(room.as<double>(), n); }},
            {"f16", [&, n] { g.uniform_half(room.as<uint16_t>(), n); }},
            {"below u32", [&, n] { g.below(room.as<unsigned>(), n, 3000000000u); }},
            {"below u64", [&, n] { g.below(room.as<unsigned long long>(), n, 1000); }},
            {"range i32", [&, n] { g.int_range(room.as<int>(), n, -5, 5); }},
            {"range i64", [&, n] { g.int_range(room.as<long long>(), n, -5, 5); }},
            {"normal f32", [&, n] { g.normal(room.as<float>(), n); }},
            {"normal f64", [&, n] { g.normal(room.as<double>(), n); }},
            {"lognormal f32", [&, n] { g.log_normal(room.as<float>(), n); }},
            {"lognormal f64", [&, n] { g.log_normal(room.as<double>(), n); }},
            {"exponential f32", [&, n] { g.exponential(room.as<float>(), n); }},
            {"exponential f64", [&, n] { g.exponential(room.as<double>(), n); }},
            {"discrete", [&, n] { g.discrete(room.as<unsigned>(), n, distribution); }},
            {"poisson", [&, n] { g.poisson(room.as<unsigned>(), n, 10.0); }}};
}

TEST_F(DeviceCalls, TheCountSeesTheLibrary) {
    Generator g = Generator::device();
    const DeviceBytes room(8000);
    const RuntimeCalls before = runtime_calls();
    g.poisson(room.as<unsigned>(), 1000, 123.5);
    const RuntimeCalls after = runtime_calls();
    EXPECT_GT(after.allocations, before.allocations);  // the table
    EXPECT_GT(after.waits, before.waits);              // for its copy
    EXPECT_EQ(after.launches, before.launches + 1);
}

TEST_F(DeviceCalls, WarmCallsNeitherAllocateNorFreeNorWait) {
    Generator g = Generator::device();
    const TestStream stream;
    g.set_stream(stream);
    constexpr std::size_t LARGE = std::size_t{1} << 20;
    const DeviceBytes room(LARGE * 8);
    const Distribution distribution = Distribution::binomial(1000, 0.25);
    for (const std::size_t n : {std::size_t{1000}, LARGE}) {
        const std::vector<Call> calls = all_calls(g, room, n, distribution);
        for (int i = 0; i < 3; ++i) {
            for (const Call& call : calls) call.make();
            ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        }
        const RuntimeCalls before = runtime_calls();
        // The device falls behind: nothing of this is done when it is asked for again.
        for (int i = 0; i < 20; ++i) {
            for (const Call& call : calls) call.make();
        }
        RuntimeCalls after = runtime_calls();
        after.launches = before.launches;  // of kernels that found no place
        EXPECT_TRUE(after == before);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
}

// In processes of their own, as calls that went before have places of the device.
using DeviceCallsDeathTest = DeviceCalls;

int launches_of(const std::function<void()>& call) {
    const int before = runtime_calls().launches;
    call();
    return runtime_calls().launches - before;
}

/// Runs a check in a process that has not called the library; it answers what is wrong, or nothing.
void expect_right(const std::function<std::string()>& check) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            const std::string wrong = check();
            std::fprintf(stderr, "%s\n", wrong.c_str());
            _exit(wrong.empty() ? 0 : 1);
        },
        ::testing::ExitedWithCode(0), "");
}

TEST_F(DeviceCallsDeathTest, EveryCallBecomesAGraph) {
    for (const std::size_t n : {std::size_t{1000}, std::size_t{1} << 20}) {
        expect_right([n] {
            Generator g = Generator::device();
            const TestStream stream;
            g.set_stream(stream);
            const DeviceBytes room(n * 8);
            const Distribution distribution = Distribution::binomial(1000, 0.25);
            const std::vector<Call> calls = all_calls(g, room, n, distribution);
            std::string wrong;
            for (int i = 0; i < 3; ++i) {
                for (const Call& call : calls) {
                    if (launches_of(call.make) != 0 && i == 2) wrong += std::string(call.name) + ' ';
                }
            }
            return wrong;
        });
    }
}

TEST_F(DeviceCallsDeathTest, FromTheSecondLikeCallOfAStreamOn) {
    expect_right([] {
        Generator g = Generator::device();
        const DeviceBytes room(8000);
        const auto integers = [&] { g.generate(room.as<unsigned>(), 1000); };
        const auto uniforms = [&] { g.uniform(room.as<double>(), 500); };
        std::vector<int> launches;
        for (int i = 0; i < 3; ++i) launches.push_back(launches_of(integers));  // after the second, which makes the graphs
        const TestStream one, two;
        for (const TestStream* stream : {&one, &two}) {
            g.set_stream(*stream);
            for (int i = 0; i < 2; ++i) launches.push_back(launches_of(integers));
            for (int i = 0; i < 2; ++i) launches.push_back(launches_of(uniforms));
            launches.push_back(launches_of(integers));
        }
        return launches == std::vector<int>{1, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0} ? std::string() : std::string("launches");
    });
}

// However many kernels take turns, the 32 that came first keep their graphs; a place that was taken by a single call is given on.
TEST_F(DeviceCallsDeathTest, MoreStreamsThanPlaces) {
    expect_right([] {
        constexpr int STREAMS = 40, PLACES = 32, TURNS = 10;
        Generator g = Generator::device();
        const DeviceBytes room(8000);
        std::vector<std::unique_ptr<TestStream>> streams;
        for (int i = 0; i < STREAMS; ++i) streams.push_back(std::make_unique<TestStream>());
        const auto call = [&](int i) {
            g.set_stream(*streams[static_cast<std::size_t>(i)]);
            g.generate(room.as<unsigned>(), 1000);
        };
        for (int i = 0; i < PLACES; ++i) call(i);
        int late = 0;  // calls of a stream that came when all places were taken, until it has one
        while (late < 1000 && launches_of([&] { call(PLACES); }) != 0) ++late;
        for (int turn = 0; turn < 3; ++turn) {
            for (int i = 0; i < STREAMS; ++i) call(i);
        }
        const int plain = launches_of([&] {
            for (int turn = 0; turn < TURNS; ++turn) {
                for (int i = 0; i < STREAMS; ++i) call(i);
            }
        });
        std::string wrong;
        if (late == 0 || late == 1000) wrong += "late " + std::to_string(late);
        if (plain != TURNS * (STREAMS - PLACES)) wrong += " plain " + std::to_string(plain);
        return wrong;
    });
}

TEST_F(DeviceCalls, ChangingStateAllocatesNothing) {
    Generator g = Generator::device();
    const DeviceBytes room(8000);
    for (int i = 0; i < 2; ++i) g.generate(room.as<unsigned>(), 1000);
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
