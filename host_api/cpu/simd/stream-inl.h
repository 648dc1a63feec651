/// The stream on vectors: eight lanes of a group, or sixteen of two groups. Included once a target.

#if defined(TANDEM_CPU_SIMD_STREAM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_CPU_SIMD_STREAM_INL_H_
#undef TANDEM_CPU_SIMD_STREAM_INL_H_
#else
#define TANDEM_CPU_SIMD_STREAM_INL_H_
#endif

#include <algorithm>

#include "host_api/cpu/job.hpp"
#include "host_api/cpu/walk.hpp"
#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "tandem/core/stream.hpp"

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
HWY_INLINE void wide_products(D d, V a, V b, V& low, V& high) {
    const hn::RepartitionToWide<D> dw;
    const auto even = hn::MulEven(a, b);
    const V a_odd = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(dw, a)));
    const V b_odd = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(dw, b)));
    const auto odd = hn::MulEven(a_odd, b_odd);
    low = hn::Mul(a, b);
    high = hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<32>(even)));
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

/// The seeding function F in every lane.
template <class D, class V>
HWY_INLINE void seed_rounds(D d, V& o0, V& o1, V& o2, V& o3, V& h0, V& h1, V& h2, V& h3) {
    // Two rounds at a time: the exchange of the halves is then a change of names.
    constexpr uint32_t RC[8] = {0xd17cc1b7u, 0xa7220a94u, 0xfe13abe8u, 0xfa9a6ee0u,
                                0xedb14accu, 0x9e21c820u, 0xff28b1d5u, 0xef5de2b0u};
    for (int r = 0; r < 8; r += 2) {
        step(d, o0, o1, o2, o3, h0, h1, h2, h3);
        o0 = hn::Xor(o0, hn::Set(d, RC[r]));
        step(d, h0, h1, h2, h3, o0, o1, o2, o3);
        h0 = hn::Xor(h0, hn::Set(d, RC[r + 1]));
    }
}

/// The states before the first blocks of the chunks first_chunk + chunk_in_lane[...]; they go to `states` from `lane` on.
template <class D>
HWY_INLINE void seed_lanes(D d, const Key& key, uint64_t first_chunk, const uint32_t* chunk_in_lane, LaneStates& states,
                           size_t lane) {
    using V = hn::Vec<D>;
    const V offset = hn::LoadU(d, chunk_in_lane + lane);
    const V first = hn::Set(d, static_cast<uint32_t>(first_chunk));
    V o0 = hn::Add(first, offset);
    // Where the low word wraps the high one counts on.
    const V carry = hn::And(hn::VecFromMask(d, hn::Lt(o0, first)), hn::Set(d, 1u));
    V o1 = hn::Add(hn::Set(d, static_cast<uint32_t>(first_chunk >> 32)), carry);
    V o2 = hn::Set(d, DOMAIN_STREAM), o3 = hn::Set(d, AUX_STREAM);
    V h0 = hn::Set(d, key.w[0]), h1 = hn::Set(d, key.w[1]), h2 = hn::Set(d, key.w[2]), h3 = hn::Set(d, key.w[3]);
    seed_rounds(d, o0, o1, o2, o3, h0, h1, h2, h3);
    hn::Store(o0, d, states.o[0] + lane);
    hn::Store(o1, d, states.o[1] + lane);
    hn::Store(o2, d, states.o[2] + lane);
    hn::Store(o3, d, states.o[3] + lane);
    hn::Store(h0, d, states.h[0] + lane);
    hn::Store(h1, d, states.h[1] + lane);
    hn::Store(h2, d, states.h[2] + lane);
    hn::Store(h3, d, states.h[3] + lane);
}

/// Steps the lanes from `lane` on `rows` times. `sink(row, v0, v1, v2, v3)` takes the blocks of each row, in vector order.
template <class D, class Sink>
HWY_INLINE void step_lanes(D d, LaneStates& states, size_t lane, uint64_t rows, const Sink& sink) {
    using V = hn::Vec<D>;
    const hn::RepartitionToWide<D> dw;
    V o0 = hn::Load(d, states.o[0] + lane), o1 = hn::Load(d, states.o[1] + lane);
    V o2 = hn::Load(d, states.o[2] + lane), o3 = hn::Load(d, states.o[3] + lane);
    V h0 = hn::Load(d, states.h[0] + lane), h1 = hn::Load(d, states.h[1] + lane);
    V h2 = hn::Load(d, states.h[2] + lane), h3 = hn::Load(d, states.h[3] + lane);
    for (uint64_t row = 0; row < rows; ++row) {
        step(d, o0, o1, o2, o3, h0, h1, h2, h3);
        const auto a = hn::BitCast(dw, hn::InterleaveLower(d, o0, o1)), b = hn::BitCast(dw, hn::InterleaveUpper(d, o0, o1));
        const auto c = hn::BitCast(dw, hn::InterleaveLower(d, o2, o3)), e = hn::BitCast(dw, hn::InterleaveUpper(d, o2, o3));
        sink(row, hn::BitCast(d, hn::InterleaveLower(dw, a, c)), hn::BitCast(d, hn::InterleaveUpper(dw, a, c)),
             hn::BitCast(d, hn::InterleaveLower(dw, b, e)), hn::BitCast(d, hn::InterleaveUpper(dw, b, e)));
    }
    hn::Store(o0, d, states.o[0] + lane);
    hn::Store(o1, d, states.o[1] + lane);
    hn::Store(o2, d, states.o[2] + lane);
    hn::Store(o3, d, states.o[3] + lane);
    hn::Store(h0, d, states.h[0] + lane);
    hn::Store(h1, d, states.h[1] + lane);
    hn::Store(h2, d, states.h[2] + lane);
    hn::Store(h3, d, states.h[3] + lane);
}

