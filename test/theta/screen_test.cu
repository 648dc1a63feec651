#include <gtest/gtest.h>

#include "kernels/theta_screen.cuh"

namespace tandem::kernels {
namespace {

// For every lower half there is.
TEST(ThetaScreen, TheEstimateKeepsItsBounds) {
    constexpr uint64_t FACTOR = LAST_FACTOR & 0xffffffffu;
    int64_t below = 0, above = 0;
    for (uint64_t x = 0; x < uint64_t{1} << 32; ++x) {
        const int64_t exact = static_cast<int64_t>(x * FACTOR >> 32);
        const int64_t error = static_cast<int64_t>((x >> ESTIMATE_SHIFT) * ESTIMATE_FACTOR) - exact;
        below = error < below ? error : below;
        above = error > above ? error : above;
    }
    EXPECT_GE(below, -static_cast<int64_t>(MOST_BELOW));
    EXPECT_LE(above, static_cast<int64_t>(MOST_ABOVE));
    // No looser than they need be.
    EXPECT_LE(below, 1 - static_cast<int64_t>(MOST_BELOW));
    EXPECT_GE(above, static_cast<int64_t>(MOST_ABOVE) - 1);
}

}  // namespace
}  // namespace tandem::kernels
