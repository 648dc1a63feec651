#pragma once

/// The kernel for short fills of draws of which some miss: f64 normals and log-normals. As in small_kernel.cuh a thread seeds its
/// chunk and steps up to its block, but then on to a second one half a chunk further, so that a scheduler has half as many warps
/// to step. Elements that missed are listed in shared memory and finished by two lanes each.

#include <cuda_pipeline.h>

#include "kernels/miss_list.cuh"
#include "kernels/policies.hpp"
#include "kernels/small_kernel.cuh"

namespace tandem::kernels {

/// Chunks in which a thread may make two blocks. Shorter ones have too few steps for it, and in longer ones, which a short fill
/// may leave before their second half, too many threads would have nothing to do.
constexpr bool may_make_two(uint32_t log2_k) { return log2_k >= 3 && log2_k <= 6; }

/// Threads of a block that make blocks of the stream; one warp more brings the tables.
constexpr uint32_t MOST_MAKERS = 128;

/// Has each thread make two blocks of the stream, of half a chunk each: whole groups of chunks are then made. Returns the number
/// of threads for the fill's blocks, with or without.
inline uint64_t share_blocks(FillArgs& args, uint64_t blocks, bool two) {
    if (!two) return blocks;
    const uint32_t group = log2_of(LANES) + args.log2_k;
    args.second = 1u << (group - 1);
    args.skipped = static_cast<uint32_t>(args.first_tile) & ((1u << group) - 1);
    args.first_tile -= args.skipped;
    return ((args.skipped + blocks - 1) >> group) + 1 << (group - 1);
}

/// The elements of a warp that missed; there is room for all it makes.
using WarpMisses = MissEntry[WARP * 4];

/// Shared memory of a block.
template <class Op>
constexpr std::size_t SMALL_MISSING_BYTES = Op::ROUND_TABLE_BYTES + MOST_MAKERS / WARP * sizeof(WarpMisses);

/// A tile is a block of the stream here.
template <class Op>
__global__ void __launch_bounds__(MOST_MAKERS + WARP) small_missing_kernel(const FillArgs args, Op op) {
    static_assert(Op::WIDTH == 64, "for draws of 64 bits");
    static_assert(SMALL_MISSING_BYTES<Op> <= BLOCK_MEMORY, "more shared memory than every device gives");
    const uint32_t makers = blockDim.x - WARP, lane = threadIdx.x % WARP;
    const Key key = args.device_key != nullptr ? *args.device_key : args.key;
    const uint32_t index = blockIdx.x * makers + threadIdx.x;
    const uint32_t local = index + (index & (0u - args.second));
    const bool makes = threadIdx.x < makers;
    const bool holds[2] = {makes && local - args.skipped < args.tiles,
                           makes && args.second != 0 && local + args.second - args.skipped < args.tiles};
    const uint64_t block = args.first_tile + local;
    uint32_t raw[2][4];
    if (holds[0] || holds[1]) {
        const BlockPlace place = place_of_block(block, args.log2_k);
        // Such a fill is over before much code has been fetched: this is the shortest.
        ChunkState s = walk_start_compact(key, place.chunk);
        skip_fours(s, place.step / 4);
        take_of_four(s, place.step, raw[0]);
        if (holds[1]) {
            skip_fours(s, args.second / (4 * LANES) - 1);
            take_of_four(s, place.step, raw[1]);
        }
    }
    if (!makes) {
        // A warp of its own: the others would wait for their loads to be taken before they step.
        op.load_round_table(lane, WARP);
        __pipeline_wait_prior(0);
    }
    op.prepare(args, key);
    __syncthreads();
    if (!makes) return;

    uint32_t missed[2] = {};
    int64_t first[2];
#pragma unroll
    for (int b = 0; b < 2; ++b) {
        first[b] = static_cast<int64_t>((block + (b == 0 ? 0 : args.second)) * 2 - args.first_draw);
        if (!holds[b]) continue;
        uint4 unit;
        missed[b] = op.unit(raw[b], unit);
        typename Op::Element values[2];
        memcpy(values, &unit, sizeof values);
        store_block(args, first[b], values);
    }
    auto& misses = reinterpret_cast<WarpMisses*>(block_memory() + Op::ROUND_TABLE_BYTES)[threadIdx.x / WARP];
    uint32_t count = 0;
#pragma unroll
    for (int b = 0; b < 2; ++b) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const bool lists = (missed[b] >> i & 1) != 0 && static_cast<uint64_t>(first[b] + i) < args.n;
            const uint32_t who = __ballot_sync(~0u, lists);
            if (lists) misses[count + __popc(who & ((1u << lane) - 1))] = {draw64(raw[b], i), first[b] + i};
            count += __popc(who);
        }
    }
    __syncwarp();
    for (uint32_t e = lane / 2; e < count; e += WARP / 2) {
        const MissEntry entry = misses[e];
        const auto value = op.slow_by_two(entry.raw, entry.element);
        if (lane % 2 == 0) reinterpret_cast<typename Op::Element*>(args.out)[entry.element] = value;
    }
}

}  // namespace tandem::kernels
