#pragma once

/// What calls cost the host: small ones that only enqueue, and the first ones of a process.

#include <string>
#include <vector>

namespace tandem::bench {

struct HostCost {
    std::string call;
    double microseconds = 0;
};

/// The first calls of the process, in the order in which they were made: to be called before anything else uses the GPU. The
/// creation of the CUDA context comes first and apart.
std::vector<HostCost> measure_cold_calls();

/// Warm calls of 1024 elements, enqueued without waiting: the median of batches, a call.
std::vector<HostCost> measure_warm_calls();

}  // namespace tandem::bench
