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
    uint32_t count;  ///< of those that wanted to be listed
};

/// A list for each of so many successive segments, so that most warps of a block need not wait for those that finish a list.
constexpr uint32_t BLOCK_QUEUES = 3;

/// The first of so many places in a list. To the compiler the address looks like one of this lane alone: where it knows better it
/// adds for all lanes of a warp at once, of which hardly ever two have something to list, by thirty operations.
__device__ __forceinline__ uint32_t take_slots(BlockQueue& queue, uint32_t number) {
    uint32_t lanes_above;
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(lanes_above));
    return atomicAdd(&queue.count + (lanes_above & 1), number);  // there is no lane below lane 0
}

/// Barriers for the lists, whose numbers are of the code: who only fills a list announces that it has, and who finishes it waits
/// for the whole block.
static_assert(BLOCK_QUEUES == 3, "each list has its barrier");
__device__ __forceinline__ void announce_filled(uint32_t list) {
    __threadfence_block();
    if (list == 0) asm volatile("barrier.cta.arrive.aligned 1, %0;" ::"r"(blockDim.x) : "memory");
    if (list == 1) asm volatile("barrier.cta.arrive.aligned 2, %0;" ::"r"(blockDim.x) : "memory");
    if (list == 2) asm volatile("barrier.cta.arrive.aligned 3, %0;" ::"r"(blockDim.x) : "memory");
}
__device__ __forceinline__ void wait_for_filled(uint32_t list) {
    if (list == 0) asm volatile("barrier.cta.sync.aligned 1, %0;" ::"r"(blockDim.x) : "memory");
    if (list == 1) asm volatile("barrier.cta.sync.aligned 2, %0;" ::"r"(blockDim.x) : "memory");
    if (list == 2) asm volatile("barrier.cta.sync.aligned 3, %0;" ::"r"(blockDim.x) : "memory");
}

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
        if (const uint32_t mine = missed & live; mine != 0) {
            uint32_t slot = take_slots(*queue, static_cast<uint32_t>(__popc(mine)));
#pragma unroll
            for (uint32_t i = 0; i < unit_elements<Op>; ++i) {
                if ((mine >> i & 1) == 0) continue;
                if (slot < BlockQueue::CAPACITY) {
                    queue->raw[slot] = draw_of<Op::WIDTH>(raw, i);
                    queue->element[slot] = element + i;
                }
                ++slot;
            }
        }
    }
    return value;
}

/// The part of a tile that a thread walks: rows begin .. end - 1 of a chunk, from the block's element `element` of row 0 on.
struct Rows {
    uint64_t chunk;
    uint32_t begin;
    uint32_t end;
    uint32_t element;
};

/// The first `count` rows of warp `index` of the grid, for the lane that asks, of kElements elements a block of the stream;
/// block_tile is the first tile of the thread block.
template <uint32_t kElements>
__device__ __forceinline__ Rows rows_of(const FillArgs& args, uint32_t index, uint32_t block_tile, uint32_t count) {
    const uint32_t lane = threadIdx.x % WARP, tile = index >> args.log2_parts;
    const uint32_t in_tile = (lane / LANES * LANES << args.log2_k) + lane % LANES;
    Rows rows;
    rows.chunk = (args.first_tile + tile) * WARP + lane;
    rows.begin = (index & ((1u << args.log2_parts) - 1)) << (args.log2_k - args.log2_parts);
    rows.end = rows.begin + count;
    rows.element = ((tile - block_tile) * (WARP << args.log2_k) + in_tile) * kElements;
    return rows;
}

