/// Row, in the form that this translation unit was compiled with, against blocks computed one by one.

#include "tandem/core/row.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace tandem::test {
namespace {

const Key KEYS[] = {{{1, 2, 3, 4}}, {{0, 0, 0, 0}}, {{~0u, ~0u, ~0u, ~0u}}, {{0x80000000u, 1, 0xdeadbeefu, 7}}};

/// Groups whose chunk numbers differ in one word, in both, and carry between four chunks and the next four.
const uint64_t GROUPS[] = {0, 1, 0x1fffffff, 0x20000000, 0x123456789abull, (1ull << 51) - 1};

void expect_row(const Key& key, uint64_t group, uint64_t row, const Block* blocks) {
    for (uint64_t lane = 0; lane < LANES; ++lane) {
        const Block expected = block(key, group * LANES + lane, static_cast<uint32_t>(row));
        ASSERT_EQ(std::memcmp(&expected, blocks + lane, sizeof(Block)), 0)
            << "group " << group << ", row " << row << ", lane " << lane;
    }
}

TEST(Row, IsCompiledInTheFormAskedFor) { EXPECT_EQ(TANDEM_ROW_VECTORS, TANDEM_TEST_ROW_VECTORS); }

TEST(Row, StepsLikeItsChunks) {
    for (const Key& key : KEYS) {
        for (const uint64_t group : GROUPS) {
            Row states;
            states.seed(key, group);
            for (uint64_t row = 0; row < 40; ++row) {
                states.step();
                Block blocks[LANES];
                states.store(blocks);
                ASSERT_NO_FATAL_FAILURE(expect_row(key, group, row, blocks));
            }
        }
    }
}

TEST(Row, SeedsLikeItsChunks) {
    for (const Key& key : KEYS) {
        for (const uint64_t group : GROUPS) {
            Row states;
            states.seed(key, group);
            for (int lane = 0; lane < LANES; ++lane) {
                const State expected = chunk_start(key, group * LANES + static_cast<uint64_t>(lane));
                for (int i = 0; i < 4; ++i) {
                    ASSERT_EQ(states.o[i][lane], expected.o[i]);
                    ASSERT_EQ(states.h[i][lane], expected.h[i]);
                }
            }
        }
    }
}

TEST(Row, WritesAsManyRowsAsAskedFor) {
    for (const uint64_t n : {0u, 1u, 2u, 7u, 33u}) {
        Row states;
        states.seed(KEYS[0], 5);
        std::vector<Block> blocks((3 + n + 1) * LANES, Block{{9, 9, 9, 9}});
        states.rows(3, blocks.data());
        states.rows(n, blocks.data() + 3 * LANES);
        for (uint64_t row = 0; row < 3 + n; ++row) ASSERT_NO_FATAL_FAILURE(expect_row(KEYS[0], 5, row, &blocks[row * LANES]));
        for (uint64_t i = 0; i < LANES; ++i) ASSERT_EQ(blocks[(3 + n) * LANES + i].w[0], 9u);
    }
}

}  // namespace
}  // namespace tandem::test
