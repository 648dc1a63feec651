#pragma once

/// Draws between bounds, under the names that the generators of Kokkos have.

#include "tandem/core/draws.hpp"

namespace tandem {
namespace detail {

/// The number next to x on the side of smaller numbers.
TANDEM_FN float next_below(float x) {
    const uint32_t bits = bit_cast<uint32_t>(x);
    return bit_cast<float>((bits << 1) == 0 ? 0x80000001u : (bits >> 31) != 0 ? bits + 1 : bits - 1);
}
TANDEM_FN double next_below(double x) {
    const uint64_t bits = bit_cast<uint64_t>(x);
    return bit_cast<double>((bits << 1) == 0 ? 0x8000000000000001u : (bits >> 63) != 0 ? bits + 1 : bits - 1);
}

/// The point u in [0, 1) of the way from start to end: never `end`, onto which the sum might round.
template <class V>
TANDEM_FN V between(V start, V end, V u) {
    const V x = ieee::add(start, ieee::mul(ieee::sub(end, start), u));
    return x >= end && start < end ? next_below(end) : x;
}

}  // namespace detail

/// What Kokkos::rand<Generator, T>::draw(generator), draw(generator, range) and draw(generator, start, end) call. D is as for
/// Draws. Bounds are start <= x < end, with start <= end, for signed integers end - start in the range of the type and for floats
/// finite; the draws of each are those of the call without bounds, and again where an integer is rejected.
template <class D>
class RangeDraws : public Draws<D> {
  public:
    static constexpr uint32_t MAX_URAND = 0xffffffffu;            ///< the largest urand()
    static constexpr uint64_t MAX_URAND64 = 0xffffffffffffffffu;  ///< the largest urand64()
    static constexpr int32_t MAX_RAND = 0x7fffffff;               ///< the largest rand()
    static constexpr int64_t MAX_RAND64 = 0x7fffffffffffffff;     ///< the largest rand64()

    using Draws<D>::drand;
    using Draws<D>::frand;
    using Draws<D>::normal;
    using Draws<D>::urand;
    using Draws<D>::urand64;

    TANDEM_INLINE_FN uint32_t urand(uint32_t start, uint32_t end) { return start + urand(end - start); }
    TANDEM_INLINE_FN uint64_t urand64(uint64_t start, uint64_t end) { return start + urand64(end - start); }

    /// An integer in [0, MAX_RAND], the upper 31 bits of a 32-bit draw.
    TANDEM_INLINE_FN int32_t rand() { return static_cast<int32_t>(urand() >> 1); }
    TANDEM_INLINE_FN int32_t rand(int32_t range) { return static_cast<int32_t>(urand(static_cast<uint32_t>(range))); }
    TANDEM_INLINE_FN int32_t rand(int32_t start, int32_t end) {
        return static_cast<int32_t>(urand(static_cast<uint32_t>(start), static_cast<uint32_t>(end)));
    }

    /// An integer in [0, MAX_RAND64], the upper 63 bits of a 64-bit draw.
    TANDEM_INLINE_FN int64_t rand64() { return static_cast<int64_t>(urand64() >> 1); }
    TANDEM_INLINE_FN int64_t rand64(int64_t range) { return static_cast<int64_t>(urand64(static_cast<uint64_t>(range))); }
    TANDEM_INLINE_FN int64_t rand64(int64_t start, int64_t end) {
        return static_cast<int64_t>(urand64(static_cast<uint64_t>(start), static_cast<uint64_t>(end)));
    }

    TANDEM_INLINE_FN float frand(float range) { return frand(0.0f, range); }
    TANDEM_INLINE_FN float frand(float start, float end) { return detail::between(start, end, frand()); }
    TANDEM_INLINE_FN double drand(double range) { return drand(0.0, range); }
    TANDEM_INLINE_FN double drand(double start, double end) { return detail::between(start, end, drand()); }

    /// A normal of this mean and standard deviation 1; uses 64 bits.
    TANDEM_INLINE_FN double normal(double mean) { return normal(mean, 1.0); }
};

}  // namespace tandem
