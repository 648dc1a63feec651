#pragma once

/// The GPU behind the command line. In a build without CUDA there are no devices, and make_cuda_backend() says why.

#include <memory>
#include <string>
#include <vector>

#include "host_api/cli/backend.hpp"

namespace tandem::cli {

/// How many GPUs the driver shows; 0 without a driver.
int cuda_device_count();

/// Fills through the first GPU. Throws RunError when there is none or it does not work.
std::unique_ptr<Backend> make_cuda_backend();

}  // namespace tandem::cli
