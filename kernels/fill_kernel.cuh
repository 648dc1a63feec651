#pragma once

/// The kernel behind every fill: each warp walks the chunks of its tile, stages their blocks in shared memory in stream order and
/// copies them out through the draw's functor.
///
/// A functor Op has, besides what OpBase in op.cuh lists:
///
/// WIDTH, Element: bits of a draw, type of an element.
///
/// prepare(args, key): called by each thread first, with the fill's key.
///
/// load_table(): called by all threads of a block together; fills the table that unit(), pair() and missed() read.
///
/// unit(raw, value): 16 bytes of output from their raw bits; returns whether an element may have missed.
///
/// missed(raw): the mask of elements that may have missed, where MISSES.
///
/// slow(raw, i): element i in full.
///
/// attempt(raw, i, round, value): one round of that, where MISSES; false when the element takes another.
///
/// pair(u, v), pairs<Shift>(words, e) and half(u, v, second), where PAIRS: both halves of a pair; for misaligned outputs elements
/// e to e + 3, and one half of a pair.

#include "kernels/copy_out.cuh"
#include "kernels/op.cuh"

namespace tandem::kernels {

/// Shared memory of a warp: its staged blocks, one block more a run, and its queue of misses.
template <class Op, class Policy>
struct WarpStorage {
    uint4 stage[LANES * Policy::GROUPS * Policy::SLOTS + Policy::GROUPS];
    uint32_t queue[Op::MISSES ? MissQueue::CAPACITY + 4 : 4];
};

template <class Op, class Policy>
__global__ void __launch_bounds__(Policy::WARPS* WARP, Policy::BLOCKS) fill_kernel(const FillArgs args, Op op) {
    using Storage = WarpStorage<Op, Policy>;
    constexpr uint32_t SLOTS = Policy::SLOTS, CHUNKS = LANES * Policy::GROUPS;
    constexpr uint32_t LOG2_SLOTS = log2_of(SLOTS), LOG2_CHUNKS = log2_of(CHUNKS);
    const uint32_t lane = threadIdx.x % WARP;
    const uint32_t warp = threadIdx.x / WARP;
    Storage& mine = reinterpret_cast<Storage*>(block_memory() + Op::TABLE_BYTES)[warp];

    const Key key = args.device_key != nullptr ? *args.device_key : args.key;
    op.prepare(args, key);
    op.load_table();

    const uint32_t index = blockIdx.x * Policy::WARPS + warp;
    if (index >= args.tiles) return;
    if (Op::LISTED && args.lists.entries != nullptr && lane == 0) args.lists.counts[index] = 0;
    if (Op::RARE && lane == 0) mine.queue[MissQueue::CAPACITY] = 0;
    const uint64_t tile = args.first_tile + index;
    const uint64_t tile_block = tile << log2_tile<Policy>(args.log2_k);
    const uint64_t tile_chunk = tile_block >> args.log2_k;

    const bool walks = CHUNKS == WARP || lane < CHUNKS;
    const uint32_t k = 1u << args.log2_k;
    const bool whole = k <= SLOTS;  // the tile is staged whole and is one run
    const uint32_t log2_steps = min(args.log2_k, LOG2_SLOTS);
    const uint32_t steps = 1u << log2_steps;  // of one chunk, in a whole tile
    const uint32_t runs = whole ? 1 : Policy::GROUPS;
    const uint32_t run_blocks = whole ? CHUNKS * SLOTS : LANES * SLOTS;
    const uint32_t run_stride = run_blocks + 1;
    const uint32_t group = lane / LANES, place = lane % LANES;
    const uint32_t first_step = whole ? 0 : args.step_begin & ~(SLOTS - 1);
    const uint32_t last_step = whole ? 1 : args.step_end;

    ChunkState s;
    for (uint32_t step = first_step; step < last_step; step += SLOTS) {
        if (walks && whole) {
            for (uint32_t q = 0; q < SLOTS >> log2_steps; ++q) {
                s = walk_start(key, tile_chunk + q * CHUNKS + lane);
                uint4* to = mine.stage + (q << (log2_steps + LOG2_CHUNKS)) + (group << (log2_steps + 3)) + place;
#pragma unroll 8
                for (uint32_t i = 0; i < steps; ++i) {
                    T(s);
                    to[i * LANES] = make_uint4(s.o[0], s.o[1], s.o[2], s.o[3]);
                }
            }
        } else if (walks) {
            if (step == first_step) {
                s = walk_start(key, tile_chunk + lane);
                for (uint32_t i = 0; i < step; ++i) T(s);
            }
            uint4* to = mine.stage + group * run_stride + place;
#pragma unroll 8
            for (uint32_t i = 0; i < SLOTS; ++i) {
                T(s);
                to[i * LANES] = make_uint4(s.o[0], s.o[1], s.o[2], s.o[3]);
            }
        }
        if constexpr (Op::PAIRS) {
            // The draw after each run, for a pair that starts with the run's last draw.
            if (walks && (args.first_draw & 1) != 0) {
                ChunkState next = s;
                if (whole || step + SLOTS == k) {
                    const uint32_t groups = whole ? run_blocks >> (args.log2_k + 3) : group + 1;
                    next = walk_start(key, tile_chunk + groups * LANES);
                }
                T(next);
                if (lane == 0 || (place == 0 && !whole)) mine.stage[group * run_stride + run_blocks].x = next.o[0];
            }
        }
        __syncwarp();
#pragma unroll 1
        for (uint32_t r = 0; r < runs; ++r) {
            const uint64_t block = tile_block + step * LANES + (static_cast<uint64_t>(r) << (args.log2_k + 3));
            const Run run{reinterpret_cast<const uint32_t*>(mine.stage + r * run_stride),
                          static_cast<int64_t>(block * (128 / Op::WIDTH) - args.first_draw),
                          static_cast<int>(run_blocks * (128 / Op::WIDTH))};
            copy_run(op, run, args, index, mine.queue);
        }
        __syncwarp();
    }
}

}  // namespace tandem::kernels
