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
#include "kernels/policies.hpp"

namespace tandem::kernels {

/// Shared memory of a warp: its staged blocks, one block more a run, and its queue of misses.
template <class Op, class Policy>
struct WarpStorage {
    uint4 stage[STAGE_VECTORS<Policy>];
    uint32_t queue[Op::MISSES ? MissQueue::CAPACITY + 4 : 4];
};

/// The tile of a warp and the thread's place in it.
struct TileWalk {
    uint64_t chunk;  ///< the tile's first
    uint32_t log2_k;
    uint32_t lane;
    bool walks;  ///< the thread has a chunk to walk

    __device__ uint32_t k() const { return 1u << log2_k; }
    __device__ uint32_t group() const { return lane / LANES; }
    __device__ uint32_t place() const { return lane % LANES; }
};

/// Steps a chunk and stages its blocks, a row apart.
__device__ __forceinline__ void stage_steps(ChunkState& s, uint4* to, uint32_t steps) {
#pragma unroll 8
    for (uint32_t i = 0; i < steps; ++i) {
        T(s);
        to[i * LANES] = make_uint4(s.o[0], s.o[1], s.o[2], s.o[3]);
    }
}

/// Stages a tile whose chunks are no longer than its slots: one run. Leaves the state at the end of the thread's last chunk.
template <class Policy>
__device__ __forceinline__ void stage_whole(const Key& key, const TileWalk& tile, uint4* stage, ChunkState& s) {
    constexpr uint32_t CHUNKS = LANES * Policy::GROUPS;
    constexpr uint32_t LOG2_SLOTS = log2_of(Policy::SLOTS), LOG2_CHUNKS = log2_of(CHUNKS);
    const uint32_t log2_steps = min(tile.log2_k, LOG2_SLOTS);
    for (uint32_t q = 0; q < uint32_t{Policy::SLOTS} >> log2_steps; ++q) {
        s = walk_start(key, tile.chunk + q * CHUNKS + tile.lane);
        uint4* to = stage + (q << (log2_steps + LOG2_CHUNKS)) + (tile.group() << (log2_steps + 3)) + tile.place();
        stage_steps(s, to, 1u << log2_steps);
    }
}

/// Stages the blocks of steps `step` .. `step + SLOTS - 1` of longer chunks, a run a group; `first` is the first call for a tile.
template <class Policy>
__device__ __forceinline__ void stage_slots(const Key& key, const TileWalk& tile, uint32_t step, bool first, uint4* group_stage,
                                            ChunkState& s) {
    if (first) {
        s = walk_start(key, tile.chunk + tile.lane);
        for (uint32_t i = 0; i < step; ++i) T(s);
    }
    stage_steps(s, group_stage + tile.place(), Policy::SLOTS);
}

/// Stages the draw after each run, for a pair that starts with the run's last draw; `s` is at the end of the run.
template <class Policy>
__device__ __forceinline__ void stage_next_draw(const Key& key, const TileWalk& tile, bool whole, uint32_t step, uint4* behind,
                                                const ChunkState& s) {
    ChunkState next = s;
    if (whole || step + Policy::SLOTS == tile.k()) {
        const uint32_t groups = whole ? uint32_t{LANES * Policy::GROUPS * Policy::SLOTS} >> (tile.log2_k + 3) : tile.group() + 1;
        next = walk_start(key, tile.chunk + groups * LANES);
    }
    T(next);
    if (tile.lane == 0 || (tile.place() == 0 && !whole)) behind->x = next.o[0];
}

template <class Op, class Policy>
__global__ void __launch_bounds__(Policy::WARPS* WARP, Policy::BLOCKS) fill_kernel(const FillArgs args, Op op) {
    using Storage = WarpStorage<Op, Policy>;
    constexpr uint32_t SLOTS = Policy::SLOTS, CHUNKS = LANES * Policy::GROUPS;
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
    const uint64_t tile_block = (args.first_tile + index) << log2_tile<Policy>(args.log2_k);
    const TileWalk tile{tile_block >> args.log2_k, args.log2_k, lane, CHUNKS == WARP || lane < CHUNKS};

    const bool whole = tile.k() <= SLOTS;  // the tile is staged whole and is one run
    const uint32_t runs = whole ? 1 : Policy::GROUPS;
    const uint32_t run_blocks = whole ? CHUNKS * SLOTS : LANES * SLOTS;
    const uint32_t run_stride = run_blocks + 1;
    uint4* const group_stage = mine.stage + tile.group() * run_stride;
    const uint32_t first_step = whole ? 0 : args.step_begin & ~(SLOTS - 1);
    const uint32_t last_step = whole ? 1 : args.step_end;

    ChunkState s;
    for (uint32_t step = first_step; step < last_step; step += SLOTS) {
        if (tile.walks && whole) {
            stage_whole<Policy>(key, tile, mine.stage, s);
        } else if (tile.walks) {
            stage_slots<Policy>(key, tile, step, step == first_step, group_stage, s);
        }
        if (Op::PAIRS && tile.walks && (args.first_draw & 1) != 0) {
            stage_next_draw<Policy>(key, tile, whole, step, group_stage + run_blocks, s);
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
