#pragma once

/// The draws that every in-memory generator shares (contract, sections 3 and 5 to 11).

#include "tandem/core/bounded.hpp"
#include "tandem/core/choice.hpp"
#include "tandem/core/exp.hpp"
#include "tandem/core/exponential.hpp"
#include "tandem/core/mapping.hpp"
#include "tandem/core/normal.hpp"
#include "tandem/core/step.hpp"

namespace tandem {

/// Draws in terms of a source of raw bits. D derives from Draws<D> and provides
///   uint32_t next_bits(width)  for widths 1, 8, 16 and 32: the next draw of that width in the low bits,
///   uint64_t next_64()         the next 64-bit draw,
///   U128 next_128()            the next 128-bit draw,
///   const Key& key(), uint32_t chunk_length()   the generator whose words these are,
///   uint64_t drawn_position(width, back = 0)    where the last draw lies in its stream, in bits, or the one `back` before it,
///                                               when the last back + 1 draws had this width.
/// D may also provide `Key normal_key() const`, sub_key(key(), PURPOSE_NORMAL64), where it has that at hand.
template <class D>
class Draws {
  public:
    /// One bit.
    TANDEM_INLINE_FN bool bit() { return self().next_bits(1) != 0; }
    /// A uniform 32-bit integer.
    TANDEM_INLINE_FN uint32_t urand() { return self().next_bits(32); }
    /// A uniform 64-bit integer.
    TANDEM_INLINE_FN uint64_t urand64() { return self().next_64(); }
    /// A float in [0, 1), a multiple of 2^-24; uses 32 bits.
    TANDEM_INLINE_FN float frand() { return to_f32(self().next_bits(32)); }
    /// A double in [0, 1), a multiple of 2^-53; uses 64 bits.
    TANDEM_INLINE_FN double drand() { return to_f64(self().next_64()); }
    /// The bits of a binary16 in [0, 1), a multiple of 2^-11; uses 16 bits.
    TANDEM_INLINE_FN uint16_t f16_bits() { return to_f16_bits(static_cast<uint16_t>(self().next_bits(16))); }
    /// A Unicode scalar value; uses 64 bits.
    TANDEM_INLINE_FN uint32_t character() { return to_char(self().next_64()); }

    /// A uniform integer in [0, range), unbiased; 0 for range 0. Uses 32 bits, and again for each rejected draw.
    TANDEM_INLINE_FN uint32_t urand(uint32_t range) {
        uint64_t product = static_cast<uint64_t>(urand()) * range;
        if (static_cast<uint32_t>(product) < range) {  // the threshold is below the range, so it is seldom needed
            const uint32_t threshold = (0u - range) % range;
            while (static_cast<uint32_t>(product) < threshold) product = static_cast<uint64_t>(urand()) * range;
        }
        return static_cast<uint32_t>(product >> 32);
    }
    /// A uniform integer in [0, range), unbiased; 0 for range 0. Uses 64 bits, and again for each rejected draw.
    TANDEM_INLINE_FN uint64_t urand64(uint64_t range) {
        uint64_t draw = urand64();
        if (draw * range < range) {
            const uint64_t threshold = (0u - range) % range;
            while (draw * range < threshold) draw = urand64();
        }
        return mul_hi(draw, range);
    }

