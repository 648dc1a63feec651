#pragma once

/// The elements of a staged run that need a slow path: a warp queues them and finishes them in full rounds, or leaves them to a
/// list.

#include "kernels/miss_list.cuh"

namespace tandem::kernels {

/// The raw integer of draw `e` of a run of staged words.
template <int W>
__device__ __forceinline__ uint64_t raw_at(const uint32_t* words, int e) {
    if constexpr (W == 64) {
        const uint2 pair = reinterpret_cast<const uint2*>(words)[e];
        return static_cast<uint64_t>(pair.y) << 32 | pair.x;
    } else if constexpr (W == 32) {
        return words[e];
    } else {
        const int bit = e * W;
        return (words[bit >> 5] >> (bit & 31)) & ((1u << W) - 1);
    }
}

/// The elements of a run that its warp still has to finish, in shared memory: the index of the draw in the run, and above
/// ROUND_SHIFT how often it was tried.
struct MissQueue {
    static constexpr int CAPACITY = 2 * WARP;
    static constexpr int ROUND_SHIFT = 18;
    uint32_t* entries;  ///< CAPACITY, and behind them the count where each lane queues what it finds (Op::RARE)
    int count;
};

/// Where a run lies.
struct Run {
    const uint32_t* words;  ///< its staged bits
    int64_t first;          ///< the element that its draw 0 is; negative before the fill's start
    int draws;
};

/// Tries queued elements until at most `keep` are left. Those that need another round go back into the queue, so that a warp
/// never waits for the unluckiest of its lanes.
template <class Op>
__device__ __forceinline__ void finish_misses(const Op& op, const Run& run, char* base, MissQueue& queue, int keep) {
    using Element = typename Op::Element;
    const int lane = static_cast<int>(threadIdx.x) % WARP;
    while (queue.count > keep) {
        __syncwarp();
        const int take = min(queue.count, WARP);
        queue.count -= take;
        uint32_t entry = 0;
        bool again = false;
        if (lane < take) {
            entry = queue.entries[queue.count + lane];
            const int e = static_cast<int>(entry & ((1u << MissQueue::ROUND_SHIFT) - 1));
            Element value;
            again = !op.attempt(raw_at<Op::WIDTH>(run.words, e), run.first + e, entry >> MissQueue::ROUND_SHIFT, value);
            if (!again) reinterpret_cast<Element*>(base)[e] = value;
        }
        const uint32_t votes = __ballot_sync(~0u, again);
        __syncwarp();  // all have read their entries
        if (again) queue.entries[queue.count + __popc(votes & ((1u << lane) - 1))] = entry + (1u << MissQueue::ROUND_SHIFT);
        queue.count += __popc(votes);
        __syncwarp();
    }
}

/// Queues the elements e + i, i in `mask`, by the lane that found them. What the queue cannot hold is finished at once.
template <class Op>
__device__ __forceinline__ void queue_missed(const Op& op, const Run& run, char* base, int e, uint32_t mask, MissQueue& queue) {
#pragma unroll 1
    for (; mask != 0; mask &= mask - 1) {
        const int at = e + __ffs(static_cast<int>(mask)) - 1;
        const uint32_t slot = atomicAdd(queue.entries + MissQueue::CAPACITY, 1u);
        if (slot < MissQueue::CAPACITY) {
            queue.entries[slot] = static_cast<uint32_t>(at);
        } else {
            reinterpret_cast<typename Op::Element*>(base)[at] = op.slow(raw_at<Op::WIDTH>(run.words, at), run.first + at);
        }
    }
}

}  // namespace tandem::kernels
