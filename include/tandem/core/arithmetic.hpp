#pragma once

/// Floating-point arithmetic in which every operation rounds once, whatever the compiler's flags (contract, section 6).
///
/// Compilers may contract a product and a later sum into one fused operation, also across function calls and by default; the
/// products here cannot be fused. On CUDA devices each operation is an intrinsic, so that -use_fast_math, -ftz, -prec-div and
/// -prec-sqrt do not matter, except that a subnormal f32 result may flush to zero unless it comes from `fma_gradual`.

#include "tandem/core/config.hpp"

#if !defined(__CUDACC_RTC__)
#include <cmath>
#endif

#if !defined(__CUDA_ARCH__) && (defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__))
#error "tandem: -fassociative-math and -freciprocal-math change the values of draws; compile without them"
#endif
#if defined(__FLT_EVAL_METHOD__) && (__FLT_EVAL_METHOD__ == 1 || __FLT_EVAL_METHOD__ == 2)
#error "tandem: f32 and f64 must be computed at their own precision (on x86: -mfpmath=sse)"
#endif

namespace tandem {
namespace ieee {

#if !defined(__CUDA_ARCH__)

/// x itself, in a form that the compiler cannot look through: a product behind it is rounded before anything uses it.
template <class V>
TANDEM_FN V fence(V x) {
#if defined(__HIP_DEVICE_COMPILE__)
    asm("" : "+v"(x));
#elif defined(__GNUC__) && defined(__SSE2__)
    asm("" : "+x"(x));
#elif defined(__GNUC__) && defined(__aarch64__)
    asm("" : "+w"(x));
#elif defined(__GNUC__) && defined(__riscv_flen)
    asm("" : "+f"(x));
#else
    const volatile V rounded = x;
    x = rounded;
#endif
    return x;
}

#endif

/// The product a * b, rounded.
TANDEM_FN float mul(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fmul_rn(a, b);
#else
    return fence(a * b);
#endif
}
TANDEM_FN double mul(double a, double b) {
#if defined(__CUDA_ARCH__)
    return __dmul_rn(a, b);
#else
    return fence(a * b);
#endif
}

/// The sum a + b, rounded.
TANDEM_FN float add(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fadd_rn(a, b);
#else
    return a + b;
#endif
}
TANDEM_FN double add(double a, double b) {
#if defined(__CUDA_ARCH__)
    return __dadd_rn(a, b);
#else
    return a + b;
#endif
}

/// The difference a - b, rounded.
TANDEM_FN float sub(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fsub_rn(a, b);
#else
    return a - b;
#endif
}
TANDEM_FN double sub(double a, double b) {
#if defined(__CUDA_ARCH__)
    return __dsub_rn(a, b);
#else
    return a - b;
#endif
}

/// The quotient a / b, rounded.
TANDEM_FN float div(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fdiv_rn(a, b);
#else
    return a / b;
#endif
}
TANDEM_FN double div(double a, double b) {
#if defined(__CUDA_ARCH__)
    return __ddiv_rn(a, b);
#else
    return a / b;
#endif
}

/// The square root, rounded.
TANDEM_FN float square_root(float x) {
#if defined(__CUDA_ARCH__)
    return __fsqrt_rn(x);
#else
    return std::sqrt(x);
#endif
}

#if defined(__CUDA_ARCH__)
namespace detail {
/// 1 / b to about a unit in the last place, for b far from both ends of the range.
TANDEM_FN float reciprocal_estimate(float b) {
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
    return r;
}
}  // namespace detail
#endif

/// The quotient a / b, rounded, where b lies in [1, 8] and a / b is 0 or within [2^-60, 2^60]: on devices without the cases that
/// a general division has. Equal to the rounded quotient for every argument of the logarithms here: tests compare all of them
/// (f32); the f64 form is the sequence of the device's own division for operands of that size.
TANDEM_FN float div_tame(float a, float b) {
#if defined(__CUDA_ARCH__)
    const float r = detail::reciprocal_estimate(b);
    const float q = __fmul_rn(a, r);
    return __fmaf_rn(__fmaf_rn(-b, q, a), r, q);
#else
    return a / b;
#endif
}
TANDEM_FN double div_tame(double a, double b) {
#if defined(__CUDA_ARCH__)
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b));
    r = __hiloint2double(__double2hiint(r), 1);  // as the device's division does: a last bit of 0 fails for b just below 2
    double e = __fma_rn(-b, r, 1.0);
    e = __fma_rn(e, e, e);
    r = __fma_rn(e, r, r);
    r = __fma_rn(__fma_rn(-b, r, 1.0), r, r);
    const double q = __dmul_rn(a, r);
    return __fma_rn(__fma_rn(-b, q, a), r, q);
#else
    return a / b;
#endif
}

/// The reciprocal 1 / x for x in [1, 4]: rounded on hosts; on devices it may be a neighbour, which N32, its one user, corrects to
/// the same bits (all of its arguments are tested).
TANDEM_FN float reciprocal_tame(float x) {
#if defined(__CUDA_ARCH__)
    const float r = detail::reciprocal_estimate(x);
    return __fmaf_rn(__fmaf_rn(-x, r, 1.0f), r, r);
#else
    return 1.0f / x;
#endif
}

/// The square root, rounded, for x = 0 or x in [2^-60, 2^60]; like div_tame.
TANDEM_FN float square_root_tame(float x) {
#if defined(__CUDA_ARCH__)
    float s, half;  // the root and half of its reciprocal, each to about a unit in the last place; the latter finite at 0
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(s) : "f"(x));
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(half) : "f"(__fmaf_rn(x, 4.0f, 0x1p-90f)));
    return __fmaf_rn(__fmaf_rn(-s, s, x), half, s);
#else
    return square_root(x);
#endif
}

/// a * b + c with one rounding. A host without the instruction computes the same in software.
TANDEM_FN float fma(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
    return __fmaf_rn(a, b, c);
#else
    return std::fma(a, b, c);
#endif
}
TANDEM_FN double fma(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
    return __fma_rn(a, b, c);
#else
    return std::fma(a, b, c);
#endif
}

/// a * b + c with one rounding, which keeps subnormal operands and results also where others are flushed to zero.
TANDEM_FN float fma_gradual(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
    return __fmaf_ieee_rn(a, b, c);
#else
    return std::fma(a, b, c);
#endif
}
TANDEM_FN double fma_gradual(double a, double b, double c) { return fma(a, b, c); }

/// a * b, rounded, which keeps subnormal operands and results also where others are flushed to zero.
TANDEM_FN float mul_gradual(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fmaf_ieee_rn(a, b, -0.0f);  // adding -0 keeps the sign of a product that is 0
#else
    return mul(a, b);
#endif
}
TANDEM_FN double mul_gradual(double a, double b) { return mul(a, b); }

}  // namespace ieee
}  // namespace tandem
