#pragma once

/// Sets of device memory under every way to launch them.

#include "host_api/theta/device_set.hpp"
#include "theta/device_place.hpp"

namespace tandem::test {

/// As many blocks as the device holds and the table that a set would take; then few blocks with the smallest table, which is cut
/// again and again; then all blocks with it; then a table that
/// is large for its set.
constexpr kernels::ThetaTuning THETA_TUNINGS[] = {{0, 0, true}, {1, 10, true}, {7, 10, false}, {0, 10, false}, {7, 16, true}};

template <int kTuning>
std::unique_ptr<api::ThetaSet> make_tuned_set(const api::ThetaParameters& parameters) {
    return std::make_unique<api::DeviceThetaSet>(parameters, 0, THETA_TUNINGS[kTuning]);
}

}  // namespace tandem::test
