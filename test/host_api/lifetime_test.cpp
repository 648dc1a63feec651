#include <malloc.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <thread>

#include "host_api/backend_under_test.hpp"
#include "support/reference.hpp"

namespace tandem::test {
namespace {

class Lifetime : public BackendTest {};

TEST_F(Lifetime, HandlesAreNeverUsedTwice) {
    std::set<tandemGenerator_t> seen;
    for (int i = 0; i < 1000; ++i) {
        tandemGenerator_t g = nullptr;
        ASSERT_EQ(create_generator(&g, TANDEM_RNG_PSEUDO_DEFAULT), TANDEM_STATUS_SUCCESS);
        EXPECT_TRUE(seen.insert(g).second);
        ASSERT_EQ(tandemDestroyGenerator(g), TANDEM_STATUS_SUCCESS);
    }
    for (tandemGenerator_t g : seen) EXPECT_EQ(tandemDestroyGenerator(g), TANDEM_STATUS_NOT_INITIALIZED);
}

// Bytes that are allocated now. Resident pages would count what a sanitizer holds back.
std::size_t allocated_bytes() {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

TEST_F(Lifetime, CreateAndDestroyLoopsLeaveMemoryFlat) {
    constexpr std::size_t N = 1000;
    const auto room = make_room(N * 8);
    const auto loop = [&](int turns) {
        for (int i = 0; i < turns; ++i) {
            const TestGenerator parent;
            tandemGenerator_t children[8];
            ASSERT_EQ(tandemForkGenerators(parent, 8, children), TANDEM_STATUS_SUCCESS);
            for (tandemGenerator_t child : children) ASSERT_EQ(tandemDestroyGenerator(child), TANDEM_STATUS_SUCCESS);
            tandemDistribution_t distribution = nullptr;
            ASSERT_EQ(tandemCreatePoissonDistribution(1e4, &distribution), TANDEM_STATUS_SUCCESS);
            // Work that reads the distribution and two laws, which no later call names.
            unsigned* const out = static_cast<unsigned*>(room->data());
            ASSERT_EQ(tandemGenerateDiscrete(parent, out, N, distribution), TANDEM_STATUS_SUCCESS);
            ASSERT_EQ(tandemGeneratePoisson(parent, out, N, 40), TANDEM_STATUS_SUCCESS);
            ASSERT_EQ(tandemGenerateBinomial(parent, out, N, 40, 0.5), TANDEM_STATUS_SUCCESS);
            ASSERT_EQ(tandemDestroyDistribution(distribution), TANDEM_STATUS_SUCCESS);
            // Failing ones too.
            ASSERT_EQ(tandemGeneratePoisson(parent, out, N, -1), TANDEM_STATUS_OUT_OF_RANGE);
            ASSERT_EQ(tandemGenerateNormalDouble(parent, static_cast<double*>(room->data()), N, 0, -1),
                      TANDEM_STATUS_OUT_OF_RANGE);
            tandemGenerator_t none = nullptr;
            ASSERT_EQ(create_generator(&none, static_cast<tandemRngType_t>(7)), TANDEM_STATUS_TYPE_ERROR);
            ASSERT_EQ(tandemCreatePoissonDistribution(-1, &distribution), TANDEM_STATUS_OUT_OF_RANGE);
            static_cast<void>(room->read());  // waits for the work
        }
    };
    loop(50);
    const std::size_t before = allocated_bytes();
    loop(300);
    // One generator leaked a turn would be over 30,000 bytes, one table over 7,000,000.
    EXPECT_LT(allocated_bytes(), before + 16384);
}

TEST_F(Lifetime, AGeneratorMayGoWhileItsWorkIsInFlight) {
    constexpr std::size_t N = 1 << 20;
    const auto room = make_room(N * 8);
    Fill fill;
    {
        const TestGenerator g;
        fill.draw = Draw::normal64;
        fill.key = g.key();
        fill.n = N;
        ASSERT_EQ(tandemGenerateNormalDouble(g, static_cast<double*>(room->data()), N, 0, 1), TANDEM_STATUS_SUCCESS);
    }
    EXPECT_EQ(room->read(), reference_fill(fill));
}

TEST_F(Lifetime, ADistributionMayGoWhileItsWorkIsInFlight) {
    constexpr std::size_t N = 1 << 18;
    const TestGenerator g;
    const auto room = make_room(N * 4), expected = make_room(N * 4);
    tandemDistribution_t kept = nullptr;
    ASSERT_EQ(tandemCreateBinomialDistribution(1000, 0.25, &kept), TANDEM_STATUS_SUCCESS);
    ASSERT_EQ(tandemGenerateDiscrete(g, static_cast<unsigned*>(expected->data()), N, kept), TANDEM_STATUS_SUCCESS);
    const std::vector<uint8_t> values = expected->read();
    for (int turn = 0; turn < 20; ++turn) {
        tandemDistribution_t distribution = nullptr;
        ASSERT_EQ(tandemCreateBinomialDistribution(1000, 0.25, &distribution), TANDEM_STATUS_SUCCESS);
        ASSERT_EQ(tandemSetPosition(g, 0), TANDEM_STATUS_SUCCESS);
        ASSERT_EQ(tandemGenerateDiscrete(g, static_cast<unsigned*>(room->data()), N, distribution), TANDEM_STATUS_SUCCESS);
        ASSERT_EQ(tandemDestroyDistribution(distribution), TANDEM_STATUS_SUCCESS);
        EXPECT_EQ(tandemDestroyDistribution(distribution), TANDEM_STATUS_NOT_INITIALIZED);
        EXPECT_EQ(tandemGenerateDiscrete(g, static_cast<unsigned*>(room->data()), 1, distribution),
                  TANDEM_STATUS_NOT_INITIALIZED);
    }
    EXPECT_EQ(room->read(), values);
    EXPECT_EQ(tandemDestroyDistribution(kept), TANDEM_STATUS_SUCCESS);
}

TEST_F(Lifetime, LawsMayChangeBetweenCallsInFlight) {
    constexpr std::size_t N = 1 << 16;
    const TestGenerator g;
    const double lambdas[] = {0.5, 10, 1e4, 10, 0.5};
    std::vector<std::unique_ptr<Room>> rooms;
    for (double lambda : lambdas) {
        rooms.push_back(make_room(N * 4));
        ASSERT_EQ(tandemSetPosition(g, 0), TANDEM_STATUS_SUCCESS);
        ASSERT_EQ(tandemGeneratePoisson(g, static_cast<unsigned*>(rooms.back()->data()), N, lambda), TANDEM_STATUS_SUCCESS);
    }
    EXPECT_EQ(rooms[0]->read(), rooms[4]->read());
    EXPECT_EQ(rooms[1]->read(), rooms[3]->read());
    EXPECT_NE(rooms[0]->read(), rooms[1]->read());
}

// Each call takes its own part of the stream, so what the threads wrote together is the stream, in some order of the calls.
TEST_F(Lifetime, ThreadsShareAGenerator) {
    constexpr std::size_t THREADS = 4, CALLS = 50, N = 64;
    const TestGenerator g;
    const auto room = make_room(THREADS * CALLS * N * 4);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < THREADS; ++t) {
        threads.emplace_back([&, t] {
            for (std::size_t c = 0; c < CALLS; ++c) {
                unsigned* out = static_cast<unsigned*>(room->data()) + (t * CALLS + c) * N;
                EXPECT_EQ(tandemGenerate(g, out, N), TANDEM_STATUS_SUCCESS);
                uint64_t position = 0;
                EXPECT_EQ(tandemGetPosition(g, &position), TANDEM_STATUS_SUCCESS);
                EXPECT_EQ(position % (N * 32), 0u);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(g.position(), THREADS * CALLS * N * 32);
    const auto pieces = [](const std::vector<uint8_t>& bytes) {
        std::multiset<std::vector<uint8_t>> set;
        for (auto it = bytes.begin(); it != bytes.end(); it += N * 4) set.emplace(it, it + N * 4);
        return set;
    };
    Fill whole;
    whole.key = g.key();
    whole.n = THREADS * CALLS * N;
    EXPECT_EQ(pieces(room->read()), pieces(reference_fill(whole)));
}

TEST_F(Lifetime, ThreadsCreateAndDestroyAtOnce) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([] {
            for (int i = 0; i < 500; ++i) {
                const TestGenerator g;
                tandemGenerator_t child = nullptr;
                ASSERT_EQ(tandemSplitGenerator(g, 1, &child), TANDEM_STATUS_SUCCESS);
                ASSERT_EQ(tandemDestroyGenerator(child), TANDEM_STATUS_SUCCESS);
                ASSERT_EQ(tandemDestroyGenerator(child), TANDEM_STATUS_NOT_INITIALIZED);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
}

TEST_F(Lifetime, MessagesBelongToTheirThread) {
    EXPECT_EQ(tandemGenerate(nullptr, nullptr, 1), TANDEM_STATUS_NOT_INITIALIZED);
    const std::string mine = tandemGetLastErrorMessage();
    std::thread([] {
        EXPECT_STREQ(tandemGetLastErrorMessage(), "");
        EXPECT_EQ(tandemSetChunkLength(nullptr, 1), TANDEM_STATUS_NOT_INITIALIZED);
    }).join();
    const TestGenerator g;
    EXPECT_EQ(tandemGenerateSeeds(g), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(tandemGetLastErrorMessage(), mine);
    EXPECT_EQ(mine.rfind("tandemGenerate: generator is null", 0), 0u);
}

}  // namespace
}  // namespace tandem::test
