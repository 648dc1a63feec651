/// The stream on vectors: eight lanes of a group, or sixteen of two groups. Included once a target.

#if defined(TANDEM_CPU_SIMD_STREAM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_CPU_SIMD_STREAM_INL_H_
#undef TANDEM_CPU_SIMD_STREAM_INL_H_
#else
#define TANDEM_CPU_SIMD_STREAM_INL_H_
#endif

#include <algorithm>

#include "host_api/cpu/job.hpp"
#include "host_api/cpu/simd/lanes-inl.h"
#include "host_api/cpu/simd/lines-inl.h"
#include "host_api/cpu/walk.hpp"

HWY_BEFORE_NAMESPACE();
namespace tandem::cpu {
namespace HWY_NAMESPACE {

/// Has the addresses of pages translated that will be written next: a store that waits for a page holds up all those behind it.
inline void prefetch_pages(const uint8_t* to, uint64_t bytes) {
    constexpr uint64_t page = 4096;
    for (uint64_t at = 0; at < std::min(bytes, 4 * page); at += page) hwy::Prefetch(to + at);
}

// Stores take the vectors of a row one by one, learn what comes next, and are told when all vectors of a step are stored.

/// Writes to output that lies anywhere.
struct Storer {
    template <class D, class V>
    HWY_INLINE void operator()(V v, D d, uint8_t* to) const {
        hn::StoreU(v, d, reinterpret_cast<hn::TFromD<D>*>(to));
    }
    HWY_INLINE void expect(const uint8_t* to, uint64_t bytes) const { prefetch_pages(to, bytes); }
    HWY_INLINE void end_step(size_t) const {}
};

/// Writes to a tile, and in return as many bytes of pending lines, if there are any.
struct Tiler {
    PendingLines* pending;

    template <class D, class V>
    HWY_INLINE void operator()(V v, D d, uint8_t* to) const {
        hn::Store(v, d, reinterpret_cast<hn::TFromD<D>*>(to));
    }
    HWY_INLINE void expect(const uint8_t*, uint64_t) const {}
    HWY_INLINE void end_step(size_t bytes) const {
        if (pending != nullptr) write_lines(*pending, bytes / LINE);
    }
};

/// Leaves raw words as they are. A post turns words into elements of the same size: `words` acts on the first and third word of
/// every block, `elements` on vectors of whole blocks.
struct RawPost {
    template <class D, class V>
    HWY_INLINE V words(D, V v) const {
        return v;
    }
    template <class D, class V>
    HWY_INLINE V elements(D, V v) const {
        return v;
    }
};

/// The rows of a stream one after another.
class VectorSource final : public RowSource {
  public:
    VectorSource(const Job& job, const Piece& piece) : key_(job.fill->key), k_(job.fill->chunk_length) {
        const uint64_t row = (piece.first * job.width) >> 10;
        group_ = row >> job.log2_k;
        last_group_ = ((piece.first + piece.draws - 1) * job.width) >> 10 >> job.log2_k;
        step_ = static_cast<uint32_t>(row) & (k_ - 1);
        if (step_ == 0) return;
        seed_one();
        for (size_t lane = 0; lane < 8; lane += hn::Lanes(OneGroup())) {
            step_half(OneGroup(), lane, step_, RawPost(), [](uint64_t, auto, auto, auto, auto) TANDEM_INLINE_LAMBDA {});
        }
    }

    void rows(uint8_t* out, uint64_t n) override { emit(out, n, Tiler{pending}, RawPost()); }

    /// Writes the next n rows.
    template <class Store, class Post>
    HWY_INLINE void emit(uint8_t* out, uint64_t n, Store store, const Post& post) {
        while (n > 0) {
            uint64_t count = 2 * uint64_t{k_};
            if (step_ == 0 && hn::Lanes(TwoGroups()) == 16 && n >= count) {
                emit_two(out, store, post);
                group_ += 2;
            } else {
                if (step_ == 0) seed_one();
                count = std::min<uint64_t>(n, k_ - step_);
                emit_one(out, count, store, post);
                step_ = (step_ + static_cast<uint32_t>(count)) & (k_ - 1);
                if (step_ == 0) ++group_;
            }
            out += count * ROW_BYTES;
            n -= count;
        }
    }

    /// Writes the next n rows in whole lines past the caches.
    template <class Post>
    void emit_lines(uint8_t* out, uint64_t n, const Post& post) {
        LineWriter lines(out);
        while (n > 0) {
            // Tiles end at multiples of their size, so that whole groups lie in them.
            const uint64_t count = std::min(n, TILE_ROWS - (group_ * k_ + step_) % TILE_ROWS);
            const uint64_t bytes = count * ROW_BYTES;
            prefetch_pages(out + 2 * bytes, bytes);
            emit(lines.tile(), count, Tiler{lines.pending()}, post);
            lines.end_tile(bytes);
            out += bytes;
            n -= count;
        }
        lines.finish();
    }

