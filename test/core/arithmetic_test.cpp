/// The real-valued draws against a second, plain form of the contract's formulas: every f32 input, and many f64 ones.

#include <gtest/gtest.h>

#include <cmath>

#include "core/core_fill.hpp"
#include "support/reference_draws.hpp"

namespace tandem::test {
namespace {

uint32_t bits(float x) { return bit_cast<uint32_t>(x); }
uint64_t bits(double x) { return bit_cast<uint64_t>(x); }

TEST(Arithmetic, Exponentials32OfEveryDraw) {
    double worst = 0.0;
    for (uint32_t k = 0; k < 1u << 24; ++k) {
        const float x = static_cast<float>((1u << 24) - k) * 0x1p-24f;
        const float value = exponential_f32(k << 8 | (k & 255));
        ASSERT_EQ(bits(value), bits(reference_n32(x))) << k;
        ASSERT_EQ(bits(value), bits(N32(x))) << k;
        if (k == 0) continue;
        const double exact = -std::log(static_cast<double>(x));
        worst = std::fmax(worst, std::fabs(value - exact) / std::ldexp(1.0, std::ilogb(exact) - 23));
    }
    EXPECT_LE(worst, 0.571);
    EXPECT_GE(worst, 0.5);
}

TEST(Arithmetic, Normals32OfEveryRadiusAndEveryAngle) {
    for (uint32_t k = 0; k < 1u << 24; ++k) {
        const uint32_t draw = k << 8 | (k >> 16);
        const uint32_t other = k * 2654435761u;
        for (const auto& [a, b] : {std::pair<uint32_t, uint32_t>{draw, other}, {other, draw}}) {
            const Pair<float> pair = box_muller2_f32(a, b);
            const NormalPair expected = reference_normal32(a, b);
            ASSERT_EQ(bits(pair.x), bits(expected.cosine)) << a << " " << b;
            ASSERT_EQ(bits(pair.y), bits(expected.sine)) << a << " " << b;
        }
    }
}

TEST(Arithmetic, NormalBlocksAreTwoPairs) {
    const Block block{{0x12345678u, 0x9abcdef0u, 0xfedcba98u, 0x76543210u}};
    const Quad32 four = normal_block_f32(block);
    const NormalPair first = reference_normal32(block.w[0], block.w[1]), second = reference_normal32(block.w[2], block.w[3]);
    EXPECT_EQ(bits(four.v[0]), bits(first.cosine));
    EXPECT_EQ(bits(four.v[1]), bits(first.sine));
    EXPECT_EQ(bits(four.v[2]), bits(second.cosine));
    EXPECT_EQ(bits(four.v[3]), bits(second.sine));
}

TEST(Arithmetic, Logarithms64) {
    Rng rng(99);
    for (int i = 0; i < 2000000; ++i) {
        const uint64_t raw = rng.urand64() >> (i % 64);
        const double x = 1.0 - to_f64(raw);
        ASSERT_EQ(bits(L64(x)), bits(reference_l64(x)));
        ASSERT_EQ(bits(exponential_f64(raw)), bits(0.5 * reference_l64(x)));
        ASSERT_NEAR(L64(x), -2 * std::log(x), 1e-15 * std::fabs(2 * std::log(x)) + 1e-300);
    }
    EXPECT_EQ(bits(L64(1.0)), 0u);
    EXPECT_EQ(bits(L32(1.0f)), 0u);
    EXPECT_EQ(bits(N32(1.0f)), 0u);
}

TEST(Arithmetic, Normals64WithTheirFallbacks) {
    Fill fill;
    fill.key = Key{{5, 6, 7, 8}};
    const Key sub = sub_key(fill.key, PURPOSE_NORMAL64);
    const ZigguratTables tables = ziggurat_tables();
    Rng rng(7);
    int missed = 0;
    for (uint64_t g = 0; g < 1000000; ++g) {
        // Every fourth draw is pushed to the far end of its layer, where most miss; layers 0 and 1023 get more than their share.
        uint64_t raw = rng.urand64();
        if (g % 4 == 0) raw |= 0xffc0000000000000u;
        if (g % 64 == 0) raw &= ~1023ull;
        if (g % 64 == 1) raw |= 1023;
        bool miss = false;
        const double expected = reference_normal64(fill, raw, g, &miss);
        ASSERT_EQ(bits(normal_f64(raw, tables, sub, fill.chunk_length, g)), bits(expected)) << g;
        missed += miss;
        if (miss) {
            ASSERT_EQ(bits(normal_f64_fallback(raw, tables, sub, fill.chunk_length, g)), bits(expected)) << g;
        }
    }
    EXPECT_GT(missed, 20000);
}

TEST(Arithmetic, ExponentialFunctions) {
    Rng rng(11);
    for (int i = 0; i < 2000000; ++i) {
        const double x = 1500.0 * (rng.drand() - 0.5), small = x * std::ldexp(1.0, -(i % 60));
        ASSERT_EQ(bits(exp64(x)), bits(reference_exp64(x))) << x;
        ASSERT_EQ(bits(exp64(small)), bits(reference_exp64(small))) << small;
        const float y = 210.0f * (rng.frand() - 0.5f), little = y * std::ldexp(1.0f, -(i % 30));
        ASSERT_EQ(bits(exp32(y)), bits(reference_exp32(y))) << y;
        ASSERT_EQ(bits(exp32(little)), bits(reference_exp32(little))) << little;
    }
}

}  // namespace
}  // namespace tandem::test
