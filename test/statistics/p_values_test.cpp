/// The tests of fit against published quantiles of their statistics.

#include <gtest/gtest.h>

#include <cmath>

#include "statistics/p_values.hpp"

namespace tandem::test {
namespace {

TEST(PValues, ChiSquare) {
    EXPECT_NEAR(chi_square_tail(3.841458820694124, 1), 0.05, 1e-12);
    EXPECT_NEAR(chi_square_tail(9.210340371976182, 2), 0.01, 1e-12);  // exp(-x / 2)
    EXPECT_NEAR(chi_square_tail(124.3421134, 100), 0.05, 1e-9);
    EXPECT_NEAR(chi_square_tail(77.92946517, 100), 0.95, 1e-9);
    EXPECT_DOUBLE_EQ(chi_square_tail(0, 3), 1);
    EXPECT_NEAR(chi_square_p({60, 40}, {50, 50}), 0.04550026389635842, 1e-12);        // z = 2
    EXPECT_NEAR(chi_square_p({60, 38, 2}, {50, 49, 1}), 0.04550026389635842, 1e-12);  // the last cell joins its neighbour
}

TEST(PValues, Counts) {
    EXPECT_NEAR(normal_p(1.959963984540054), 0.05, 1e-12);
    EXPECT_NEAR(count_p(0, 3), 2 * std::exp(-3.0), 1e-12);
    EXPECT_NEAR(count_p(3, 0.5), 2 * (1 - std::exp(-0.5) * (1 + 0.5 + 0.125)), 1e-12);
    EXPECT_NEAR(count_p(10200, 10000), normal_p(1.995), 1e-3);
}

TEST(PValues, KolmogorovSmirnov) {
    EXPECT_NEAR(kolmogorov_p(1.3580986393 / 1e4, 1e8), 0.05, 1e-4);
    EXPECT_NEAR(kolmogorov_p(1.6276236115 / 1e4, 1e8), 0.01, 1e-4);
}

// Evenly spread values fit too well to be doubted; shifted ones are off by about n * shift^2 * (a constant).
TEST(PValues, AndersonDarling) {
    std::vector<double> even, shifted;
    for (int i = 0; i < 1000; ++i) {
        even.push_back((i + 0.5) / 1000);
        shifted.push_back(std::pow((i + 0.5) / 1000, 1.25));
    }
    EXPECT_DOUBLE_EQ(anderson_darling_p(even), 1);
    EXPECT_LT(anderson_darling_p(shifted), 1e-6);
    EXPECT_GT(anderson_darling_p(shifted), 1e-30);
}

}  // namespace
}  // namespace tandem::test
