/// Bounded integers on vectors. Included once a target.

#if defined(TANDEM_CPU_SIMD_BOUNDED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_CPU_SIMD_BOUNDED_INL_H_
#undef TANDEM_CPU_SIMD_BOUNDED_INL_H_
#else
#define TANDEM_CPU_SIMD_BOUNDED_INL_H_
#endif

#include "host_api/cpu/simd/units-inl.h"
#include "tandem/core/bounded.hpp"

HWY_BEFORE_NAMESPACE();
namespace tandem::cpu {
namespace HWY_NAMESPACE {

/// The 128-bit products of u64 lanes, as halves.
template <class V>
HWY_INLINE void wide_products64(V a, V b, V& low, V& high) {
    const Words d;
    const Longs dw;
    const auto low_word = hn::Set(dw, uint64_t{0xffffffff});
    const auto a0 = hn::BitCast(d, a), b0 = hn::BitCast(d, b);
    const auto a1 = hn::BitCast(d, hn::ShiftRight<32>(a)), b1 = hn::BitCast(d, hn::ShiftRight<32>(b));
    const V p00 = hn::MulEven(a0, b0), p01 = hn::MulEven(a0, b1), p10 = hn::MulEven(a1, b0), p11 = hn::MulEven(a1, b1);
    const V middle = hn::Add(p10, hn::ShiftRight<32>(p00));
    const V middle2 = hn::Add(p01, hn::And(middle, low_word));
    high = hn::Add(hn::Add(p11, hn::ShiftRight<32>(middle)), hn::ShiftRight<32>(middle2));
    low = hn::Or(hn::ShiftLeft<32>(middle2), hn::And(p00, low_word));
}

/// Adds a low bound to values and stores them as elements of type Out.
template <class Out>
HWY_INLINE void store_values(hn::Vec<Words> values, uint64_t low, uint8_t* to) {
    const Words d;
    if constexpr (sizeof(Out) == 8) {
        const Longs dw;
        const hn::Half<Words> half;
        const auto base = hn::Set(dw, low);
        const size_t bytes = hn::Lanes(Bytes());
        put(hn::Add(hn::PromoteTo(dw, hn::LowerHalf(half, values)), base), dw, to);
        put(hn::Add(hn::PromoteTo(dw, hn::UpperHalf(half, values)), base), dw, to + bytes);
    } else {
        values = hn::Add(values, hn::Set(d, static_cast<uint32_t>(low)));
        if constexpr (sizeof(Out) == 4) {
            put(values, d, to);
        } else {
            alignas(64) uint32_t wide[MAX_VECTOR_BYTES / 4];
            hn::Store(values, d, wide);
            for (size_t i = 0; i < hn::Lanes(d); ++i) {
                const Out value = static_cast<Out>(wide[i]);
                std::memcpy(to + i * sizeof(Out), &value, sizeof(Out));
            }
        }
    }
}

template <class Out>
HWY_INLINE void store_values(hn::Vec<Longs> values, uint64_t low, uint8_t* to) {
    const Longs d;
    values = hn::Add(values, hn::Set(d, low));
    if constexpr (sizeof(Out) == 8) {
        put(values, d, to);
    } else {
        alignas(64) uint64_t wide[MAX_VECTOR_BYTES / 8];
        hn::Store(values, d, wide);
        for (size_t i = 0; i < hn::Lanes(d); ++i) {
            const Out value = static_cast<Out>(wide[i]);
            std::memcpy(to + i * sizeof(Out), &value, sizeof(Out));
        }
    }
}

/// Writes one value as an element of type Out.
template <class Out>
void put_value(uint8_t* out, uint64_t low, uint64_t value) {
    const Out element = above_low<Out>(low, value);
    std::memcpy(out, &element, sizeof(element));
}

template <class Out>
struct Below32Map {
    const Job& job;
    BelowRule<uint32_t> rule;
    uint64_t unit = hn::Lanes(Bytes()) / 4;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t number, uint8_t* out) const {
        const Words d;
        const uint64_t low = job.fill->low;
        const Shape shape{unit, 4, sizeof(Out), false};
        const auto range = hn::Set(d, rule.range), threshold = hn::Set(d, rule.threshold);
        Queue queue;
        for_units(shape, tile + at * 4, out, count, &queue,
                  [&](const uint8_t* raw, uint8_t* to, uint64_t i) TANDEM_INLINE_LAMBDA {
                      const auto draw = load_words(raw);
                      if (rule.full) return store_values<Out>(draw, low, to);
                      hn::Vec<Words> rest, value;
                      wide_products(d, draw, range, rest, value);
                      store_values<Out>(value, low, to);
                      queue.add(d, hn::Lt(rest, threshold), i);
                  });
        finish_queue(queue, number, job.sub, [&](uint64_t element, const FirstBlocks& blocks, size_t i) {
            uint32_t value;
            for (const auto& word : blocks.w) {
                if (below_u32(word[i], rule, value)) return put_value<Out>(out + element * sizeof(Out), low, value);
            }
            value = below_u32_fallback(rule, job.sub, job.fill->chunk_length, number + element);
            put_value<Out>(out + element * sizeof(Out), low, value);
        });
    }
};

template <class Out>
struct Below64Map {
    const Job& job;
    BelowRule<uint64_t> rule;
    uint64_t unit = hn::Lanes(Bytes()) / 8;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t number, uint8_t* out) const {
        const Longs d;
        const uint64_t low = job.fill->low;
        const Shape shape{unit, 8, sizeof(Out), false};
        const auto range = hn::Set(d, rule.range), threshold = hn::Set(d, rule.threshold);
        Queue queue;
        for_units(shape, tile + at * 8, out, count, &queue,
                  [&](const uint8_t* raw, uint8_t* to, uint64_t i) TANDEM_INLINE_LAMBDA {
                      const auto draw = load_longs(raw);
                      if (rule.full) return store_values<Out>(draw, low, to);
                      hn::Vec<Longs> rest, value;
                      wide_products64(draw, range, rest, value);
                      store_values<Out>(value, low, to);
                      queue.add(d, hn::Lt(rest, threshold), i);
                  });
        finish_queue(queue, number, job.sub, [&](uint64_t element, const FirstBlocks& blocks, size_t i) {
            uint64_t value;
            if (!below_u64(blocks.draw64(i, 0), rule, value) && !below_u64(blocks.draw64(i, 1), rule, value)) {
                value = below_u64_fallback(rule, job.sub, job.fill->chunk_length, number + element);
            }
            put_value<Out>(out + element * sizeof(Out), low, value);
        });
    }
};

template <class Out>
void map_below(const Job& job, const Piece& piece, RowSource& source) {
    const Fill& fill = *job.fill;
    if (fill.draw == Draw::below32) {
        walk_lines(job, piece, source, Below32Map<Out>{job, below_rule(static_cast<uint32_t>(fill.range), fill.full_range)});
    } else {
        walk_lines(job, piece, source, Below64Map<Out>{job, below_rule(fill.range, fill.full_range)});
    }
}

void map_bounded(const Job& job, const Piece& piece, RowSource& source) {
    switch (job.fill->element_bytes) {
        case 1: return map_below<uint8_t>(job, piece, source);
        case 2: return map_below<uint16_t>(job, piece, source);
        case 4: return map_below<uint32_t>(job, piece, source);
        default: return map_below<uint64_t>(job, piece, source);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace tandem::cpu
HWY_AFTER_NAMESPACE();

#endif
