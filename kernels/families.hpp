#pragma once

/// The kernel families, one source file each; launch() of fill.hpp chooses among them.

#include <cuda_runtime_api.h>

#include "tandem/core/fill.hpp"

namespace tandem::kernels {

cudaError_t launch_plain(const Fill& fill, const Key* device_key, cudaStream_t stream);
cudaError_t launch_bits(const Fill& fill, const Key* device_key, cudaStream_t stream);
cudaError_t launch_bounded(const Fill& fill, const Key* device_key, cudaStream_t stream);
cudaError_t launch_exponential(const Fill& fill, const Key* device_key, cudaStream_t stream);
cudaError_t launch_normal32(const Fill& fill, const Key* device_key, cudaStream_t stream);
cudaError_t launch_normal64(const Fill& fill, const Key* device_key, cudaStream_t stream);
cudaError_t launch_choice(const Fill& fill, const Key* device_key, cudaStream_t stream);

}  // namespace tandem::kernels
