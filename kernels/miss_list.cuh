#pragma once

/// Lists of elements that a second kernel finishes. A thread block (or a warp) of the fill's kernel writes a list of its own, so
/// none waits for a counter in device memory; what does not fit is finished in place.

#include "kernels/fill_args.hpp"

namespace tandem::kernels {

/// An element to finish: its draw and its index in the fill.
struct MissEntry {
    uint64_t raw;
    int64_t element;
};

/// Writes `count` entries of a list: entry(i), i from `first` in steps of `step`.
template <class Entry>
__device__ __forceinline__ void write_list(const MissLists& lists, uint32_t list, uint32_t count, uint32_t first, uint32_t step,
                                           const Entry& entry) {
    MissEntry* const to = lists.entries + static_cast<uint64_t>(list) * lists.capacity;
    if (first == 0) lists.counts[list] = count;
    for (uint32_t i = first; i < count; i += step) to[i] = entry(i);
}

/// Finishes the elements of 1 << log2_lists lists a warp, at most 32: their entries, taken together, are dealt to its lanes.
template <class Op>
__global__ void __launch_bounds__(4 * WARP) finish_kernel(const FillArgs args, Op op, uint32_t log2_lists) {
    op.prepare(args, args.device_key != nullptr ? *args.device_key : args.key);
    const uint32_t lane = threadIdx.x % WARP;
    const uint32_t first_list = (blockIdx.x * 4 + threadIdx.x / WARP) << log2_lists;
    const uint32_t list = first_list + lane;
    uint32_t end = lane < 1u << log2_lists && list < args.lists.size ? args.lists.counts[list] : 0;
#pragma unroll
    for (uint32_t by = 1; by < WARP; by *= 2) {
        const uint32_t before = __shfl_up_sync(~0u, end, by);
        if (lane >= by) end += before;
    }
    const uint32_t total = __shfl_sync(~0u, end, WARP - 1);
    for (uint32_t i = lane; i < ((total + WARP - 1) & ~(WARP - 1u)); i += WARP) {
        // The list that entry i of them all is in: the number of lists that end at or before it.
        uint32_t which = 0;
#pragma unroll
        for (uint32_t by = WARP / 2; by > 0; by /= 2) {
            if (__shfl_sync(~0u, end, which + by - 1) <= i) which += by;
        }
        const uint32_t begin = __shfl_sync(~0u, end, (which + WARP - 1) % WARP);
        if (i >= total) continue;
        const MissEntry entry =
            args.lists.entries[static_cast<uint64_t>(first_list + which) * args.lists.capacity + i - (which == 0 ? 0 : begin)];
        reinterpret_cast<typename Op::Element*>(args.out)[entry.element] = op.slow(entry.raw, entry.element);
    }
}

}  // namespace tandem::kernels
