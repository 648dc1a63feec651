#pragma once

/// The ceiling of everything that only writes: a kernel that stores 16 bytes a thread and does nothing else.

#include <cuda_runtime_api.h>

#include <cstddef>

namespace tandem::bench {

/// Fills `bytes` bytes, a multiple of 16, at a multiple of 16.
cudaError_t store_16_bytes_a_thread(void* out, std::size_t bytes, cudaStream_t stream);

}  // namespace tandem::bench
