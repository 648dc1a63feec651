#pragma once

/// Where `tandem distinct` counts.

#include <cstddef>
#include <memory>

#include "host_api/cli/job.hpp"
#include "tandem/theta.hpp"

namespace tandem::cli {

class DistinctPlace {
  public:
    virtual ~DistinctPlace() = default;

    virtual ThetaSketch make_sketch(uint32_t lg_k, uint64_t seed, float p) = 0;
    virtual Generator make_generator() = 0;

    /// Offers n keys of host memory, which is free again when the call returns.
    virtual void offer(const ThetaSketch& sketch, const void* keys, std::size_t n, tandemThetaKey_t type, std::size_t bytes) = 0;

    /// How many draws to offer at once: so many that a call costs nothing beside them.
    virtual uint64_t draws_a_step() const = 0;
};

/// Throws RunError when there is no such place.
std::unique_ptr<DistinctPlace> make_distinct_place(BackendName backend);

/// The first GPU; in a build without CUDA, and without a GPU, throws RunError that says why.
std::unique_ptr<DistinctPlace> make_distinct_cuda_place();

}  // namespace tandem::cli
