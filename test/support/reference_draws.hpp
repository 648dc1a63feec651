#pragma once

/// Single elements straight from the contract, sections 5 to 11, given their raw draws.

#include <cstdint>

#include "support/reference.hpp"

namespace tandem::test {

/// -2 ln x, f64 (section 6, L64).
double reference_l64(double x);
/// -2 ln x, f32 (section 6, L32).
float reference_l32(float x);
/// -ln x, f32 (section 6, N32).
float reference_n32(float x);
/// e^x (section 11).
double reference_exp64(double x);
float reference_exp32(float x);

/// A bounded draw (section 5) of width 32 or 64 whose number in the stream is g, without the low bound.
uint64_t reference_below(const Fill& fill, uint32_t width, uint64_t raw, uint64_t g, bool* rejected);

/// A f64 normal (section 8) from the draw numbered g.
double reference_normal64(const Fill& fill, uint64_t raw, uint64_t g, bool* missed);

/// Both halves of a pair of f32 normals (section 9), exact mode.
struct NormalPair {
    float cosine, sine;
};
NormalPair reference_normal32(uint32_t raw_a, uint32_t raw_b);

/// The index that a table gives to a draw (section 10).
uint32_t reference_choice(const ChoiceView& table, uint64_t raw);

}  // namespace tandem::test
