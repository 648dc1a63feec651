/// The loop of every vector map, and the queue of elements that it leaves for later. Included once a target.

#if defined(TANDEM_CPU_SIMD_UNITS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_CPU_SIMD_UNITS_INL_H_
#undef TANDEM_CPU_SIMD_UNITS_INL_H_
#else
#define TANDEM_CPU_SIMD_UNITS_INL_H_
#endif

#include <cstring>

#include "host_api/cpu/simd/stream-inl.h"

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

/// Calls `body(raw, out, i)` for draws i, i + unit, ..., with `unit` draws of `raw_bytes` bytes each to read and as many outputs
/// of `out_bytes` bytes to write. The last call works on copies, zeros behind the draws, when fewer than `unit` draws are left;
/// `pairs` says that then an odd draw still reads the next one.
template <class Body>
HWY_INLINE void for_units(const uint8_t* raw, size_t raw_bytes, uint8_t* out, size_t out_bytes, size_t unit, uint64_t count,
                          bool pairs, const Body& body) {
    uint64_t i = 0;
    for (; i + unit <= count; i += unit) body(raw + i * raw_bytes, out + i * out_bytes, i);
    if (i == count) return;
    alignas(64) uint8_t last_raw[2 * MAX_VECTOR_BYTES] = {};
    alignas(64) uint8_t last_out[4 * MAX_VECTOR_BYTES];
    const uint64_t left = count - i;
    std::memcpy(last_raw, raw + i * raw_bytes, (left + (pairs ? left & 1 : 0)) * raw_bytes);
    body(last_raw, last_out, i);
    std::memcpy(out + i * out_bytes, last_out, left * out_bytes);
}

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

    /// How many of the elements are below `count`; those beyond came from padding and are dropped.
    size_t trim(uint64_t count) {
        while (size_ > 0 && elements_[size_ - 1] >= count) --size_;
        return size_;
    }
    uint32_t operator[](size_t i) const { return elements_[i]; }

  private:
    size_t size_ = 0;
    uint32_t elements_[(TILE_LEAD + TILE_ROWS * ROW_BYTES + MAX_VECTOR_BYTES) / 4];
};

/// The first blocks of the generators that elements go on with, sixteen elements at a time.
struct FirstBlocks {
    static constexpr size_t SIZE = 16;
    alignas(64) uint32_t w[4][SIZE];

    uint64_t draw64(size_t i, int which) const { return w[2 * which][i] | uint64_t{w[2 * which + 1][i]} << 32; }

    /// The blocks at position 0 of split(g[i]) of `sub`, i below SIZE.
    HWY_INLINE void read(const Key& sub, const uint64_t* g) {
        const TwoGroups d;
        alignas(64) uint32_t low[SIZE], high[SIZE], odd[SIZE];
        for (size_t i = 0; i < SIZE; ++i) {
            low[i] = static_cast<uint32_t>(g[i] >> 1);
            high[i] = static_cast<uint32_t>(g[i] >> 33);
            odd[i] = static_cast<uint32_t>(g[i] & 1);
        }
        for (size_t lane = 0; lane < SIZE; lane += hn::Lanes(d)) {
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
    }
};

/// Calls `finish(element, blocks, i)` for all elements of a queue, where blocks.w[..][i] is the first block of the element's own
/// generator. Element e has draw number `number` + e.
template <class Finish>
HWY_INLINE void finish_queue(Queue& queue, uint64_t count, uint64_t number, const Key& sub, const Finish& finish) {
    const size_t size = queue.trim(count);
    FirstBlocks blocks;
    for (size_t done = 0; done < size; done += FirstBlocks::SIZE) {
        const size_t now = std::min(FirstBlocks::SIZE, size - done);
        uint64_t g[FirstBlocks::SIZE];
        for (size_t i = 0; i < FirstBlocks::SIZE; ++i) g[i] = number + queue[done + std::min(i, now - 1)];
        blocks.read(sub, g);
        for (size_t i = 0; i < now; ++i) finish(queue[done + i], blocks, i);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace tandem::cpu
HWY_AFTER_NAMESPACE();

#endif
