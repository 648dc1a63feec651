/// The loop of every vector map, and the queue of elements that it leaves for later. Included once a target.

#if defined(TANDEM_CPU_SIMD_UNITS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_CPU_SIMD_UNITS_INL_H_
#undef TANDEM_CPU_SIMD_UNITS_INL_H_
#else
#define TANDEM_CPU_SIMD_UNITS_INL_H_
#endif

#include <cstring>
#include <optional>

#include "host_api/cpu/simd/stream-inl.h"
#include "tandem/core/fallback.hpp"

HWY_BEFORE_NAMESPACE();
namespace tandem::cpu {
namespace HWY_NAMESPACE {

constexpr size_t MAX_VECTOR_BYTES = 64;  // longer vectors are used in part

using Bytes = hn::CappedTag<uint8_t, MAX_VECTOR_BYTES>;
using Words = hn::CappedTag<uint32_t, MAX_VECTOR_BYTES / 4>;
using Longs = hn::CappedTag<uint64_t, MAX_VECTOR_BYTES / 8>;
using Floats = hn::CappedTag<float, MAX_VECTOR_BYTES / 4>;
using Doubles = hn::CappedTag<double, MAX_VECTOR_BYTES / 8>;

HWY_INLINE auto load_words(const uint8_t* raw) { return hn::LoadU(Words(), reinterpret_cast<const uint32_t*>(raw)); }
HWY_INLINE auto load_longs(const uint8_t* raw) { return hn::LoadU(Longs(), reinterpret_cast<const uint64_t*>(raw)); }

/// The elements of a tile that their own draw does not settle.
class Queue {
  public:
    /// Adds element i + lane for every lane of the mask.
    template <class D, class M>
    HWY_INLINE void add(D d, M mask, uint64_t i) {
        if (HWY_LIKELY(hn::AllFalse(d, mask))) return;
        uint64_t bits = 0;
        hn::StoreMaskBits(d, mask, reinterpret_cast<uint8_t*>(&bits));
        for (; bits != 0; bits &= bits - 1) {
            elements_[size_++] = static_cast<uint32_t>(i + hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
        }
    }

    /// Drops the elements from `end` on, which came from padding.
    void trim(uint64_t end) {
        while (size_ > 0 && elements_[size_ - 1] >= end) --size_;
    }
    size_t size() const { return size_; }
    uint32_t operator[](size_t i) const { return elements_[i]; }

  private:
    size_t size_ = 0;
    uint32_t elements_[(TILE_LEAD + TILE_ROWS * ROW_BYTES + MAX_VECTOR_BYTES) / 4];
};

/// Writes vectors that lie anywhere.
template <class D, class V>
HWY_INLINE void put(V v, D d, uint8_t* to) {
    hn::StoreU(v, d, reinterpret_cast<hn::TFromD<D>*>(to));
}

/// Calls a map and passes its output on to a writer of lines, which it leaves only when the map is done with it: an element
/// stored a second time would find its line gone from the caches.
template <class Map>
struct ThroughLines {
    const Map& map;
    LineWriter& lines;
    uint64_t unit;
    size_t out_bytes;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t number, uint8_t* out) const {
        const uint64_t bytes = count * out_bytes;
        prefetch_pages(out + 2 * bytes, bytes);
        map(tile, at, count, number, lines.tile());
        lines.end_tile(bytes);
    }
};

/// Walks with a map, past the caches for a job that is larger than they are.
template <class Map>
void walk_lines(const Job& job, const Piece& piece, RowSource& source, const Map& map) {
    if (!job.stream) return walk(job, piece, source, map);
    LineWriter lines(piece.out);
    source.pending = lines.pending();
    // Outputs may be larger than their draws; a tile of them is not.
    const uint64_t rows = std::min(TILE_ROWS, TILE_ROWS * job.width / (8 * job.stride));
    walk(job, piece, source, ThroughLines<Map>{map, lines, map.unit, job.stride}, rows);
    source.pending = nullptr;
    lines.finish();
}

/// What for_units needs to know of a map.
struct Shape {
    size_t unit;       ///< draws a call of the body
    size_t raw_bytes;  ///< bytes of a draw
    size_t out_bytes;  ///< bytes of its output
    bool pairs;        ///< an odd last draw still reads the next one
};

/// Calls `body(raw, out, i)` for draws i to i + unit - 1 of `count`. Draws behind the last whole unit are worked on in copies
/// with zeros for what is missing; what a queue took from those zeros is dropped.
template <class Body>
HWY_INLINE void for_units(const Shape& shape, const uint8_t* raw, uint8_t* out, uint64_t count, Queue* queue, const Body& body) {
    const size_t unit = shape.unit;
    uint64_t i = 0;
    for (; i + unit <= count; i += unit) body(raw + i * shape.raw_bytes, out + i * shape.out_bytes, i);
    if (i == count) return;
    alignas(64) uint8_t some_raw[2 * MAX_VECTOR_BYTES] = {};
    alignas(64) uint8_t some_out[4 * MAX_VECTOR_BYTES];
    const uint64_t n = count - i;
    std::memcpy(some_raw, raw + i * shape.raw_bytes, (n + (shape.pairs ? n & 1 : 0)) * shape.raw_bytes);
    body(some_raw, some_out, i);
    std::memcpy(out + i * shape.out_bytes, some_out, n * shape.out_bytes);
    if (queue != nullptr) queue->trim(count);
}

/// The first blocks of the generators that elements go on with, sixteen elements at a time.
struct FirstBlocks {
    static constexpr size_t SIZE = 16;
    alignas(64) uint32_t w[4][SIZE];

