#pragma once

/// The kernel that offers hashes to a set: its grid is resident as a whole, so that blocks can wait for each other. Warps offer
/// what their source has until the table has no room left; then the grid cuts it together, theta falls, and they go on.
///
/// A Source, made by every thread from its Args and the table, hands out keys, a warp in step:
///
/// KEYS: of a thread's in a step, at most THETA_KEYS.
///
/// AT_ONCE: how many of those are looked at together, while the next ones are on their way.
///
/// HASHED: keys are hashes already.
///
/// AHEAD: when take<true>() will do, which need not look where the source ends: always, never, or for steps that lack no key and
/// are followed by such a one.
///
/// begin(args, theta): before anything else; may lower theta. False when there is nothing to offer, and the set stays as it is.
///
/// more(), next(): whether the warp has keys left, and the step to the next ones.
///
/// ahead(): whether take<true>() will do for this step, where AHEAD does not say it for all.
///
/// again(): before the first step, and where the keys of a step are to be taken once more.
///
/// pause(): true every few steps, for what is to be done now and then.
///
/// take<kAhead>(group, first, keys): keys of the thread from group + first on, as they are hashed, or anything when there are
/// none; `group` is a multiple of AT_ONCE, and all keys of a step are taken, once and in order.
///
/// held(): bit j is set when there is such a key.
///
/// put(j, to): writes the same key to shared memory, afterwards, for a j that need not be known when the kernel is compiled. It
/// is there when the thread has waited for its asynchronous copies.

#include <cuda_pipeline.h>

#include "kernels/launch_kernel.hpp"
#include "kernels/theta_screen.cuh"
#include "kernels/theta_select.cuh"

namespace tandem::kernels {

/// What the kernel is told beside its source.
struct ThetaArgs {
    ThetaWords* words;
    uint64_t* out;
    uint64_t room;  ///< of `out`
    uint64_t k;
    uint64_t seed;
    uint64_t start;        ///< of both halves of the hash: the seed, xored with a key's bytes
    uint32_t front_shift;  ///< of the ThetaFront
    ThetaTable table;
};

constexpr uint32_t NO_ROUND = 0;

/// What a warp works with in a round.
struct ThetaRound {
    uint64_t theta;
    uint64_t seed;
    uint64_t start;
    uint64_t k;
    ThetaTable table;
    ThetaFront front;
    uint32_t round;
};

/// The keys that a warp chose and did not yet offer to the table: fewer than WARP before a step, and those of the step for which
/// there was no room.
template <class Source>
class ThetaStage {
  public:
    __device__ explicit ThetaStage(uint64_t* keys) : keys_(keys), count_(0), known_(0), pending_(0) {}

    __device__ bool empty() const { return count_ == 0; }
    __device__ bool fills_warp() const { return count_ >= WARP; }

    /// Whether keys of the source's step wait for room.
    __device__ bool waits() const { return __any_sync(~0u, pending_ != 0); }

    /// Takes keys of the source's step, bit j of `chosen` for key j of the thread; `lanes` are those that have some. False when
    /// some wait for room: then the source has to stay where it is until take_waiting() has them. Room for a key of each lane is
    /// there whenever the stage does not fill a warp. A key that has to be read again is not waited for.
    __device__ bool take(const Source& source, uint32_t chosen, uint32_t lanes) {
        pending_ = chosen;
        do {
            if (pending_ != 0) {
                source.put(static_cast<uint32_t>(__ffs(static_cast<int>(pending_)) - 1),
                           keys_ + count_ + __popc(lanes & lanes_before()));
                pending_ &= pending_ - 1;
            }
            count_ += __popc(lanes);
            lanes = __ballot_sync(~0u, pending_ != 0);
        } while (lanes != 0 && count_ + WARP <= THETA_STAGE);
        __pipeline_commit();
        return lanes == 0;
    }
    __device__ bool take_waiting(const Source& source) { return take(source, pending_, __ballot_sync(~0u, pending_ != 0)); }
    __device__ void drop_waiting() { pending_ = 0; }

