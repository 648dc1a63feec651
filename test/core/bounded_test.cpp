/// Bounded integers: the exact law at every range, rejections, and the draws that follow one.

#include <gtest/gtest.h>

#include "core/core_fill.hpp"

namespace tandem::test {
namespace {

__extension__ using Wide = unsigned __int128;

const Key KEY{{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}};

template <class U>
bool below(U draw, const BelowRule<U>& rule, U& value) {
    if constexpr (sizeof(U) == 4) {
        return below_u32(draw, rule, value);
    } else {
        return below_u64(draw, rule, value);
    }
}

/// 2^width / range.
template <class U>
Wide share(U range) {
    return (Wide{1} << (8 * sizeof(U))) / range;
}

template <class U>
std::vector<U> ranges() {
    std::vector<U> list{1, 2, 3, 5, 6, 7, 10, 1000, 65537};
    for (unsigned bit = 2; bit < 8 * sizeof(U); ++bit) {
        const U power = static_cast<U>(U{1} << bit);
        for (const U range : {static_cast<U>(power - 1), power, static_cast<U>(power + 1)}) list.push_back(range);
    }
    const U quarter = static_cast<U>(U{1} << (8 * sizeof(U) - 2));
    list.push_back(static_cast<U>(3 * quarter));
    list.push_back(static_cast<U>(~U{0} - 1));
    list.push_back(~U{0});
    return list;
}

template <class U>
class Bounded : public testing::Test {};
using Widths = testing::Types<uint32_t, uint64_t>;
TYPED_TEST_SUITE(Bounded, Widths);

/// Each value must own exactly floor(2^w / range) draws, which lie side by side: their first and last, and both neighbours, say
/// so.
TYPED_TEST(Bounded, EveryValueOwnsTheSameNumberOfDraws) {
    using U = TypeParam;
    const unsigned w = 8 * sizeof(U);
    for (const U range : ranges<U>()) {
        const auto rule = below_rule<U>(range);
        const Wide own = share(range), rejected = (Wide{1} << w) - own * range;
        EXPECT_EQ(Wide{rule.threshold}, rejected) << range;
        for (const U v : {U{0}, static_cast<U>(range / 3), static_cast<U>(range / 2), static_cast<U>(range - 1)}) {
            const Wide first = ((Wide{v} << w) + rejected + range - 1) / range, last = first + own - 1;
            ASSERT_LT(last, Wide{1} << w);
            U value = 0;
            EXPECT_TRUE(below(static_cast<U>(first), rule, value)) << range;
            EXPECT_EQ(value, v) << range;
            EXPECT_TRUE(below(static_cast<U>(last), rule, value)) << range;
            EXPECT_EQ(value, v) << range;
            if (first > 0) {
                EXPECT_FALSE(below(static_cast<U>(first - 1), rule, value) && value == v) << range;
            }
            if (last + 1 < Wide{1} << w) {
                EXPECT_FALSE(below(static_cast<U>(last + 1), rule, value) && value == v) << range;
            }
        }
    }
}

TYPED_TEST(Bounded, ExtremeDrawsStayBelowTheRange) {
    using U = TypeParam;
    for (const U range : ranges<U>()) {
        for (const U draw : {U{0}, U{1}, static_cast<U>(~U{0} >> 1), static_cast<U>(~U{0} - 1), ~U{0}}) {
            U value = 0;
            if (below(draw, below_rule<U>(range), value)) {
                EXPECT_LT(value, range);
            }
        }
    }
}

TYPED_TEST(Bounded, PowersOfTwoTakeTheTopBitsAndNeverReject) {
    using U = TypeParam;
    for (unsigned bit = 0; bit < 8 * sizeof(U); ++bit) {
        const auto rule = below_rule<U>(static_cast<U>(U{1} << bit));
        EXPECT_EQ(rule.threshold, 0u);
        for (const U draw : {U{0}, U{1}, static_cast<U>(0x9e3779b97f4a7c15u), ~U{0}}) {
            U value = 1;
            ASSERT_TRUE(below(draw, rule, value));
            EXPECT_EQ(value, bit == 0 ? 0 : draw >> (8 * sizeof(U) - bit));
        }
    }
}

TYPED_TEST(Bounded, RangeZeroGivesZeroAndTheFullRangeTheDraw) {
    using U = TypeParam;
    for (const U draw : {U{0}, U{1}, static_cast<U>(0x9e3779b97f4a7c15u), ~U{0}}) {
        U value = 1;
        EXPECT_TRUE(below(draw, below_rule<U>(0), value));
        EXPECT_EQ(value, 0u);
        EXPECT_TRUE(below(draw, below_rule<U>(0, true), value));
        EXPECT_EQ(value, draw);
    }
    EXPECT_EQ(below_rule<U>(0).threshold, 0u);
}

TEST(BoundedFill, RetriesReadTheElementsOwnChildFromItsStart) {
    for (const uint32_t k : {1u, 2u, 32u, 65536u}) {
        for (const uint64_t g : {0ull, 1ull, 5ull, 1ull << 32, 0x0123456789abcdefull}) {
            FallbackStream words(KEY, k, g), pairs(KEY, k, g);
            Rng expected_words(split_key(KEY, g), 0, k), expected_pairs(split_key(KEY, g), 0, k);
            for (int i = 0; i < 200; ++i) {
                ASSERT_EQ(words.next_32(), expected_words.urand()) << "K " << k << " draw " << i;
                ASSERT_EQ(pairs.next_64(), expected_pairs.urand64()) << "K " << k << " draw " << i;
            }
        }
    }
}

TEST(BoundedScalar, RetriesWithTheNextDraw) {
    const uint32_t range32 = 0x80000001u;
    const uint64_t range64 = 0x8000000000000001u;
    Rng rng(KEY, 0), draws(KEY, 0);
    for (int i = 0; i < 300; ++i) {
        uint32_t value = 0;
        while (!below_u32(draws.urand(), below_rule(range32), value)) {
        }
        EXPECT_EQ(rng.urand(range32), value);
        EXPECT_EQ(rng.position(), draws.position());
    }
    for (int i = 0; i < 300; ++i) {
        uint64_t value = 0;
        while (!below_u64(draws.urand64(), below_rule(range64), value)) {
        }
        EXPECT_EQ(rng.urand64(range64), value);
        EXPECT_EQ(rng.position(), draws.position());
    }
    EXPECT_EQ(rng.urand(0), 0u);
    EXPECT_EQ(rng.urand64(0), 0u);
}

TEST(BoundedLow, WrapsInTheOutputType) {
    EXPECT_EQ(above_low<uint8_t>(250, 10), 4);
    EXPECT_EQ(above_low<int8_t>(100, 100), -56);
    EXPECT_EQ(above_low<int32_t>(static_cast<uint64_t>(int64_t{-2147483648}), 0xffffffffu), 2147483647);
    EXPECT_EQ(above_low<uint32_t>(0xffffffffu, 2), 1u);
    EXPECT_EQ(above_low<int64_t>(static_cast<uint64_t>(INT64_MIN), ~0ull), INT64_MAX);
    EXPECT_EQ(above_low<uint64_t>(~0ull, 3), 2u);
}

void expect_range(int64_t low, int64_t high, Draw draw, bool full, uint64_t range) {
    const BoundedRange b = bounded_range(static_cast<uint64_t>(low), static_cast<uint64_t>(high));
    EXPECT_EQ(b.draw, draw) << low << " " << high;
    EXPECT_EQ(b.full, full) << low << " " << high;
    EXPECT_EQ(b.range, range) << low << " " << high;
}

TEST(BoundedRange, IncludesBothEnds) {
    expect_range(7, 7, Draw::below32, false, 1);
    expect_range(-3, 3, Draw::below32, false, 7);
    expect_range(INT32_MIN, INT32_MAX - 1, Draw::below32, false, 0xffffffffu);
    expect_range(INT32_MIN, INT32_MAX, Draw::below32, true, 0);
    expect_range(5, 5 + (int64_t{1} << 32) - 1, Draw::below32, true, 0);
    expect_range(5, 5 + (int64_t{1} << 32), Draw::below64, false, (1ull << 32) + 1);
    expect_range(INT64_MIN, INT64_MAX - 1, Draw::below64, false, ~0ull);
    expect_range(INT64_MIN, INT64_MAX, Draw::below64, true, 0);
}

}  // namespace
}  // namespace tandem::test
