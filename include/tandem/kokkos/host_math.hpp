#pragma once

/// f32 normals four pairs at a time on host vectors: the contract's arithmetic (sections 6 and 9), each operation in four lanes.

#include "tandem/core/normal.hpp"
#include "tandem/core/row_vector.hpp"

#if TANDEM_ROW_VECTORS

#if defined(__FMA__)
#include <immintrin.h>
#endif

namespace tandem {
namespace vectors {

using Floats = float __attribute__((vector_size(16)));
using Doubles = double __attribute__((vector_size(16)));
using Ints = int32_t __attribute__((vector_size(16)));

TANDEM_VECTOR_FN Floats set(float x) { return Floats{x, x, x, x}; }

/// Integers below 2^31, exact where they have at most 24 bits.
TANDEM_VECTOR_FN Floats to_floats(Words v) { return __builtin_convertvector(reinterpret_cast<Ints>(v), Floats); }

/// a * b + c for the polynomials of f32 normals. Where there is no fused instruction the exact product and the sum are f64,
/// rounded to f32 afterwards: for all of the 2^24 draws that a logarithm, and an angle, can come from, the results are those of
/// one rounding (every draw is tested).
TANDEM_VECTOR_FN Floats fma_of_normals(Floats a, Floats b, Floats c) {
#if defined(__FMA__)
    return _mm_fmadd_ps(a, b, c);
#elif defined(__SSE2__)
    const __m128d low = _mm_add_pd(_mm_mul_pd(_mm_cvtps_pd(a), _mm_cvtps_pd(b)), _mm_cvtps_pd(c));
    const __m128d high = _mm_add_pd(_mm_mul_pd(_mm_cvtps_pd(_mm_movehl_ps(a, a)), _mm_cvtps_pd(_mm_movehl_ps(b, b))),
                                    _mm_cvtps_pd(_mm_movehl_ps(c, c)));
    return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
#else
    return Floats{std::fma(a[0], b[0], c[0]), std::fma(a[1], b[1], c[1]), std::fma(a[2], b[2], c[2]), std::fma(a[3], b[3], c[3])};
#endif
}

TANDEM_VECTOR_FN Floats fma_of_normals(Floats a, Floats b, float c) { return fma_of_normals(a, b, set(c)); }

TANDEM_VECTOR_FN Floats square_root(Floats x) {
#if defined(__SSE2__)
    return _mm_sqrt_ps(x);
#else
    return Floats{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])};
#endif
}

/// The square roots of L32(1 - a) for the f32 draws a of these raw bits.
TANDEM_VECTOR_FN Floats normal_radius(Words raw) {
    // 2^24 (1 - a) is an exact integer from 1 to 2^24.
    const Words bits = reinterpret_cast<Words>(to_floats(set(0x1000000u) - (raw >> 8)));
    const Words exponent = (bits + set(0x004afb0du)) >> 23;
    const Floats nk = to_floats(set(127u + 24u) - exponent);
    const Floats m = reinterpret_cast<Floats>(bits + set(0x3f800000u) - (exponent << 23));
    // With s4 = -4s the sum needs no factor. 1 - m is exact, and so is nk times the first of its factors.
    const Floats s4 = (set(1.0f) - m) * set(4.0f) / (m + set(1.0f));
    const Floats z = ieee::fence(s4 * s4);
    Floats p = fma_of_normals(z, set(0.14275366f / 4096.0f), 0.20000061f / 256.0f);
    p = fma_of_normals(z, p, 0.33333334f / 16.0f);
    p = fma_of_normals(z, p, 1.0f);
    const Floats most = nk * set(1.38629150390625f) + ieee::fence(s4 * p);
    return square_root(fma_of_normals(nk, set(2.857213530660374e-06f), most));
}

/// The cosines and sines of 2 pi b for the f32 draws b of these raw bits; see cos_sin_turn.
TANDEM_VECTOR_FN void cos_sin_turns(Words raw, Floats& cosine, Floats& sine) {
    const Words quarter = raw + set(0x20000000u);
    const Floats th = ieee::fence(to_floats((raw << 2) & set(0xfffffc00u)) * set(6.2831855f * 0x1p-34f));
    const Floats w = ieee::fence(th * th);
    Floats hs = fma_of_normals(w, set(2.72499e-06f), -0.00019840087f);
    hs = fma_of_normals(w, hs, 0.008333332f);
    hs = fma_of_normals(w, hs, -0.16666667f);
    const Words sn = reinterpret_cast<Words>(th * fma_of_normals(w, hs, 1.0f));
    Floats hc = fma_of_normals(w, set(2.4463761e-05f), -0.0013887589f);
    hc = fma_of_normals(w, hc, 0.04166665f);
    hc = fma_of_normals(w, hc, -0.5f);
    const Words cs = reinterpret_cast<Words>(fma_of_normals(w, hc, 1.0f));
    const Words odd = set(0u) - ((quarter >> 30) & set(1u));  // all ones where the quarter turn is odd
    const Words exchange = (sn ^ cs) & odd;
    const Words sign = set(0x80000000u);
    cosine = reinterpret_cast<Floats>(cs ^ exchange ^ ((quarter + set(0x40000000u)) & sign));
    sine = reinterpret_cast<Floats>(sn ^ exchange ^ (quarter & sign));
}

/// Eight standard normals from the eight raw draws at `raw`, two a pair; the same bits as box_muller2_f32.
TANDEM_VECTOR_FN void box_muller8_f32(const void* raw, void* out) {
    const Words first = load(raw), second = load(static_cast<const uint8_t*>(raw) + 16);
    const Words a = __builtin_shufflevector(first, second, 0, 2, 4, 6), b = __builtin_shufflevector(first, second, 1, 3, 5, 7);
    const Floats r = normal_radius(a);
    Floats cosine, sine;
    cos_sin_turns(b, cosine, sine);
    const Words x = reinterpret_cast<Words>(r * cosine), y = reinterpret_cast<Words>(r * sine);
    store(__builtin_shufflevector(x, y, 0, 4, 1, 5), out);
    store(__builtin_shufflevector(x, y, 2, 6, 3, 7), static_cast<uint8_t*>(out) + 16);
}

}  // namespace vectors
}  // namespace tandem

#endif
