/// Every map from words to values at its ends: exact, inside the promised interval, finite.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/core_fill.hpp"

namespace tandem::test {
namespace {

const Key KEY{{1, 2, 3, 4}};

template <class V>
bool positive_zero(V x) {
    return x == 0 && !std::signbit(x);
}

double half_value(uint16_t bits) {
    const int exponent = bits >> 10, fraction = bits & 1023;
    return exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
}

TEST(Endpoints, HalvesAreExactForEveryWord) {
    for (uint32_t raw = 0; raw < 65536; ++raw) {
        const double expected = std::ldexp(raw >> 5, -11);
        ASSERT_EQ(half_value(to_f16_bits(static_cast<uint16_t>(raw))), expected) << raw;
        ASSERT_EQ(half_value(reflect_f16_bits(static_cast<uint16_t>(raw))), 1 - expected) << raw;
    }
}

TEST(Endpoints, FloatsAreExactForEveryWord) {
    for (uint32_t k = 0; k < 1u << 24; ++k) {
        const double expected = std::ldexp(k, -24);
        const float low = to_f32(k << 8), high = to_f32(k << 8 | 255);
        ASSERT_EQ(low, expected);
        ASSERT_EQ(high, expected);
        ASSERT_EQ(reflect(low), 1 - expected);
    }
}

TEST(Endpoints, DoublesStayBelowOne) {
    EXPECT_TRUE(positive_zero(to_f64(0)));
    EXPECT_TRUE(positive_zero(to_f64(2047)));
    EXPECT_EQ(to_f64(2048), 0x1p-53);
    EXPECT_EQ(to_f64(~0ull), 1 - 0x1p-53);
    EXPECT_EQ(reflect(to_f64(0)), 1.0);
    EXPECT_EQ(reflect(to_f64(~0ull)), 0x1p-53);
}

TEST(Endpoints, CharactersSkipTheSurrogates) {
    EXPECT_EQ(to_char(0), 0u);
    EXPECT_EQ(to_char(~0ull), 0x10ffffu);
    // The first draw of code u is ceil(u * 2^64 / 1112064), and 1112064 does not divide any of these.
    __extension__ using Wide = unsigned __int128;
    const auto first = [](uint64_t u) { return static_cast<uint64_t>((Wide{u} << 64) / 1112064 + 1); };
    EXPECT_EQ(to_char(first(0xd800) - 1), 0xd7ffu);
    EXPECT_EQ(to_char(first(0xd800)), 0xe000u);
    EXPECT_EQ(to_char(first(0x10f7ff) - 1), 0x10fffeu);
    EXPECT_EQ(to_char(first(0x10f7ff)), 0x10ffffu);
}

TEST(Endpoints, ExponentialsAreFiniteAndNeverNegative) {
    EXPECT_TRUE(positive_zero(exponential_f64(0)));
    EXPECT_TRUE(positive_zero(exponential_f32(0)));
    EXPECT_NEAR(exponential_f64(~0ull), 53 * std::log(2.0), 1e-13);
    EXPECT_NEAR(exponential_f32(~0u), 24 * std::log(2.0), 2e-6);
    EXPECT_EQ(exponential_f64(1ull << 11), 0x1p-53);
    EXPECT_EQ(exponential_f32(1u << 8), 0x1p-24f);
}

TEST(Endpoints, ScalesKeepSubnormalResults) {
    EXPECT_EQ(scaled(0x1p-24f, 0x1p-120f), 0x1p-144f);
    EXPECT_EQ(scaled(0x1p-53, 0x1p-1000), 0x1p-1053);
    EXPECT_TRUE(positive_zero(scaled(0.0f, 3.0f)));
    EXPECT_EQ(scaled(0.1f, 1.0f), 0.1f);
    EXPECT_EQ(scaled(1.5, 3.0), 4.5);
}

TEST(Endpoints, NormalsOfExtremeWordsAreFinite) {
    for (const uint32_t a : {0u, 1u, 255u, 256u, 0x7fffffffu, 0x80000000u, 0xfffffeffu, 0xffffff00u, 0xffffffffu}) {
        for (const uint32_t b : {0u, 1u, 256u, 0x20000000u, 0x1fffffffu, 0x40000000u, 0x80000000u, 0xc0000000u, 0xffffffffu}) {
            const Pair<float> pair = box_muller2_f32(a, b);
            EXPECT_LE(std::fabs(pair.x), 5.77f);
            EXPECT_LE(std::fabs(pair.y), 5.77f);
            EXPECT_EQ(normal_f32(a, b), pair.x);
        }
    }
    const ZigguratTables tables = ziggurat_tables();
    for (uint64_t low = 0; low < 2048; ++low) {
        for (const uint64_t high : {0ull, 1ull, (1ull << 53) - 2, (1ull << 53) - 1}) {
            const double z = normal_f64(high << 11 | low, tables, KEY, 32, low);
            ASSERT_TRUE(std::isfinite(z));
            ASSERT_LT(std::fabs(z), 40.0);
            if (high == 0 && (low & 1023) < 1023) {
                ASSERT_EQ(z, 0.0);
                ASSERT_EQ(std::signbit(z), (low & 1024) != 0);
            }
        }
    }
}

TEST(Endpoints, SureHitsAreHits) {
    const ZigguratTables tables = ziggurat_tables();
    for (uint64_t layer = 0; layer < 1024; ++layer) {
        const uint64_t kx = tables.kx[layer];
        const auto high = static_cast<uint32_t>(kx >> 21);
        EXPECT_EQ(uint64_t{high}, kx >> 21);
        for (const uint64_t magnitude : {kx == 0 ? 0 : kx - 1, kx, kx >> 21 << 21, ((kx >> 21) + 1) << 21, kx / 2}) {
            const ZigguratSplit split = ziggurat_split(magnitude << 11 | layer);
            if (ziggurat_sure_hit(split, high)) {
                EXPECT_TRUE(ziggurat_hit(split, kx));
            } else {
                EXPECT_GE(magnitude, kx >> 21 << 21);
            }
        }
    }
}

TEST(Endpoints, ParametersOfNormals) {
    EXPECT_TRUE(std::signbit(affine(-0.0, 0.0, 1.0)));
    EXPECT_TRUE(std::signbit(affine(-0.0f, -0.0f, 1.0f)));
    EXPECT_EQ(affine(0.0, 0x1p-1060, 1.0), 0x1p-1060);
    EXPECT_EQ(affine(-0.0f, 0x1p-140f, 1.0f), 0x1p-140f);
    EXPECT_EQ(affine(2.5, 7.0, 0.0), 7.0);
    EXPECT_EQ(affine(2.5f, 7.0f, 0.0f), 7.0f);
    EXPECT_EQ(affine(0.1, 0.3, 3.0), std::fma(0.1, 3.0, 0.3));
    EXPECT_EQ(affine(0x1p-10f, 0.0f, 0x1p-130f), 0x1p-140f);
    EXPECT_EQ(lognormal_of(0.0, 0.0, 1.0), 1.0);
    EXPECT_EQ(lognormal_of(0.0f, 0.0f, 1.0f), 1.0f);
}

TEST(Endpoints, ExponentialFunction) {
    const double inf = std::numeric_limits<double>::infinity();
    const float inff = std::numeric_limits<float>::infinity();
    EXPECT_EQ(exp64(0.0), 1.0);
    EXPECT_EQ(exp64(-0.0), 1.0);
    EXPECT_EQ(exp64(inf), inf);
    EXPECT_EQ(exp64(710.0), inf);
    EXPECT_TRUE(positive_zero(exp64(-inf)));
    EXPECT_TRUE(positive_zero(exp64(-746.0)));
    EXPECT_EQ(exp64(-744.5), 0x1p-1074);
    EXPECT_LT(exp64(709.7), inf);
    EXPECT_EQ(exp32(0.0f), 1.0f);
    EXPECT_EQ(exp32(inff), inff);
    EXPECT_EQ(exp32(89.0f), inff);
    EXPECT_TRUE(positive_zero(exp32(-inff)));
    EXPECT_TRUE(positive_zero(exp32(-104.0f)));
    EXPECT_EQ(exp32(-103.2f), 0x1p-149f);
    EXPECT_LT(exp32(88.7f), inff);
}

}  // namespace
}  // namespace tandem::test
