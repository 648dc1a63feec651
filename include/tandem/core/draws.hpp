#pragma once

/// The draws that every in-memory generator shares (contract, section 3).

#include "tandem/core/mapping.hpp"
#include "tandem/core/step.hpp"

namespace tandem {

/// Draws in terms of a source of raw bits. D derives from Draws<D> and provides
///   uint32_t next_bits(width)  for widths 1, 8, 16 and 32: the next draw of that width in the low bits,
///   uint64_t next_64()         the next 64-bit draw,
///   U128 next_128()            the next 128-bit draw.
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
