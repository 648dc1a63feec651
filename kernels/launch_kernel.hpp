#pragma once

/// The one place that launches kernels.

#include <cuda_runtime_api.h>

#include <cstddef>

namespace tandem::kernels {

/// A kernel of `blocks` blocks of `threads`, with so many bytes of dynamic shared memory.
struct KernelCall {
    const void* kernel;
    unsigned blocks;
    unsigned threads;
    std::size_t shared;
    void** arguments;
    cudaStream_t stream;
};

/// What puts kernels on their streams in another way than the runtime's launch.
class Launcher {
  public:
    /// Enqueues the kernel in stream order and returns the launch's own error. The arguments are read before it returns.
    virtual cudaError_t launch(const KernelCall& call) = 0;

  protected:
    ~Launcher() = default;
};

/// Launches a kernel and returns the launch's own error.
inline cudaError_t launch_blocks(const KernelCall& call) {
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(call.blocks);
    config.blockDim = dim3(call.threads);
    config.dynamicSmemBytes = call.shared;
    config.stream = call.stream;
    return cudaLaunchKernelExC(&config, call.kernel, call.arguments);
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
