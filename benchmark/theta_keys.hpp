#pragma once

/// Keys for the benchmarks of sketches, and the kernel that they are held against.

#include <cuda_runtime_api.h>

#include <cstdint>

namespace tandem::bench {

/// Writes n keys, each of `distinct` different ones (all different when that is n) equally often, the first of them numbered
/// `first`.
cudaError_t write_keys(uint64_t* keys, uint64_t n, uint64_t first, uint64_t distinct);

/// Reads n keys, 16 bytes a thread at a time, and does nothing with them; `sink` is not written.
cudaError_t read_keys(const uint64_t* keys, uint64_t n, uint64_t* sink);

}  // namespace tandem::bench
