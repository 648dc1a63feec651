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
    uint32_t digit, below, inside;  ///< of find_digit()
    uint32_t gathered;              ///< hashes in `list`
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

/// Keys that a block has looked at since the last cut: a small set in its shared memory that forgets some, so that keys which
/// come again and again are neither hashed nor taken to the table each time. What becomes of a key that is here is settled: its
/// hash is not wanted, or in the table, or the warp that put it here found no room and offers it again after the cut.
struct ThetaFront {
    unsigned long long* slots;  ///< two for each bucket
    uint32_t shift;             ///< 64 less the base-2 logarithm of the buckets; 0 when there are none

    __device__ uint32_t bytes() const { return shift == 0 ? 0 : 2 * sizeof(*slots) << (64 - shift); }

    __device__ void clear() const {
        for (uint32_t i = threadIdx.x; i < bytes() / sizeof(*slots); i += THETA_THREADS) slots[i] = free_value(i / 2);
    }

    /// Whether the key is here, in the first of its two buckets, where most are, or in the second.
    __device__ bool holds_first(uint64_t key) const { return read(first_bucket(mix(key))).holds(key); }
    __device__ bool holds_second(uint64_t key) const { return read(second_bucket(mix(key))).holds(key); }

    /// The same, and the key is here from now on; where both buckets are full, another one is forgotten.
    __device__ bool meets(uint64_t key) const {
        if (shift == 0) return false;
        const uint32_t mixed = mix(key);
        const uint32_t one = first_bucket(mixed), other = second_bucket(mixed);
        const Bucket in_one = read(one), in_other = read(other);
        if (in_one.holds(key) || in_other.holds(key)) return true;
        const bool take_other = in_one.is_full(one) && !in_other.is_full(other);
        const Bucket into = take_other ? in_other : in_one;
        const uint32_t bucket = take_other ? other : one;
        const bool take_second = into.first != free_value(bucket) && (into.second == free_value(bucket) || (mixed & 1) != 0);
        atomicExch(slots + 2 * bucket + (take_second ? 1 : 0), key);
        return false;
    }

  private:
    struct Bucket {
        unsigned long long first, second;
        __device__ bool holds(uint64_t key) const { return first == key || second == key; }
        __device__ bool is_full(uint32_t bucket) const { return first != free_value(bucket) && second != free_value(bucket); }
    };

    // What a free slot holds: a key that belongs into other buckets, so that no key is taken to be here.
    static __device__ uint64_t free_value(uint32_t bucket) { return bucket == 0 ? FREE_IN_FIRST : 0; }
    static constexpr uint64_t FREE_IN_FIRST = 1;  // its buckets are in the upper halves, those of 0 are the first one

    // All bits of the key count.
    static __device__ uint32_t mix(uint64_t key) {
        return (static_cast<uint32_t>(key >> 32) * 0x9e3779b1u + static_cast<uint32_t>(key)) * 0x85ebca6bu;
    }
    __device__ uint32_t first_bucket(uint32_t mixed) const { return mixed >> (shift - 32); }
    __device__ uint32_t second_bucket(uint32_t mixed) const { return (mixed * 0xc2b2ae35u) >> (shift - 32); }

    __device__ Bucket read(uint32_t bucket) const {
#if defined(__CUDA_ARCH__)
        Bucket there;
        asm volatile("ld.volatile.shared.v2.u64 {%0, %1}, [%2];"
                     : "=l"(there.first), "=l"(there.second)
                     : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(slots + 2 * bucket))));
        return there;
#else
        return {current(slots[2 * bucket]), current(slots[2 * bucket + 1])};
#endif
    }
};

/// The table in a kernel.
struct ThetaTable : ThetaTableArgs {
    /// Takes the next piece of work. The answer is lane 0's, and is not waited for here: lanes name different addresses, or the
    /// compiler would join their additions and share the answer at once.
    __device__ uint64_t take_piece() const {
#if defined(__CUDA_ARCH__)
        uint64_t piece;
        asm volatile(
            "{\n\t"
            ".reg .pred first;\n\t"
            "setp.eq.u32 first, %2, 0;\n\t"
            "mov.u64 %0, 0;\n\t"
            "@first atom.relaxed.gpu.global.add.u64 %0, [%1], 1;\n\t"
            "}"
            : "=&l"(piece)
            : "l"(__cvta_generic_to_global(&control->pieces) + theta_lane()), "r"(theta_lane()));
        return piece;
#else
        return theta_lane() == 0 ? atomicAdd(&control->pieces, 1ull) : 0;
#endif
    }

    /// What take_piece() answered, for all lanes: pieces grid_warps() and on, the first ones being the warps' own.
    __device__ static uint64_t taken_piece(uint64_t answer) { return grid_warps() + __shfl_sync(~0u, answer, 0); }

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
    /// are to be offered again after the table has been cut. Adds to `known` the lanes whose hash was there.
    __device__ bool offer(uint64_t hash, bool wanted, uint32_t round, uint32_t& known) const {
        uint64_t slot = 0;
        const bool absent = wanted && !find(hash, slot);
        const uint32_t asking = __ballot_sync(~0u, absent);
        known += __popc(__ballot_sync(~0u, wanted && !absent));
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

    /// Asks for a cut where one would lower theta by a ninth at least; false where it would not. All lanes of the warp call this.
    __device__ bool ask_for_cut(uint64_t k, uint32_t round) const {
        const bool pays = __shfl_sync(~0u, current(control->count) >= k + k / 8 ? 1 : 0, 0) != 0;
        if (pays && theta_lane() == 0) atomicMax(&control->full_round, round);
        return pays;
    }

    /// Takes back places that were promised and not used.
    __device__ void give_back(uint32_t places) const {
        atomicAdd(&control->count, 0ull - static_cast<unsigned long long>(places));
    }
};

}  // namespace tandem::kernels
