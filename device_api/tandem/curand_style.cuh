#pragma once

/// Functions in the shape of curand_kernel.h, with its argument order, for kernels that are ported. They are found by their
/// argument (no `using` is needed), but for `tandem::tandem(&state)`, whose name is that of the namespace.
///
/// What differs from cuRAND: uniforms lie in [0, 1), not (0, 1] (1 - u is exact); a double always has 53 bits; normals keep no
/// second value for the next call; nothing costs more for a large subsequence or offset. Each function says how many 32-bit draws
/// it uses; 64-bit draws start at an even one, so they may pass over a draw. The draws also work on Rng, RowRng and ChunkRng.

#include "tandem/chunk_rng.cuh"
#include "tandem/core/rng.hpp"
#include "tandem/row_rng.cuh"

namespace tandem {

/// A generator G, Rng or RowRng, that knows which subsequence of which seed it reads.
template <class G>
struct Subsequence : G {
    uint64_t seed;
    uint64_t subsequence;

    TANDEM_INLINE_FN Subsequence() : G(0), seed(0), subsequence(0) {}
    TANDEM_INLINE_FN Subsequence(uint64_t s, uint64_t i, uint64_t offset)
        : G(split_key(key_of_seed(s, 0), i), 32 * offset), seed(s), subsequence(i) {}
};

}  // namespace tandem

/// The state for a few draws a thread and for states kept in memory between kernels.
using tandemState_t = tandem::Subsequence<tandem::Rng>;
/// The state for many draws a thread: the same values at many times the speed, in about 90 registers.
using tandemRowState_t = tandem::Subsequence<tandem::RowRng>;

static_assert(sizeof(tandemState_t) == 80, "tandemState_t is part of the device interface");

