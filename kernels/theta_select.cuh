#pragma once

/// Cutting the table of theta_set.cuh: where the hash of a rank is, by digits from the highest; what lies below that, and a short
/// list of what may be that; then the hash among those. All threads of the grid call these functions together, and every block
/// takes the same decisions from the same counts.

#include <cooperative_groups.h>

#include "kernels/theta_set.cuh"

namespace tandem::kernels {

/// Slots that a thread reads before it looks at the first of them; there are at least as many for each thread of a warp.
constexpr uint32_t SLOTS_AT_ONCE = 8;

/// Calls visit(hashes, slots) for the slots of the table, a warp in step: each gets SLOTS_AT_ONCE hashes of a thread and their
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

/// The slots of a table, or the hashes of an array that are below theta, as what is counted: each() calls visit(hashes) like
/// visit_slots(), with 0 for what is none.
struct ThetaSlots {
    const ThetaTable& table;
    template <class Visit>
    __device__ __forceinline__ void each(Visit visit) const {
        visit_slots(table, [&](const uint64_t(&hashes)[SLOTS_AT_ONCE], const uint64_t*) { visit(hashes); });
    }
};
struct ThetaArray {
    const uint64_t* from;
    uint64_t n;
    uint64_t theta;
    template <class Visit>
    __device__ __forceinline__ void each(Visit visit) const {
        for (uint64_t first = grid_warp() * WARP; first < n; first += grid_warps() * WARP) {
            const uint64_t i = first + theta_lane(), hash = i < n ? from[i] : 0;
            const uint64_t hashes[] = {hash < theta ? hash : 0};
            visit(hashes);
        }
    }
};

/// Those listed, which each block looks at alone.
struct ThetaListed {
    const ThetaControl& control;
    uint32_t n;
    template <class Visit>
    __device__ __forceinline__ void each(Visit visit) const {
        for (uint32_t i = threadIdx.x; i < n; i += THETA_THREADS) {
            const uint64_t hashes[] = {current(control.list[i])};
            visit(hashes);
        }
    }
};

/// Hashes whose bits from `shift` on are `bits`.
struct ThetaPrefix {
    uint64_t bits;
    uint32_t shift;
    __device__ bool holds(uint64_t hash) const { return hash != 0 && hash >> shift == bits; }
};

/// Counts in the block's memory the digits below `prefix`, down to bit `shift`, of its hashes with that prefix.
template <class Hashes>
__device__ __forceinline__ void count_in_block(const Hashes& of, const ThetaPrefix& prefix, uint32_t shift, ThetaBlock& block) {
    for (uint32_t i = threadIdx.x; i < DIGITS; i += THETA_THREADS) block.digits[i] = 0;
    __syncthreads();
    const uint64_t digit_mask = (1ull << (prefix.shift - shift)) - 1;
    of.each([&](const auto& hashes) {
        for (const uint64_t hash : hashes) {
            if (prefix.holds(hash)) atomicAdd(&block.digits[(hash >> shift) & digit_mask], 1u);
        }
    });
    __syncthreads();
}

/// Adds up those digits of all blocks.
template <class Hashes>
__device__ __forceinline__ void count_digits(const Hashes& of, const ThetaPrefix& prefix, uint32_t shift, uint32_t* counts,
                                             ThetaBlock& block) {
    count_in_block(of, prefix, shift, block);
    for (uint32_t i = threadIdx.x; i < DIGITS; i += THETA_THREADS) {
        if (block.digits[i] != 0) atomicAdd(&counts[i], block.digits[i]);
    }
}

/// What the thread and those of its warp before it bring.
__device__ inline uint32_t sum_up_to(uint32_t mine) {
    uint32_t sum = mine;
#pragma unroll
    for (uint32_t by = 1; by < WARP; by *= 2) {
        const uint32_t other = __shfl_up_sync(~0u, sum, by);
        if (theta_lane() >= by) sum += other;
    }
    return sum;
}

/// What the threads of the block bring, to all of them.
__device__ inline uint32_t block_sum(uint32_t mine, ThetaBlock& block) {
    const uint32_t warp_sum = sum_up_to(mine);
    __syncthreads();  // all have read what was there
    if (theta_lane() == WARP - 1) block.sums[threadIdx.x / WARP] = warp_sum;
    __syncthreads();
    uint32_t sum = 0;
    for (const uint32_t of_warp : block.sums) sum += of_warp;
    return sum;
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
    uint32_t up_to = sum_up_to(sum);
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

/// Where the hash of a rank is: it has a prefix, and a rank among those that have it.
struct ThetaPlace {
    ThetaPrefix prefix;
    uint32_t rank;
};

/// Goes one digit further, down to bit `shift`, by the counts of those digits. Returns the hashes that have the new prefix.
__device__ inline uint32_t narrow(ThetaPlace& place, uint32_t shift, const uint32_t* counts, ThetaBlock& block) {
    find_digit(counts, place.rank, block);
    place.rank -= block.below;
    place.prefix.bits = place.prefix.bits << (place.prefix.shift - shift) | block.digit;
    place.prefix.shift = shift;
    return block.inside;
}

/// The lowest bit of the next digit.
__device__ inline uint32_t next_shift(const ThetaPrefix& prefix) {
    return prefix.shift > DIGIT_BITS ? prefix.shift - DIGIT_BITS : 0;
}

/// Finds the place of a rank, counted from 0, among hashes that are below theta and more than the rank: down to a prefix of at
/// most LISTED of them.
template <class Hashes>
__device__ inline ThetaPlace find_place(Hashes of, ThetaControl& control, uint64_t theta, uint32_t rank, ThetaBlock& block) {
    const auto grid = cooperative_groups::this_grid();
    if (grid_thread() == 0) control.listed = 0;  // nobody lists before the next wait
    ThetaPlace place{{0, 64 - static_cast<uint32_t>(__clzll(static_cast<long long>(theta)))}, rank};
#pragma unroll 1
    for (uint32_t pass = 0; pass < DIGIT_PASSES; ++pass) {
        const uint32_t shift = next_shift(place.prefix);
        uint32_t* const counts = control.digits[pass];
        count_digits(of, place.prefix, shift, counts, block);
        grid.sync();
        if (narrow(place, shift, counts, block) <= LISTED || shift == 0) break;
    }
    return place;
}

/// Forgets the digits that were counted; nobody counts before the next wait.
__device__ inline void clear_digits(ThetaControl& control) {
    uint32_t* const digits = &control.digits[0][0];
    for (uint64_t i = grid_thread(); i < DIGIT_PASSES * DIGITS; i += grid_threads()) digits[i] = 0;
}

/// Adds a hash to the list. Hashes are distinct, and so there are no more with a prefix than were counted, one with all bits.
__device__ inline void list_hash(ThetaControl& control, uint64_t hash) { control.list[atomicAdd(&control.listed, 1u)] = hash; }

/// All hashes come before these.
constexpr ThetaPrefix BEYOND_ALL{1, 63};

/// Writes the hashes of the table that come before a prefix to `out`, nearly in the order of their slots, and lists those that
/// have it. With `clear` the slots are free afterwards.
__device__ inline void write_before(const ThetaTable& table, ThetaPrefix prefix, uint64_t* out, bool clear) {
    visit_slots(table, [&](const uint64_t(&hashes)[SLOTS_AT_ONCE], uint64_t* slots) {
        uint32_t keeping[SLOTS_AT_ONCE], count = 0;
        bool some_listed = false;
#pragma unroll
        for (uint32_t i = 0; i < SLOTS_AT_ONCE; ++i) {
            if (clear && hashes[i] != 0) slots[i * WARP] = 0;
            keeping[i] = __ballot_sync(~0u, hashes[i] != 0 && hashes[i] >> prefix.shift < prefix.bits);
            count += __popc(keeping[i]);
            some_listed |= prefix.holds(hashes[i]);
        }
        if (some_listed) {
            for (const uint64_t hash : hashes) {
                if (prefix.holds(hash)) list_hash(*table.control, hash);
            }
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

/// The hash of a place, which is in the list.
__device__ inline uint64_t choose_listed(const ThetaControl& control, ThetaPlace place, ThetaBlock& block) {
    const ThetaListed listed{control, current(control.listed)};
    uint32_t inside = listed.n;
    while (inside > SHORT_LIST) {
        const uint32_t shift = next_shift(place.prefix);
        count_in_block(listed, place.prefix, shift, block);
        inside = narrow(place, shift, block.digits, block);
    }
    if (threadIdx.x == 0) block.gathered = 0;
    __syncthreads();
    listed.each([&](const auto& some) {
        if (place.prefix.holds(some[0])) block.list[atomicAdd(&block.gathered, 1u)] = some[0];
    });
    __syncthreads();
    if (threadIdx.x < inside) {
        const uint64_t mine = block.list[threadIdx.x];
        uint32_t below = 0;
#pragma unroll 8
        for (uint32_t i = 0; i < inside; ++i) below += block.list[i] < mine ? 1 : 0;
        if (below == place.rank) block.chosen = mine;
    }
    __syncthreads();
    return block.chosen;
}

/// What became of a thread's hashes.
struct PutHashes {
    uint32_t tried, known;
};

/// Puts hashes below a bound into the table, which has room for them; the grid shares them. Some may be there already.
__device__ inline PutHashes put_hashes(const ThetaTable& table, const uint64_t* hashes, uint64_t n, uint64_t bound) {
    PutHashes done{0, 0};
    for (uint64_t first = grid_warp() * WARP; first < n; first += grid_warps() * WARP) {
        const uint64_t i = first + theta_lane(), hash = i < n ? current(hashes[i]) : bound;
        const bool wanted = hash < bound;
        if (wanted && !table.put(hash, table.home(hash))) ++done.known;
        done.tried += wanted ? 1 : 0;
        __syncwarp();  // lanes that find a place at once would go on alone
    }
    return done;
}

/// Cuts the table, which holds more than k hashes, to the k smallest, and returns the next one, the new theta. `out`, an array of
/// k, is overwritten: with those, in no order, when this is the `last` cut. After another one the caller may offer hashes at
/// once: those of the table may still be on their way back into it, but have their places.
__device__ inline uint64_t cut_table(const ThetaTable& table, uint64_t k, uint64_t theta, uint64_t* out, bool last,
                                     ThetaBlock& block) {
    ThetaControl& control = *table.control;
    const ThetaPlace place = find_place(ThetaSlots{table}, control, theta, static_cast<uint32_t>(k), block);
    write_before(table, place.prefix, out, !last);
    if (grid_thread() == 0) control.count = k;
    cooperative_groups::this_grid().sync();

    const uint64_t next = choose_listed(control, place, block);
    const uint64_t listed = current(control.listed);
    if (last) {
        for (uint64_t i = grid_thread(); i < listed; i += grid_threads()) {
            const uint64_t hash = current(control.list[i]);
            if (hash < next) out[atomicAdd(&control.kept, 1ull)] = hash;
        }
        return next;
    }
    // A key that was offered meanwhile may have brought the same hash.
    const uint32_t known =
        put_hashes(table, out, k - place.rank, ~0ull).known + put_hashes(table, control.list, listed, next).known;
    if (known != 0) table.give_back(known);
    clear_digits(control);
    if (grid_thread() == 0) control.kept = 0;
    return next;
}

/// The hash after the k smallest of an array that are below theta, or theta when they are not more.
__device__ inline uint64_t theta_of_many(ThetaControl& control, const uint64_t* hashes, uint64_t n, uint64_t k, uint64_t theta,
                                         ThetaBlock& block) {
    const auto grid = cooperative_groups::this_grid();
    const ThetaArray of{hashes, n, theta};
    uint32_t mine = 0;
    of.each([&](const auto& some) { mine += some[0] != 0 ? 1 : 0; });
    mine = block_sum(mine, block);
    if (threadIdx.x == 0) atomicAdd(&control.kept, static_cast<unsigned long long>(mine));
    grid.sync();
    const uint64_t count = current(control.kept);
    grid.sync();
    if (grid_thread() == 0) control.kept = 0;
    if (count <= k) return theta;
    const ThetaPlace place = find_place(of, control, theta, static_cast<uint32_t>(k), block);
    of.each([&](const auto& some) {
        if (place.prefix.holds(some[0])) list_hash(control, some[0]);
    });
    grid.sync();
    clear_digits(control);
    return choose_listed(control, place, block);
}

}  // namespace tandem::kernels
