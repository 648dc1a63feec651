#pragma once

/// The kernel for short fills: each thread makes one block of the stream, seeding its chunk and stepping up to it. That is more
/// arithmetic than a walk along the chunks, and much sooner done.

#include "kernels/fill_args.hpp"
#include "kernels/op.cuh"
#include "tandem/core/stream.hpp"

namespace tandem::kernels {

/// Stores the elements of a block that belong to the fill; `first` is the element that values[0] is.
template <class Element, int kCount>
__device__ __forceinline__ void store_block(const FillArgs& args, int64_t first, const Element (&values)[kCount]) {
    Element* const to = reinterpret_cast<Element*>(args.out) + first;
    constexpr std::size_t BYTES = sizeof values;
    if constexpr (BYTES % 16 == 0) {
        if (first >= 0 && static_cast<uint64_t>(first) + kCount <= args.n && reinterpret_cast<uintptr_t>(to) % 16 == 0) {
            uint4 units[BYTES / 16];
            memcpy(units, values, BYTES);
#pragma unroll
            for (std::size_t u = 0; u < BYTES / 16; ++u) reinterpret_cast<uint4*>(to)[u] = units[u];
            return;
        }
    }
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
        if (static_cast<uint64_t>(first + i) < args.n) to[i] = values[i];
    }
}

/// Steps over 4 * fours blocks of a chunk: alone on its scheduler, a warp would lose a third of a step to a branch after each.
__device__ __forceinline__ void skip_fours(ChunkState& s, uint32_t fours) {
#pragma unroll 1
    for (; fours > 0; --fours) {
#pragma unroll
        for (int j = 0; j < 4; ++j) T(s);
    }
}

/// Takes the next four blocks of a chunk, as all lanes of a warp do, which are at most a few steps apart, and keeps one of them:
/// block step % 4.
__device__ __forceinline__ void take_of_four(ChunkState& s, uint32_t step, uint32_t (&words)[4]) {
#pragma unroll
    for (uint32_t j = 0; j < 4; ++j) {
        T(s);
#pragma unroll
        for (int w = 0; w < 4; ++w) words[w] = j == 0 || step % 4 >= j ? s.o[w] : words[w];
    }
}

/// Seeds a block's chunk and takes it with the three beside it, as take_of_four() does; returns the chunk behind them. Such a
/// fill is over before much code has been fetched: this is the shortest.
__device__ __forceinline__ ChunkState take_block(const Key& key, const BlockPlace& place, uint32_t (&words)[4]) {
    ChunkState s = walk_start_compact(key, place.chunk);
    skip_fours(s, place.step / 4);
    take_of_four(s, place.step, words);
    return s;
}

/// The place of a thread among those of its block: warps go to the four schedulers of a multiprocessor in turn, and later ones
/// make later rows, which take more steps. With the second half of eight reversed, each scheduler has one of few and one of many.
__device__ __forceinline__ uint32_t balanced_thread() {
    const uint32_t warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    return (warp < warps / 2 ? warp : warps + warps / 2 - 1 - warp) * WARP + threadIdx.x % WARP;
}

/// A tile is a block of the stream here.
template <class Op>
__global__ void __launch_bounds__(256) small_kernel(const FillArgs args, Op op) {
    constexpr int DRAWS = 128 / Op::WIDTH;
    const Key key = args.device_key != nullptr ? *args.device_key : args.key;
    op.prepare(args, key);
    const uint32_t index = blockIdx.x * blockDim.x + balanced_thread();
    if (index >= args.tiles) return;
    const uint64_t block = args.first_tile + index;
    uint32_t raw[4];
    take_block(key, place_of_block(block, args.log2_k), raw);
    const int64_t first = static_cast<int64_t>(block * DRAWS - args.first_draw);
    typename Op::Element values[DRAWS];
    if constexpr (Op::PAIRS) {
#pragma unroll
        for (int i = 0; i < DRAWS; i += 2) {
            const auto pair = op.pair(raw[i], raw[i + 1]);
            values[i] = pair.x;
            values[i + 1] = pair.y;
        }
    } else if constexpr (Op::SMALL_TABLE && Op::MISSES) {
        // One way into the slow path: a warp passes it once unless a lane missed twice.
#pragma unroll 1
        for (uint32_t missed = op.template small_values<false>(raw, values); missed != 0; missed &= missed - 1) {
            const bool second = (missed & 1) == 0;
            const uint64_t draw = second ? draw64(raw, 1) : draw64(raw, 0);
            const auto value = op.template slow_small<false, false>(draw, first + (second ? 1 : 0));
            if (second) {
                values[1] = value;
            } else {
                values[0] = value;
            }
        }
    } else {
#pragma unroll
        for (int i = 0; i < DRAWS; ++i) {
            uint64_t draw;
            if constexpr (Op::WIDTH == 64) {
                draw = draw64(raw, i);
            } else {
                draw = raw[i * Op::WIDTH / 32] >> (i * Op::WIDTH % 32) & (~0u >> (32 - Op::WIDTH));
            }
            values[i] = op.slow(draw, first + i);
        }
    }
    store_block(args, first, values);
}

}  // namespace tandem::kernels
