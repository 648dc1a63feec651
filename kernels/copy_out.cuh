#pragma once

/// From staged raw bits to the output: the one place that handles heads, tails, positions and outputs that disagree modulo 16
/// bytes, and elements that need a slow path. Everything here is done by one warp.

#include "kernels/miss_queue.cuh"

namespace tandem::kernels {

/// How far a fill's units lie from whole vectors of staged words; the same for all units of a run.
template <int kWords, bool kBits>
struct Shift {
    static constexpr int WORDS = kWords;  ///< whole words
    static constexpr bool BITS = kBits;   ///< and some bits
    static constexpr bool NONE = kWords == 0 && !kBits;
};

/// In place of a shift: units that start with the second element of a pair.
struct OddPairs {};

/// N words of raw bits from bit `bit` of a run on, N a multiple of 4 and `bit` off whole vectors by S.
template <class S, int N>
__device__ __forceinline__ void load_shifted(const uint32_t* words, int bit, uint32_t (&raw)[N]) {
    constexpr int VECTORS = N / 4 + (S::NONE ? 0 : 1);
    const uint4* vectors = reinterpret_cast<const uint4*>(words) + (bit >> 7);
    uint32_t t[4 * VECTORS + 1];
#pragma unroll
    for (int v = 0; v < VECTORS; ++v) {
        const uint4 x = vectors[v];
        t[4 * v] = x.x, t[4 * v + 1] = x.y, t[4 * v + 2] = x.z, t[4 * v + 3] = x.w;
    }
    t[4 * VECTORS] = 0;
#pragma unroll
    for (int i = 0; i < N; ++i)
        raw[i] = S::BITS ? __funnelshift_r(t[i + S::WORDS], t[i + S::WORDS + 1], bit & 31) : t[i + S::WORDS];
}

/// The raw bits of the unit whose first draw is `e`.
template <class Op, class S, int N>
__device__ __forceinline__ void load_unit(const uint32_t* words, int e, uint32_t (&raw)[N]) {
    const int bit = e * Op::WIDTH;
    if constexpr (N % 4 == 0) {
        load_shifted<S>(words, bit, raw);
    } else if constexpr (Op::WIDTH < 32) {
        static_assert(N == 1, "a unit of fewer than 32 raw bits");
        raw[0] = __funnelshift_r(words[bit >> 5], words[(bit >> 5) + 1], bit & 31);
    } else {
#pragma unroll
        for (int i = 0; i < N; ++i) raw[i] = words[(bit >> 5) + i];
    }
}

/// The units of a run that one store each of a lane writes, and the output address of the run's draw 0.
struct Units {
    int begin;
    int end;
    int ahead;  ///< draws by which unit 0 starts before the run
    char* base;
};

template <class Op>
constexpr int unit_elements = 16 / static_cast<int>(sizeof(typename Op::Element));

/// Copies units whose elements cannot miss.
template <class Op, class S>
__device__ __forceinline__ void copy_sure_units(const Op& op, const Run& run, const Units& units) {
    constexpr int E = unit_elements<Op>;
    constexpr int N = (E * Op::WIDTH + 31) / 32;
    constexpr int SIZE = sizeof(typename Op::Element);
    const int lane = static_cast<int>(threadIdx.x) % WARP;
    const auto copy = [&](int u, bool stores) {
        const int e = u * E - units.ahead;
        uint4 value;
        if constexpr (Op::PAIRS) {
            value = op.template pairs<S>(run.words, e);
        } else {
            uint32_t raw[N];
            load_unit<Op, S>(run.words, e, raw);
            op.unit(raw, value);
        }
        if (stores) *reinterpret_cast<uint4*>(units.base + e * SIZE) = value;
    };
    // In the last batch lanes without a unit load another's: a branch would keep the loads of the batch from overlapping.
    constexpr int BATCH = Op::BATCH;
    int first = units.begin;
#pragma unroll 1
    for (; first + BATCH * WARP <= units.end; first += BATCH * WARP) {
#pragma unroll
        for (int b = 0; b < BATCH; ++b) copy(first + b * WARP + lane, true);
    }
    if (first < units.end) {
#pragma unroll
        for (int b = 0; b < BATCH; ++b) {
            const int u = first + b * WARP + lane;
            copy(min(u, units.end - 1), u < units.end);
        }
    }
}

/// Copies units of which hardly any has an element that misses: each lane queues what it finds.
template <class Op, class S>
__device__ __forceinline__ void copy_rare_units(const Op& op, const Run& run, const Units& units, MissQueue& queue) {
    constexpr int E = unit_elements<Op>;
    constexpr int N = (E * Op::WIDTH + 31) / 32;
    constexpr int SIZE = sizeof(typename Op::Element);
    const int lane = static_cast<int>(threadIdx.x) % WARP;
    constexpr int BATCH = 4;
    for (int first = units.begin; first < units.end; first += BATCH * WARP) {
        uint32_t missed = 0;
#pragma unroll
        for (int b = 0; b < BATCH; ++b) {
            const int u = first + b * WARP + lane;
            const int e = min(u, units.end - 1) * E - units.ahead;
            uint32_t raw[N];
            load_unit<Op, S>(run.words, e, raw);
            uint4 value;
            const bool rejected = op.unit(raw, value) != 0;
            if (u >= units.end) continue;
            missed |= rejected ? 1u << b : 0u;
            *reinterpret_cast<uint4*>(units.base + e * SIZE) = value;
        }
#pragma unroll 1
        for (; missed != 0; missed &= missed - 1) {
            const int e = (first + (__ffs(static_cast<int>(missed)) - 1) * WARP + lane) * E - units.ahead;
            uint32_t raw[N];
            load_unit<Op, S>(run.words, e, raw);
            queue_missed(op, run, units.base, e, op.missed(raw), queue);
        }
    }
}

/// Copies units whose lanes take part in the queue together.
template <class Op, class S>
__device__ __forceinline__ void copy_voting_units(const Op& op, const Run& run, const Units& units, MissQueue& queue) {
    constexpr int E = unit_elements<Op>;
    constexpr int N = (E * Op::WIDTH + 31) / 32;
    constexpr int SIZE = sizeof(typename Op::Element);
    const int lane = static_cast<int>(threadIdx.x) % WARP;
    // All lanes take part in the queue. Several units share one vote.
    constexpr int BATCH = 4;
    for (int first = units.begin; first < units.end; first += BATCH * WARP) {
        bool missed = false;
#pragma unroll
        for (int b = 0; b < BATCH; ++b) {
            const int u = first + b * WARP + lane;
            if (u < units.end) {
                const int e = u * E - units.ahead;
                uint32_t raw[N];
                load_unit<Op, S>(run.words, e, raw);
                uint4 value;
                missed |= op.unit(raw, value) != 0;
                *reinterpret_cast<uint4*>(units.base + e * SIZE) = value;
            }
        }
        if (!__any_sync(~0u, missed)) continue;
#pragma unroll 1
        for (int b = 0; b < BATCH; ++b) {
            const int u = first + b * WARP + lane;
            const int e = u * E - units.ahead;
            uint32_t which = 0;
            if (u < units.end) {
                uint32_t raw[N];
                load_unit<Op, S>(run.words, e, raw);
                which = op.missed(raw);
            }
            if (!__any_sync(~0u, which != 0)) continue;
#pragma unroll 1
            for (int i = 0; i < E; ++i) {
                const bool miss = (which >> i & 1) != 0;
                const uint32_t votes = __ballot_sync(~0u, miss);
                if (miss) queue.entries[queue.count + __popc(votes & ((1u << lane) - 1))] = static_cast<uint32_t>(e + i);
                queue.count += __popc(votes);
                if (queue.count > WARP) finish_misses(op, run, units.base, queue, WARP - 1);
            }
        }
    }
}

template <class Op, class S>
__device__ __forceinline__ void copy_units(const Op& op, const Run& run, const Units& units, [[maybe_unused]] MissQueue& queue) {
    if constexpr (!Op::MISSES) {
        copy_sure_units<Op, S>(op, run, units);
    } else if constexpr (Op::RARE) {
        copy_rare_units<Op, S>(op, run, units, queue);
    } else {
        copy_voting_units<Op, S>(op, run, units, queue);
    }
}

/// Calls `copy` with the Shift that the units of a run have, so that its loop holds no branch on it.
template <class Op, class Copy>
__device__ __forceinline__ void with_shift(int bit, bool odd_pairs, const Copy& copy) {
    if constexpr (Op::PAIRS) {
        if (odd_pairs) {
            copy(OddPairs{});
            return;
        }
    }
    if constexpr (Op::WIDTH * unit_elements<Op> % 128 != 0) {
        copy(Shift<0, false>{});
    } else if constexpr (Op::WIDTH == 64) {
        if ((bit & 64) != 0) {
            copy(Shift<2, false>{});
        } else {
            copy(Shift<0, false>{});
        }
    } else {
        constexpr bool BITS = Op::WIDTH < 32;
        if ((bit & 127) == 0) {
            copy(Shift<0, false>{});
            return;
        }
        switch ((bit >> 5) & 3) {
            case 0: copy(Shift<0, BITS>{}); break;
            case 1: copy(Shift<1, BITS>{}); break;
            case 2: copy(Shift<2, BITS>{}); break;
            default: copy(Shift<3, BITS>{}); break;
        }
    }
}

/// Writes elements begin .. end - 1 of a run, one a lane: those outside whole units.
template <class Op>
__device__ __forceinline__ void copy_elements(const Op& op, const Run& run, char* base, int begin, int end) {
    const int lane = static_cast<int>(threadIdx.x) % WARP;
#pragma unroll 1
    for (int e = begin + lane; e < end; e += WARP) {
        typename Op::Element value;
        if constexpr (Op::PAIRS) {
            const int second = static_cast<int>((run.first + e) & 1);
            value = op.half(run.words[e - second], run.words[e - second + 1], second);
        } else {
            value = op.slow(raw_at<Op::WIDTH>(run.words, e), run.first + e);
        }
        reinterpret_cast<typename Op::Element*>(base)[e] = value;
    }
}

/// Writes the elements of a run that belong to the fill. An output unit is 16 aligned bytes; units from the first whole cache
/// line on that lie in the run whole are written as one store a lane, the elements before and after them one a lane. Where the
/// fill has lists, a run is a whole tile, and what is left of its queue goes to list `list`.
template <class Op>
__device__ __forceinline__ void copy_run(const Op& op, const Run& run, const FillArgs& args, uint32_t list,
                                         uint32_t* queue_entries) {
    constexpr int E = unit_elements<Op>;
    constexpr int SIZE = sizeof(typename Op::Element);
    constexpr int LINE = 128 / 16;

    // Pairs belong to the run of their first draw: where a run starts with a second draw, its elements start one later.
    const int odd = Op::PAIRS ? static_cast<int>(run.first & 1) : 0;
    const int64_t before = -run.first;
    const int64_t left = static_cast<int64_t>(args.n) - run.first;
    const int lo = before > odd ? static_cast<int>(min(before, static_cast<int64_t>(run.draws + odd))) : odd;
    const int hi = left < run.draws + odd ? static_cast<int>(max(left, static_cast<int64_t>(0))) : run.draws + odd;
    if (lo >= hi) return;

    Units units;
    units.base = args.out + run.first * SIZE;
    units.ahead = static_cast<int>((reinterpret_cast<uintptr_t>(units.base) & 15) / SIZE);
    const int first_unit = (lo + units.ahead + E - 1) / E;
    units.end = (hi + units.ahead) / E;
    units.begin = first_unit +
                  static_cast<int>(-(reinterpret_cast<uintptr_t>(units.base) / 16 + static_cast<uintptr_t>(first_unit)) % LINE);
    if (units.begin >= units.end) units.begin = units.end = first_unit;

    MissQueue queue{queue_entries, 0};
    if (units.begin == units.end) {
        copy_elements(op, run, units.base, lo, hi);
        return;
    }
    const int first_whole = units.begin * E - units.ahead;
    if (lo < first_whole) copy_elements(op, run, units.base, lo, first_whole);
    with_shift<Op>(first_whole * Op::WIDTH, ((run.first + first_whole) & 1) != 0,
                   [&](auto shift) { copy_units<Op, decltype(shift)>(op, run, units, queue); });
    const int last_whole = units.end * E - units.ahead;
    if (last_whole < hi) copy_elements(op, run, units.base, last_whole, hi);
    if constexpr (Op::MISSES) {
        __syncwarp();
        if constexpr (Op::RARE) {
            queue.count = static_cast<int>(min(queue_entries[MissQueue::CAPACITY], uint32_t{MissQueue::CAPACITY}));
            __syncwarp();
            if (threadIdx.x % WARP == 0) queue_entries[MissQueue::CAPACITY] = 0;
            __syncwarp();
        }
        if constexpr (Op::LISTED && Op::RARE) {
            if (args.lists.entries != nullptr) {
                finish_misses(op, run, units.base, queue, static_cast<int>(args.lists.capacity));
                write_list(args.lists, list, static_cast<uint32_t>(queue.count), threadIdx.x % WARP, WARP, [&](uint32_t i) {
                    const int e = static_cast<int>(queue.entries[i] & ((1u << MissQueue::ROUND_SHIFT) - 1));
                    return MissEntry{raw_at<Op::WIDTH>(run.words, e), run.first + e};
                });
                return;
            }
        }
        finish_misses(op, run, units.base, queue, 0);
    }
}

}  // namespace tandem::kernels