    /// Hashes and offers the last ones, one a lane. False when the table is to be cut first: they are still here.
    __device__ bool offer(const ThetaRound& with) {
        const uint32_t offering = min(count_, uint32_t{WARP});
        const bool mine = theta_lane() < offering;
        __pipeline_wait_prior(0);
        __syncwarp();
        uint64_t hash = mine ? keys_[count_ - offering + theta_lane()] : 0;  // the key's, further on
        bool wanted = mine;
        if constexpr (!Source::HASHED) {
            wanted = mine && !with.front.meets(hash);
            known_ += offering - __popc(__ballot_sync(~0u, wanted));
            if (wanted) hash = theta_hash(hash, with.seed);
        }
        wanted = wanted && hash != 0 && hash < with.theta;
        if (!with.table.offer(hash, wanted, with.round, known_)) return false;
        count_ -= offering;
        __syncwarp();  // all have read theirs
        return !cut_pays(with, 0);
    }

    /// Adds keys that were in the front or the table already, and asks for a cut where it pays; true when it does. Keys that come
    /// again are turned away by the screen at the least cost, and a lower theta turns most of them away.
    __device__ bool cut_pays(const ThetaRound& with, uint32_t known) {
        known_ += known;
        if (known_ < SOME_KNOWN + with.table.slots_count() / SLOTS_A_KNOWN) return false;
        known_ = 0;
        return with.table.ask_for_cut(with.k, with.round);
    }

  private:
    // A warp's keys that cost as much as a cut, which costs something by itself and something for each slot of the table.
    static constexpr uint32_t SOME_KNOWN = 128, SLOTS_A_KNOWN = 4096;

    uint64_t* keys_;
    uint32_t count_;
    uint32_t known_;    // keys that were in the front or the table
    uint32_t pending_;  // of the step
};

/// Bit j is set for key j of the thread, the lane's of each WARP, when that is one of so many.
__device__ __forceinline__ uint32_t keys_mask(uint64_t rest) {
    const uint32_t keys = static_cast<uint32_t>(min(rest, uint64_t{THETA_KEYS * WARP}));
    return static_cast<uint32_t>((1ull << ((keys + WARP - 1 - theta_lane()) / WARP)) - 1);
}

/// What a warp sees of cuts that others ask for, now and then. The answer of one look is used by the next, so that none waits
/// for it.
class CutWatch {
  public:
    __device__ explicit CutWatch(const ThetaRound& with)
        : full_round_(with.table.control->full_round), round_(with.round), seen_(NO_ROUND) {}
    __device__ bool asked() {
        const bool cut = __any_sync(~0u, seen_ == round_);
        seen_ = current(full_round_);
        return cut;
    }