  private:
    void seed_one() {
        const OneGroup d;
        using V = hn::Vec<OneGroup>;
        const size_t lanes = hn::Lanes(d);
        ahead_ = false;
        alignas(64) uint32_t chunks[8];
        for (uint32_t i = 0; i < 8; ++i) {
            const uint32_t quarter = static_cast<uint32_t>(lanes) / 4, in = i % static_cast<uint32_t>(lanes);
            chunks[i] = i - in + quarter * (in % 4) + in / 4;
        }
        for (size_t lane = 0; lane < 8; lane += lanes) {
            V o0, o1, o2, o3, h0, h1, h2, h3;
            start_lanes(d, key_, group_ * 8, chunks + lane, o0, o1, o2, o3, h0, h1, h2, h3);
            seed_rounds(d, o0, o1, o2, o3, h0, h1, h2, h3);
            store_states(d, o0, o1, o2, o3, h0, h1, h2, h3, states_, lane);
        }
    }

    /// Steps the lanes of one group from `lane` on.
    template <class D, class Post, class Sink>
    HWY_INLINE void step_half(D d, size_t lane, uint64_t rows, const Post& post, const Sink& sink) {
        hn::Vec<D> o0, o1, o2, o3, h0, h1, h2, h3;
        load_states(d, states_, lane, o0, o1, o2, o3, h0, h1, h2, h3);
        uint64_t row = 0;
        step_rows(d, o0, o1, o2, o3, h0, h1, h2, h3, row, rows, post, sink);
        store_states(d, o0, o1, o2, o3, h0, h1, h2, h3, states_, lane);
    }

    template <class Store, class Post>
    HWY_INLINE void emit_one(uint8_t* out, uint64_t n, Store store, const Post& post) {
        const OneGroup d;
        const size_t lanes = hn::Lanes(d), bytes = lanes * 4;
        for (size_t lane = 0; lane < 8; lane += lanes) {
            uint8_t* const half = out + lane * 16;
            step_half(d, lane, n, post, [=](uint64_t row, auto v0, auto v1, auto v2, auto v3) TANDEM_INLINE_LAMBDA {
                uint8_t* const to = half + row * ROW_BYTES;
                store(v0, d, to);
                store(v1, d, to + bytes);
                store(v2, d, to + 2 * bytes);
                store(v3, d, to + 3 * bytes);
                store.end_step(4 * bytes);
            });
        }
    }

    /// Writes the rows of two groups. The rounds that seed the next two run between the steps: alone they would leave the
    /// processor waiting for each of their results.
    template <class Store, class Post>
    HWY_INLINE void emit_two(uint8_t* out, Store store, const Post& post) {
        static constexpr uint32_t CHUNKS[16] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
        const TwoGroups d;
        hn::Vec<TwoGroups> o0, o1, o2, o3, h0, h1, h2, h3, p0, p1, p2, p3, q0, q1, q2, q3;
        const uint64_t group_bytes = uint64_t{k_} * ROW_BYTES;
        store.expect(out + 2 * group_bytes, 2 * group_bytes);
        if (ahead_) {
            load_states(d, states_, 0, o0, o1, o2, o3, h0, h1, h2, h3);
        } else {
            start_lanes(d, key_, group_ * 8, CHUNKS, o0, o1, o2, o3, h0, h1, h2, h3);
            seed_rounds(d, o0, o1, o2, o3, h0, h1, h2, h3);
        }
        ahead_ = group_ + 3 <= last_group_;
        start_lanes(d, key_, group_ * 8 + 16, CHUNKS, p0, p1, p2, p3, q0, q1, q2, q3);
        uint8_t* const second = out + group_bytes;
        const auto sink = [=](uint64_t row, auto v0, auto v1, auto v2, auto v3) TANDEM_INLINE_LAMBDA {
            uint8_t* const to = out + row * ROW_BYTES;
            uint8_t* const to_second = second + row * ROW_BYTES;
            store(v0, d, to);
            store(v1, d, to + 64);
            store(v2, d, to_second);
            store(v3, d, to_second + 64);
            store.end_step(256);
        };
        uint64_t row = 0;
        for (uint32_t r = 0; r < 8; r += 2) {
            if (ahead_) seed_round(d, r, p0, p1, p2, p3, q0, q1, q2, q3);
            step_rows(d, o0, o1, o2, o3, h0, h1, h2, h3, row, uint64_t{k_} * (r + 1) / 8, post, sink);
            if (ahead_) seed_round(d, r + 1, q0, q1, q2, q3, p0, p1, p2, p3);
            step_rows(d, o0, o1, o2, o3, h0, h1, h2, h3, row, uint64_t{k_} * (r + 2) / 8, post, sink);
        }
        if (ahead_) store_states(d, p0, p1, p2, p3, q0, q1, q2, q3, states_, 0);
    }

    LaneStates states_;  // of the group that is being written; with ahead_, of the next two before their first rows
    Key key_;
    uint64_t group_;
    uint64_t last_group_;  // of the piece
    uint32_t k_;
    uint32_t step_;  // rows of the group that were written; its lanes are seeded when this is not 0
    bool ahead_ = false;
};

}  // namespace HWY_NAMESPACE
}  // namespace tandem::cpu
HWY_AFTER_NAMESPACE();

#endif
