#pragma once

/// The names of curand_kernel.h for Tandem, so that a kernel is ported by its include line alone: state types, curand_init,
/// skipahead, skipahead_sequence and the draws. Not to be included beside curand_kernel.h.
///
/// As cuRAND's, and unlike Tandem's own, uniforms lie in (0, 1]: each is 1 - u of Tandem's, exactly. The values are Tandem's, not
/// cuRAND's. Every double has 53 bits; normals keep no second value; nothing costs more for a large subsequence or offset.
/// Numbers of draws are those of curand_style.cuh. curand_poisson is not here: its tables are built on the host
/// (tandemCreatePoissonDistribution) and read by curand_discrete, which takes their view.
///
/// State types have no constructor, as cuRAND's, so that they may be `__device__` and `__shared__` variables and members of
/// unions: curand_init() comes before anything else. They are types of their own and draw the same numbers. Every function also
/// takes tandemState_t and tandemRowState_t, which tandem::tandem_uniform() and its like need.

#include "tandem/curand_style.cuh"

#if defined(CURAND_KERNEL_H_)
#error "tandem: include either curand_kernel.h or tandem/curand_kernel_compat.cuh"
#endif

#if !defined(__CUDACC_RTC__)
#include <cstring>
#endif

namespace tandem {

/// A tandemState_t as plain words.
struct CurandState {
    uint64_t words[sizeof(tandemState_t) / sizeof(uint64_t)];
};
static_assert(sizeof(CurandState) == sizeof(tandemState_t), "a state is whole words");

namespace detail {

/// The generator of a plain state while a call works on it; goes back into the state at the end of the call.
class OpenedState : public tandemState_t {
  public:
    TANDEM_INLINE_FN explicit OpenedState(CurandState* home) : home_(home) {
        const CurandState words = *home;  // by words: memcpy would go through memory byte by byte
        memcpy(static_cast<void*>(static_cast<tandemState_t*>(this)), &words, sizeof(words));
    }
    OpenedState(const OpenedState&) = delete;
    OpenedState& operator=(const OpenedState&) = delete;
    TANDEM_INLINE_FN ~OpenedState() {
        CurandState words;
        memcpy(&words, static_cast<const tandemState_t*>(this), sizeof(words));
        *home_ = words;
    }

  private:
    CurandState* home_;
};

static_assert(sizeof(OpenedState) >= sizeof(tandemState_t) + sizeof(CurandState*), "nothing lies in the padding of the state");

TANDEM_INLINE_FN OpenedState opened(CurandState* state) { return OpenedState(state); }
template <class G>
TANDEM_INLINE_FN Draws<G>& opened(Draws<G>* state) {
    return *state;
}

}  // namespace detail

TANDEM_INLINE_FN void skipahead(uint64_t n, CurandState* state) {
    detail::OpenedState opened(state);
    skipahead(n, static_cast<tandemState_t*>(&opened));
}
TANDEM_INLINE_FN void skipahead_sequence(uint64_t n, CurandState* state) {
    detail::OpenedState opened(state);
    skipahead_sequence(n, static_cast<tandemState_t*>(&opened));
}

}  // namespace tandem

struct curandStateXORWOW : tandem::CurandState {};
struct curandStateMRG32k3a : tandem::CurandState {};
struct curandStatePhilox4_32_10 : tandem::CurandState {};

using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;
using curandStateXORWOW_t = curandStateXORWOW;
using curandStateMRG32k3a_t = curandStateMRG32k3a;
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

/// Child `subsequence` of the seed's generator, `offset` 32-bit draws from its start.
TANDEM_INLINE_FN void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                  tandem::CurandState* state) {
    const tandemState_t made(seed, subsequence, offset);
    tandem::CurandState words;
    memcpy(&words, &made, sizeof(words));
    *state = words;
}
template <class G>
TANDEM_INLINE_FN void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                  tandem::Subsequence<G>* state) {
    tandem::tandem_init(seed, subsequence, offset, state);
}

