/// Seeds and children as sources of independent streams: every bit counts, and no two of them share a block.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "tandem/core.hpp"

namespace tandem {
namespace {

int ones(uint32_t x) {
    int count = 0;
    for (; x != 0; x &= x - 1) ++count;
    return count;
}

int distance(const Key& a, const Key& b) {
    int bits = 0;
    for (int i = 0; i < 4; ++i) bits += ones(a.w[i] ^ b.w[i]);
    return bits;
}

// Unrelated keys differ in 64 of 128 bits, with a standard deviation of 5.66. The bounds are 6.4 of them: a chance of 1e-10 a
// pair, of which the tests look at fewer than 10^4.
void expect_unrelated(const Key& a, const Key& b) {
    EXPECT_GE(distance(a, b), 28);
    EXPECT_LE(distance(a, b), 100);
}

using Words = std::array<uint32_t, 4>;

/// Adds the first blocks of a stream to the set and expects that none was there.
void expect_new(std::set<Words>& seen, const Rng& source, int blocks) {
    Rng rng = source;
    for (int i = 0; i < blocks; ++i) {
        const U128 b = rng.next<U128>();
        const Words words = {static_cast<uint32_t>(b.lo), static_cast<uint32_t>(b.lo >> 32), static_cast<uint32_t>(b.hi),
                             static_cast<uint32_t>(b.hi >> 32)};
        EXPECT_TRUE(seen.insert(words).second) << "block " << i;
    }
}

TEST(Streams, EveryBitOfASeedCounts) {
    for (const uint64_t low : {uint64_t{0}, ~uint64_t{0}, uint64_t{2026}}) {
        const Key key = key_of_seed(low, 0);
        for (int bit = 0; bit < 64; ++bit) {
            expect_unrelated(key, key_of_seed(low ^ (uint64_t{1} << bit), 0));
            expect_unrelated(key, key_of_seed(low, uint64_t{1} << bit));
        }
    }
}

TEST(Streams, ConsecutiveSeedsAreUnrelated) {
    for (uint64_t seed = 0; seed < 1000; ++seed) expect_unrelated(key_of_seed(seed, 0), key_of_seed(seed + 1, 0));
}

TEST(Streams, EveryBitOfAKeyAndOfAnIndexCounts) {
    const Key key = key_of_seed(1, 0);
    for (int bit = 0; bit < 128; ++bit) {
        Key other = key;
        other.w[bit / 32] ^= 1u << bit % 32;
        expect_unrelated(split_key(key, 5), split_key(other, 5));
        expect_unrelated(sub_key(key, 5), sub_key(other, 5));
        expect_unrelated(fork_key(key, 5, 5), fork_key(other, 5, 5));
    }
    for (int bit = 0; bit < 64; ++bit) {
        const uint64_t flipped = uint64_t{1} << bit;
        expect_unrelated(split_key(key, 0), split_key(key, flipped));
        expect_unrelated(sub_key(key, 0), sub_key(key, flipped));
        if (bit < 57) expect_unrelated(fork_key(key, 0, 0), fork_key(key, flipped, 0));
        if (bit < 33) expect_unrelated(fork_key(key, 0, 0), fork_key(key, 0, flipped));
    }
}

TEST(Streams, SeedsChildrenAndParentsShareNoBlock) {
    constexpr int BLOCKS = 256;
    std::set<Words> seen;
    for (const uint64_t seed : {uint64_t{0}, uint64_t{1}, ~uint64_t{0}, uint64_t{1} << 63}) {
        const Rng parent(seed);
        expect_new(seen, parent, BLOCKS);
        for (uint64_t i = 0; i < 20; ++i) {
            expect_new(seen, parent.split(i), BLOCKS);
            expect_new(seen, parent.sub(i), BLOCKS);
        }
        for (const uint64_t i : {uint64_t{1} << 32, uint64_t{1} << 63, ~uint64_t{0}}) {
            expect_new(seen, parent.split(i), BLOCKS);
            expect_new(seen, parent.sub(i), BLOCKS);
        }
        for (const uint64_t position : {uint64_t{0}, uint64_t{128}, uint64_t{1} << 62}) {
            Rng forking = parent;
            ASSERT_TRUE(forking.set_position(position));
            std::vector<Rng> children(8);
            ASSERT_TRUE(forking.fork(children.size(), children.data()));
            for (const Rng& child : children) expect_new(seen, child, BLOCKS);
        }
        // Grandchildren by every pair of ways.
        expect_new(seen, parent.split(0).split(0), BLOCKS);
        expect_new(seen, parent.split(0).sub(0), BLOCKS);
        expect_new(seen, parent.sub(0).split(0), BLOCKS);
        expect_new(seen, parent.sub(0).sub(0), BLOCKS);
    }
}

}  // namespace
}  // namespace tandem
