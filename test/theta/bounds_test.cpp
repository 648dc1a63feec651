#include <gtest/gtest.h>

#include "host_api/theta/estimate.hpp"
#include "theta/theta_vectors.hpp"

namespace tandem::test {
namespace {

void expect_bounds(const api::ThetaSummary& summary, const std::vector<double>& bounds) {
    ASSERT_EQ(bounds.size(), 6u);
    for (uint32_t deviations = 1; deviations <= 3; ++deviations) {
        SCOPED_TRACE("deviations " + std::to_string(deviations));
        const api::ThetaBounds found = api::theta_bounds(summary, deviations);
        EXPECT_EQ(found.lower, bounds[2 * deviations - 2]);
        EXPECT_EQ(found.upper, bounds[2 * deviations - 1]);
    }
}

// Bit for bit: equality of doubles.
TEST(ThetaBounds, Vectors) {
    const std::vector<ThetaBoundsCase> cases = load_theta_bounds();
    EXPECT_EQ(cases.size(), 99u);
    for (const ThetaBoundsCase& c : cases) {
        SCOPED_TRACE("retained " + std::to_string(c.retained) + ", theta " + std::to_string(c.theta));
        const api::ThetaSummary summary{false, c.theta, c.retained};
        EXPECT_EQ(api::theta_estimate(summary), c.estimate);
        expect_bounds(summary, c.bounds);
    }
}

TEST(ThetaBounds, SketchVectors) {
    for (const ThetaSketchCase& c : load_theta_sketches()) {
        SCOPED_TRACE(c.name);
        const api::ThetaSummary summary{c.result.empty, c.result.theta, c.result.retained};
        EXPECT_EQ(api::theta_estimate(summary), c.result.estimate);
        expect_bounds(summary, c.result.bounds);
    }
}

// They hold the estimate between them and move apart as the deviations grow, for every count that has a row of the tables.
TEST(ThetaBounds, AreOrderedForEveryCountAndTheta) {
    for (uint64_t n = 0; n <= 130; ++n) {
        for (uint64_t theta = MAX_THETA; theta > 0; theta /= 3) {
            const api::ThetaSummary summary{false, theta, n};
            const double estimate = api::theta_estimate(summary);
            double lower = estimate, upper = estimate;
            for (uint32_t deviations = 1; deviations <= 3; ++deviations) {
                const api::ThetaBounds bounds = api::theta_bounds(summary, deviations);
                ASSERT_LE(bounds.lower, lower) << n << " " << theta;
                ASSERT_GE(bounds.upper, upper) << n << " " << theta;
                ASSERT_GE(bounds.lower, static_cast<double>(n)) << n << " " << theta;
                lower = bounds.lower;
                upper = bounds.upper;
            }
        }
    }
}

}  // namespace
}  // namespace tandem::test
