#pragma once

/// The kernel for draws that cost more arithmetic than their bytes cost to store: each thread maps the blocks of its chunk in
/// registers and stores them itself, eight threads a row of 128 bytes. It takes fills whose elements are as wide as their draws,
/// or half (Op::HALVED), and whose outputs agree with the stream modulo 8 bytes; fill_kernel.cuh serves the others. The functors
/// are the same.

#include "kernels/copy_out.cuh"
#include "kernels/miss_list.cuh"
#include "kernels/op.cuh"
#include "kernels/policies.hpp"
#include "kernels/regroup.cuh"

namespace tandem::kernels {

/// The elements that the threads of a block listed for their slow path.
struct BlockQueue {
    static constexpr uint32_t CAPACITY = 192;
    uint64_t raw[CAPACITY];
    uint32_t element[CAPACITY];
    uint32_t count;
};

/// Lists of three successive segments: one is filled while the last is finished and the next is cleared.
constexpr uint32_t BLOCK_QUEUES = 3;

/// The output of a thread block, addressed by elements from its first draw on.
template <class Op>
struct BlockOut {
    using Element = typename Op::Element;
    static constexpr int E = unit_elements<Op>;

    int64_t first;  ///< the fill's element that the first draw is; negative before the fill's start
    uint64_t n;
    Element* out;

    __device__ bool holds(uint32_t element) const { return static_cast<uint64_t>(first + element) < n; }

