#pragma once

/// The exact set of hashes that every operation on Theta sketches fills: an open-addressing table in device memory, shared by all
/// threads of the grid. A slot that holds 0 is free: no sketch retains hash 0.

#include <cuda_runtime.h>

#include "kernels/theta_layout.hpp"

namespace tandem::kernels {

/// The shared memory of a block: what its warps hold back, and room for the selection.
struct ThetaBlock {
    uint64_t stage[THETA_WARPS][THETA_STAGE];
    union {
        uint32_t digits[DIGITS];
        uint64_t list[SHORT_LIST];
    };
    uint32_t sums[THETA_WARPS];
    uint32_t digit, below, inside;
    uint64_t chosen;
};

/// A value that other threads may be changing.
template <class T>
__device__ __forceinline__ T current(const T& value) {
    return *const_cast<const volatile T*>(&value);
}

__device__ __forceinline__ uint32_t theta_lane() { return threadIdx.x % WARP; }
__device__ __forceinline__ uint32_t lanes_before() { return (1u << theta_lane()) - 1; }

/// Threads and warps are numbered through the grid.
__device__ __forceinline__ uint64_t grid_thread() { return static_cast<uint64_t>(blockIdx.x) * THETA_THREADS + threadIdx.x; }
__device__ __forceinline__ uint64_t grid_threads() { return static_cast<uint64_t>(gridDim.x) * THETA_THREADS; }
__device__ __forceinline__ uint64_t grid_warp() { return grid_thread() / WARP; }
__device__ __forceinline__ uint64_t grid_warps() { return static_cast<uint64_t>(gridDim.x) * THETA_WARPS; }

/// Hashes that a block has offered since the last cut: a small set in its shared memory that forgets some, so that keys which
/// come again and again do not go to the table each time. A hash that is here is in the table, or the warp that put it here found
/// no room and offers it again after the cut.
struct ThetaFront {
    static constexpr uint32_t PROBES = 4;

    unsigned long long* slots;
    uint32_t mask;   ///< slots - 1
    uint32_t shift;  ///< 64 less the base-2 logarithm of the slots; 0 when there are none

    __device__ void clear() const {
        if (shift == 0) return;
        for (uint32_t i = threadIdx.x; i <= mask; i += THETA_THREADS) slots[i] = 0;
    }

    /// Whether the hash is here; it is from now on, where there is a place for it.
    __device__ bool seen(uint64_t hash) const {
        if (shift == 0) return false;
        const uint32_t home = static_cast<uint32_t>((hash * 0x9e3779b97f4a7c15ull) >> shift);
#pragma unroll 1
        for (uint32_t probe = 0; probe < PROBES; ++probe) {
            unsigned long long* const slot = slots + ((home + probe) & mask);
            unsigned long long there = current(*slot);
            if (there == 0) there = atomicCAS(slot, 0ull, hash);
            if (there == 0) return false;
            if (there == hash) return true;
        }
        return false;
    }
};

/// The table in a kernel.
struct ThetaTable : ThetaTableArgs {
    /// Takes the next piece of work: pieces grid_warps() and on, the first ones being the warps' own. The answer is lane 0's.
    __device__ uint64_t take_piece() const { return theta_lane() == 0 ? grid_warps() + atomicAdd(&control->pieces, 1ull) : 0; }

    __device__ uint64_t slots_count() const { return mask + 1; }

    /// Where the search for a hash begins. All of its bits count, so that neither equal low bits nor runs of hashes crowd.
    __device__ uint64_t home(uint64_t hash) const { return (hash * 0x9e3779b97f4a7c15ull) >> shift; }

    /// Looks for a hash from its home on: true when it is there, otherwise `slot` is the free slot that ended the search.
    __device__ bool find(uint64_t hash, uint64_t& slot) const {
        slot = home(hash);
        for (uint64_t probes = 0; probes <= mask; ++probes) {
            const uint64_t there = current(slots[slot]);
            if (there == hash) return true;
            if (there == 0) return false;
            slot = (slot + 1) & mask;
        }
        return false;
    }

    /// Puts a hash into the first free slot from `slot` on; false when it is there already, or put there meanwhile. The caller
    /// knows that fewer hashes than slots are there.
    __device__ bool put(uint64_t hash, uint64_t slot) const {
        for (uint64_t probes = 0; probes <= mask; ++probes) {
            const unsigned long long there = atomicCAS(reinterpret_cast<unsigned long long*>(slots + slot), 0ull, hash);
            if (there == 0) return true;
            if (there == hash) return false;
            slot = (slot + 1) & mask;
        }
        return false;
    }

    /// Offers one hash a lane to the set; all lanes of the warp call this. False when there was no room for some of them: they
    /// are to be offered again after the table has been cut.
    __device__ bool offer(uint64_t hash, bool wanted, uint32_t round) const {
        uint64_t slot = 0;
        const bool absent = wanted && !find(hash, slot);
        const uint32_t asking = __ballot_sync(~0u, absent);
        if (asking == 0) return true;

        // Room is promised before a slot is taken, so that the table never fills up, however many warps come at once.
        const uint32_t leader = static_cast<uint32_t>(__ffs(static_cast<int>(asking)) - 1), places = __popc(asking);
        unsigned long long before = 0;
        if (theta_lane() == leader) before = atomicAdd(&control->count, static_cast<unsigned long long>(places));
        before = __shfl_sync(~0u, before, static_cast<int>(leader));
        if (before + places > limit) {
            if (theta_lane() == leader) {
                give_back(places);
                atomicMax(&control->full_round, round);
            }
            return false;
        }
        const bool added = absent && put(hash, slot);
        const uint32_t unused = places - __popc(__ballot_sync(~0u, added));
        if (unused != 0 && theta_lane() == leader) give_back(unused);
        return true;
    }

    /// Takes back places that were promised and not used.
    __device__ void give_back(uint32_t places) const {
        atomicAdd(&control->count, 0ull - static_cast<unsigned long long>(places));
    }
};

}  // namespace tandem::kernels
