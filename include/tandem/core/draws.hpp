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
///   uint64_t drawn_position(width)              where the draw just taken, of that width, lies in its stream, in bits.
template <class D>
class Draws {
  public:
    /// One bit.
    TANDEM_FN bool bit() { return self().next_bits(1) != 0; }
    /// A uniform 32-bit integer.
    TANDEM_FN uint32_t urand() { return self().next_bits(32); }
    /// A uniform 64-bit integer.
    TANDEM_FN uint64_t urand64() { return self().next_64(); }
    /// A float in [0, 1), a multiple of 2^-24; uses 32 bits.
    TANDEM_FN float frand() { return to_f32(self().next_bits(32)); }
    /// A double in [0, 1), a multiple of 2^-53; uses 64 bits.
    TANDEM_FN double drand() { return to_f64(self().next_64()); }
    /// The bits of a binary16 in [0, 1), a multiple of 2^-11; uses 16 bits.
    TANDEM_FN uint16_t f16_bits() { return to_f16_bits(static_cast<uint16_t>(self().next_bits(16))); }
    /// A Unicode scalar value; uses 64 bits.
    TANDEM_FN uint32_t character() { return to_char(self().next_64()); }

    /// A uniform integer in [0, range), unbiased; 0 for range 0. Uses 32 bits, and again for each rejected draw.
    TANDEM_FN uint32_t urand(uint32_t range) {
        uint64_t product = static_cast<uint64_t>(urand()) * range;
        if (static_cast<uint32_t>(product) < range) {  // the threshold is below the range, so it is seldom needed
            const uint32_t threshold = (0u - range) % range;
            while (static_cast<uint32_t>(product) < threshold) product = static_cast<uint64_t>(urand()) * range;
        }
        return static_cast<uint32_t>(product >> 32);
    }
    /// A uniform integer in [0, range), unbiased; 0 for range 0. Uses 64 bits, and again for each rejected draw.
    TANDEM_FN uint64_t urand64(uint64_t range) {
        uint64_t draw = urand64();
        if (draw * range < range) {
            const uint64_t threshold = (0u - range) % range;
            while (draw * range < threshold) draw = urand64();
        }
        return mul_hi(draw, range);
    }

    /// A standard normal; uses 64 bits. The same as an element of a fill of f64 normals at this position. Kernels that draw many
    /// pass tables of their own, in shared memory.
    TANDEM_FN double normal() { return normal(ziggurat_tables()); }
    TANDEM_FN double normal(const ZigguratTables& tables) {
        const uint64_t draw = urand64();
        const ZigguratSplit split = ziggurat_split(draw);
        if (ziggurat_hit(split, tables.kx[split.layer])) return ziggurat_value(split, tables.w[split.layer]);
        return normal_f64_fallback(draw, tables, sub_key(self().key(), PURPOSE_NORMAL64), self().chunk_length(),
                                   self().drawn_position(64) / 64);
    }
    /// A normal of this mean and standard deviation (finite, not negative); uses 64 bits.
    TANDEM_FN double normal(double mean, double stddev) { return affine(normal(), mean, stddev); }
    /// Two standard normals, one after the other.
    TANDEM_FN Pair<double> normal2() {
        const double x = normal();
        return {x, normal()};
    }
    /// exp of a normal of this mean and standard deviation; uses 64 bits.
    TANDEM_FN double lognormal(double mean = 0.0, double stddev = 1.0) { return lognormal_of(normal(), mean, stddev); }

    /// A standard normal as a float, the cosine half of a pair; uses two 32-bit draws. The fast mode exists in device code only.
    TANDEM_FN float normalf(NormalMode mode = NormalMode::exact) { return normalf2(mode).x; }
    /// A normal of this mean and standard deviation (finite, not negative); uses two 32-bit draws.
    TANDEM_FN float normalf(float mean, float stddev, NormalMode mode = NormalMode::exact) {
        return affine(normalf(mode), mean, stddev);
    }
    /// Both halves of a pair of standard normals, cosine first; uses two 32-bit draws.
    TANDEM_FN Pair<float> normalf2(NormalMode mode = NormalMode::exact) {
        const uint32_t a = urand();
        return box_muller2_f32(a, urand(), mode);
    }
    /// exp of a normal of this mean and standard deviation; uses two 32-bit draws.
    TANDEM_FN float lognormalf(float mean = 0.0f, float stddev = 1.0f, NormalMode mode = NormalMode::exact) {
        return lognormal_of(normalf(mode), mean, stddev);
    }

    /// An exponential of this mean (finite, above 0); uses 64 bits.
    TANDEM_FN double exponential(double scale = 1.0) { return scaled(exponential_f64(urand64()), scale); }
    /// An exponential of this mean (finite, above 0); uses 32 bits.
    TANDEM_FN float exponentialf(float scale = 1.0f) { return scaled(exponential_f32(urand()), scale); }

    /// A value of a table (a weighted choice, or a Poisson, binomial or geometric law); uses 64 bits.
    TANDEM_FN uint32_t choice(const ChoiceView& table) { return choice_of(table, urand64()); }

    /// The next draw of a plain type: bool, integers of 8 to 64 bits, U128, float or double.
    template <class V>
    TANDEM_FN V next() {
        return draw(static_cast<V*>(nullptr));
    }

  private:
    TANDEM_FN D& self() { return static_cast<D&>(*this); }

    TANDEM_FN bool draw(bool*) { return bit(); }
    TANDEM_FN float draw(float*) { return frand(); }
    TANDEM_FN double draw(double*) { return drand(); }
    TANDEM_FN U128 draw(U128*) { return self().next_128(); }
    template <class V>
    TANDEM_FN V draw(V*) {
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
