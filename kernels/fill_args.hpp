#pragma once

/// What the kernel of every fill is told, and how the stream is cut into tiles.

#include <cuda_runtime_api.h>

#include "tandem/core/fill.hpp"

namespace tandem::kernels {

constexpr int WARP = 32;

struct MissEntry;

/// Lists that the fill's kernel writes for a second one, or none; `size` lists of up to `capacity` entries (miss_list.cuh).
struct MissLists {
    uint32_t* counts;
    MissEntry* entries;
    uint32_t size;
    uint32_t capacity;
};

/// A tile is what one warp produces: 8 * GROUPS * max(K, SLOTS) consecutive blocks of the stream, that is whole groups of chunks
/// (GROUPS and SLOTS by the family's policy).
struct FillArgs {
    Key key;                ///< read unless device_key is given
    const Key* device_key;  ///< the key in device memory, read in stream order, or null
    char* out;
    uint64_t n;           ///< draws, equal to elements of the output (complex numbers count twice)
    uint64_t first_draw;  ///< index in the key's stream of draw 0: its position / width
    uint64_t first_tile;
    uint32_t tiles;
    uint32_t log2_k;
    uint32_t segment;     ///< steps after which listed elements are finished, a power of two up to K
    uint32_t step_begin;  ///< steps of a chunk before this one hold nothing of the fill
    uint32_t step_end;    ///< nor do steps from this one on
    uint32_t log2_parts;  ///< a tile is divided by its steps among so many warps, where it is walked in registers
    MissLists lists;      ///< entries is null where misses are finished in place
    uint32_t skipped;     ///< small_table_kernel: blocks of the stream from first_tile on that are before the fill
    uint32_t second;      ///< and a thread also makes the block so many further on
};

/// The base-2 logarithm of a power of two.
__host__ __device__ constexpr uint32_t log2_of(uint32_t x) { return x <= 1 ? 0 : 1 + log2_of(x / 2); }

/// The base-2 logarithm of a tile's blocks.
template <class Policy>
__host__ __device__ constexpr uint32_t log2_tile(uint32_t log2_k) {
    constexpr uint32_t LOG2_SLOTS = log2_of(Policy::SLOTS);
    return log2_of(LANES * Policy::GROUPS) + (log2_k > LOG2_SLOTS ? log2_k : LOG2_SLOTS);
}

}  // namespace tandem::kernels
