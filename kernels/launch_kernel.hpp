#pragma once

/// The one place that launches kernels.

#include <cuda_runtime_api.h>

#include <atomic>
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

/// Whether kernels that are launched often go to the driver under its own name for them, which spares the runtime's search for
/// the name and its checks.
constexpr bool THROUGH_DRIVER = false;

/// A kernel and the driver's name for it, found at its first launch. A name holds in every context and on every device.
class Kernel {
  public:
    explicit Kernel(const void* host) : host_(host) {}
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    /// As launch_blocks().
    cudaError_t launch(unsigned blocks, unsigned threads, std::size_t shared, void** arguments, cudaStream_t stream) {
        if (THROUGH_DRIVER && launch_by_name(blocks, threads, shared, arguments, stream)) return cudaSuccess;
        return launch_blocks(host_, blocks, threads, shared, arguments, stream);
    }

  private:
    /// False when nothing was launched: the driver is told of no context of this thread's before the runtime's first call, nor
    /// after cudaDeviceReset, and the runtime knows the right error.
    bool launch_by_name(unsigned blocks, unsigned threads, std::size_t shared, void** arguments, cudaStream_t stream);

    const void* host_;
    std::atomic<cudaKernel_t> name_{nullptr};
};

}  // namespace tandem::kernels
