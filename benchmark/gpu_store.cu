#include "benchmark/gpu_store.hpp"

namespace tandem::bench {
namespace {

constexpr unsigned BLOCK = 256;

__global__ void store_kernel(uint4* out, std::size_t units) {
    const std::size_t i = blockIdx.x * static_cast<std::size_t>(BLOCK) + threadIdx.x;
    const unsigned v = static_cast<unsigned>(i);
    if (i < units) out[i] = make_uint4(v, v ^ 1, v ^ 2, v ^ 3);
}

}  // namespace

cudaError_t store_16_bytes_a_thread(void* out, std::size_t bytes, cudaStream_t stream) {
    const std::size_t units = bytes / 16;
    store_kernel<<<static_cast<unsigned>((units + BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(static_cast<uint4*>(out), units);
    return cudaGetLastError();
}

}  // namespace tandem::bench
