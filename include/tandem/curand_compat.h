#ifndef TANDEM_CURAND_COMPAT_H
#define TANDEM_CURAND_COMPAT_H

/**
 * The names of curand.h for Tandem, so that a program is ported by its include line and its link line: types, statuses and the
 * functions of the pseudo-random generators. C99; needs no CUDA header, and brings none in, where curand.h brings in
 * cuda_runtime.h; not to be included beside curand.h.
 *
 * A generator of this header is a tandemGenerator_t, so both sets of functions may be called on it. As cuRAND's, and unlike a new
 * generator of tandem.h, its uniforms lie in (0, 1], and a seed leaves the position until an offset is set. The values are
 * Tandem's. Every pseudo-random type is the same generator: equal seeds give equal numbers whatever the type. Any number of
 * elements is allowed, 64-bit integers too; n = 0 is a success, whatever the parameters and the pointer, and moves nothing. A
 * standard deviation that is negative or not finite is refused with 104.
 *
 * Not here: quasi-random sequences (their types are refused with 103, their functions are not declared), curandMethod_t, and
 * curand_kernel.h, for which tandem/curand_kernel_compat.cuh stands.
 */

#include <string.h>

#include "tandem/curand_types.h"

#ifndef CURANDAPI
#define CURANDAPI
#endif

/* The structures that programs name where they only hold a pointer. */
#define curandGenerator_st tandemGenerator_st
#define curandDiscreteDistribution_st tandemDistribution_st

typedef tandemGenerator_t curandGenerator_t;
typedef tandemDistribution_t curandDiscreteDistribution_t;

#if defined(__cplusplus)
extern "C" {
#endif

/** 10400, CURAND_VERSION, into *version; 104 when version is null. */
static inline curandStatus_t curandGetVersion(int* version) {
    if (version == NULL) return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

/** A part of CURAND_VERSION into *value: 0 major, 1 minor, 2 patch, as CUDA's libraryPropertyType; 104 for others or null. */
static inline curandStatus_t curandGetProperty(int type, int* value) {
    if (type < 0 || type > 2 || value == NULL) return CURAND_STATUS_OUT_OF_RANGE;
    *value = type == 0 ? CURAND_VER_MAJOR : type == 1 ? CURAND_VER_MINOR : CURAND_VER_PATCH;
    return CURAND_STATUS_SUCCESS;
}

/** Tandem's type for one of cuRAND's; what is not pseudo-random stays as it is, which Tandem refuses. */
static inline tandemRngType_t tandem_curand_type(curandRngType_t type) {
    switch (type) {
        case CURAND_RNG_TEST:
        case CURAND_RNG_PSEUDO_DEFAULT:
        case CURAND_RNG_PSEUDO_XORWOW:
        case CURAND_RNG_PSEUDO_MRG32K3A:
        case CURAND_RNG_PSEUDO_MTGP32:
        case CURAND_RNG_PSEUDO_MT19937:
        case CURAND_RNG_PSEUDO_PHILOX4_32_10: return TANDEM_RNG_PSEUDO_DEFAULT;
        default: return (tandemRngType_t)(int)type;
    }
}

/** A generator for device memory; tandemCreateGenerator(). */
static inline curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
    const tandemStatus_t status = tandemCreateGenerator(generator, tandem_curand_type(type));
    if (status != TANDEM_STATUS_SUCCESS) return (curandStatus_t)status;
    return (curandStatus_t)tandemSetUniformInterval(*generator, TANDEM_UNIFORM_OPEN_CLOSED);
}

/** A generator for host memory; tandemCreateGeneratorHost(). */
static inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
    const tandemStatus_t status = tandemCreateGeneratorHost(generator, tandem_curand_type(type));
    if (status != TANDEM_STATUS_SUCCESS) return (curandStatus_t)status;
    return (curandStatus_t)tandemSetUniformInterval(*generator, TANDEM_UNIFORM_OPEN_CLOSED);
}

/** tandemDestroyGenerator(). */
static inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    return (curandStatus_t)tandemDestroyGenerator(generator);
}

/** tandemSetStream(): later calls enqueue on it. */
static inline curandStatus_t curandSetStream(curandGenerator_t generator, struct CUstream_st* stream) {
    return (curandStatus_t)tandemSetStream(generator, stream);
}

