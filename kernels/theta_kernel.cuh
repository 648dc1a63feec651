#pragma once

/// The kernel that offers hashes to a set: its grid is resident as a whole, so that blocks can wait for each other. Warps offer
/// what their source has until the table has no room left; then the grid cuts it together, theta falls, and they go on.
///
/// A Source, made by every thread from its Args and the table, hands out keys, a warp in step:
///
/// KEYS: of a thread's in a step, at most THETA_KEYS.
///
/// HASHED: keys are hashes already.
///
/// begin(args, theta, empty): before anything else; may lower theta. False when there is nothing to offer, and the set stays as
/// it is.
///
/// more(), next(): whether the warp has keys left, and the step to the next ones.
///
/// take(j): key j of the thread as it is hashed, or anything when there is none; called once a step for each j.
///
/// holds(j), ticket(j): whether there is such a key, and a number by which key_of() finds it at any time.

#include "kernels/launch_kernel.hpp"
#include "kernels/theta_select.cuh"

namespace tandem::kernels {

/// What the kernel is told beside its source.
struct ThetaArgs {
    ThetaWords* words;
    uint64_t* out;
    uint64_t room;  ///< of `out`
    uint64_t k;
    uint64_t seed;
    uint32_t front_shift;  ///< of the ThetaFront
    ThetaTable table;
};

constexpr uint32_t NO_ROUND = 0;
constexpr uint32_t STEPS_UNTIL_POLL = 8;

/// Nearly the upper half of twice the hash of a canonical key, at most 1 away from it: enough to reject nearly all keys. The two
/// halves of the hash end in products by one constant, so that their sum takes one product, but for a carry and for a shift that
/// leaves the upper halves alone.
__device__ __forceinline__ uint32_t upper_half_nearly(uint64_t key, uint64_t seed) {
    uint64_t k = key * 0x87c37b91114253d5ull;
    // Written as shifts of 64 bits, the rotation becomes another product.
    const uint32_t low = static_cast<uint32_t>(k), high = static_cast<uint32_t>(k >> 32);
    k = static_cast<uint64_t>(__funnelshift_l(low, high, 31)) << 32 | __funnelshift_l(high, low, 31);
    k *= 0x4cf5ad432745937full;
    const uint64_t start = seed ^ 8;
    uint64_t a = (start ^ k) + start, b = start + a;
    a = (a ^ (a >> 33)) * 0xff51afd7ed558ccdull;
    b = (b ^ (b >> 33)) * 0xff51afd7ed558ccdull;
    return static_cast<uint32_t>((((a ^ (a >> 33)) + (b ^ (b >> 33))) * 0xc4ceb9fe1a85ec53ull) >> 32);
}

/// The most that such a value, or the upper half itself, can be after 1 is added when the hash is below theta.
__device__ __forceinline__ uint32_t most_upper_half(uint64_t theta) {
    const uint64_t most = (theta >> 31) + 2;
    return most > 0xffffffffu ? 0xffffffffu : static_cast<uint32_t>(most);
}

/// What a warp works with in a round.
struct ThetaRound {
    uint64_t theta;
    uint64_t seed;
    ThetaTable table;
    ThetaFront front;
    uint32_t round;
};

/// The keys that passed a warp's screen and were not yet offered to the table: fewer than WARP before a step.
template <class Source>
class ThetaStage {
  public:
    __device__ explicit ThetaStage(uint64_t* tickets) : tickets_(tickets), count_(0) {}

    __device__ bool empty() const { return count_ == 0; }
    __device__ bool fills_warp() const { return count_ >= WARP; }

    /// Takes the keys of a step that pass the screen.
    __device__ void take(const Source& source, const uint32_t (&nearly)[Source::KEYS], uint32_t most) {
#pragma unroll
        for (uint32_t j = 0; j < Source::KEYS; ++j) {
            const bool passes = nearly[j] <= most && source.holds(j);
            const uint32_t passing = __ballot_sync(~0u, passes);
            if (passes) tickets_[count_ + __popc(passing & lanes_before())] = source.ticket(j);
            count_ += __popc(passing);
        }
    }

    /// Hashes and offers the last ones, one a lane. False when the table had no room: they are still here.
    __device__ bool offer(const Source& source, const ThetaRound& with) {
        __syncwarp();
        const uint32_t offering = min(count_, uint32_t{WARP});
        const bool mine = theta_lane() < offering;
        uint64_t hash = mine ? source.key_of(tickets_[count_ - offering + theta_lane()]) : 0;
        if (!Source::HASHED && mine) hash = theta_hash(hash, with.seed);
        const bool wanted = hash != 0 && hash < with.theta && !with.front.seen(hash);
        const bool room = with.table.offer(hash, wanted, with.round);
        if (room) count_ -= offering;
        __syncwarp();
        return room;
    }

