#include "benchmark/theta_keys.hpp"

namespace tandem::bench {
namespace {

constexpr unsigned THREADS = 512, BLOCKS = 132 * 16;

// Products by an odd number are different for different factors.
__global__ void write_kernel(uint64_t* keys, uint64_t n, uint64_t first, uint64_t distinct) {
    const uint64_t stride = uint64_t{gridDim.x} * blockDim.x;
    for (uint64_t i = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        keys[i] = (first + i % distinct) * 0x9e3779b97f4a7c15ull;
    }
}

__global__ void read_kernel(const ulonglong2* keys, uint64_t n, uint64_t* sink) {
    constexpr int AT_ONCE = 4;
    const uint64_t stride = uint64_t{gridDim.x} * blockDim.x;
    uint64_t sum = 0;
    uint64_t i = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (; i + (AT_ONCE - 1) * stride < n; i += AT_ONCE * stride) {
        ulonglong2 pairs[AT_ONCE];
#pragma unroll
        for (int j = 0; j < AT_ONCE; ++j) pairs[j] = __ldcs(keys + i + j * stride);
#pragma unroll
        for (int j = 0; j < AT_ONCE; ++j) sum += pairs[j].x ^ pairs[j].y;
    }
    for (; i < n; i += stride) sum += keys[i].x;
    if (sum == 0x123456789abcdef0ull) *sink = sum;  // so that the loads are not left out
}

}  // namespace

cudaError_t write_keys(uint64_t* keys, uint64_t n, uint64_t first, uint64_t distinct) {
    write_kernel<<<BLOCKS, THREADS>>>(keys, n, first, distinct);
    return cudaGetLastError();
}

cudaError_t read_keys(const uint64_t* keys, uint64_t n, uint64_t* sink) {
    read_kernel<<<BLOCKS, THREADS>>>(reinterpret_cast<const ulonglong2*>(keys), n / 2, sink);
    return cudaGetLastError();
}

}  // namespace tandem::bench