  private:
    const uint32_t& full_round_;
    uint32_t round_;
    uint32_t seen_;
};

/// Whether take<true>() will do for this step.
template <class Source>
__device__ __forceinline__ bool is_ahead(const Source& source) {
    if constexpr (Source::AHEAD == Ahead::sometimes) return source.ahead();
    return Source::AHEAD == Ahead::always && source.more();
}

/// How to go on after a step: with the next one, with what it left to do, or with this one, of which keys wait for room.
enum class Look { on, stop, waiting };

/// What ended pass_steps(): a cut that was asked for, keys that wait for room, or a step.
enum class Passed { cut, waiting, step };

/// Goes through steps: look() looks at one, takes keys into the stage, and says how to go on. All loops are of this form, and few
/// steps leave them, because outside the keys ahead change registers, and so are waited for.
template <bool kAhead, class Source, class Looking>
__device__ __forceinline__ Passed pass_steps(Source& source, CutWatch& watch, Looking look) {
    for (;;) {
        const Look then = look();
        if (then == Look::waiting) return Passed::waiting;
        source.next();
        const bool last = !kAhead || !is_ahead(source);
        if ((last || source.pause()) && watch.asked()) return Passed::cut;
        if (last || then == Look::stop) return Passed::step;
    }
}

/// How a warp chooses among the keys of a step, by what the last ones were: by the screen; by the screen and then the front,
/// where many pass; by the front alone, where nearly all pass and it knows them.
enum class Choice { screen, both, front };

/// Of the keys that `asked` names those that the block has not looked at since the last cut, as far as it remembers.
template <uint32_t kKeys>
__device__ __forceinline__ uint32_t strangers(const uint64_t (&keys)[kKeys], uint32_t asked, const ThetaFront& front) {
    uint32_t unknown = 0;
#pragma unroll
    for (uint32_t j = 0; j < kKeys; ++j) unknown |= front.holds_first(keys[j]) ? 0u : 1u << j;
    unknown &= asked;
    if (unknown == 0) return 0;
#pragma unroll
    for (uint32_t j = 0; j < kKeys; ++j) {
        if ((unknown & 1u << j) != 0 && front.holds_second(keys[j])) unknown &= ~(1u << j);
    }
    return unknown;
}

/// Gives the keys of a step to look(keys, first), some at a time, which answers with a bit for each; returns those of the step.
template <class Source, class Looking>
__device__ __forceinline__ uint32_t look_through(Source& source, Looking look) {
    constexpr uint32_t SOME = 8;  // so that they stay in registers beside those on their way
    uint32_t found = 0;
#pragma unroll 1
    for (uint32_t group = 0; group < Source::KEYS; group += Source::AT_ONCE) {
#pragma unroll
        for (uint32_t first = 0; first < Source::AT_ONCE; first += SOME) {
            uint64_t keys[SOME];
            source.template take<true>(group, first, keys);
            found |= look(keys, group + first) << (group + first);
        }
    }
    return found;
}

/// Lanes by which the choice changes. Of 32 keys a lane, 28 lanes have some that pass when one key in fifteen does, 4 when one in
/// 240; where 24 lanes have three quarters of their keys passing, nearly all keys do; 16 strangers are no keys that come again.
constexpr uint32_t FEW_LANES = 28, HARDLY_ANY_LANES = 4, MOST_LANES = 24, MANY_STRANGERS = 16;

/// Takes what a look at a step chose.
template <class Source>
__device__ __forceinline__ Look take_chosen(const Source& source, ThetaStage<Source>& stage, uint32_t chosen, uint32_t lanes) {
    if (!stage.take(source, chosen, lanes)) return Look::waiting;
    return stage.fills_warp() ? Look::stop : Look::on;
}

/// Goes through steps by the screen.
template <bool kSmallStart, bool kAhead, class Source>
__device__ __forceinline__ Passed pass_screen(Source& source, const ThetaRound& with, ThetaStage<Source>& stage, CutWatch& watch,
                                              Choice& choice) {
    const uint32_t most = most_upper_half(with.theta);
    // In a register of the lanes, as sum_aside() asks for.
    const uint64_t start = kSmallStart ? __shfl_sync(~0u, static_cast<uint32_t>(with.start), 0) : with.start;
    return pass_steps<kAhead>(source, watch, [&] {
        const uint32_t chosen = screen<kSmallStart, kAhead>(source, start, most), lanes = __ballot_sync(~0u, chosen != 0);
        if (lanes == 0) return Look::on;
        const Look then = take_chosen(source, stage, chosen, lanes);
        // So many fill a warp by themselves, or nearly so.
        if (then != Look::on && __popc(lanes) > FEW_LANES && with.front.shift != 0) choice = Choice::both;
        return then;
    });
}

/// The same by the screen and the front.
template <class Source>
__device__ __forceinline__ Passed pass_both(Source& source, const ThetaRound& with, ThetaStage<Source>& stage, CutWatch& watch,
                                            Choice& choice) {
    const uint32_t most = most_upper_half(with.theta);
    bool pays = false;
    const Passed passed = pass_steps<true>(source, watch, [&] {
        const uint32_t held = source.held();
        uint32_t passing = 0;
        const auto passing_strangers = [&](const auto& keys, uint32_t first) {
            uint32_t some = 0, bit = 1;
            for (const uint64_t key : keys) {
                some |= upper_half_nearly(key, with.start) <= most ? bit : 0u;
                bit *= 2;
            }
            some &= held >> first;
            passing |= some << first;
            return strangers(keys, some, with.front);
        };
        const uint32_t chosen = look_through(source, passing_strangers);
        const uint32_t some = __popc(__ballot_sync(~0u, passing != 0));
        const uint32_t nearly_all = __popc(__ballot_sync(~0u, __popc(passing) >= Source::KEYS * 3 / 4));
        choice = some < HARDLY_ANY_LANES ? Choice::screen : nearly_all > MOST_LANES ? Choice::front : Choice::both;
        pays = stage.cut_pays(with, __popc(__ballot_sync(~0u, (passing & ~chosen) != 0)));
        const uint32_t lanes = __ballot_sync(~0u, chosen != 0);
        const Look then = lanes != 0 ? take_chosen(source, stage, chosen, lanes) : Look::on;
        return then == Look::on && (pays || choice != Choice::both) ? Look::stop : then;
    });
    return pays ? Passed::cut : passed;
}

/// The same by the front.
template <class Source>
__device__ __forceinline__ Passed pass_front(Source& source, const ThetaRound& with, ThetaStage<Source>& stage, CutWatch& watch,
                                             Choice& choice) {
    return pass_steps<true>(source, watch, [&] {
        const uint32_t held = source.held();
        const auto all_strangers = [&](const auto& keys, uint32_t first) { return strangers(keys, held >> first, with.front); };
        const uint32_t chosen = look_through(source, all_strangers);
        const uint32_t lanes = __ballot_sync(~0u, chosen != 0);
        if (lanes == 0) return Look::on;
        if (__popc(lanes) > MANY_STRANGERS) choice = Choice::both;
        const Look then = take_chosen(source, stage, chosen, lanes);
        return then == Look::on && choice != Choice::front ? Look::stop : then;
    });
}

/// Goes through steps in the way that suits them.
template <class Source>
__device__ __forceinline__ Passed pass_some(Source& source, const ThetaRound& with, ThetaStage<Source>& stage, CutWatch& watch,
                                            Choice& choice) {
    if constexpr (Source::AHEAD == Ahead::sometimes) {
        if (!source.ahead()) return pass_screen<false, false>(source, with, stage, watch, choice);
    }
    constexpr bool AHEAD = Source::AHEAD != Ahead::never;
    if constexpr (!Source::HASHED) {
        if (choice == Choice::both) return pass_both(source, with, stage, watch, choice);
        if (choice == Choice::front) return pass_front(source, with, stage, watch, choice);
        if (with.start < SMALL_STARTS) return pass_screen<true, AHEAD>(source, with, stage, watch, choice);
    }
    return pass_screen<false, AHEAD>(source, with, stage, watch, choice);
}

/// Offers what the source has until it has no more, or the table is to be cut. The step at which it was cut begins anew, because
/// few of its keys are still below theta.
template <class Source>
__device__ __forceinline__ void offer_all(Source& source, const ThetaRound& with, ThetaStage<Source>& stage) {
    CutWatch watch(with);
    Choice choice = Choice::screen;
    stage.drop_waiting();
    source.again();
    for (;;) {
        const bool more = source.more();
        while (stage.fills_warp() || (!more && !stage.empty())) {
            if (!stage.offer(with)) return;
        }
        if (!more) return;
        if (stage.waits()) {
            if (stage.take_waiting(source)) source.next();
        } else if (pass_some(source, with, stage, watch, choice) == Passed::cut) {
            // A warp that finds nothing to offer must not keep those waiting that found no room.
            return;
        }
    }
}

/// Runs a source to its end, with as many cuts as it takes. True when the last one wrote the hashes to the output.
template <class Source>
__device__ __forceinline__ bool run_source(Source& source, uint64_t& theta, const ThetaArgs& args, const ThetaFront& front,
                                           ThetaBlock& block) {
    const auto grid = cooperative_groups::this_grid();
    ThetaStage<Source> stage(block.stage[threadIdx.x / WARP]);
    for (uint32_t round = NO_ROUND + 1;; ++round) {
        offer_all(source, ThetaRound{theta, args.seed, args.start, args.k, args.table, front, round}, stage);
        grid.sync();
        const bool last = current(args.table.control->full_round) != round;
        const bool cut = current(args.table.control->count) > args.k;
        front.clear();  // seen by all after the next wait
        if (cut) {
            theta = cut_table(args.table, args.k, theta, args.out, last, block);
        } else if (!last) {
            grid.sync();  // nobody offers before all have read the count
        }
        if (last) return cut;
    }
}

/// The hashes of an array, as a source.
class HashSource {
  public:
    static constexpr uint32_t KEYS = 16, AT_ONCE = KEYS;
    static constexpr bool HASHED = true;
    static constexpr Ahead AHEAD = Ahead::never;

