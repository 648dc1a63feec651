#pragma once

/// The one place that launches fill kernels.

#include <cuda_runtime.h>

#include <atomic>

#include "kernels/fill_kernel.cuh"
#include "kernels/policies.hpp"

namespace tandem::kernels {

/// Lets a kernel use more dynamic shared memory than 48 KiB, once a device.
inline cudaError_t allow_shared_memory(const void* kernel, std::size_t bytes, std::atomic<uint64_t>& done) {
    constexpr std::size_t ALWAYS_ALLOWED = 48 * 1024;
    if (bytes <= ALWAYS_ALLOWED) return cudaSuccess;
    int device = 0;
    if (const cudaError_t error = cudaGetDevice(&device); error != cudaSuccess) return error;
    const uint64_t bit = 1ull << (device & 63);
    if (device < 64 && (done.load(std::memory_order_acquire) & bit) != 0) return cudaSuccess;
    const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    if (error == cudaSuccess) done.fetch_or(bit, std::memory_order_release);
    return error;
}

/// Launches a fill of `n` draws of Op::WIDTH bits.
template <class Op, class Policy>
cudaError_t launch_fill(const Fill& fill, const Key* device_key, uint64_t n, const Op& op, cudaStream_t stream) {
    const uint32_t log2_k = log2_exact(fill.chunk_length);
    const uint64_t start = align_pos(fill.position, Op::WIDTH);
    const uint64_t first_block = start >> 7;
    const uint64_t last_bit = start + Op::WIDTH * (n + (Op::PAIRS ? n & 1 : 0)) - 1;
    const uint64_t last_block = last_bit >> 7;
    const uint32_t tile_bits = log2_tile<Policy>(log2_k);
    const uint64_t tiles = (last_block >> tile_bits) - (first_block >> tile_bits) + 1;

    FillArgs args{};
    args.key = fill.key;
    args.device_key = device_key;
    args.out = static_cast<char*>(fill.out);
    args.n = n;
    args.first_draw = start / Op::WIDTH;
    args.first_tile = first_block >> tile_bits;
    args.tiles = static_cast<uint32_t>(tiles);
    args.log2_k = log2_k;
    const bool one_group = first_block >> (3 + log2_k) == last_block >> (3 + log2_k);
    args.step_begin = one_group ? place_of_block(first_block, log2_k).step : 0;
    args.step_end = one_group ? place_of_block(last_block, log2_k).step + 1 : fill.chunk_length;
    const uint64_t grid = (tiles + Policy::WARPS - 1) / Policy::WARPS;
    if (tiles > 0xffffffffu || grid > 0x7fffffffu) return cudaErrorInvalidValue;

    constexpr std::size_t BYTES = Op::TABLE_BYTES + Policy::WARPS * sizeof(WarpStorage<Op, Policy>);
    const void* kernel = reinterpret_cast<const void*>(&fill_kernel<Op, Policy>);
    static std::atomic<uint64_t> allowed{0};
    if (const cudaError_t error = allow_shared_memory(kernel, BYTES, allowed); error != cudaSuccess) return error;

    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(grid));
    config.blockDim = dim3(Policy::WARPS * WARP);
    config.dynamicSmemBytes = BYTES;
    config.stream = stream;
    Op argument = op;
    void* arguments[] = {&args, &argument};
    return cudaLaunchKernelExC(&config, kernel, arguments);
}

}  // namespace tandem::kernels
