/// Chunks a lane: the step, the seeding function, and rows of the stream made of lanes. Included once a target.

#if defined(TANDEM_CPU_SIMD_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_CPU_SIMD_LANES_INL_H_
#undef TANDEM_CPU_SIMD_LANES_INL_H_
#else
#define TANDEM_CPU_SIMD_LANES_INL_H_
#endif

#include "hwy/highway.h"
#include "tandem/core/stream.hpp"

#ifndef TANDEM_INLINE_LAMBDA
/// Between the parameters and the body of a lambda that must not become a call.
#define TANDEM_INLINE_LAMBDA __attribute__((always_inline))
#endif

HWY_BEFORE_NAMESPACE();
namespace tandem::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Vectors of one group: at most eight 32-bit lanes.
using OneGroup = hn::CappedTag<uint32_t, 8>;
/// Vectors of two groups, where there are sixteen lanes.
using TwoGroups = hn::CappedTag<uint32_t, 16>;

/// Chunk states between calls. Lane 4q + e of a vector holds the chunk that makes 128-bit block q of the e-th vector after the
/// transpose, so that rows come out in order.
struct LaneStates {
    alignas(64) uint32_t o[4][16];
    alignas(64) uint32_t h[4][16];
};

template <class D, class V>
HWY_INLINE void load_states(D d, const LaneStates& states, size_t lane, V& o0, V& o1, V& o2, V& o3, V& h0, V& h1, V& h2, V& h3) {
    o0 = hn::Load(d, states.o[0] + lane);
    o1 = hn::Load(d, states.o[1] + lane);
    o2 = hn::Load(d, states.o[2] + lane);
    o3 = hn::Load(d, states.o[3] + lane);
    h0 = hn::Load(d, states.h[0] + lane);
    h1 = hn::Load(d, states.h[1] + lane);
    h2 = hn::Load(d, states.h[2] + lane);
    h3 = hn::Load(d, states.h[3] + lane);
}

template <class D, class V>
HWY_INLINE void store_states(D d, V o0, V o1, V o2, V o3, V h0, V h1, V h2, V h3, LaneStates& states, size_t lane) {
    hn::Store(o0, d, states.o[0] + lane);
    hn::Store(o1, d, states.o[1] + lane);
    hn::Store(o2, d, states.o[2] + lane);
    hn::Store(o3, d, states.o[3] + lane);
    hn::Store(h0, d, states.h[0] + lane);
    hn::Store(h1, d, states.h[1] + lane);
    hn::Store(h2, d, states.h[2] + lane);
    hn::Store(h3, d, states.h[3] + lane);
}

template <class D, class V>
HWY_INLINE void wide_products(D d, V a, V b, V& low, V& high) {
    const hn::RepartitionToWide<D> dw;
    const auto even = hn::MulEven(a, b);
    const V a_odd = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(dw, a)));
    const V b_odd = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(dw, b)));
    const auto odd = hn::MulEven(a_odd, b_odd);
    low = hn::Mul(a, b);
    // Where vectors have masks, the copy to the even lanes and the choice between the lanes are one instruction.
    high = hn::OddEven(hn::BitCast(d, odd), hn::DupOdd(hn::BitCast(d, even)));
}

/// The step T in every lane.
template <class D, class V>
HWY_INLINE void step(D d, V& o0, V& o1, V& o2, V& o3, V& h0, V& h1, V& h2, V& h3) {
    const V one = hn::Set(d, 1u);
    V low0, high0, low1, high1;
    wide_products(d, o0, hn::Or(h0, one), low0, high0);
    wide_products(d, o2, hn::Or(h1, one), low1, high1);
    o0 = hn::Xor3(o1, high1, low1);
    o2 = hn::Xor3(o3, high0, low0);
    o1 = hn::Xor(hn::RotateRight<16>(low1), h2);
    o3 = hn::Xor(hn::RotateRight<16>(low0), h3);
    h0 = hn::Xor(h0, hn::RotateRight<32 - 7>(h1));
    h1 = hn::Xor(h1, hn::RotateRight<32 - 13>(h2));
    h2 = hn::Xor(h2, hn::RotateRight<32 - 22>(h3));
    h3 = hn::Xor(h3, hn::RotateRight<32 - 3>(h0));
    h0 = hn::Xor(hn::Add(h0, hn::Set(d, 0x9e3779b9u)), o0);
}