    __device__ HashSource(const uint64_t* hashes, uint64_t n) : hashes_(hashes), n_(n), first_(grid_warp() * WARP * KEYS) {}

    __device__ bool more() const { return first_ < n_; }
    __device__ void next() { first_ += grid_warps() * WARP * KEYS; }
    __device__ void again() {}
    __device__ bool pause() const { return true; }
    __device__ uint32_t held() const { return keys_mask(n_ - first_); }
    __device__ void put(uint32_t j, uint64_t* to) const { __pipeline_memcpy_async(to, hashes_ + index(j), sizeof(*to)); }
    // A step is one group, and is taken at once.
    template <bool kAhead>
    __device__ void take(uint32_t, uint32_t, uint64_t (&hashes)[AT_ONCE]) const {
#pragma unroll
        for (uint32_t j = 0; j < AT_ONCE; ++j) hashes[j] = index(j) < n_ ? hashes_[index(j)] : ~0ull;
    }

  private:
    __device__ uint64_t index(uint32_t j) const { return first_ + j * WARP + theta_lane(); }

    const uint64_t* hashes_;
    uint64_t n_;
    uint64_t first_;
};

/// Puts the set's own hashes below theta into the table. There is room for them, unless a graph finds a set that was given more
/// since it was captured: then theta is lowered first.
__device__ inline void keep_own(const ThetaArgs& args, const ThetaWords& own, uint64_t& theta, ThetaBlock& block) {
    if (own.retained > args.table.limit) {
        theta = theta_of_many(*args.table.control, own.hashes, own.retained, args.k, theta, block);
    }
    const PutHashes put = put_hashes(args.table, own.hashes, own.retained, theta);
    const uint32_t kept = block_sum(put.tried, block);
    if (kept != 0 && threadIdx.x == 0) atomicAdd(&args.table.control->count, static_cast<unsigned long long>(kept));
    cooperative_groups::this_grid().sync();  // nobody offers before all are counted
}

/// The end of an operation that changes nothing: the hashes move to the output, which may have been made for more of them.
__device__ inline void keep_words(const ThetaArgs& args, const ThetaWords& before) {
    if (before.hashes == args.out || before.retained > args.room) return;
    for (uint64_t i = grid_thread(); i < before.retained; i += grid_threads()) args.out[i] = before.hashes[i];
    cooperative_groups::this_grid().sync();  // all have read the words
    if (grid_thread() == 0) args.words->hashes = args.out;
}

/// The whole update. All threads of the grid call it; a block's share its `block` and its front.
template <class Source>
__device__ __forceinline__ void update_set(const ThetaArgs& args, const typename Source::Args& from, const ThetaFront& front,
                                           ThetaBlock& block) {
    front.clear();
    __syncthreads();
    const ThetaWords before = *args.words;
    uint64_t theta = before.theta;
    if (!Source::begin(from, theta)) return keep_words(args, before);

    if (before.retained != 0) keep_own(args, before, theta, block);
    Source source(from, args.table);
    const bool written = run_source(source, theta, args, front, block);
    const uint64_t count = current(args.table.control->count);
    if (!written) write_before(args.table, BEYOND_ALL, args.out, false);
    if (grid_thread() == 0) *args.words = ThetaWords{theta, count, args.out, 0};
}

template <class Source>
__global__ void __launch_bounds__(THETA_THREADS, THETA_BLOCKS)
    theta_kernel(const ThetaArgs args, const typename Source::Args from) {
    __shared__ ThetaBlock block;
    extern __shared__ ulonglong2 tandem_theta_front[];
    update_set<Source>(args, from, {reinterpret_cast<unsigned long long*>(tandem_theta_front), args.front_shift}, block);
}

/// Launches a source's kernel with as many blocks as it has work for, after clearing what they share.
template <class Source>
cudaError_t launch_theta(const ThetaTarget& target, const typename Source::Args& from, uint64_t keys, cudaStream_t stream) {
    const void* const kernel = reinterpret_cast<const void*>(&theta_kernel<Source>);
    ThetaGrid grid;
    cudaError_t result = grid_for(kernel, target, keys, grid);
    if (result == cudaSuccess) result = cudaMemsetAsync(target.scratch, 0, target.plan.scratch_bytes, stream);
    if (result != cudaSuccess) return result;
    ThetaArgs args{target.words,     target.out,
                   target.room,      1ull << target.lg_k,
                   target.seed,      target.seed ^ sizeof(uint64_t),
                   grid.front_shift, ThetaTable{table_of(target)}};
    typename Source::Args source = from;
    void* arguments[] = {&args, &source};
    return launch_together(kernel, grid.blocks, THETA_THREADS, grid.front_bytes, arguments, stream);
}

}  // namespace tandem::kernels