/// Has the addresses of pages translated that will be written next: a store that waits for a page holds up all those behind it.
inline void prefetch_pages(const uint8_t* to, uint64_t bytes) {
    constexpr uint64_t page = 4096;
    for (uint64_t at = 0; at < std::min(bytes, 4 * page); at += page) hwy::Prefetch(to + at);
}

/// Writes vectors that lie anywhere.
struct Storer {
    template <class D, class V>
    HWY_INLINE void operator()(V v, D d, uint8_t* to) const {
        hn::StoreU(v, d, reinterpret_cast<hn::TFromD<D>*>(to));
    }
};

/// Writes vectors past the caches; `to` is a multiple of the vector's size.
struct Streamer {
    template <class D, class V>
    HWY_INLINE void operator()(V v, D d, uint8_t* to) const {
        hn::Stream(v, d, reinterpret_cast<hn::TFromD<D>*>(to));
    }
};

/// The rows of a stream one after another, vector by vector through `post(d, v)`, which keeps the size.
class VectorSource final : public RowSource {
  public:
    VectorSource(const Job& job, const Piece& piece) : key_(job.fill->key), k_(job.fill->chunk_length) {
        const uint64_t row = (piece.first * job.width) >> 10;
        group_ = row >> job.log2_k;
        step_ = static_cast<uint32_t>(row) & (k_ - 1);
        if (step_ == 0) return;
        seed_one();
        for (size_t lane = 0; lane < 8; lane += hn::Lanes(OneGroup())) {
            step_lanes(OneGroup(), states_, lane, step_, [](uint64_t, auto, auto, auto, auto) {});
        }
    }

    void rows(uint8_t* out, uint64_t n) override {
        emit(out, n, Storer(), [](auto, auto v) { return v; });
    }

    /// Writes the next n rows.
    template <class Store, class Post>
    HWY_INLINE void emit(uint8_t* out, uint64_t n, Store store, const Post& post) {
        while (n > 0) {
            if (step_ == 0 && hn::Lanes(TwoGroups()) == 16 && n >= 2 * uint64_t{k_}) {
                emit_two(out, store, post);
                group_ += 2;
                out += 2 * uint64_t{k_} * ROW_BYTES;
                n -= 2 * uint64_t{k_};
                continue;
            }
            if (step_ == 0) seed_one();
            const uint64_t count = std::min<uint64_t>(n, k_ - step_);
            emit_one(out, count, store, post);
            out += count * ROW_BYTES;
            n -= count;
            step_ = (step_ + static_cast<uint32_t>(count)) & (k_ - 1);
            if (step_ == 0) ++group_;
        }
    }

  private:
    void seed_one() {
        const OneGroup d;
        const size_t lanes = hn::Lanes(d);
        alignas(64) uint32_t chunks[8];
        for (uint32_t i = 0; i < 8; ++i) {
            const uint32_t quarter = static_cast<uint32_t>(lanes) / 4, in = i % static_cast<uint32_t>(lanes);
            chunks[i] = i - in + quarter * (in % 4) + in / 4;
        }
        for (size_t lane = 0; lane < 8; lane += lanes) seed_lanes(d, key_, group_ * 8, chunks, states_, lane);
    }

    template <class Store, class Post>
    HWY_INLINE void emit_one(uint8_t* out, uint64_t n, Store store, const Post& post) {
        const OneGroup d;
        const size_t lanes = hn::Lanes(d), bytes = lanes * 4;
        for (size_t lane = 0; lane < 8; lane += lanes) {
            uint8_t* const half = out + lane * 16;
            step_lanes(d, states_, lane, n, [=](uint64_t row, auto v0, auto v1, auto v2, auto v3) {
                uint8_t* const to = half + row * ROW_BYTES;
                store(post(d, v0), d, to);
                store(post(d, v1), d, to + bytes);
                store(post(d, v2), d, to + 2 * bytes);
                store(post(d, v3), d, to + 3 * bytes);
            });
        }
    }

    template <class Store, class Post>
    HWY_INLINE void emit_two(uint8_t* out, Store store, const Post& post) {
        static constexpr uint32_t CHUNKS[16] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
        const TwoGroups d;
        const uint64_t group_bytes = uint64_t{k_} * ROW_BYTES;
        prefetch_pages(out + 2 * group_bytes, 2 * group_bytes);
        seed_lanes(d, key_, group_ * 8, CHUNKS, states_, 0);
        uint8_t* const second = out + group_bytes;
        step_lanes(d, states_, 0, k_, [=](uint64_t row, auto v0, auto v1, auto v2, auto v3) {
            uint8_t* const to = out + row * ROW_BYTES;
            uint8_t* const to_second = second + row * ROW_BYTES;
            store(post(d, v0), d, to);
            store(post(d, v1), d, to + 64);
            store(post(d, v2), d, to_second);
            store(post(d, v3), d, to_second + 64);
        });
    }

    LaneStates states_;
    Key key_;
    uint64_t group_;
    uint32_t k_;
    uint32_t step_;  // rows of the group that were written; its lanes are seeded when this is not 0
};

}  // namespace HWY_NAMESPACE
}  // namespace tandem::cpu
HWY_AFTER_NAMESPACE();

#endif