namespace tandem {

/// Child `subsequence` of the seed's generator, chunk length 32, `offset` 32-bit draws from its start. offset < 2^58. The same
/// for any subsequence and offset at the same cost, two seedings.
template <class G>
TANDEM_INLINE_FN void tandem_init(uint64_t seed, uint64_t subsequence, uint64_t offset, Subsequence<G>* state) {
    *state = Subsequence<G>(seed, subsequence, offset);
}

/// Passes over n 32-bit draws, as n calls of tandem() would; wraps at the end of the stream.
template <class G>
TANDEM_INLINE_FN void skipahead(uint64_t n, Subsequence<G>* state) {
    static_cast<G&>(*state) = G(state->key(), align_pos(state->position(), 32) + 32 * n);
}

/// Moves to the same place of subsequence + n.
template <class G>
TANDEM_INLINE_FN void skipahead_sequence(uint64_t n, Subsequence<G>* state) {
    state->subsequence += n;
    static_cast<G&>(*state) = G(split_key(key_of_seed(state->seed, 0), state->subsequence), state->position());
}

/// A uniform 32-bit integer; one draw. Write tandem::tandem(&state).
template <class G>
TANDEM_INLINE_FN uint32_t tandem(Draws<G>* state) {
    return state->urand();
}

/// In [0, 1), a multiple of 2^-24; one draw.
template <class G>
TANDEM_INLINE_FN float tandem_uniform(Draws<G>* state) {
    return state->frand();
}

/// In [0, 1), a multiple of 2^-53; two draws from an even one.
template <class G>
TANDEM_INLINE_FN double tandem_uniform_double(Draws<G>* state) {
    return state->drand();
}

/// A standard normal, the cosine half of a Box-Muller pair; two draws.
template <class G>
TANDEM_INLINE_FN float tandem_normal(Draws<G>* state) {
    return state->normalf();
}

/// A standard normal; two draws from an even one.
template <class G>
TANDEM_INLINE_FN double tandem_normal_double(Draws<G>* state) {
    return state->normal();
}

/// exp of a normal of this mean and standard deviation, at least 0; two draws.
template <class G>
TANDEM_INLINE_FN float tandem_log_normal(Draws<G>* state, float mean, float stddev) {
    return state->lognormalf(mean, stddev);
}

/// exp of a normal of this mean and standard deviation, at least 0; two draws from an even one.
template <class G>
TANDEM_INLINE_FN double tandem_log_normal_double(Draws<G>* state, double mean, double stddev) {
    return state->lognormal(mean, stddev);
}

/// An exponential of mean 1, from 0 to 24 ln 2; one draw.
template <class G>
TANDEM_INLINE_FN float tandem_exponential(Draws<G>* state) {
    return state->exponentialf();
}

/// An exponential of mean 1, from 0 to 53 ln 2; two draws from an even one.
template <class G>
TANDEM_INLINE_FN double tandem_exponential_double(Draws<G>* state) {
    return state->exponential();
}

/// An unbiased integer in [0, range), 0 for range 0; one draw, and another for each that is rejected.
template <class G>
TANDEM_INLINE_FN uint32_t tandem_below(Draws<G>* state, uint32_t range) {
    return state->urand(range);
}

/// A value of a table: a weighted choice, or Poisson and the other laws, whose tables are built on the host. `table` is a
/// ChoiceView or the tandemDistributionView_t of tandemGetDistributionView. Two draws from an even one.
template <class G, class View>
TANDEM_INLINE_FN uint32_t tandem_discrete(Draws<G>* state, const View& table) {
    return state->choice(ChoiceView{table.cut, table.alias, table.capacity, table.m, table.low});
}

#if defined(__CUDACC__)

/// The next four 32-bit integers; four draws.
template <class G>
TANDEM_INLINE_FN uint4 tandem4(Draws<G>* state) {
    const uint32_t x = state->urand(), y = state->urand(), z = state->urand();
    return make_uint4(x, y, z, state->urand());
}

/// Two floats in [0, 1); two draws.
template <class G>
TANDEM_INLINE_FN float2 tandem_uniform2(Draws<G>* state) {
    const float x = state->frand();
    return make_float2(x, state->frand());
}

/// Four floats in [0, 1); four draws.
template <class G>
TANDEM_INLINE_FN float4 tandem_uniform4(Draws<G>* state) {
    const float x = state->frand(), y = state->frand(), z = state->frand();
    return make_float4(x, y, z, state->frand());
}

/// Two doubles in [0, 1); four draws from an even one.
template <class G>
TANDEM_INLINE_FN double2 tandem_uniform2_double(Draws<G>* state) {
    const double x = state->drand();
    return make_double2(x, state->drand());
}

/// Both halves of a Box-Muller pair, cosine first; two draws.
template <class G>
TANDEM_INLINE_FN float2 tandem_normal2(Draws<G>* state) {
    const Pair<float> z = state->normalf2();
    return make_float2(z.x, z.y);
}

/// Two pairs; four draws.
template <class G>
TANDEM_INLINE_FN float4 tandem_normal4(Draws<G>* state) {
    const Pair<float> a = state->normalf2(), b = state->normalf2();
    return make_float4(a.x, a.y, b.x, b.y);
}

/// Two standard normals; four draws from an even one.
template <class G>
TANDEM_INLINE_FN double2 tandem_normal2_double(Draws<G>* state) {
    double z[2];
    state->normals(z);
    return make_double2(z[0], z[1]);
}

/// exp of both halves of a pair of normals of this mean and standard deviation; two draws.
template <class G>
TANDEM_INLINE_FN float2 tandem_log_normal2(Draws<G>* state, float mean, float stddev) {
    const Pair<float> z = state->normalf2();
    return make_float2(lognormal_of(z.x, mean, stddev), lognormal_of(z.y, mean, stddev));
}

/// The same for two pairs; four draws.
template <class G>
TANDEM_INLINE_FN float4 tandem_log_normal4(Draws<G>* state, float mean, float stddev) {
    const float2 a = tandem_log_normal2(state, mean, stddev), b = tandem_log_normal2(state, mean, stddev);
    return make_float4(a.x, a.y, b.x, b.y);
}

/// exp of two normals of this mean and standard deviation; four draws from an even one.
template <class G>
TANDEM_INLINE_FN double2 tandem_log_normal2_double(Draws<G>* state, double mean, double stddev) {
    const double2 z = tandem_normal2_double(state);
    return make_double2(lognormal_of(z.x, mean, stddev), lognormal_of(z.y, mean, stddev));
}

#endif

}  // namespace tandem
