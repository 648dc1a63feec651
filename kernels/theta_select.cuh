#pragma once

/// Cutting the table of theta_set.cuh: the hash of a rank, by digits from the highest, and what lies below it. All threads of the
/// grid call these functions together, and every block takes the same decisions from the same counts.

#include <cooperative_groups.h>

#include "kernels/theta_set.cuh"

namespace tandem::kernels {

/// Slots that a thread reads before it looks at the first of them; there are at least as many for each thread of a warp.
constexpr uint32_t SLOTS_AT_ONCE = 8;

/// Calls visit(hash, slot) for the slots of the table, a warp in step: each gets SLOTS_AT_ONCE hashes of a thread and their
/// slots.
template <class Visit>
__device__ __forceinline__ void visit_slots(const ThetaTable& table, Visit visit) {
    constexpr uint64_t SPAN = SLOTS_AT_ONCE * WARP;
    for (uint64_t first = grid_warp() * SPAN; first < table.slots_count(); first += grid_warps() * SPAN) {
        uint64_t* const slots = table.slots + first + theta_lane();
        uint64_t hashes[SLOTS_AT_ONCE];
#pragma unroll
        for (uint32_t i = 0; i < SLOTS_AT_ONCE; ++i) hashes[i] = slots[i * WARP];
        visit(hashes, slots);
    }
}

/// Hashes whose bits from `shift` on are `bits`.
struct ThetaPrefix {
    uint64_t bits;
    uint32_t shift;
    __device__ bool holds(uint64_t hash) const { return hash != 0 && hash >> shift == bits; }
};

/// Adds up the digits below `prefix`, down to bit `shift`, of the hashes with that prefix.
__device__ inline void count_digits(const ThetaTable& table, const ThetaPrefix& prefix, uint32_t shift, uint32_t* counts,
                                    ThetaBlock& block) {
    for (uint32_t i = threadIdx.x; i < DIGITS; i += THETA_THREADS) block.digits[i] = 0;
    __syncthreads();
    const uint64_t digit_mask = (1ull << (prefix.shift - shift)) - 1;
    visit_slots(table, [&](const uint64_t(&hashes)[SLOTS_AT_ONCE], const uint64_t*) {
#pragma unroll
        for (uint32_t i = 0; i < SLOTS_AT_ONCE; ++i) {
            if (prefix.holds(hashes[i])) atomicAdd(&block.digits[(hashes[i] >> shift) & digit_mask], 1u);
        }
    });
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < DIGITS; i += THETA_THREADS) {
        if (block.digits[i] != 0) atomicAdd(&counts[i], block.digits[i]);
    }
}

/// Finds the digit with the hash of a rank: leaves it, the hashes before it and the hashes in it in the block's memory.
__device__ inline void find_digit(const uint32_t* counts, uint32_t rank, ThetaBlock& block) {
    constexpr uint32_t EACH = DIGITS / THETA_THREADS;
    uint32_t mine[EACH], sum = 0;
#pragma unroll
    for (uint32_t i = 0; i < EACH; ++i) {
        mine[i] = current(counts[threadIdx.x * EACH + i]);
        sum += mine[i];
    }
    uint32_t up_to = sum;  // and with this thread's
#pragma unroll
    for (uint32_t by = 1; by < WARP; by *= 2) {
        const uint32_t other = __shfl_up_sync(~0u, up_to, by);
        if (theta_lane() >= by) up_to += other;
    }
    __syncthreads();
    if (theta_lane() == WARP - 1) block.sums[threadIdx.x / WARP] = up_to;
    __syncthreads();
    for (uint32_t w = 0; w < threadIdx.x / WARP; ++w) up_to += block.sums[w];

    uint32_t below = up_to - sum;
#pragma unroll
    for (uint32_t i = 0; i < EACH; ++i) {
        if (below <= rank && rank - below < mine[i]) {
            block.digit = threadIdx.x * EACH + i;
            block.below = below;
            block.inside = mine[i];
        }
        below += mine[i];
    }
    __syncthreads();
}

/// Lists the hashes with a prefix, of which there are at most SHORT_LIST.
__device__ inline void list_hashes(const ThetaTable& table, const ThetaPrefix& prefix) {
    visit_slots(table, [&](const uint64_t(&hashes)[SLOTS_AT_ONCE], const uint64_t*) {
#pragma unroll
        for (uint32_t i = 0; i < SLOTS_AT_ONCE; ++i) {
            if (!prefix.holds(hashes[i])) continue;
            const uint32_t place = atomicAdd(&table.control->listed, 1u);
            if (place < SHORT_LIST) table.control->list[place] = hashes[i];
        }
    });
}

