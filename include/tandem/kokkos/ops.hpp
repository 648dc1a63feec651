#pragma once

/// The draws of fills as functors: raw bits in, elements out. Every kernel takes them.
///
/// An op has WIDTH, the bits of a draw; Raw, the integer that holds them; Out, an element (of complex numbers a component).
/// `fast(raw, value)` maps a draw and returns false when the draw alone does not settle the element; `value` is then of no use,
/// and `finish(raw, g)` gives the element whose draw has number g = position / WIDTH. Only ops with MISSES return false. Ops in
/// PAIRS have `pair(a, b, x, y)` instead. All are copied into kernels.

#include <Kokkos_Core.hpp>  // before the core, whose functions then have the qualifiers of Kokkos

#include "tandem/core.hpp"

namespace tandem {
namespace kokkos_detail {

template <uint32_t WIDTH_, class Raw_, class Out_, bool MISSES_ = false, bool PAIRS_ = false>
struct OpFacts {
    static constexpr uint32_t WIDTH = WIDTH_;
    static constexpr bool MISSES = MISSES_;
    static constexpr bool PAIRS = PAIRS_;
    using Raw = Raw_;
    using Out = Out_;
};

template <class T>
struct BoolOp : OpFacts<1, uint8_t, T> {
    TANDEM_FN bool fast(uint8_t raw, T& value) const {
        value = raw != 0;
        return true;
    }
};

/// Integers as they are; T has the size of Raw_.
template <class Raw_, class T>
struct CopyOp : OpFacts<8 * sizeof(Raw_), Raw_, T> {
    TANDEM_FN bool fast(Raw_ raw, T& value) const {
        value = static_cast<T>(raw);
        return true;
    }
};

/// T has the bits of a binary16.
template <class T>
struct F16Op : OpFacts<16, uint16_t, T> {
    TANDEM_FN bool fast(uint16_t raw, T& value) const {
        value = bit_cast<T>(to_f16_bits(raw));
        return true;
    }
};

struct F32Op : OpFacts<32, uint32_t, float> {
    TANDEM_FN bool fast(uint32_t raw, float& value) const {
        value = to_f32(raw);
        return true;
    }
};

struct F64Op : OpFacts<64, uint64_t, double> {
    TANDEM_FN bool fast(uint64_t raw, double& value) const {
        value = to_f64(raw);
        return true;
    }
};

struct CharOp : OpFacts<64, uint64_t, char32_t> {
    TANDEM_FN bool fast(uint64_t raw, char32_t& value) const {
        value = to_char(raw);
        return true;
    }
};

/// What the elements that their own draw does not settle go on with.
struct FallbackPlace {
    Key sub;  ///< of the fill's key, for the draw's purpose
    uint32_t chunk_length;
};

/// Bounded integers from draws of the type U, uint32_t or uint64_t.
template <class U, class T>
struct BelowOp : OpFacts<8 * sizeof(U), U, T, true> {
    BelowRule<U> rule;
    uint64_t low;
    FallbackPlace place;

    TANDEM_FN bool fast(U raw, T& value) const {
        U above;
        bool hit;
        if constexpr (sizeof(U) == 4) {
            hit = below_u32(raw, rule, above);
        } else {
            hit = below_u64(raw, rule, above);
        }
        value = above_low<T>(low, above);
        return hit;
    }
    TANDEM_FN T finish(U, uint64_t g) const {
        if constexpr (sizeof(U) == 4) {
            return above_low<T>(low, below_u32_fallback(rule, place.sub, place.chunk_length, g));
        } else {
            return above_low<T>(low, below_u64_fallback(rule, place.sub, place.chunk_length, g));
        }
    }
};

/// Standard normals z as what a fill stores: standard, with parameters, or their exponential.
template <class V, bool LOGNORMAL>
struct NormalFinish {
    V mean;
    V stddev;

    TANDEM_FN V operator()(V z) const {
        if constexpr (LOGNORMAL) {
            return lognormal_of(z, mean, stddev);
        } else {
            return affine(z, mean, stddev);
        }
    }
};

template <bool LOGNORMAL>
struct Normal64Op : OpFacts<64, uint64_t, double, true> {
    NormalFinish<double, LOGNORMAL> as_stored;
    FallbackPlace place;

    TANDEM_FN bool fast(uint64_t raw, double& value) const {
        const ZigguratTables tables = ziggurat_tables();
        const ZigguratSplit split = ziggurat_split(raw);
        value = as_stored(ziggurat_value(split, tables.w[split.layer]));
        return ziggurat_hit(split, tables.kx[split.layer]);
    }
    TANDEM_FN double finish(uint64_t raw, uint64_t g) const {
        return as_stored(normal_f64_fallback(raw, ziggurat_tables(), place.sub, place.chunk_length, g));
    }
};

template <bool LOGNORMAL>
struct Normal32Op : OpFacts<32, uint32_t, float, false, true> {
    NormalFinish<float, LOGNORMAL> as_stored;

    TANDEM_FN void pair(uint32_t a, uint32_t b, float& x, float& y) const {
        const Pair<float> z = box_muller2_f32(a, b);
        x = as_stored(z.x);
        y = as_stored(z.y);
    }
};

struct Exponential64Op : OpFacts<64, uint64_t, double> {
    double scale;

    TANDEM_FN bool fast(uint64_t raw, double& value) const {
        value = scaled(exponential_f64(raw), scale);
        return true;
    }
};

struct Exponential32Op : OpFacts<32, uint32_t, float> {
    float scale;

    TANDEM_FN bool fast(uint32_t raw, float& value) const {
        value = scaled(exponential_f32(raw), scale);
        return true;
    }
};

template <class T>
struct ChoiceOp : OpFacts<64, uint64_t, T> {
    ChoiceView table;

    TANDEM_FN bool fast(uint64_t raw, T& value) const {
        value = choice_of(table, raw);
        return true;
    }
};

}  // namespace kokkos_detail
}  // namespace tandem
