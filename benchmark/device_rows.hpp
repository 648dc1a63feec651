#pragma once

/// Draws inside kernels, fused algorithms and Thrust, and the nearest use of cuRAND's device interface.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tandem::bench {

/// One kernel, or call, to time: `bytes` drawn of `items` elements.
struct DeviceCall {
    std::string name;
    uint64_t items = 0;
    std::size_t bytes = 0;
    std::function<void()> prepare;  ///< once, before the warm-up; may be empty
    std::function<void()> call;     ///< enqueues on the default stream; throws std::runtime_error
};

/// Memory for the sums of a call's threads, or its output: at least `bytes` from cudaMalloc, freed at exit, shared by all rows.
char* device_scratch(std::size_t bytes);

/// A grid that fills the GPU once with blocks of `threads` of this kernel.
unsigned full_grid(const void* kernel, int threads);

constexpr int BLOCK_THREADS = 128;

/// Sums over RowRng and ChunkRng, one draw at a time, and batches of normals.
std::vector<DeviceCall> generator_calls();

/// Fused reductions, the same generation alone, fused and Thrust transforms.
std::vector<DeviceCall> algorithm_calls();

/// The same with cuRAND's Philox and XORWOW states, prepared in memory before.
std::vector<DeviceCall> curand_calls();

}  // namespace tandem::bench
