#pragma once

/// The kernel that offers hashes to a set: its grid is resident as a whole, so that blocks can wait for each other. Warps offer
/// what their source has until the table has no room left; then the grid cuts it together, theta falls, and they go on.
///
/// A Source, made by every thread from its Args and the table, hands out keys, a warp in step:
///
/// KEYS: of a thread's in a step, at most THETA_KEYS.
///
/// STEPS: how many the loop that passes them makes at once.
///
/// HASHED: keys are hashes already.
///
/// WHOLE_AHEAD: a step for which take<true>() will do lacks no key.
///
/// begin(args, theta, empty): before anything else; may lower theta. False when there is nothing to offer, and the set stays as
/// it is.
///
/// more(), next<kAhead>(): whether the warp has keys left, and the step to the next ones.
///
/// ahead(): steps from this one on for which take<true>() and next<true>() will do, for a warp that has keys left.
///
/// take<kAhead>(j): key j of the thread as it is hashed, or anything when there is none; called once a step for each j.
///
/// take_in_order<kAhead>(j): the same, with what it reads of the next step asked for where the call stands.
///
/// held(): bit j is set when there is such a key.
///
/// put(j, to): writes the same key to shared memory, afterwards, for a j that need not be known when the kernel is compiled. It
/// is there when the thread has waited for its asynchronous copies.

#include <cuda_pipeline.h>

#include <type_traits>

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
constexpr uint32_t STEPS_UNTIL_POLL = 4;

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

    /// Says which keys of the source's step are to be taken, bit j for key j of the thread; returns the number of lanes with
    /// some.
    __device__ uint32_t choose(uint32_t chosen) {
        pending_ = chosen;
        return __popc(pending());
    }

    /// The lanes that have keys to be taken.
    __device__ uint32_t pending() const { return __ballot_sync(~0u, pending_ != 0); }

    /// Takes keys while there are some and room. A key that has to be read again is not waited for.
    __device__ void take(const Source& source) {
        for (uint32_t lanes = pending(); lanes != 0 && count_ + WARP <= THETA_STAGE; lanes = pending()) take_one(source, lanes);
        __pipeline_commit();
    }

    /// choose() and take() for a step of which few lanes have more than a key, where there is room for one of each; `lanes` are
    /// those that have some.
    __device__ void take_few(const Source& source, uint32_t chosen, uint32_t lanes) {
        pending_ = chosen;
        take_one(source, lanes);
        if (pending() == 0) return __pipeline_commit();
        take(source);
    }

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
        if (known_ < KNOWN_UNTIL_CUT) return false;
        known_ = 0;
        return with.table.ask_for_cut(with.k, with.round);
    }

  private:
    static constexpr uint32_t KNOWN_UNTIL_CUT = 1024;

    // One key of each of these lanes.
    __device__ void take_one(const Source& source, uint32_t lanes) {
        if (pending_ != 0) {
            source.put(static_cast<uint32_t>(__ffs(static_cast<int>(pending_)) - 1),
                       keys_ + count_ + __popc(lanes & lanes_before()));
            pending_ &= pending_ - 1;
        }
        count_ += __popc(lanes);
    }

    uint64_t* keys_;
    uint32_t count_;
    uint32_t known_;    // keys that were in the front or the table
    uint32_t pending_;  // of the step
};