/// Finishes all elements of some rows that missed, walking the rows again.
template <class Op>
__device__ void finish_rows(const Op& op, const Key& key, const BlockOut<Op>& out, const Rows& rows) {
    ChunkState s = walk_start(key, rows.chunk);
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

/// Finishes the listed elements of a block, or writes them to a list for a second kernel, one warp of several, `step` threads in
/// all, from thread `first` of them on. False when the block's list was too short: nothing is finished then.
template <class Op>
__device__ bool finish_list(const Op& op, const FillArgs& args, const BlockOut<Op>& out, const BlockQueue& queue, uint32_t first,
                            uint32_t step) {
    const bool whole = queue.count <= BlockQueue::CAPACITY;
    if constexpr (Op::LISTED && !Op::RARE) {
        if (args.lists.entries != nullptr) {
            const uint32_t count = queue.count <= args.lists.capacity ? queue.count : 0;
            write_list(args.lists, blockIdx.x, count, first, step, [&](uint32_t i) {
                return MissEntry{queue.raw[i], out.first + queue.element[i]};
            });
            if (queue.count == count) return true;
        }
    }
    if (!whole) return false;
    for (uint32_t i = first; i < queue.count; i += step) {
        out.out[queue.element[i]] = op.slow(queue.raw[i], out.first + queue.element[i]);
    }
    return true;
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

/// Walks `count` rows of a tile inside the fill, from the block's element `element` on. The count is the same for the whole
/// block.
template <class Op, bool kRegroup>
__device__ __forceinline__ void direct_rows(const Op& op, ChunkState& s, const BlockOut<Op>& out, uint32_t element,
                                            uint32_t count, BlockQueue* queue) {
    constexpr uint32_t ROW = LANES * unit_elements<Op>;
    if constexpr (kRegroup) {
        Regroup regroup(reinterpret_cast<char*>(out.out + element), threadIdx.x % LANES);
        T(s);
        regroup.begin(map_block(op, s, element, ~0u, queue));
        __syncwarp();
#pragma unroll 2
        for (uint32_t j = 1; j < count; ++j) {
            T(s);
            element += ROW;
            regroup.next(map_block(op, s, element, ~0u, queue), j == 1);
        }
        regroup.finish(count == 1);
    } else {
        uint4* to = reinterpret_cast<uint4*>(out.out + element);
#pragma unroll 4
        for (uint32_t j = 0; j < count; ++j, element += ROW, to += LANES) {
            T(s);
            *to = map_block(op, s, element, ~0u, queue);
        }
    }
}

/// The tiles, or parts of tiles, of a thread block, a warp each, in segments: after each, some of its warps finish what the block
/// listed. `whole` says that every warp has one and all of it lies inside the fill.
template <class Op, bool kRegroup>
__device__ __forceinline__ void direct_tiles(const Op& op, const FillArgs& args, const Key& key, uint32_t first_index, bool whole,
                                             const BlockOut<Op>& out, BlockQueue* queues) {
    // By a shuffle, so that the compiler knows it to be the same for all lanes.
    const uint32_t warp = __shfl_sync(~0u, threadIdx.x / WARP, 0), warps = blockDim.x / WARP;
    const uint32_t index = first_index + warp, block_tile = first_index >> args.log2_parts;
    const bool walks = index >> args.log2_parts < args.tiles;
    const uint32_t steps = 1u << (args.log2_k - args.log2_parts);  // of a warp
    const uint32_t segment = Op::MISSES ? min(args.segment, steps) : steps;
    // One for each 64 rows that the block's warps walked: enough for one or two passes through the slow path.
    const uint32_t finishers = max(1u, warps * min(segment, 32u) / 64);
    Rows rows = rows_of<unit_elements<Op>>(args, index, block_tile, segment);
    ChunkState s = walk_start(key, rows.chunk);
#pragma unroll 1
    for (uint32_t j = 0; j < rows.begin; ++j) T(s);
    uint32_t turn = 0, first_finisher = 0;
    for (uint32_t done = 0; done < steps; done += segment) {
        BlockQueue* const queue = queues + turn;
        if (whole) {
            direct_rows<Op, kRegroup>(op, s, out, rows.element + rows.begin * (LANES * unit_elements<Op>), segment, queue);
        } else if (walks) {
            direct_edge(op, s, out, rows, args.step_begin, args.step_end, queue);
        }
        if constexpr (Op::MISSES) {
            // In turn, since who has finished a list comes late to the next.
            const uint32_t finisher = (warp - first_finisher) & (warps - 1);
            if (finisher < finishers) {
                wait_for_filled(turn);
                if (!finish_list(op, args, out, *queue, finisher * WARP + threadIdx.x % WARP, finishers * WARP)) {
                    for (uint32_t w = first_index + finisher; w < first_index + warps; w += finishers) {
                        Rows again = rows_of<unit_elements<Op>>(args, w, block_tile, segment);
                        again.begin += done;
                        again.end += done;
                        if (w >> args.log2_parts < args.tiles) finish_rows(op, key, out, again);
                    }
                }
            } else {
                announce_filled(turn);
            }
            first_finisher += finishers;
            if (++turn == BLOCK_QUEUES && done + segment < steps) {
                turn = 0;
                __syncthreads();
                if (threadIdx.x < BLOCK_QUEUES) queues[threadIdx.x].count = 0;
                __syncthreads();
            }
        }
        rows.begin = rows.end;
        rows.end += segment;
    }
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
    static_assert((Policy::WARPS & (Policy::WARPS - 1)) == 0 && (Policy::FEW_WARPS & (Policy::FEW_WARPS - 1)) == 0,
                  "warps of a block take turns by powers of two");
    BlockQueue* const queues = reinterpret_cast<BlockQueue*>(block_memory() + Op::TABLE_BYTES);
    if (Op::MISSES && threadIdx.x < BLOCK_QUEUES) queues[threadIdx.x].count = 0;
    const Key key = args.device_key != nullptr ? *args.device_key : args.key;
    op.prepare(args, key);
    op.load_table();
    if constexpr (Op::MISSES) __syncthreads();

    const uint32_t tile_elements = WARP * E << args.log2_k;
    const uint32_t warps = blockDim.x / WARP, first_index = blockIdx.x * warps;
    const uint32_t block_tile = first_index >> args.log2_parts;
    BlockOut<Op> out;
    out.first = static_cast<int64_t>((args.first_tile + block_tile) * tile_elements - args.first_draw);
    out.n = args.n;
    out.out = reinterpret_cast<typename Op::Element*>(args.out) + out.first;
    if constexpr (Op::HALVED) {
        const uint32_t index = first_index + threadIdx.x / WARP, tile = index >> args.log2_parts;
        const uint32_t part = index & ((1u << args.log2_parts) - 1);
        if (tile < args.tiles) {
            direct_tile_halved(op, args, key, args.first_tile + tile, part, out, (tile - block_tile) * tile_elements);
        }
    } else {
        // Of the whole block, so that the compiler knows its warps' paths to be those of all their threads.
        const uint32_t last_tile = (first_index + warps - 1) >> args.log2_parts;
        const bool whole = last_tile < args.tiles && out.first >= 0 &&
                           args.n - static_cast<uint64_t>(out.first) >= uint64_t{last_tile - block_tile + 1} * tile_elements;
        direct_tiles<Op, kRegroup>(op, args, key, first_index, whole, out, queues);
    }
}

}  // namespace tandem::kernels
