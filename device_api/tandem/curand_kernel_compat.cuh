#pragma once

/// The names of curand_kernel.h for Tandem, so that a kernel is ported by its include line alone: state types, curand_init,
/// skipahead, skipahead_sequence and the draws. Not to be included beside curand_kernel.h.
///
/// As cuRAND's, and unlike Tandem's own, uniforms lie in (0, 1]: each is 1 - u of Tandem's, exactly. The values are Tandem's, not
/// cuRAND's. Every double has 53 bits; normals keep no second value; nothing costs more for a large subsequence or offset.
/// Numbers of draws are those of curand_style.cuh. curand_poisson is not here: its tables are built on the host
/// (tandemCreatePoissonDistribution) and read by curand_discrete, which takes their view.

#include "tandem/curand_style.cuh"

#if defined(CURAND_KERNEL_H_)
#error "tandem: include either curand_kernel.h or tandem/curand_kernel_compat.cuh"
#endif

using curandState_t = tandemState_t;
using curandState = tandemState_t;
using curandStateXORWOW_t = tandemState_t;
using curandStateXORWOW = tandemState_t;
using curandStateMRG32k3a_t = tandemState_t;
using curandStateMRG32k3a = tandemState_t;
using curandStatePhilox4_32_10_t = tandemState_t;
using curandStatePhilox4_32_10 = tandemState_t;

/// Child `subsequence` of the seed's generator, `offset` 32-bit draws from its start.
template <class G>
TANDEM_INLINE_FN void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                  tandem::Subsequence<G>* state) {
    tandem::tandem_init(seed, subsequence, offset, state);
}

/// A uniform 32-bit integer.
template <class G>
TANDEM_INLINE_FN unsigned int curand(tandem::Draws<G>* state) {
    return state->urand();
}

/// In (0, 1].
template <class G>
TANDEM_INLINE_FN float curand_uniform(tandem::Draws<G>* state) {
    return tandem::reflect(state->frand());
}
template <class G>
TANDEM_INLINE_FN double curand_uniform_double(tandem::Draws<G>* state) {
    return tandem::reflect(state->drand());
}

/// Standard normals.
template <class G>
TANDEM_INLINE_FN float curand_normal(tandem::Draws<G>* state) {
    return tandem::tandem_normal(state);
}
template <class G>
TANDEM_INLINE_FN double curand_normal_double(tandem::Draws<G>* state) {
    return tandem::tandem_normal_double(state);
}

/// exp of normals of this mean and standard deviation.
template <class G>
TANDEM_INLINE_FN float curand_log_normal(tandem::Draws<G>* state, float mean, float stddev) {
    return tandem::tandem_log_normal(state, mean, stddev);
}
template <class G>
TANDEM_INLINE_FN double curand_log_normal_double(tandem::Draws<G>* state, double mean, double stddev) {
    return tandem::tandem_log_normal_double(state, mean, stddev);
}

/// A value of a table: its view, where cuRAND takes a distribution.
template <class G, class View>
TANDEM_INLINE_FN unsigned int curand_discrete(tandem::Draws<G>* state, const View& table) {
    return tandem::tandem_discrete(state, table);
}

#if defined(__CUDACC__)

template <class G>
TANDEM_INLINE_FN uint4 curand4(tandem::Draws<G>* state) {
    return tandem::tandem4(state);
}
template <class G>
TANDEM_INLINE_FN float4 curand_uniform4(tandem::Draws<G>* state) {
    const float4 u = tandem::tandem_uniform4(state);
    return make_float4(tandem::reflect(u.x), tandem::reflect(u.y), tandem::reflect(u.z), tandem::reflect(u.w));
}
template <class G>
TANDEM_INLINE_FN double2 curand_uniform2_double(tandem::Draws<G>* state) {
    const double2 u = tandem::tandem_uniform2_double(state);
    return make_double2(tandem::reflect(u.x), tandem::reflect(u.y));
}
template <class G>
TANDEM_INLINE_FN float2 curand_normal2(tandem::Draws<G>* state) {
    return tandem::tandem_normal2(state);
}
template <class G>
TANDEM_INLINE_FN float4 curand_normal4(tandem::Draws<G>* state) {
    return tandem::tandem_normal4(state);
}
template <class G>
TANDEM_INLINE_FN double2 curand_normal2_double(tandem::Draws<G>* state) {
    return tandem::tandem_normal2_double(state);
}
template <class G>
TANDEM_INLINE_FN float2 curand_log_normal2(tandem::Draws<G>* state, float mean, float stddev) {
    return tandem::tandem_log_normal2(state, mean, stddev);
}
template <class G>
TANDEM_INLINE_FN float4 curand_log_normal4(tandem::Draws<G>* state, float mean, float stddev) {
    return tandem::tandem_log_normal4(state, mean, stddev);
}
template <class G>
TANDEM_INLINE_FN double2 curand_log_normal2_double(tandem::Draws<G>* state, double mean, double stddev) {
    return tandem::tandem_log_normal2_double(state, mean, stddev);
}

#endif
