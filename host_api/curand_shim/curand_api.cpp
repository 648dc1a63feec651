// The functions of libcurand.so.10. Their declarations are here because no program sees them: it was compiled against curand.h.

#include <cmath>
#include <memory>
#include <utility>

#include "host_api/curand_shim/curand_generator.hpp"

using namespace tandem::curand;
using tandem::error;
using tandem::api::need;
using tandem::api::need_place;
using tandem::api::refuse;
using tandem::api::text_of;

using curandGenerator_t = struct curandGenerator_st*;
using curandDiscreteDistribution_t = struct curandDiscreteDistribution_st*;

namespace {

void create(curandGenerator_t* place, curandRngType_t type, CurandGenerator::Create create_backend) {
    need_place("generator", place);
    auto made = std::make_unique<CurandGenerator>(create_backend, type);
    *place = static_cast<curandGenerator_t>(generators.add(std::move(made)));
}

[[noreturn]] void refuse_quasi() {
    throw error(TANDEM_STATUS_TYPE_ERROR, "it belongs to quasi-random generators; Tandem serves the pseudo-random types only");
}

/// Runs a fill. Nothing to fill is nothing to check, as in cuRAND: bad parameters pass and the position stays.
template <class Fill>
curandStatus_t generate(const char* function, curandGenerator_t generator, size_t n, Fill&& fill) noexcept {
    return with_generator(function, generator, [&](CurandGenerator& g) {
        if (n > 0) check(fill(g.generator()));
    });
}

}  // namespace

#define CURAND_EXPORT extern "C" __attribute__((visibility("default"))) curandStatus_t

CURAND_EXPORT curandGetVersion(int* version) {
    return guarded(__func__, [=] {
        need("version", version);
        *version = CURAND_VERSION;
    });
}

CURAND_EXPORT curandGetProperty(int property, int* value) {
    return guarded(__func__, [=] {
        constexpr int PARTS[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
        if (property < 0 || property > 2) refuse("type", text_of(int64_t{property}), "it must be from 0 to 2");
        need("value", value);
        *value = PARTS[property];
    });
}

CURAND_EXPORT curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
    return guarded(__func__, [=] { create(generator, type, tandemCreateGenerator); });
}

CURAND_EXPORT curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
    return guarded(__func__, [=] { create(generator, type, tandemCreateGeneratorHost); });
}

CURAND_EXPORT curandDestroyGenerator(curandGenerator_t generator) {
    return guarded(__func__, [=] {
        if (generators.remove(generator) == nullptr) tandem::api::refuse_handle("generator", generator);
    });
}

CURAND_EXPORT curandSetStream(curandGenerator_t generator, struct CUstream_st* stream) {
    return with_generator(__func__, generator, [=](CurandGenerator& g) { check(tandemSetStream(g.generator(), stream)); });
}

CURAND_EXPORT curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
    return with_generator(__func__, generator, [=](CurandGenerator& g) { g.set_seed(seed); });
}

CURAND_EXPORT curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    return with_generator(__func__, generator,
                          [=](CurandGenerator& g) { check(tandemSetGeneratorOffset(g.generator(), offset)); });
}

CURAND_EXPORT curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
    return with_generator(__func__, generator, [=](CurandGenerator& g) {
        check(tandemSetGeneratorOrdering(g.generator(), static_cast<tandemOrdering_t>(static_cast<int>(order))));
    });
}

CURAND_EXPORT curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int) {
    return with_generator(__func__, generator, [](CurandGenerator&) { refuse_quasi(); });
}

CURAND_EXPORT curandGenerateSeeds(curandGenerator_t generator) {
    return with_generator(__func__, generator, [](CurandGenerator&) {});
}

CURAND_EXPORT curandGenerate(curandGenerator_t generator, unsigned int* out, size_t n) {
    return generate(__func__, generator, n, [=](tandemGenerator_t g) { return tandemGenerate(g, out, n); });
}