    uint64_t draw64(size_t i, int which) const { return w[2 * which][i] | uint64_t{w[2 * which + 1][i]} << 32; }

    /// Reads the blocks at position 0 of split(g[i]) of `sub`, i < count <= SIZE.
    void read(const Key& sub, const uint64_t* g, size_t count) {
        alignas(64) uint32_t low[SIZE] = {}, high[SIZE] = {}, odd[SIZE] = {};
        for (size_t i = 0; i < count; ++i) {
            low[i] = static_cast<uint32_t>(g[i] >> 1);
            high[i] = static_cast<uint32_t>(g[i] >> 33);
            odd[i] = static_cast<uint32_t>(g[i] & 1);
        }
        const OneGroup one;
        const TwoGroups two;
        if (count <= hn::Lanes(one)) return read_lanes(one, sub, low, high, odd, 0);
        for (size_t lane = 0; lane < count; lane += hn::Lanes(two)) read_lanes(two, sub, low, high, odd, lane);
    }

  private:
    template <class D>
    HWY_INLINE void read_lanes(D d, const Key& sub, const uint32_t* low, const uint32_t* high, const uint32_t* odd, size_t lane) {
        auto o0 = hn::Load(d, low + lane), o1 = hn::Load(d, high + lane);
        auto o2 = hn::Set(d, DOMAIN_SPLIT), o3 = hn::Zero(d);
        auto h0 = hn::Set(d, sub.w[0]), h1 = hn::Set(d, sub.w[1]), h2 = hn::Set(d, sub.w[2]), h3 = hn::Set(d, sub.w[3]);
        seed_rounds(d, o0, o1, o2, o3, h0, h1, h2, h3);
        const auto hidden = hn::Ne(hn::Load(d, odd + lane), hn::Zero(d));
        h0 = hn::IfThenElse(hidden, h0, o0);
        h1 = hn::IfThenElse(hidden, h1, o1);
        h2 = hn::IfThenElse(hidden, h2, o2);
        h3 = hn::IfThenElse(hidden, h3, o3);
        o0 = hn::Zero(d);
        o1 = hn::Zero(d);
        o2 = hn::Set(d, DOMAIN_STREAM);
        o3 = hn::Set(d, AUX_STREAM);
        seed_rounds(d, o0, o1, o2, o3, h0, h1, h2, h3);
        step(d, o0, o1, o2, o3, h0, h1, h2, h3);
        hn::Store(o0, d, w[0] + lane);
        hn::Store(o1, d, w[1] + lane);
        hn::Store(o2, d, w[2] + lane);
        hn::Store(o3, d, w[3] + lane);
    }
};

/// The 64-bit draws of an element's own generator in order: the first two from a block read before.
class ElementDraws {
  public:
    ElementDraws(const FirstBlocks& blocks, size_t i, const Key& sub, uint32_t chunk_length, uint64_t g)
        : first_{blocks.draw64(i, 0), blocks.draw64(i, 1)}, sub_(sub), chunk_length_(chunk_length), g_(g) {}

    uint64_t next_64() {
        if (used_ < 2) return first_[used_++];
        if (!rest_) {
            rest_.emplace(sub_, chunk_length_, g_);
            rest_->next_64();
            rest_->next_64();
        }
        return rest_->next_64();
    }

  private:
    uint64_t first_[2];
    int used_ = 0;
    const Key& sub_;
    uint32_t chunk_length_;
    uint64_t g_;
    std::optional<FallbackStream> rest_;
};

/// Calls `finish(element, blocks, i)` for all elements of a queue, where blocks.w[..][i] is the first block of the element's own
/// generator. Element e has draw number `number` + e.
template <class Finish>
HWY_INLINE void finish_queue(const Queue& queue, uint64_t number, const Key& sub, const Finish& finish) {
    const size_t size = queue.size();
    FirstBlocks blocks;
    for (size_t done = 0; done < size; done += FirstBlocks::SIZE) {
        const size_t now = std::min(FirstBlocks::SIZE, size - done);
        uint64_t g[FirstBlocks::SIZE];
        for (size_t i = 0; i < now; ++i) g[i] = number + queue[done + i];
        blocks.read(sub, g, now);
        for (size_t i = 0; i < now; ++i) finish(queue[done + i], blocks, i);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace tandem::cpu
HWY_AFTER_NAMESPACE();

#endif