/// Round r of the seeding function F without its exchange of the halves: callers exchange the names.
template <class D, class V>
HWY_INLINE void seed_round(D d, uint32_t r, V& o0, V& o1, V& o2, V& o3, V& h0, V& h1, V& h2, V& h3) {
    constexpr uint32_t RC[8] = {0xd17cc1b7u, 0xa7220a94u, 0xfe13abe8u, 0xfa9a6ee0u,
                                0xedb14accu, 0x9e21c820u, 0xff28b1d5u, 0xef5de2b0u};
    step(d, o0, o1, o2, o3, h0, h1, h2, h3);
    o0 = hn::Xor(o0, hn::Set(d, RC[r]));
}

/// F in every lane.
template <class D, class V>
HWY_INLINE void seed_rounds(D d, V& o0, V& o1, V& o2, V& o3, V& h0, V& h1, V& h2, V& h3) {
    for (uint32_t r = 0; r < 8; r += 2) {
        seed_round(d, r, o0, o1, o2, o3, h0, h1, h2, h3);
        seed_round(d, r + 1, h0, h1, h2, h3, o0, o1, o2, o3);
    }
}

/// What F turns into the states before the first blocks of the chunks first_chunk + chunk_in_lane[...].
template <class D, class V>
HWY_INLINE void start_lanes(D d, const Key& key, uint64_t first_chunk, const uint32_t* chunk_in_lane, V& o0, V& o1, V& o2, V& o3,
                            V& h0, V& h1, V& h2, V& h3) {
    const V first = hn::Set(d, static_cast<uint32_t>(first_chunk));
    o0 = hn::Add(first, hn::LoadU(d, chunk_in_lane));
    // Where the low word wraps the high one counts on.
    const V carry = hn::And(hn::VecFromMask(d, hn::Lt(o0, first)), hn::Set(d, 1u));
    o1 = hn::Add(hn::Set(d, static_cast<uint32_t>(first_chunk >> 32)), carry);
    o2 = hn::Set(d, DOMAIN_STREAM);
    o3 = hn::Set(d, AUX_STREAM);
    h0 = hn::Set(d, key.w[0]);
    h1 = hn::Set(d, key.w[1]);
    h2 = hn::Set(d, key.w[2]);
    h3 = hn::Set(d, key.w[3]);
}

/// Steps the lanes until `row` is `end`. `sink(row, v0, v1, v2, v3)` takes the blocks of each row, in vector order, as
/// post.words before and post.elements behind the transpose leave them.
template <class D, class V, class Post, class Sink>
HWY_INLINE void step_rows(D d, V& o0, V& o1, V& o2, V& o3, V& h0, V& h1, V& h2, V& h3, uint64_t& row, uint64_t end,
                          const Post& post, const Sink& sink) {
    const hn::RepartitionToWide<D> dw;
    for (; row < end; ++row) {
        step(d, o0, o1, o2, o3, h0, h1, h2, h3);
        const V w0 = post.words(d, o0), w2 = post.words(d, o2);
        const auto a = hn::BitCast(dw, hn::InterleaveLower(d, w0, o1)), b = hn::BitCast(dw, hn::InterleaveUpper(d, w0, o1));
        const auto c = hn::BitCast(dw, hn::InterleaveLower(d, w2, o3)), e = hn::BitCast(dw, hn::InterleaveUpper(d, w2, o3));
        sink(row, post.elements(d, hn::BitCast(d, hn::InterleaveLower(dw, a, c))),
             post.elements(d, hn::BitCast(d, hn::InterleaveUpper(dw, a, c))),
             post.elements(d, hn::BitCast(d, hn::InterleaveLower(dw, b, e))),
             post.elements(d, hn::BitCast(d, hn::InterleaveUpper(dw, b, e))));
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace tandem::cpu
HWY_AFTER_NAMESPACE();

#endif