    /// A standard normal; uses 64 bits. The same as an element of a fill of f64 normals at this position. Kernels that draw many
    /// pass tables of their own, in shared memory.
    TANDEM_INLINE_FN double normal() { return normal(ziggurat_tables()); }
    TANDEM_INLINE_FN double normal(const ZigguratTables& tables) {
        const uint64_t draw = urand64();
        const ZigguratSplit split = ziggurat_split(draw);
        if (ziggurat_hit(split, tables.kx[split.layer])) return ziggurat_value(split, tables.w[split.layer]);
        return normal_f64_fallback(draw, tables, self().normal_key(), self().chunk_length(), self().drawn_position(64) / 64);
    }
    /// N standard normals, N <= 32: the same values as N calls of normal(). On GPUs a warp then waits once for the slow path of
    /// all of them, instead of at nearly every seventh draw: prefer it in loops. `out` is indexed by constants only, so it can
    /// stay in registers.
    template <int N>
    TANDEM_INLINE_FN void normals(double (&out)[N]) {
        normals(out, ziggurat_tables());
    }
    template <int N>
    TANDEM_INLINE_FN void normals(double (&out)[N], const ZigguratTables& tables) {
        static_assert(N >= 1 && N <= 32, "normals() draws 1 to 32 values");
        uint32_t missed = 0;
        TANDEM_UNROLL
        for (int i = 0; i < N; ++i) {
            const uint64_t draw = urand64();
            const ZigguratSplit split = ziggurat_split(draw);
            out[i] = ziggurat_value(split, tables.w[split.layer]);
            if (!ziggurat_hit(split, tables.kx[split.layer])) {
                out[i] = bit_cast<double>(draw);  // kept for the loop below
                missed |= 1u << i;
            }
        }
        while (missed != 0) {
            uint64_t draw = 0;
            int which = 0;
            TANDEM_UNROLL
            for (int i = N - 1; i >= 0; --i) {
                if ((missed >> i) & 1) {
                    draw = bit_cast<uint64_t>(out[i]);
                    which = i;
                }
            }
            const uint64_t g = self().drawn_position(64, static_cast<uint32_t>(N - 1 - which)) / 64;
            const double z = normal_f64_fallback(draw, tables, self().normal_key(), self().chunk_length(), g);
            TANDEM_UNROLL
            for (int i = 0; i < N; ++i) {
                if (i == which) out[i] = z;
            }
            missed &= missed - 1;
        }
    }
    /// A normal of this mean and standard deviation (finite, not negative); uses 64 bits.
    TANDEM_INLINE_FN double normal(double mean, double stddev) { return affine(normal(), mean, stddev); }
    /// Two standard normals, one after the other.
    TANDEM_INLINE_FN Pair<double> normal2() {
        double z[2];
        normals(z);
        return {z[0], z[1]};
    }
    /// exp of a normal of this mean and standard deviation; uses 64 bits.
    TANDEM_INLINE_FN double lognormal(double mean = 0.0, double stddev = 1.0) { return lognormal_of(normal(), mean, stddev); }

    /// A standard normal as a float, the cosine half of a pair; uses two 32-bit draws. The fast mode exists in device code only.
    TANDEM_INLINE_FN float normalf(NormalMode mode = NormalMode::exact) { return normalf2(mode).x; }
    /// A normal of this mean and standard deviation (finite, not negative); uses two 32-bit draws.
    TANDEM_INLINE_FN float normalf(float mean, float stddev, NormalMode mode = NormalMode::exact) {
        return affine(normalf(mode), mean, stddev);
    }
    /// Both halves of a pair of standard normals, cosine first; uses two 32-bit draws.
    TANDEM_INLINE_FN Pair<float> normalf2(NormalMode mode = NormalMode::exact) {
        const uint32_t a = urand();
        return box_muller2_f32(a, urand(), mode);
    }
    /// exp of a normal of this mean and standard deviation; uses two 32-bit draws.
    TANDEM_INLINE_FN float lognormalf(float mean = 0.0f, float stddev = 1.0f, NormalMode mode = NormalMode::exact) {
        return lognormal_of(normalf(mode), mean, stddev);
    }

    /// An exponential of this mean (finite, above 0); uses 64 bits.
    TANDEM_INLINE_FN double exponential(double scale = 1.0) { return scaled(exponential_f64(urand64()), scale); }
    /// An exponential of this mean (finite, above 0); uses 32 bits.
    TANDEM_INLINE_FN float exponentialf(float scale = 1.0f) { return scaled(exponential_f32(urand()), scale); }

    /// A value of a table (a weighted choice, or a Poisson, binomial or geometric law); uses 64 bits.
    TANDEM_INLINE_FN uint32_t choice(const ChoiceView& table) { return choice_of(table, urand64()); }

    /// sub_key(key(), PURPOSE_NORMAL64), which the slow path of f64 normals draws from.
    TANDEM_INLINE_FN Key normal_key() { return sub_key(self().key(), PURPOSE_NORMAL64); }

    /// The next draw of a plain type: bool, integers of 8 to 64 bits, U128, float or double.
    template <class V>
    TANDEM_INLINE_FN V next() {
        return draw(static_cast<V*>(nullptr));
    }

  private:
    TANDEM_INLINE_FN D& self() { return static_cast<D&>(*this); }

    TANDEM_INLINE_FN bool draw(bool*) { return bit(); }
    TANDEM_INLINE_FN float draw(float*) { return frand(); }
    TANDEM_INLINE_FN double draw(double*) { return drand(); }
    TANDEM_INLINE_FN U128 draw(U128*) { return self().next_128(); }
    template <class V>
    TANDEM_INLINE_FN V draw(V*) {
        static_assert(sizeof(V) <= 8 && static_cast<V>(3) / static_cast<V>(2) == static_cast<V>(1),
                      "next<T>() draws plain types only");
        if constexpr (sizeof(V) == 8) {
            return static_cast<V>(urand64());
        } else {
            return static_cast<V>(self().next_bits(8 * sizeof(V)));
        }
    }
};

}  // namespace tandem