    /// Stores the elements of a block of the stream that belong to the fill.
    __device__ void store(uint32_t element, const uint4& value) const {
        const uint32_t words[4] = {value.x, value.y, value.z, value.w};
#pragma unroll
        for (uint32_t i = 0; i < E; ++i) {
            if (!holds(element + i)) continue;
            if constexpr (E == 4) {
                out[element + i] = bit_cast<Element>(words[i]);
            } else {
                out[element + i] = bit_cast<Element>(draw64(words, static_cast<int>(i)));
            }
        }
    }
};

/// Draw i of a block.
template <int W>
__device__ __forceinline__ uint64_t draw_of(const uint32_t (&raw)[4], uint32_t i) {
    if constexpr (W == 64) {
        return draw64(raw, static_cast<int>(i));
    } else {
        return raw[i];
    }
}

/// A block of the stream as 16 bytes of output. Elements that miss are listed as far as the list goes; `live` says which of the
/// block's elements belong to the fill.
template <class Op>
__device__ __forceinline__ uint4 map_block(const Op& op, const ChunkState& s, uint32_t element, uint32_t live,
                                           BlockQueue* queue) {
    const uint32_t raw[4] = {s.o[0], s.o[1], s.o[2], s.o[3]};
    uint4 value;
    uint32_t missed = op.unit(raw, value);
    if constexpr (Op::MISSES) {
        if (!Op::UNIT_MASK && missed != 0) missed = op.missed(raw);
#pragma unroll
        for (uint32_t i = 0; i < unit_elements<Op>; ++i) {
            if ((missed & live & (1u << i)) == 0) continue;
            const uint32_t slot = atomicAdd(&queue->count, 1u);
            if (slot >= BlockQueue::CAPACITY) continue;
            queue->raw[slot] = draw_of<Op::WIDTH>(raw, i);
            queue->element[slot] = element + i;
        }
    }
    return value;
}

/// The part of a tile that a thread walks: rows begin .. end - 1, from the fill's element `element` of row 0 on.
struct Rows {
    uint32_t begin;
    uint32_t end;
    uint32_t element;
};

/// Finishes the listed elements of a block, or where the list was too short, all that missed, walking the rows again.
template <class Op>
__device__ void finish_block(const Op& op, const Key& key, const BlockOut<Op>& out, uint64_t chunk, const Rows& rows, bool walks,
                             const BlockQueue& queue) {
    if (queue.count <= BlockQueue::CAPACITY) {
        for (uint32_t i = threadIdx.x; i < queue.count; i += blockDim.x) {
            out.out[queue.element[i]] = op.slow(queue.raw[i], out.first + queue.element[i]);
        }
        return;
    }
    if (!walks) return;
    ChunkState s = walk_start(key, chunk);
    uint32_t element = rows.element;
#pragma unroll 1
    for (uint32_t j = 0; j < rows.end; ++j, element += LANES * unit_elements<Op>) {
        T(s);
        if (j < rows.begin) continue;
        const uint32_t raw[4] = {s.o[0], s.o[1], s.o[2], s.o[3]};
        const uint32_t missed = op.missed(raw);
#pragma unroll
        for (uint32_t i = 0; i < unit_elements<Op>; ++i) {
            if ((missed >> i & 1) == 0 || !out.holds(element + i)) continue;
            out.out[element + i] = op.slow(draw_of<Op::WIDTH>(raw, i), out.first + element + i);
        }
    }
}

/// Walks rows of a tile that may begin before the fill or end after it.
template <class Op>
__device__ __forceinline__ void direct_edge(const Op& op, ChunkState& s, const BlockOut<Op>& out, const Rows& rows,
                                            uint32_t live_begin, uint32_t live_end, BlockQueue* queue) {
    constexpr uint32_t E = unit_elements<Op>;
    uint32_t element = rows.element + rows.begin * (LANES * E);
#pragma unroll 1
    for (uint32_t j = rows.begin; j < rows.end && j < live_end; ++j, element += LANES * E) {
        T(s);
        if (j < live_begin) continue;
        uint32_t live = 0;
        for (uint32_t i = 0; i < E; ++i) live |= out.holds(element + i) ? 1u << i : 0u;
        out.store(element, map_block(op, s, element, live, queue));
    }
}

/// Walks rows of a tile inside the fill.
template <class Op, bool kRegroup>
__device__ __forceinline__ void direct_rows(const Op& op, ChunkState& s, const BlockOut<Op>& out, const Rows& rows,
                                            BlockQueue* queue) {
    constexpr uint32_t ROW = LANES * unit_elements<Op>;
    uint32_t element = rows.element + rows.begin * ROW;
    if constexpr (kRegroup) {
        Regroup regroup(reinterpret_cast<char*>(out.out + element), threadIdx.x % LANES);
        T(s);
        regroup.begin(map_block(op, s, element, ~0u, queue));
        __syncwarp();
#pragma unroll 2
        for (uint32_t j = rows.begin + 1; j < rows.end; ++j) {
            T(s);
            element += ROW;
            regroup.next(map_block(op, s, element, ~0u, queue), j == rows.begin + 1);
        }
        regroup.finish(rows.begin + 1 == rows.end);
    } else {
        uint4* to = reinterpret_cast<uint4*>(out.out + element);
#pragma unroll 4
        for (uint32_t j = rows.begin; j < rows.end; ++j, element += ROW, to += LANES) {
            T(s);
            *to = map_block(op, s, element, ~0u, queue);
        }
    }
}

/// One part of a tile, a chunk a thread, in segments: after each, the block finishes what it listed. The whole block takes part
/// where Op::MISSES.
template <class Op, bool kRegroup>
__device__ __forceinline__ void direct_tile(const Op& op, const FillArgs& args, const Key& key, uint64_t tile, uint32_t part,
                                            bool walks, const BlockOut<Op>& out, uint32_t tile_element, BlockQueue* queues) {
    constexpr uint32_t E = unit_elements<Op>;
    const uint32_t k = 1u << args.log2_k, tile_elements = WARP * E << args.log2_k;
    const uint32_t group = threadIdx.x % WARP / LANES, place = threadIdx.x % LANES;
    const uint64_t chunk = tile * WARP + threadIdx.x % WARP;
    const int64_t first = out.first + tile_element;
    const bool inside = first >= 0 && static_cast<int64_t>(args.n) - first >= static_cast<int64_t>(tile_elements);
    const uint32_t steps = k >> args.log2_parts;  // of this warp
    const uint32_t segment = Op::MISSES ? min(args.segment, steps) : steps;
    Rows rows{part * steps, part * steps + segment, tile_element + ((group * LANES << args.log2_k) + place) * E};
    const uint32_t end = rows.begin + steps;
    ChunkState s = walk_start(key, chunk);
#pragma unroll 1
    for (uint32_t j = 0; j < rows.begin; ++j) T(s);
    uint32_t turn = 0;
    do {
        BlockQueue* const queue = queues + turn;
        if (walks && inside) {
            direct_rows<Op, kRegroup>(op, s, out, rows, queue);
        } else if (walks) {
            direct_edge(op, s, out, rows, args.step_begin, args.step_end, queue);
        }
        if constexpr (Op::MISSES) {
            turn = turn + 1 == BLOCK_QUEUES ? 0 : turn + 1;
            if (threadIdx.x == 0) queues[turn].count = 0;  // its last readers passed the barrier before this one
            __syncthreads();
            // Also by warps without a tile: the list is dealt to all threads.
            if constexpr (Op::LISTED && !Op::RARE) {
                if (args.lists.entries != nullptr) {
                    const uint32_t count = queue->count <= args.lists.capacity ? queue->count : 0;
                    write_list(args.lists, blockIdx.x, count, threadIdx.x, blockDim.x, [&](uint32_t i) {
                        return MissEntry{queue->raw[i], out.first + queue->element[i]};
                    });
                    if (queue->count == count) return;
                }
            }
            finish_block(op, key, out, chunk, rows, walks, *queue);
        }
        rows.begin = rows.end;
        rows.end += segment;
    } while (rows.begin < end);
}

/// Blocks of 128 bits that make 8 bytes of output each, for tiles of the fill's inside: neighbours exchange halves of two rows,
/// so that each stores 16 bytes of one.
template <class Op>
__device__ __forceinline__ void direct_tile_halved(const Op& op, const FillArgs& args, const Key& key, uint64_t tile,
                                                   uint32_t part, const BlockOut<Op>& out, uint32_t tile_element) {
    constexpr uint32_t ROW = LANES * 2;
    const uint32_t steps = 1u << (args.log2_k - args.log2_parts), tile_elements = WARP * 2 << args.log2_k;
    const uint32_t begin = part * steps, end = begin + steps;
    const uint32_t group = threadIdx.x % WARP / LANES, place = threadIdx.x % LANES;
    uint32_t element = tile_element + ((group * LANES << args.log2_k) + place) * 2;
    ChunkState s = walk_start(key, tile * WARP + threadIdx.x % WARP);
#pragma unroll 1
    for (uint32_t j = 0; j < begin; ++j) T(s);
    element += begin * ROW;
    const auto block = [&] {
        const uint32_t raw[4] = {s.o[0], s.o[1], s.o[2], s.o[3]};
        return op.pair(raw);
    };

    const int64_t first = out.first + tile_element;
    if (first < 0 || static_cast<int64_t>(args.n) - first < static_cast<int64_t>(tile_elements)) {
        const uint32_t live_begin = max(begin, args.step_begin), live_end = min(end, args.step_end);
#pragma unroll 1
        for (uint32_t j = begin; j < live_begin; ++j) T(s);
        element += (live_begin - begin) * ROW;
#pragma unroll 1
        for (uint32_t j = live_begin; j < live_end; ++j, element += ROW) {
            T(s);
            const uint2 pair = block();
            if (out.holds(element)) out.out[element] = bit_cast<typename Op::Element>(pair.x);
            if (out.holds(element + 1)) out.out[element + 1] = bit_cast<typename Op::Element>(pair.y);
        }
        return;
    }
    const bool odd = (place & 1) != 0;
    uint4* to = reinterpret_cast<uint4*>(out.out + element - (odd ? 2 : 0) + (odd ? ROW : 0));
#pragma unroll 2
    for (uint32_t j = begin; j < end; j += 2, to += LANES) {
        T(s);
        const uint2 upper = block();
        T(s);
        const uint2 lower = block();
        const uint32_t x = __shfl_xor_sync(~0u, odd ? upper.x : lower.x, 1), y = __shfl_xor_sync(~0u, odd ? upper.y : lower.y, 1);
        *to = odd ? make_uint4(x, y, lower.x, lower.y) : make_uint4(upper.x, upper.y, x, y);
    }
}

template <class Op, class Policy, bool kRegroup>
__global__ void __launch_bounds__(Policy::WARPS* WARP, BLOCKS_HELD<Policy>) direct_kernel(const FillArgs args, Op op) {
    constexpr uint32_t E = 128 / Op::WIDTH;
    BlockQueue* const queues = reinterpret_cast<BlockQueue*>(block_memory() + Op::TABLE_BYTES);
    if (Op::MISSES && threadIdx.x < BLOCK_QUEUES) queues[threadIdx.x].count = 0;
    const Key key = args.device_key != nullptr ? *args.device_key : args.key;
    op.prepare(args, key);
    op.load_table();
    if constexpr (Op::MISSES) __syncthreads();

    const uint32_t tile_elements = WARP * E << args.log2_k;
    const uint32_t warp = threadIdx.x / WARP;
    const uint32_t first_index = blockIdx.x * (blockDim.x / WARP), index = first_index + warp;
    const uint32_t block_tile = first_index >> args.log2_parts;
    const uint64_t tile = args.first_tile + (index >> args.log2_parts);
    const uint32_t tile_element = ((index >> args.log2_parts) - block_tile) * tile_elements;
    const uint32_t part = index & ((1u << args.log2_parts) - 1);
    BlockOut<Op> out;
    out.first = static_cast<int64_t>((args.first_tile + block_tile) * tile_elements - args.first_draw);
    out.n = args.n;
    out.out = reinterpret_cast<typename Op::Element*>(args.out) + out.first;
    const bool walks = index >> args.log2_parts < args.tiles;
    if constexpr (Op::HALVED) {
        if (walks) direct_tile_halved(op, args, key, tile, part, out, tile_element);
    } else {
        direct_tile<Op, kRegroup>(op, args, key, tile, part, walks, out, tile_element, queues);
    }
}

}  // namespace tandem::kernels
