#include "kernels/launch_kernel.hpp"

#include <cuda.h>

namespace tandem::kernels {
namespace {

using LaunchKernel = decltype(&cuLaunchKernel);

// The driver's function; null where it cannot be had.
LaunchKernel find_launch_kernel() {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    const cudaError_t result = cudaGetDriverEntryPointByVersion("cuLaunchKernel", &function, 12000, cudaEnableDefault, &found);
#else
    const cudaError_t result = cudaGetDriverEntryPoint("cuLaunchKernel", &function, cudaEnableDefault, &found);
#endif
    if (result != cudaSuccess || found != cudaDriverEntryPointSuccess) return nullptr;
    return reinterpret_cast<LaunchKernel>(function);
}

}  // namespace

bool Kernel::launch_by_name(unsigned blocks, unsigned threads, std::size_t shared, void** arguments, cudaStream_t stream) {
    static const LaunchKernel by_name = find_launch_kernel();
    if (by_name == nullptr) return false;
    cudaKernel_t name = name_.load(std::memory_order_relaxed);
    if (name == nullptr) {
        if (cudaGetKernel(&name, host_) != cudaSuccess) return false;
        name_.store(name, std::memory_order_relaxed);
    }
    // The driver takes a kernel's name in place of a function of the current context.
    return by_name(reinterpret_cast<CUfunction>(name), blocks, 1, 1, threads, 1, 1, static_cast<unsigned>(shared), stream,
                   arguments, nullptr) == CUDA_SUCCESS;
}

}  // namespace tandem::kernels