/// A uniform 32-bit integer.
template <class S>
TANDEM_INLINE_FN unsigned int curand(S* state) {
    return tandem::detail::opened(state).urand();
}

/// In (0, 1].
template <class S>
TANDEM_INLINE_FN float curand_uniform(S* state) {
    return tandem::reflect(tandem::detail::opened(state).frand());
}
template <class S>
TANDEM_INLINE_FN double curand_uniform_double(S* state) {
    return tandem::reflect(tandem::detail::opened(state).drand());
}

/// Standard normals.
template <class S>
TANDEM_INLINE_FN float curand_normal(S* state) {
    auto&& draws = tandem::detail::opened(state);
    return tandem::tandem_normal(&draws);
}
template <class S>
TANDEM_INLINE_FN double curand_normal_double(S* state) {
    auto&& draws = tandem::detail::opened(state);
    return tandem::tandem_normal_double(&draws);
}

/// exp of normals of this mean and standard deviation.
template <class S>
TANDEM_INLINE_FN float curand_log_normal(S* state, float mean, float stddev) {
    auto&& draws = tandem::detail::opened(state);
    return tandem::tandem_log_normal(&draws, mean, stddev);
}
template <class S>
TANDEM_INLINE_FN double curand_log_normal_double(S* state, double mean, double stddev) {
    auto&& draws = tandem::detail::opened(state);
    return tandem::tandem_log_normal_double(&draws, mean, stddev);
}

/// A value of a table: its view, where cuRAND takes a distribution.
template <class S, class View>
TANDEM_INLINE_FN unsigned int curand_discrete(S* state, const View& table) {
    auto&& draws = tandem::detail::opened(state);
    return tandem::tandem_discrete(&draws, table);
}

#if defined(__CUDACC__)

template <class S>
TANDEM_INLINE_FN uint4 curand4(S* state) {
    auto&& draws = tandem::detail::opened(state);
    return tandem::tandem4(&draws);
}
template <class S>
TANDEM_INLINE_FN float4 curand_uniform4(S* state) {
    auto&& draws = tandem::detail::opened(state);
    const float4 u = tandem::tandem_uniform4(&draws);
    return make_float4(tandem::reflect(u.x), tandem::reflect(u.y), tandem::reflect(u.z), tandem::reflect(u.w));
}
template <class S>
TANDEM_INLINE_FN double2 curand_uniform2_double(S* state) {
    auto&& draws = tandem::detail::opened(state);
    const double2 u = tandem::tandem_uniform2_double(&draws);
    return make_double2(tandem::reflect(u.x), tandem::reflect(u.y));
}
template <class S>
TANDEM_INLINE_FN float2 curand_normal2(S* state) {
    auto&& draws = tandem::detail::opened(state);
    return tandem::tandem_normal2(&draws);
}
template <class S>
TANDEM_INLINE_FN float4 curand_normal4(S* state) {
    auto&& draws = tandem::detail::opened(state);
    return tandem::tandem_normal4(&draws);
}
template <class S>
TANDEM_INLINE_FN double2 curand_normal2_double(S* state) {
    auto&& draws = tandem::detail::opened(state);
    return tandem::tandem_normal2_double(&draws);
}
template <class S>
TANDEM_INLINE_FN float2 curand_log_normal2(S* state, float mean, float stddev) {
    auto&& draws = tandem::detail::opened(state);
    return tandem::tandem_log_normal2(&draws, mean, stddev);
}
template <class S>
TANDEM_INLINE_FN float4 curand_log_normal4(S* state, float mean, float stddev) {
    auto&& draws = tandem::detail::opened(state);
    return tandem::tandem_log_normal4(&draws, mean, stddev);
}
template <class S>
TANDEM_INLINE_FN double2 curand_log_normal2_double(S* state, double mean, double stddev) {
    auto&& draws = tandem::detail::opened(state);
    return tandem::tandem_log_normal2_double(&draws, mean, stddev);
}

#endif