/** Takes the key of a seed and, unlike tandemSetPseudoRandomGeneratorSeed(), keeps the position. */
static inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
    enum { POSITION = TANDEM_STATE_BYTES - 8 }; /* the last field of a saved state */
    unsigned char before[TANDEM_STATE_BYTES];
    unsigned char after[TANDEM_STATE_BYTES];
    tandemStatus_t status = tandemSaveState(generator, before);
    if (status == TANDEM_STATUS_SUCCESS) status = tandemSetPseudoRandomGeneratorSeed(generator, seed);
    if (status == TANDEM_STATUS_SUCCESS) status = tandemSaveState(generator, after);
    if (status != TANDEM_STATUS_SUCCESS) return (curandStatus_t)status;
    memcpy(after + POSITION, before + POSITION, 8);
    return (curandStatus_t)tandemRestoreState(generator, after);
}

/** tandemSetGeneratorOffset(): a position in 32-bit draws, below 2^58. */
static inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    return (curandStatus_t)tandemSetGeneratorOffset(generator, offset);
}

/** Accepts every pseudo-random ordering, without effect; 104 for others. */
static inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
    return (curandStatus_t)tandemSetGeneratorOrdering(generator, (tandemOrdering_t)(int)order);
}

/** Does nothing: a generator has no state to prepare. */
static inline curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
    return (curandStatus_t)tandemGenerateSeeds(generator);
}

/* tandemGenerateSeeds() checks the handle, which is all that n = 0 asks for. */

/** 32-bit integers. */
static inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* out, size_t n) {
    return (curandStatus_t)(n == 0 ? tandemGenerateSeeds(generator) : tandemGenerate(generator, out, n));
}

/** 64-bit integers, which cuRAND has for quasi-random generators only. */
static inline curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* out, size_t n) {
    return (curandStatus_t)(n == 0 ? tandemGenerateSeeds(generator) : tandemGenerateLongLong(generator, out, n));
}

/** Floats in (0, 1], multiples of 2^-24. */
static inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* out, size_t n) {
    return (curandStatus_t)(n == 0 ? tandemGenerateSeeds(generator) : tandemGenerateUniform(generator, out, n));
}

/** Doubles in (0, 1], multiples of 2^-53. */
static inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* out, size_t n) {
    return (curandStatus_t)(n == 0 ? tandemGenerateSeeds(generator) : tandemGenerateUniformDouble(generator, out, n));
}

/** Normals and log-normals, any n. 104 when mean or stddev is not finite or stddev is negative. */
static inline curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* out, size_t n, float mean, float stddev) {
    return (curandStatus_t)(n == 0 ? tandemGenerateSeeds(generator) : tandemGenerateNormal(generator, out, n, mean, stddev));
}
static inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* out, size_t n, double mean,
                                                        double stddev) {
    return (curandStatus_t)(n == 0 ? tandemGenerateSeeds(generator)
                                   : tandemGenerateNormalDouble(generator, out, n, mean, stddev));
}
static inline curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* out, size_t n, float mean,
                                                     float stddev) {
    return (curandStatus_t)(n == 0 ? tandemGenerateSeeds(generator) : tandemGenerateLogNormal(generator, out, n, mean, stddev));
}
static inline curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* out, size_t n, double mean,
                                                           double stddev) {
    return (curandStatus_t)(n == 0 ? tandemGenerateSeeds(generator)
                                   : tandemGenerateLogNormalDouble(generator, out, n, mean, stddev));
}

/** Poisson values of mean lambda, 0 < lambda <= 2^31; 104 otherwise. */
static inline curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* out, size_t n, double lambda) {
    return (curandStatus_t)(n == 0 ? tandemGenerateSeeds(generator) : tandemGeneratePoisson(generator, out, n, lambda));
}

/** A table of the Poisson law; kernels read it through tandemGetDistributionView(), which also needs no GPU to be created. */
static inline curandStatus_t curandCreatePoissonDistribution(double lambda, curandDiscreteDistribution_t* distribution) {
    return (curandStatus_t)tandemCreatePoissonDistribution(lambda, distribution);
}

/** tandemDestroyDistribution(). */
static inline curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t distribution) {
    return (curandStatus_t)tandemDestroyDistribution(distribution);
}

#if defined(__cplusplus)
}
#endif

#endif
