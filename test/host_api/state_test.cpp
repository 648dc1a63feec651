#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "host_api/backend_under_test.hpp"

namespace tandem::test {
namespace {

using nlohmann::json;

class States : public BackendTest {};

// By value, so that a loop over it keeps it alive.
json other_vectors(const char* section) {
    std::ifstream file(TANDEM_TEST_DATA "/other.json");
    const json all = json::parse(file);
    EXPECT_FALSE(all.at(section).empty());
    return all.at(section);
}

Key key_of(const json& words) {
    Key key{};
    for (std::size_t i = 0; i < 4; ++i) key.w[i] = static_cast<uint32_t>(std::stoul(words[i].get<std::string>(), nullptr, 16));
    return key;
}

U128 decimal(const std::string& digits) {
    __extension__ unsigned __int128 value = 0;
    for (char digit : digits) value = value * 10 + static_cast<unsigned>(digit - '0');
    return U128{static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64)};
}

TEST_F(States, ANewGeneratorHasSeedZeroPositionZeroAndK32) {
    const TestGenerator g;
    unsigned char state[TANDEM_STATE_BYTES];
    ASSERT_EQ(tandemSaveState(g, state), TANDEM_STATUS_SUCCESS);
    const TestGenerator other;
    ASSERT_EQ(tandemSetPseudoRandomGeneratorSeed(other, 0), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(g.key(), other.key());
    EXPECT_EQ(g.position(), 0u);
    EXPECT_EQ(state[4], 32);
    CUstream_st* stream = reinterpret_cast<CUstream_st*>(state);
    EXPECT_EQ(tandemGetStream(g, &stream), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(stream, nullptr);
}

TEST_F(States, SeedsGiveThePublishedKeysAndPositionZero) {
    const TestGenerator g;
    for (const json& c : other_vectors("seeds")) {
        const U128 seed = decimal(c["seed"]);
        ASSERT_EQ(tandemSetPosition(g, 99), TANDEM_STATUS_SUCCESS);
        ASSERT_EQ(tandemSetSeed128(g, seed.lo, seed.hi), TANDEM_STATUS_SUCCESS);
        EXPECT_EQ(g.key(), key_of(c["key"])) << c["seed"];
        EXPECT_EQ(g.position(), 0u);
        if (seed.hi != 0) continue;
        ASSERT_EQ(tandemSetPosition(g, 99), TANDEM_STATUS_SUCCESS);
        ASSERT_EQ(tandemSetPseudoRandomGeneratorSeed(g, seed.lo), TANDEM_STATUS_SUCCESS);
        EXPECT_EQ(g.key(), key_of(c["key"])) << c["seed"];
        EXPECT_EQ(g.position(), 0u);
    }
}

TEST_F(States, PositionsAndOffsets) {
    const TestGenerator g;
    const Key key{{9, 8, 7, 6}};
    ASSERT_EQ(tandemSetPosition(g, 5), TANDEM_STATUS_SUCCESS);
    ASSERT_EQ(tandemSetKey(g, key.w), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(g.key(), key);
    EXPECT_EQ(g.position(), 0u);
    ASSERT_EQ(tandemSetGeneratorOffset(g, 3), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(g.position(), 96u);
    ASSERT_EQ(tandemSetGeneratorOffset(g, (1ull << 58) - 1), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(g.position(), (1ull << 63) - 32);
    ASSERT_EQ(tandemSetPosition(g, (1ull << 63) - 1), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(g.position(), (1ull << 63) - 1);
    ASSERT_EQ(tandemSetChunkLength(g, 1), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(g.position(), (1ull << 63) - 1);
    EXPECT_EQ(g.key(), key);
    // Drawing goes on beyond 2^63.
    const auto room = make_room(64);
    ASSERT_EQ(tandemGenerate(g, static_cast<unsigned*>(room->data()), 16), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(g.position(), (1ull << 63) + 16 * 32);
}

TEST_F(States, SavedStatesHaveThePublishedBytes) {
    for (const json& c : other_vectors("states")) {
        const TestGenerator g;
        const U128 seed = decimal(c["seed"]);
        ASSERT_EQ(tandemSetSeed128(g, seed.lo, seed.hi), TANDEM_STATUS_SUCCESS);
        ASSERT_EQ(tandemSetChunkLength(g, c["K"].get<uint32_t>()), TANDEM_STATUS_SUCCESS);
        ASSERT_EQ(tandemSetPosition(g, c["position"].get<uint64_t>()), TANDEM_STATUS_SUCCESS);
        unsigned char state[TANDEM_STATE_BYTES + 1];
        ASSERT_EQ(tandemSaveState(g, state + 1), TANDEM_STATUS_SUCCESS);  // any alignment
        std::string hex;
        for (int i = 0; i < TANDEM_STATE_BYTES; ++i) {
            char digits[3];
            std::snprintf(digits, sizeof(digits), "%02x", state[i + 1]);
            hex += digits;
        }
        EXPECT_EQ(hex, c["bytes"].get<std::string>());
        const TestGenerator restored;
        ASSERT_EQ(tandemRestoreState(restored, state + 1), TANDEM_STATUS_SUCCESS);
        EXPECT_EQ(restored.key(), g.key());
        EXPECT_EQ(restored.position(), g.position());
        unsigned char again[TANDEM_STATE_BYTES];
        ASSERT_EQ(tandemSaveState(restored, again), TANDEM_STATUS_SUCCESS);
        EXPECT_EQ(std::memcmp(again, state + 1, TANDEM_STATE_BYTES), 0);
    }
}

TEST_F(States, RestoringChecksVersionAndChunkLength) {
    const TestGenerator g;
    ASSERT_EQ(tandemSetPosition(g, 64), TANDEM_STATUS_SUCCESS);
    unsigned char good[TANDEM_STATE_BYTES], bad[TANDEM_STATE_BYTES];
    ASSERT_EQ(tandemSaveState(g, good), TANDEM_STATUS_SUCCESS);
    for (const auto& [byte, value] : {std::pair<int, unsigned char>{0, 2}, {0, 0}, {3, 1}, {4, 33}, {4, 0}, {6, 2}, {7, 1}}) {
        std::memcpy(bad, good, sizeof(bad));
        bad[byte] = value;
        bad[24] = 1;  // another position, which must not be taken
        EXPECT_EQ(tandemRestoreState(g, bad), TANDEM_STATUS_OUT_OF_RANGE) << byte;
        EXPECT_EQ(g.position(), 64u);
    }
    std::memset(good + 24, 0xff, 8);  // reached by drawing only, but a saved state may hold it
    EXPECT_EQ(tandemRestoreState(g, good), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(g.position(), ~0ull);
}

TEST_F(States, ForksGiveThePublishedKeys) {
    for (const json& c : other_vectors("forks")) {
        const TestGenerator g;
        g.restore(key_of(c["key"]), c["K"].get<uint32_t>(), c["start"].get<uint64_t>());
        const std::size_t n = c["n"].get<std::size_t>();
        std::vector<tandemGenerator_t> children(n);
        ASSERT_EQ(tandemForkGenerators(g, n, children.data()), TANDEM_STATUS_SUCCESS);
        for (std::size_t i = 0; i < n; ++i) {
            const TestGenerator child(children[i]);
            EXPECT_EQ(child.position(), 0u);
            if (i < c["keys"].size()) {
                EXPECT_EQ(child.key(), key_of(c["keys"][i]));
            }
        }
        EXPECT_EQ(g.position(), c["end"].get<uint64_t>());
    }
}

TEST_F(States, ChildrenInheritAndTheParentStays) {
    const TestGenerator parent;
    CUstream_st* const stream = reinterpret_cast<CUstream_st*>(std::uintptr_t{2});
    ASSERT_EQ(tandemSetChunkLength(parent, 4), TANDEM_STATUS_SUCCESS);
    ASSERT_EQ(tandemSetStream(parent, stream), TANDEM_STATUS_SUCCESS);
    ASSERT_EQ(tandemSetUniformInterval(parent, TANDEM_UNIFORM_OPEN_CLOSED), TANDEM_STATUS_SUCCESS);
    ASSERT_EQ(tandemSetPosition(parent, 77), TANDEM_STATUS_SUCCESS);
    const Key key = parent.key();
    tandemGenerator_t handles[3] = {};
    ASSERT_EQ(tandemSplitGenerator(parent, ~0ull, &handles[0]), TANDEM_STATUS_SUCCESS);
    ASSERT_EQ(tandemSubGenerator(parent, 1ull << 40, &handles[1]), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(parent.position(), 77u);
    ASSERT_EQ(tandemForkGenerators(parent, 1, &handles[2]), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(parent.position(), 128u);
    EXPECT_EQ(parent.key(), key);
    for (tandemGenerator_t handle : handles) {
        const TestGenerator child(handle);
        EXPECT_NE(child.key(), key);
        EXPECT_EQ(child.position(), 0u);
        CUstream_st* inherited = nullptr;
        ASSERT_EQ(tandemGetStream(child, &inherited), TANDEM_STATUS_SUCCESS);
        EXPECT_EQ(inherited, stream);
        unsigned char state[TANDEM_STATE_BYTES];
        ASSERT_EQ(tandemSaveState(child, state), TANDEM_STATUS_SUCCESS);
        EXPECT_EQ(state[4], 4);
    }
    ASSERT_EQ(tandemForkGenerators(parent, 0, nullptr), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(parent.position(), 256u);
}

// Uniforms of a child of a reflected parent lie in (0, 1]: at every element 1 - u of the plain ones.
TEST_F(States, TheUniformIntervalIsInheritedAndReflectsExactly) {
    const TestGenerator g;
    const auto plain = make_room(4000), reflected = make_room(4000);
    tandemGenerator_t child = nullptr;
    ASSERT_EQ(tandemSplitGenerator(g, 5, &child), TANDEM_STATUS_SUCCESS);
    const TestGenerator plain_child(child);
    ASSERT_EQ(tandemSetUniformInterval(g, TANDEM_UNIFORM_OPEN_CLOSED), TANDEM_STATUS_SUCCESS);
    ASSERT_EQ(tandemSplitGenerator(g, 5, &child), TANDEM_STATUS_SUCCESS);
    const TestGenerator reflected_child(child);
    ASSERT_EQ(tandemGenerateUniform(plain_child, static_cast<float*>(plain->data()), 1000), TANDEM_STATUS_SUCCESS);
    ASSERT_EQ(tandemGenerateUniform(reflected_child, static_cast<float*>(reflected->data()), 1000), TANDEM_STATUS_SUCCESS);
    float u[1000], v[1000];
    std::memcpy(u, plain->read().data(), sizeof(u));
    std::memcpy(v, reflected->read().data(), sizeof(v));
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(v[i], 1.0f - u[i]);
}

TEST_F(States, OrderingsAndSeedsChangeNothing) {
    const TestGenerator g;
    ASSERT_EQ(tandemSetPosition(g, 33), TANDEM_STATUS_SUCCESS);
    for (int ordering = 100; ordering <= 104; ++ordering) {
        EXPECT_EQ(tandemSetGeneratorOrdering(g, static_cast<tandemOrdering_t>(ordering)), TANDEM_STATUS_SUCCESS);
    }
    EXPECT_EQ(tandemGenerateSeeds(g), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(g.position(), 33u);
    EXPECT_EQ(g.key(), key_of_seed(0, 0));
}

TEST_F(States, SettersTouchNothingElse) {
    const TestGenerator g;
    ASSERT_EQ(tandemSetSeed128(g, 11, 12), TANDEM_STATUS_SUCCESS);
    ASSERT_EQ(tandemSetPosition(g, 4096), TANDEM_STATUS_SUCCESS);
    const Key key = g.key();
    EXPECT_EQ(tandemSetStream(g, nullptr), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(tandemSetNormalMode(g, TANDEM_NORMAL_FAST), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(tandemSetGraphMode(g, TANDEM_GRAPH_REPEAT), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(tandemSetGraphMode(g, TANDEM_GRAPH_FRESH), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(tandemSetHostThreads(g, 2), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(tandemSetUniformInterval(g, TANDEM_UNIFORM_OPEN_CLOSED), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(g.key(), key);
    EXPECT_EQ(g.position(), 4096u);
    size_t bytes = 1;
    EXPECT_EQ(tandemReleaseScratch(g), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(tandemGetScratchBytes(g, &bytes), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(bytes, 0u);
}

}  // namespace
}  // namespace tandem::test
