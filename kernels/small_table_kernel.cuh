#pragma once

/// The kernel for short fills of draws of 64 bits that are looked up in a table: f64 normals, log-normals and choice. As in
/// small_kernel.cuh a thread seeds its chunk and steps up to its block, and then on to a second one half a chunk further, so that
/// a scheduler has half as many warps to step. Elements that missed are listed in shared memory and finished by two lanes each.

#include <cuda_pipeline.h>

#include "kernels/miss_list.cuh"
#include "kernels/policies.hpp"
#include "kernels/small_kernel.cuh"

namespace tandem::kernels {

/// Chunks in which a thread can make two blocks. Shorter ones have too few steps for it, and in longer ones, which a short fill
/// may leave before their second half, too many threads would have nothing to do.
constexpr bool can_make_two(uint32_t log2_k) { return log2_k >= 3 && log2_k <= 6; }

/// Threads of a block that make blocks of the stream; one warp more brings the table.
constexpr uint32_t MAKERS = 128;

/// Tells the threads of whole groups of chunks which blocks they make, one in each half of a chunk; returns their number for the
/// fill's blocks.
inline uint64_t share_blocks(FillArgs& args, uint64_t blocks) {
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
constexpr std::size_t SMALL_BYTES = Op::SMALL_TABLE_BYTES + (Op::MISSES ? MAKERS / WARP * sizeof(WarpMisses) : 0);

/// The blocks of the stream that a thread makes.
struct MadeBlocks {
    int64_t first_element[2];  ///< of the fill; negative before its start
    bool holds[2];
    uint32_t raw[2][4];
};

/// Steps to a thread's blocks.
__device__ __forceinline__ void make_blocks(const FillArgs& args, const Key& key, uint64_t block, MadeBlocks& made) {
    if (!made.holds[0] && !made.holds[1]) return;
    const BlockPlace place = place_of_block(block, args.log2_k);
    ChunkState s = take_block(key, place, made.raw[0]);
    if (!made.holds[1]) return;
    skip_fours(s, args.second / (4 * LANES) - 1);
    take_of_four(s, place.step, made.raw[1]);
}

/// Lists those of a warp's elements that missed; returns their number.
__device__ __forceinline__ uint32_t list_misses(const FillArgs& args, const MadeBlocks& made, const uint32_t (&missed)[2],
                                                WarpMisses& misses) {
    uint32_t count = 0;
#pragma unroll
    for (int b = 0; b < 2; ++b) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int64_t element = made.first_element[b] + i;
            const bool lists = (missed[b] >> i & 1) != 0 && static_cast<uint64_t>(element) < args.n;
            const uint32_t who = __ballot_sync(~0u, lists);
            if (lists) misses[count + __popc(who & ((1u << threadIdx.x % WARP) - 1))] = {draw64(made.raw[b], i), element};
            count += __popc(who);
        }
    }
    __syncwarp();
    return count;
}

/// A tile is a block of the stream here.
template <class Op>
__global__ void __launch_bounds__(MAKERS + WARP) small_table_kernel(const FillArgs args, Op op) {
    static_assert(Op::WIDTH == 64, "for draws of 64 bits");
    static_assert(SMALL_BYTES<Op> <= BLOCK_MEMORY, "more shared memory than every device gives");
    const Key key = args.device_key != nullptr ? *args.device_key : args.key;
    const uint32_t index = blockIdx.x * MAKERS + threadIdx.x, local = index + (index & (0u - args.second));
    const bool makes = threadIdx.x < MAKERS;
    const uint64_t block = args.first_tile + local;
    MadeBlocks made;
    made.holds[0] = makes && local - args.skipped < args.tiles;
    made.holds[1] = makes && local + args.second - args.skipped < args.tiles;
    make_blocks(args, key, block, made);
    if (!makes) {
        // A warp of its own: the others would wait for their loads to be taken before they step.
        op.begin_table(threadIdx.x - MAKERS, WARP);
        __pipeline_wait_prior(0);
    }
    op.prepare(args, key);
    __syncthreads();
    if (!makes) return;

    uint32_t missed[2] = {};
#pragma unroll
    for (int b = 0; b < 2; ++b) {
        made.first_element[b] = static_cast<int64_t>((block + (b == 0 ? 0 : args.second)) * 2 - args.first_draw);
        if (!made.holds[b]) continue;
        typename Op::Element values[2];
        missed[b] = op.template small_values<true>(made.raw[b], values);
        store_block(args, made.first_element[b], values);
    }
    if constexpr (Op::MISSES) {
        const uint32_t lane = threadIdx.x % WARP;
        auto& misses = reinterpret_cast<WarpMisses*>(block_memory() + Op::SMALL_TABLE_BYTES)[threadIdx.x / WARP];
        const uint32_t count = list_misses(args, made, missed, misses);
        for (uint32_t e = lane / 2; e < count; e += WARP / 2) {
            const MissEntry entry = misses[e];
            const auto value = op.template slow_small<true, true>(entry.raw, entry.element);
            if (lane % 2 == 0) reinterpret_cast<typename Op::Element*>(args.out)[entry.element] = value;
        }
    }
}

}  // namespace tandem::kernels
