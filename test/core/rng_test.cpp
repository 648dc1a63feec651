/// The scalar generator: its position, its children, random access, and how its draws relate to fills.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/core_fill.hpp"

namespace tandem::test {
namespace {

const Key KEY{{0xdeadbeefu, 0x00c0ffeeu, 0x12345678u, 0x9abcdef0u}};
constexpr uint32_t LENGTHS[] = {1, 2, 8, 32, 4096, 65536};

/// `width` bits at an aligned position, from the definition of the stream.
uint64_t raw_at(uint64_t p, uint32_t width, uint32_t k) {
    const uint64_t row = p >> 10;
    const Block b = block(KEY, 8 * (row / k) + ((p >> 7) & 7), static_cast<uint32_t>(row % k));
    const uint64_t low = b.w[(p >> 5) & 3];
    if (width == 64) return low | uint64_t{b.w[((p >> 5) & 3) + 1]} << 32;
    return width == 32 ? low : (low >> (p & 31)) & ((1ull << width) - 1);
}

TEST(Rng, ReadsTheStreamAtEveryWidthAndMoves) {
    for (const uint32_t k : LENGTHS) {
        for (const uint64_t start : {0ull, 1ull, 77ull, 1000ull, 8ull * 1024 * k - 40, (1ull << 40) + 3}) {
            Rng rng(KEY, start, k);
            uint64_t p = start;
            for (int i = 0; i < 60; ++i) {
                for (const uint32_t width : {1u, 8u, 16u, 32u, 64u}) {
                    p = (p + width - 1) / width * width;
                    const uint64_t expected = raw_at(p, width, k);
                    const uint64_t value = width == 64 ? rng.next_64() : rng.next_bits(width);
                    ASSERT_EQ(value, expected) << k << " " << p << " " << width;
                    p += width;
                    ASSERT_EQ(rng.position(), p);
                    ASSERT_EQ(rng.drawn_position(width), p - width);
                }
            }
        }
    }
}

TEST(Rng, PositionsAreBounded) {
    Rng rng(KEY);
    EXPECT_TRUE(rng.set_position((1ull << 63) - 1));
    EXPECT_EQ(rng.position(), (1ull << 63) - 1);
    EXPECT_FALSE(rng.set_position(1ull << 63));
    EXPECT_FALSE(rng.set_position(~0ull));
    EXPECT_EQ(rng.position(), (1ull << 63) - 1);
    EXPECT_EQ(rng.urand(), raw_at(1ull << 63, 32, 32));
    EXPECT_EQ(rng.position(), (1ull << 63) + 32);
    EXPECT_TRUE(rng.set_position(64));
    EXPECT_EQ(rng.urand(), raw_at(64, 32, 32));
}

TEST(Rng, DrawsWrapAt2To64) {
    for (const uint32_t k : LENGTHS) {
        Rng rng(KEY, ~0ull - 31, k);
        EXPECT_EQ(rng.urand(), raw_at(~0ull - 31, 32, k));
        EXPECT_EQ(rng.position(), 0u);
        EXPECT_EQ(rng.urand(), raw_at(0, 32, k));
        Rng beyond(KEY, ~0ull, k);
        EXPECT_EQ(beyond.urand64(), raw_at(0, 64, k));
        EXPECT_EQ(beyond.position(), 64u);
        Rng last(KEY, ~0ull - 63, k);
        const uint64_t raw = raw_at(~0ull - 63, 64, k);
        EXPECT_EQ(last.normal(), normal_f64(raw, ziggurat_tables(), sub_key(KEY, PURPOSE_NORMAL64), k, (1ull << 58) - 1));
    }
}

TEST(Rng, RandomAccessIsTheFillThatWouldStartHere) {
    for (const uint64_t start : {0ull, 5ull, 1025ull, 1ull << 50}) {
        Rng rng(KEY, start);
        for (const uint64_t i : {0ull, 1ull, 31ull, 1000ull, 1ull << 33}) {
            const uint64_t p32 = (start + 31) / 32 * 32 + 32 * i, p64 = (start + 63) / 64 * 64 + 64 * i;
            EXPECT_EQ(rng.at_urand(i), raw_at(p32, 32, 32));
            EXPECT_EQ(rng.at_urand64(i), raw_at(p64, 64, 32));
            EXPECT_EQ(rng.at_frand(i), to_f32(static_cast<uint32_t>(raw_at(p32, 32, 32))));
            EXPECT_EQ(rng.at_drand(i), to_f64(raw_at(p64, 64, 32)));
            EXPECT_EQ(rng.position(), start);
        }
    }
}

TEST(Rng, ChildrenStartAtZeroWithTheParentsLength) {
    const Rng parent(KEY, 999, 8);
    for (const uint64_t i : {0ull, 1ull, 2ull, 3ull, 1ull << 33, ~0ull}) {
        const State pair = F_keyed(KEY, i / 2, 0xbb67ae85u, 0);
        const uint32_t* half = i % 2 ? pair.h : pair.o;
        const Rng split = parent.split(i);
        for (int w = 0; w < 4; ++w) EXPECT_EQ(split.key().w[w], half[w]);
        EXPECT_EQ(split.position(), 0u);
        EXPECT_EQ(split.chunk_length(), 8u);
        const State folded = F_keyed(KEY, i, 0xcd9e8d57u, 0);
        for (int w = 0; w < 4; ++w) EXPECT_EQ(parent.sub(i).key().w[w], folded.o[w]);
        EXPECT_EQ(parent.sub(i).chunk_length(), 8u);
    }
    EXPECT_EQ(parent.position(), 999u);
    EXPECT_TRUE(parent.key() == KEY);
}

TEST(Rng, ForksDependOnTheBlockAndEndAtTheNext) {
    Rng first(KEY, 1000), again(KEY, 1023), next(KEY, 1024);
    Rng a[2], b[2], c[2];
    ASSERT_TRUE(first.fork(2, a) && again.fork(2, b) && next.fork(2, c));
    EXPECT_TRUE(a[0].key() == b[0].key() && a[1].key() == b[1].key());
    EXPECT_FALSE(a[0].key() == c[0].key() || a[1].key() == c[1].key() || a[0].key() == a[1].key());
    EXPECT_EQ(first.position(), 1024u);
    EXPECT_EQ(next.position(), 1152u);
    EXPECT_FALSE(first.fork((1ull << 33) + 1, nullptr));
    EXPECT_EQ(first.position(), 1024u);
    Rng last(KEY, ~0ull - 127);
    EXPECT_FALSE(last.fork(0, nullptr));
    EXPECT_EQ(last.position(), ~0ull - 127);
    Rng before(KEY, ~0ull - 128);
    EXPECT_TRUE(before.fork(0, nullptr));
    EXPECT_EQ(before.position(), ~0ull - 127);
}

TEST(Rng, PairsAndParameters) {
    Rng rng(KEY, 7), same(KEY, 7);
    const Pair<double> two = rng.normal2();
    EXPECT_EQ(two.x, same.normal());
    EXPECT_EQ(two.y, same.normal());
    const Pair<float> halves = rng.normalf2();
    const uint32_t a = same.urand(), b = same.urand();
    EXPECT_EQ(halves.x, box_muller2_f32(a, b).x);
    EXPECT_EQ(halves.y, box_muller2_f32(a, b).y);
    Rng scalar(KEY, same.position() - 64);
    EXPECT_EQ(scalar.normalf(), halves.x);
    EXPECT_EQ(scalar.position(), same.position());
    EXPECT_EQ(rng.normal(3.0, 0.5), affine(same.normal(), 3.0, 0.5));
    EXPECT_EQ(rng.normalf(3.0f, 0.5f), affine(same.normalf(), 3.0f, 0.5f));
    EXPECT_EQ(rng.lognormal(3.0, 0.5), exp64(affine(same.normal(), 3.0, 0.5)));
    EXPECT_EQ(rng.lognormalf(3.0f, 0.5f), exp32(affine(same.normalf(), 3.0f, 0.5f)));
    EXPECT_EQ(rng.exponential(3.0), 3.0 * same.exponential());
    EXPECT_EQ(rng.exponentialf(3.0f), 3.0f * same.exponentialf());
    EXPECT_EQ(rng.position(), same.position());
}

TEST(Rng, CopiesAreIndependent) {
    Rng rng(KEY);
    rng.urand();
    Rng copy = rng;
    const uint32_t next = rng.urand();
    rng.urand64();
    EXPECT_EQ(copy.urand(), next);
}

TEST(Positions, BlocksAndPlacesAreInverse) {
    for (uint32_t log2_k = 0; log2_k <= 16; ++log2_k) {
        for (const uint64_t b : {0ull, 7ull, 8ull, 255ull, 256ull, (1ull << 57) - 1, 0x0123456789abcdeull}) {
            const BlockPlace place = place_of_block(b, log2_k);
            EXPECT_LT(place.step, 1u << log2_k);
            EXPECT_EQ(block_of_place(place.chunk, place.step, log2_k), b);
        }
    }
}

TEST(Positions, FillsEndBelow2To64) {
    for (const Draw draw : {Draw::u8, Draw::u32, Draw::f64, Draw::u128, Draw::below64, Draw::normal64, Draw::choice}) {
        const uint64_t w = rule_of(draw).width;
        const uint64_t last = ~0ull - w + 1;  // a draw that starts here would end at 2^64
        EXPECT_FALSE(fill_span(draw, last, 1).ok);
        EXPECT_FALSE(fill_span(draw, last - w, 2).ok);
        EXPECT_EQ(fill_span(draw, last - w, 2).end, last - w);
        EXPECT_TRUE(fill_span(draw, last - w, 1).ok);
        EXPECT_EQ(fill_span(draw, last - w, 1).end, last);
        EXPECT_FALSE(fill_span(draw, 0, ~0ull).ok && w > 1);
        EXPECT_EQ(fill_span(draw, last + 1, 0).ok, !rule_of(draw).empty_aligns);
    }
    EXPECT_FALSE(fill_span(Draw::normal32, 0, ~0ull).ok);
    EXPECT_EQ(fill_span(Draw::normal32, 5, 3).end, 32u + 4 * 32);
    EXPECT_EQ(fill_span(Draw::normal32, 5, 0).end, 5u);
    EXPECT_EQ(fill_span(Draw::lognormal32, 0, 7).end, 256u);
    EXPECT_FALSE(fill_span(Draw::c64, 0, 1ull << 63).ok);
    EXPECT_EQ(fill_span(Draw::c64, 1, 3).end, 64u + 6 * 64);
    EXPECT_TRUE(fill_span(Draw::boolean, 0, ~0ull).ok);
    EXPECT_FALSE(fill_span(Draw::boolean, 1, ~0ull).ok);
}

TEST(RngRanges, TheEndIsNeverReachedNorPassed) {
    Rng rng(7);
    for (int i = 0; i < 1000; ++i) {
        const float f = rng.frand(-std::numeric_limits<float>::denorm_min(), 0.0f);
        EXPECT_EQ(f, -std::numeric_limits<float>::denorm_min());
        const double d = rng.drand(-std::numeric_limits<double>::denorm_min(), 0.0);
        EXPECT_EQ(d, -std::numeric_limits<double>::denorm_min());
        const float g = rng.frand(1.0f, std::nextafter(1.0f, 2.0f));
        EXPECT_EQ(g, 1.0f);
    }
}

}  // namespace
}  // namespace tandem::test