/// Bit j is set for key j of the thread, the lane's of each WARP, when that is one of so many.
__device__ __forceinline__ uint32_t keys_mask(uint64_t rest) {
    const uint32_t lanes = static_cast<uint32_t>(min(rest, uint64_t{THETA_KEYS * WARP}));
    return (1u << ((lanes + WARP - 1 - theta_lane()) / WARP)) - 1;
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

/// The keys of a step. All loads of the next one are on their way before anything else is done.
template <bool kAhead, class Source>
__device__ __forceinline__ void take_all(Source& source, uint64_t (&keys)[Source::KEYS]) {
#pragma unroll
    for (uint32_t j = 0; j < Source::KEYS; ++j) keys[j] = source.template take_in_order<kAhead>(j);
}

/// The strangers of a step.
template <bool kAhead, class Source>
__device__ __forceinline__ uint32_t step_strangers(Source& source, const ThetaFront& front) {
    uint64_t keys[Source::KEYS];
    take_all<kAhead>(source, keys);
    return strangers(keys, source.held(), front);
}

/// Those of them that pass the screen; `passed` says which keys do.
template <bool kAhead, class Source>
__device__ __forceinline__ uint32_t passing_strangers(Source& source, uint64_t start, uint32_t most, const ThetaFront& front,
                                                      uint32_t& passed) {
    uint64_t keys[Source::KEYS];
    take_all<kAhead>(source, keys);
    passed = 0;
#pragma unroll
    for (uint32_t j = 0; j < Source::KEYS; ++j) passed |= upper_half_nearly(keys[j], start) <= most ? 1u << j : 0u;
    passed &= source.held();
    return strangers(keys, passed, front);
}

/// Where so many lanes have keys of a step that pass the screen, the front is asked as well: 24 do when one key in twelve passes.
constexpr uint32_t FEW_LANES = 24;

/// Passes steps of which choose() chooses no key, up to `most`, counted down in `most`; returns what it chooses of the step that
/// the source is at then, 0 when it has not looked at that.
template <bool kAhead, class Source, class Choose>
__device__ __forceinline__ uint32_t pass_steps(Source& source, uint32_t& most, Choose choose) {
    for (;;) {
        const uint32_t chosen = choose();
        if (__any_sync(~0u, chosen != 0)) return chosen;
        source.template next<kAhead>();
        if (--most == 0) return 0;
    }
}

/// The same by whichever loop is made for where the source is.
template <class Source, class Choose>
__device__ __forceinline__ uint32_t pass_steps(Source& source, bool ahead, uint32_t& most, Choose choose) {
    return ahead ? pass_steps<true>(source, most, [&] { return choose(std::true_type{}); })
                 : pass_steps<false>(source, most, [&] { return choose(std::false_type{}); });
}

/// Passes steps like pass_steps(), and takes the keys that choose() chooses of them into the stage, as long as there are few of
/// them and the stage does not fill a warp. Returns how many lanes had keys of the step at which it stops for that.
template <bool kAhead, class Source, class Choose>
__device__ __forceinline__ uint32_t pass_taking(Source& source, uint32_t& most, ThetaStage<Source>& stage, Choose choose) {
#pragma unroll Source::STEPS
    for (;;) {
        const uint32_t chosen = choose(), lanes = __ballot_sync(~0u, chosen != 0);
        if (lanes != 0) {
            stage.take_few(source, chosen, lanes);
            if (stage.fills_warp() || __popc(lanes) > FEW_LANES) return __popc(lanes);
        }
        source.template next<kAhead>();
        if (--most == 0) return 0;
    }
}

/// The same by whichever loop is made for where the source is.
template <class Source, class Choose>
__device__ __forceinline__ uint32_t pass_taking(Source& source, bool ahead, uint32_t& most, ThetaStage<Source>& stage,
                                                Choose choose) {
    return ahead ? pass_taking<true>(source, most, stage, [&] { return choose(std::true_type{}); })
                 : pass_taking<false>(source, most, stage, [&] { return choose(std::false_type{}); });
}

/// Offers what the source has until it has no more, or the table is to be cut.
template <class Source>
__device__ __forceinline__ void offer_all(Source& source, const ThetaRound& with, ThetaStage<Source>& stage) {
    const uint32_t most = most_upper_half(with.theta);
    const bool small_start = !Source::HASHED && with.start < SMALL_STARTS;
    const uint32_t start = __shfl_sync(~0u, static_cast<uint32_t>(with.start), 0);  // as sum_aside() asks for
    uint32_t seen_full = NO_ROUND, until_poll = STEPS_UNTIL_POLL;
    Choice choice = Choice::screen;
    for (;;) {
        const bool more = source.more();
        while (stage.fills_warp() || (!more && !stage.empty())) {
            if (!stage.offer(with)) return;
        }
        if (!more) return;
        if (stage.pending() == 0) {
            const uint32_t ahead = min(source.ahead(), until_poll);
            uint32_t left = max(ahead, 1u), passed = 0, lanes;
            until_poll -= left;
            // In numbers of lanes, as all keys pass alike: 16 have some when one key in 24 does, 4 one in 120.
            if (Source::HASHED || choice == Choice::screen) {
                if (small_start && ahead != 0) {
                    lanes = pass_taking<true>(source, left, stage, [&] { return screen<true, true>(source, start, most); });
                } else {
                    lanes = pass_taking(source, ahead != 0, left, stage, [&](auto is_ahead) {
                        return screen<false, decltype(is_ahead)::value>(source, with.start, most);
                    });
                }
                if (lanes > FEW_LANES && with.front.shift != 0) choice = Choice::both;
            } else if (choice == Choice::both) {
                const uint32_t chosen = pass_steps(source, ahead != 0, left, [&](auto is_ahead) {
                    return passing_strangers<decltype(is_ahead)::value>(source, with.start, most, with.front, passed);
                });
                lanes = stage.choose(chosen);
                const uint32_t some = __popc(__ballot_sync(~0u, passed != 0));
                const uint32_t nearly_all = __popc(__ballot_sync(~0u, __popc(passed) >= Source::KEYS * 3 / 4));
                choice = some < 4 ? Choice::screen : nearly_all > 24 ? Choice::front : Choice::both;
                if (stage.cut_pays(with, __popc(__ballot_sync(~0u, (passed & ~chosen) != 0)))) return;
                stage.take(source);
            } else {
                lanes = stage.choose(pass_steps(source, ahead != 0, left, [&](auto is_ahead) {
                    return step_strangers<decltype(is_ahead)::value>(source, with.front);
                }));
                if (lanes > 16) choice = Choice::both;
                stage.take(source);
            }
            until_poll += left;
            if (lanes != 0) {
                --until_poll;
                if (stage.pending() == 0) {
                    if (ahead != 0) {
                        source.template next<true>();
                    } else {
                        source.template next<false>();
                    }
                }
            }
        } else {
            stage.take(source);
            if (stage.pending() == 0) source.template next<false>();
        }
        // A warp that finds nothing to offer must not keep those waiting that found no room. The answer of one poll is looked at
        // by the next, so that none waits for it.
        if (until_poll == 0) {
            until_poll = STEPS_UNTIL_POLL;
            if (__any_sync(~0u, seen_full == with.round)) return;
            seen_full = current(with.table.control->full_round);
        }
    }
}

/// Runs a source to its end, with as many cuts as it takes.
template <class Source>
__device__ __forceinline__ void run_source(Source& source, uint64_t& theta, const ThetaArgs& args, const ThetaFront& front,
                                           ThetaBlock& block) {
    const auto grid = cooperative_groups::this_grid();
    ThetaStage<Source> stage(block.stage[threadIdx.x / WARP]);
    for (uint32_t round = NO_ROUND + 1;; ++round) {
        offer_all(source, ThetaRound{theta, args.seed, args.start, args.k, args.table, front, round}, stage);
        grid.sync();
        if (current(args.table.control->full_round) != round) return;
        front.clear();  // seen by all after the next wait
        if (current(args.table.control->count) > args.k) {
            theta = cut_table(args.table, args.k, theta, args.out, block);
        } else {
            grid.sync();  // nobody offers before all have read the count
        }
    }
}

/// The hashes of an array, as a source.
class HashSource {
  public:
    static constexpr uint32_t KEYS = THETA_KEYS;
    static constexpr int STEPS = 1;
    static constexpr bool HASHED = true;
    static constexpr bool WHOLE_AHEAD = false;

    __device__ HashSource(const uint64_t* hashes, uint64_t n) : hashes_(hashes), n_(n), first_(grid_warp() * WARP * KEYS) {}

    __device__ bool more() const { return first_ < n_; }
    __device__ uint32_t ahead() const { return 0; }
    template <bool kAhead>
    __device__ void next() {
        first_ += grid_warps() * WARP * KEYS;
    }
    __device__ uint32_t held() const { return keys_mask(n_ - first_); }
    __device__ void put(uint32_t j, uint64_t* to) const { __pipeline_memcpy_async(to, hashes_ + index(j), sizeof(*to)); }
    template <bool kAhead>
    __device__ uint64_t take_in_order(uint32_t j) const {
        return take<kAhead>(j);
    }
    template <bool kAhead>
    __device__ uint64_t take(uint32_t j) const {
        return index(j) < n_ ? hashes_[index(j)] : ~0ull;
    }

  private:
    __device__ uint64_t index(uint32_t j) const { return first_ + j * WARP + theta_lane(); }

    const uint64_t* hashes_;
    uint64_t n_;
    uint64_t first_;
};

/// Puts the set's own hashes below theta into the table, which has room for them.
__device__ inline void keep_own(const ThetaTable& table, const ThetaWords& own, uint64_t theta) {
    uint32_t kept = 0;
    for (uint64_t first = grid_warp() * WARP; first < own.retained; first += grid_warps() * WARP) {
        const uint64_t i = first + theta_lane();
        const uint64_t hash = i < own.retained ? own.hashes[i] : theta;
        if (hash < theta) table.put(hash, table.home(hash));
        kept += __popc(__ballot_sync(~0u, hash < theta));
    }
    if (kept != 0 && theta_lane() == 0) atomicAdd(&table.control->count, static_cast<unsigned long long>(kept));
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

    if (before.retained != 0) keep_own(args.table, before, theta);
    Source source(from, args.table);
    run_source(source, theta, args, front, block);

    const uint64_t count = current(args.table.control->count);
    const bool cut = count > args.k;
    if (cut) theta = select_hash(args.table, static_cast<uint32_t>(args.k), theta, block);
    write_hashes<false>(args.table, cut ? theta : ~0ull, args.out);
    if (grid_thread() == 0) *args.words = ThetaWords{theta, cut ? args.k : count, args.out, 0};
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