  private:
    uint64_t* tickets_;
    uint32_t count_;
};

/// Keeps the compiler from drawing conclusions from what it has compared a value with.
__device__ __forceinline__ void forget(uint32_t& value) { asm volatile("" : "+r"(value)); }

/// Offers what the source has until it has no more, or the table no room.
template <class Source>
__device__ __forceinline__ void offer_all(Source& source, const ThetaRound& with, ThetaStage<Source>& stage) {
    uint32_t most = most_upper_half(with.theta);
    forget(most);
    uint32_t seen_full = NO_ROUND, steps = 0;
    for (;;) {
        const bool more = source.more();
        while (stage.fills_warp() || (!more && !stage.empty())) {
            if (!stage.offer(source, with)) return;
        }
        if (!more) return;
        uint32_t nearly[Source::KEYS];
        bool any = false;
#pragma unroll
        for (uint32_t j = 0; j < Source::KEYS; ++j) {
            if constexpr (Source::HASHED) {
                nearly[j] = static_cast<uint32_t>(source.take(j) >> 31) + 1;
            } else {
                nearly[j] = upper_half_nearly(source.take(j), with.seed) + 1;
            }
            any |= nearly[j] <= most;
        }
        if (__any_sync(~0u, any)) {
#pragma unroll
            for (uint32_t j = 0; j < Source::KEYS; ++j) forget(nearly[j]);  // or it keeps each answer for the rare case
            stage.take(source, nearly, most);
        }
        source.next();
        // A warp that finds nothing to offer must not keep those waiting that found no room. The answer of one poll is looked at
        // by the next, so that none waits for it.
        if (++steps % STEPS_UNTIL_POLL == 0) {
            if (seen_full == with.round) return;
            seen_full = current(with.table.control->full_round);
        }
    }
}

/// Runs a source to its end, with as many cuts as it takes.
template <class Source>
__device__ __forceinline__ void run_source(Source& source, uint64_t& theta, uint32_t& round, const ThetaArgs& args,
                                           const ThetaFront& front, ThetaBlock& block) {
    const auto grid = cooperative_groups::this_grid();
    ThetaStage<Source> stage(block.stage[threadIdx.x / WARP]);
    for (;; ++round) {
        offer_all(source, ThetaRound{theta, args.seed, args.table, front, round}, stage);
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
    static constexpr bool HASHED = true;

    __device__ HashSource(const uint64_t* hashes, uint64_t n) : hashes_(hashes), n_(n), first_(grid_warp() * WARP * KEYS) {}

    __device__ bool more() const { return first_ < n_; }
    __device__ void next() { first_ += grid_warps() * WARP * KEYS; }
    __device__ bool holds(uint32_t j) const { return index(j) < n_; }
    __device__ uint64_t ticket(uint32_t j) const { return hashes_[index(j)]; }
    __device__ uint64_t key_of(uint64_t ticket) const { return ticket; }
    __device__ uint64_t take(uint32_t j) const { return holds(j) ? hashes_[index(j)] : ~0ull; }

  private:
    __device__ uint64_t index(uint32_t j) const { return first_ + j * WARP + theta_lane(); }

    const uint64_t* hashes_;
    uint64_t n_;
    uint64_t first_;
};

/// The end of an operation that changes nothing: the hashes move to the output, which may have been made for more of them.
__device__ inline void keep_words(const ThetaArgs& args, const ThetaWords& before) {
    if (before.hashes == args.out || before.retained > args.room) return;
    for (uint64_t i = grid_thread(); i < before.retained; i += grid_threads()) args.out[i] = before.hashes[i];
    cooperative_groups::this_grid().sync();  // all have read the words
    if (grid_thread() == 0) args.words->hashes = args.out;
}

template <class Source>
__global__ void __launch_bounds__(THETA_THREADS, THETA_BLOCKS)
    theta_kernel(const ThetaArgs args, const typename Source::Args from) {
    __shared__ ThetaBlock block;
    extern __shared__ unsigned long long tandem_theta_front[];
    const ThetaFront front{tandem_theta_front, args.front_shift == 0 ? 0 : ~0u >> (args.front_shift - 32), args.front_shift};
    front.clear();
    __syncthreads();
    const ThetaWords before = *args.words;
    uint64_t theta = before.theta;
    if (!Source::begin(from, theta)) return keep_words(args, before);
    uint32_t round = NO_ROUND + 1;

    if (before.retained != 0) {
        HashSource own(before.hashes, before.retained);
        run_source(own, theta, round, args, front, block);
        ++round;
    }
    Source source(from, args.table);
    run_source(source, theta, round, args, front, block);

    const uint64_t count = current(args.table.control->count);
    const bool cut = count > args.k;
    if (cut) theta = select_hash(args.table, static_cast<uint32_t>(args.k), theta, block);
    write_hashes<false>(args.table, cut ? theta : ~0ull, args.out);
    if (grid_thread() == 0) *args.words = ThetaWords{theta, cut ? args.k : count, args.out, 0};
}

/// Launches a source's kernel with as many blocks as it has work for, after clearing what they share.
template <class Source>
cudaError_t launch_theta(const ThetaTarget& target, const typename Source::Args& from, uint64_t keys, cudaStream_t stream) {
    const void* const kernel = reinterpret_cast<const void*>(&theta_kernel<Source>);
    ThetaGrid grid;
    cudaError_t result = grid_for(kernel, target, keys, grid);
    if (result == cudaSuccess) result = cudaMemsetAsync(target.scratch, 0, target.plan.scratch_bytes, stream);
    if (result != cudaSuccess) return result;
    ThetaArgs args{
        target.words, target.out, target.room, 1ull << target.lg_k, target.seed, grid.front_shift, ThetaTable{table_of(target)}};
    typename Source::Args source = from;
    void* arguments[] = {&args, &source};
    return launch_together(kernel, grid.blocks, THETA_THREADS, grid.front_bytes, arguments, stream);
}

}  // namespace tandem::kernels
