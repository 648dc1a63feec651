#pragma once

/// The live handles of the C interface, and the frame of functions that take one.

#include "host_api/generator.hpp"
#include "host_api/handles.hpp"
#include "host_api/status.hpp"

namespace tandem::api {

extern HandleTable<Generator, 5> generators;
extern HandleTable<Distribution, 11> distributions;

/// Runs the body of a C function on the generator of a handle; a handle that is none becomes status 101.
template <class Body>
tandemStatus_t with_generator(const char* function, tandemGenerator_t handle, Body&& body) noexcept {
    return guarded(function, [&] {
        Generator* generator = generators.find(handle);
        if (generator == nullptr) refuse_handle("generator", handle);
        body(*generator);
    });
}

/// The distribution of a handle; throws error with 101.
inline Distribution& distribution_of(tandemDistribution_t handle) {
    Distribution* distribution = distributions.find(handle);
    if (distribution == nullptr) refuse_handle("distribution", handle);
    return *distribution;
}

}  // namespace tandem::api
