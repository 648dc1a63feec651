#pragma once

/// How fill kernels are launched.

#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/direct_kernel.cuh"
#include "kernels/fill_kernel.cuh"
#include "kernels/launch_kernel.hpp"
#include "kernels/policies.hpp"

namespace tandem::kernels {

/// What every device gives a thread block without being asked.
constexpr std::size_t BLOCK_MEMORY = 48 * 1024;

/// What a kernel is told of a fill of n draws, and the tiles it takes.
template <class Op, class Policy>
FillArgs fill_args(const Fill& fill, const Key* device_key, uint64_t n, uint64_t& tiles) {
    const uint32_t log2_k = log2_exact(fill.chunk_length);
    const uint64_t start = align_pos(fill.position, Op::WIDTH);
    const uint64_t first_block = start >> 7;
    const uint64_t last_block = (start + Op::WIDTH * (n + (Op::PAIRS ? n & 1 : 0)) - 1) >> 7;
    const uint32_t tile_bits = log2_tile<Policy>(log2_k);
    const bool one_group = first_block >> (3 + log2_k) == last_block >> (3 + log2_k);
    tiles = (last_block >> tile_bits) - (first_block >> tile_bits) + 1;

    FillArgs args{};
    args.key = fill.key;
    args.device_key = device_key;
    args.out = static_cast<char*>(fill.out);
    args.n = n;
    args.first_draw = start / Op::WIDTH;
    args.first_tile = first_block >> tile_bits;
    args.tiles = static_cast<uint32_t>(tiles);
    args.log2_k = log2_k;
    args.segment = fill.chunk_length;
    args.step_begin = one_group ? place_of_block(first_block, log2_k).step : 0;
    args.step_end = one_group ? place_of_block(last_block, log2_k).step + 1 : fill.chunk_length;
    return args;
}

/// Launches a kernel of one of the two shapes over all tiles.
template <class Op>
cudaError_t launch_tiles(const void* kernel, FillArgs args, Op op, uint64_t tiles, uint32_t warps, std::size_t shared,
                         cudaStream_t stream) {
    const uint64_t grid = (tiles + warps - 1) / warps;
    if (tiles > 0xffffffffu || grid > 0x7fffffffu) return cudaErrorInvalidValue;
    void* arguments[] = {&args, &op};
    return launch_blocks(kernel, static_cast<unsigned>(grid), warps * WARP, shared, arguments, stream);
}

/// Launches a fill of n draws through staged tiles.
template <class Op, class Policy>
cudaError_t launch_fill(const Fill& fill, const Key* device_key, uint64_t n, const Op& op, cudaStream_t stream) {
    uint64_t tiles;
    const FillArgs args = fill_args<Op, Policy>(fill, device_key, n, tiles);
    constexpr std::size_t BYTES = Op::TABLE_BYTES + Policy::WARPS * sizeof(WarpStorage<Op, Policy>) + Policy::SPARE;
    const void* kernel = reinterpret_cast<const void*>(&fill_kernel<Op, Policy>);
    static_assert(BYTES <= BLOCK_MEMORY, "the policy asks for more shared memory than every device gives");
    return launch_tiles(kernel, args, op, tiles, Policy::WARPS, BYTES, stream);
}

/// Up to this chunk length a block's list of misses is long enough for its tiles.
constexpr uint32_t LONGEST_LISTED_CHUNK = 128;

template <class Op, class Policy, bool kRegroup>
cudaError_t launch_direct(const Fill& fill, const Key* device_key, uint64_t n, const Op& op, cudaStream_t stream) {
    using Direct = typename Policy::Direct;
    uint64_t tiles;
    FillArgs args = fill_args<Op, Direct>(fill, device_key, n, tiles);
    if (!kRegroup && tiles > Direct::MANY_TILES) args.segment = std::min(args.segment, uint32_t{Direct::SEGMENT});
    constexpr std::size_t BYTES = Op::TABLE_BYTES + (Op::MISSES ? BLOCK_QUEUES * sizeof(BlockQueue) : 0);
    static_assert(BYTES <= BLOCK_MEMORY, "the policy asks for more shared memory than every device gives");
    const void* kernel = reinterpret_cast<const void*>(&direct_kernel<Op, Direct, kRegroup>);
    const uint32_t warps = tiles <= Direct::FEW_TILES ? Direct::FEW_WARPS : Direct::WARPS;
    return launch_tiles(kernel, args, op, tiles, warps, BYTES, stream);
}

/// Launches a fill of n draws that cost more than they store: directly where the output agrees with the stream modulo 8 bytes and
/// the list of misses of a tile is long enough.
template <class Op, class Policy>
cudaError_t launch_derived(const Fill& fill, const Key* device_key, uint64_t n, const Op& op, cudaStream_t stream) {
    const uint64_t first_draw = align_pos(fill.position, Op::WIDTH) / Op::WIDTH;
    const uint64_t origin = reinterpret_cast<uintptr_t>(fill.out) - first_draw * sizeof(typename Op::Element);
    if constexpr (Op::HALVED) {
        if (origin % 16 != 0 || fill.chunk_length == 1) return launch_fill<Op, Policy>(fill, device_key, n, op, stream);
        return launch_direct<Op, Policy, false>(fill, device_key, n, op, stream);
    } else {
        if (origin % 8 != 0 || (Op::PAIRS && first_draw % 2 != 0) || (Op::MISSES && fill.chunk_length > LONGEST_LISTED_CHUNK)) {
            return launch_fill<Op, Policy>(fill, device_key, n, op, stream);
        }
        if (origin % 32 != 0) return launch_direct<Op, Policy, true>(fill, device_key, n, op, stream);
        return launch_direct<Op, Policy, false>(fill, device_key, n, op, stream);
    }
}

}  // namespace tandem::kernels