CURAND_EXPORT curandGenerateLongLong(curandGenerator_t generator, unsigned long long* out, size_t n) {
    return generate(__func__, generator, n, [=](tandemGenerator_t g) { return tandemGenerateLongLong(g, out, n); });
}

CURAND_EXPORT curandGenerateUniform(curandGenerator_t generator, float* out, size_t n) {
    return generate(__func__, generator, n, [=](tandemGenerator_t g) { return tandemGenerateUniform(g, out, n); });
}

CURAND_EXPORT curandGenerateUniformDouble(curandGenerator_t generator, double* out, size_t n) {
    return generate(__func__, generator, n, [=](tandemGenerator_t g) { return tandemGenerateUniformDouble(g, out, n); });
}

// cuRAND multiplies by any stddev. A negative one gives the law of its absolute value, which Tandem draws.

CURAND_EXPORT curandGenerateNormal(curandGenerator_t generator, float* out, size_t n, float mean, float stddev) {
    return generate(__func__, generator, n,
                    [=](tandemGenerator_t g) { return tandemGenerateNormal(g, out, n, mean, std::fabs(stddev)); });
}

CURAND_EXPORT curandGenerateNormalDouble(curandGenerator_t generator, double* out, size_t n, double mean, double stddev) {
    return generate(__func__, generator, n,
                    [=](tandemGenerator_t g) { return tandemGenerateNormalDouble(g, out, n, mean, std::fabs(stddev)); });
}

CURAND_EXPORT curandGenerateLogNormal(curandGenerator_t generator, float* out, size_t n, float mean, float stddev) {
    return generate(__func__, generator, n,
                    [=](tandemGenerator_t g) { return tandemGenerateLogNormal(g, out, n, mean, std::fabs(stddev)); });
}

CURAND_EXPORT curandGenerateLogNormalDouble(curandGenerator_t generator, double* out, size_t n, double mean, double stddev) {
    return generate(__func__, generator, n,
                    [=](tandemGenerator_t g) { return tandemGenerateLogNormalDouble(g, out, n, mean, std::fabs(stddev)); });
}

CURAND_EXPORT curandGeneratePoisson(curandGenerator_t generator, unsigned int* out, size_t n, double lambda) {
    return generate(__func__, generator, n, [=](tandemGenerator_t g) { return tandemGeneratePoisson(g, out, n, lambda); });
}

// A method chooses among cuRAND's algorithms; Tandem has one.
CURAND_EXPORT curandGeneratePoissonMethod(curandGenerator_t generator, unsigned int* out, size_t n, double lambda, int) {
    return generate(__func__, generator, n, [=](tandemGenerator_t g) { return tandemGeneratePoisson(g, out, n, lambda); });
}

CURAND_EXPORT curandCreatePoissonDistribution(double, curandDiscreteDistribution_t* distribution) {
    return guarded(__func__, [=] {
        need_place("discrete_distribution", distribution);
        throw error(TANDEM_STATUS_TYPE_ERROR,
                    "its table would be read by the device header of cuRAND with that generator's draws; make one with "
                    "tandemCreatePoissonDistribution() and read it with Tandem's device header");
    });
}

CURAND_EXPORT curandDestroyDistribution(curandDiscreteDistribution_t distribution) {
    return guarded(__func__, [=] { tandem::api::refuse_handle("discrete_distribution", distribution); });
}

CURAND_EXPORT curandGetDirectionVectors32(unsigned int (**)[32], int) { return guarded(__func__, refuse_quasi); }
CURAND_EXPORT curandGetDirectionVectors64(unsigned long long (**)[64], int) { return guarded(__func__, refuse_quasi); }
CURAND_EXPORT curandGetScrambleConstants32(unsigned int**) { return guarded(__func__, refuse_quasi); }
CURAND_EXPORT curandGetScrambleConstants64(unsigned long long**) { return guarded(__func__, refuse_quasi); }
