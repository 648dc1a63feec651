/// The vector form of f32 normals against the core's, for every draw that a radius and an angle can come from.

#include <gtest/gtest.h>

#include "tandem/kokkos/host_math.hpp"

namespace tandem::test {
namespace {

#if TANDEM_ROW_VECTORS

constexpr uint32_t DRAWS = 1u << 24;  // the lowest eight bits of a raw draw are not read

vectors::Words four_draws(uint32_t first) {
    return (vectors::set(first) + vectors::Words{0, 1, 2, 3}) << 8 | vectors::set(first & 0xff);
}

TEST(KokkosNormal32, EveryRadius) {
    for (uint32_t first = 0; first < DRAWS; first += 4) {
        const vectors::Words raw = four_draws(first);
        const auto r = reinterpret_cast<vectors::Words>(vectors::normal_radius(raw));
        for (int i = 0; i < 4; ++i) {
            ASSERT_EQ(r[i], bit_cast<uint32_t>(box_muller2_f32(raw[i], 0).x)) << first;  // the cosine of 0 is 1
        }
    }
}

TEST(KokkosNormal32, EveryAngle) {
    for (uint32_t first = 0; first < DRAWS; first += 4) {
        const vectors::Words raw = four_draws(first);
        vectors::Floats cosine, sine;
        vectors::cos_sin_turns(raw, cosine, sine);
        const auto c = reinterpret_cast<vectors::Words>(cosine), s = reinterpret_cast<vectors::Words>(sine);
        for (int i = 0; i < 4; ++i) {
            const Turn expected = cos_sin_turn(raw[i]);
            ASSERT_EQ(c[i], bit_cast<uint32_t>(expected.cosine) ^ expected.sign) << first;
            ASSERT_EQ(s[i], bit_cast<uint32_t>(expected.sine) ^ expected.sign) << first;
        }
    }
}

#else

TEST(KokkosNormal32, HasNoVectors) { GTEST_SKIP() << "compiled without host vectors"; }

#endif

}  // namespace
}  // namespace tandem::test