/// The hash of a rank in the list.
__device__ inline uint64_t choose_of_list(const ThetaControl& control, uint32_t rank, ThetaBlock& block) {
    const uint32_t listed = min(current(control.listed), SHORT_LIST);
    if (threadIdx.x < listed) block.list[threadIdx.x] = current(control.list[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x < listed) {
        const uint64_t mine = block.list[threadIdx.x];
        uint32_t below = 0;
#pragma unroll 8
        for (uint32_t i = 0; i < listed; ++i) below += block.list[i] < mine ? 1 : 0;
        if (below == rank) block.chosen = mine;
    }
    __syncthreads();
    return block.chosen;
}

/// The hash of a rank, counted from 0, among those of the table, which are below theta and more than the rank.
__device__ inline uint64_t select_hash(const ThetaTable& table, uint32_t rank, uint64_t theta, ThetaBlock& block) {
    const auto grid = cooperative_groups::this_grid();
    ThetaPrefix prefix{0, 64 - static_cast<uint32_t>(__clzll(static_cast<long long>(theta)))};
#pragma unroll 1
    for (uint32_t pass = 0; pass < DIGIT_PASSES; ++pass) {
        const uint32_t shift = prefix.shift > DIGIT_BITS ? prefix.shift - DIGIT_BITS : 0;
        count_digits(table, prefix, shift, table.control->digits[pass], block);
        grid.sync();
        find_digit(table.control->digits[pass], rank, block);
        rank -= block.below;
        prefix.bits = prefix.bits << (prefix.shift - shift) | block.digit;
        prefix.shift = shift;
        if (shift == 0 || block.inside <= SHORT_LIST) break;
    }
    list_hashes(table, prefix);
    grid.sync();
    return choose_of_list(*table.control, rank, block);
}

/// Writes the hashes below a bound to `out`, in no order. kClear: the slots are free afterwards.
template <bool kClear>
__device__ inline void write_hashes(const ThetaTable& table, uint64_t bound, uint64_t* out) {
    visit_slots(table, [&](const uint64_t(&hashes)[SLOTS_AT_ONCE], uint64_t* slots) {
        uint32_t keeping[SLOTS_AT_ONCE], count = 0;
#pragma unroll
        for (uint32_t i = 0; i < SLOTS_AT_ONCE; ++i) {
            if (kClear && hashes[i] != 0) slots[i * WARP] = 0;
            keeping[i] = __ballot_sync(~0u, hashes[i] != 0 && hashes[i] < bound);
            count += __popc(keeping[i]);
        }
        if (count == 0) return;
        unsigned long long place = 0;
        if (theta_lane() == 0) place = atomicAdd(&table.control->kept, static_cast<unsigned long long>(count));
        uint64_t* to = out + __shfl_sync(~0u, place, 0);
#pragma unroll
        for (uint32_t i = 0; i < SLOTS_AT_ONCE; ++i) {
            if ((keeping[i] >> theta_lane() & 1) != 0) to[__popc(keeping[i] & lanes_before())] = hashes[i];
            to += __popc(keeping[i]);
        }
    });
}

/// Cuts the table to its k smallest hashes and returns the next one, the new theta. `out`, an array of k, is overwritten. The
/// caller may offer hashes at once: those of the table may still be on their way back into it, but have their places.
__device__ inline uint64_t cut_table(const ThetaTable& table, uint64_t k, uint64_t theta, uint64_t* out, ThetaBlock& block) {
    const auto grid = cooperative_groups::this_grid();
    const uint64_t next = select_hash(table, static_cast<uint32_t>(k), theta, block);
    write_hashes<true>(table, next, out);
    uint32_t* const digits = &table.control->digits[0][0];
    for (uint64_t i = grid_thread(); i < DIGIT_PASSES * DIGITS; i += grid_threads()) digits[i] = 0;
    if (grid_thread() == 0) table.control->count = k;
    grid.sync();
    if (grid_thread() == 0) {
        table.control->kept = 0;
        table.control->listed = 0;
    }
    uint32_t known = 0;  // a key that was offered meanwhile may have brought the same hash
    for (uint64_t i = grid_thread(); i < k; i += grid_threads()) {
        const uint64_t hash = current(out[i]);
        known += table.put(hash, table.home(hash)) ? 0 : 1;
    }
    if (known != 0) table.give_back(known);
    return next;
}

}  // namespace tandem::kernels
