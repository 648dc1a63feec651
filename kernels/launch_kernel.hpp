#pragma once

/// The one place that launches kernels.

#include <cuda_runtime_api.h>

#include <cstddef>

namespace tandem::kernels {

/// Launches a kernel of blocks of `threads` and returns the launch's own error.
inline cudaError_t launch_blocks(const void* kernel, unsigned blocks, unsigned threads, std::size_t shared, void** arguments,
                                 cudaStream_t stream) {
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    return cudaLaunchKernelExC(&config, kernel, arguments);
}

/// The same for a kernel whose blocks wait for each other: they are resident all at once, or none is launched.
inline cudaError_t launch_together(const void* kernel, unsigned blocks, unsigned threads, std::size_t shared, void** arguments,
                                   cudaStream_t stream) {
    cudaLaunchAttribute together{};
    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    config.attrs = &together;
    config.numAttrs = 1;
    return cudaLaunchKernelExC(&config, kernel, arguments);
}

}  // namespace tandem::kernels
