#pragma once

/// What a sketch's count and theta say about the number of distinct keys.

#include "host_api/theta/set.hpp"

namespace tandem::api {

struct ThetaBounds {
    double lower;
    double upper;
};

/// The number of distinct keys: exact where theta is MAX_THETA.
double theta_estimate(const ThetaSummary& summary);

/// Bounds of the number of distinct keys at 1, 2 or 3 standard deviations of a normal law; both are the exact number where theta
/// is MAX_THETA.
ThetaBounds theta_bounds(const ThetaSummary& summary, uint32_t deviations);

}  // namespace tandem::api
