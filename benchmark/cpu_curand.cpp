#include <curand.h>

#include <cstdio>

#include "benchmark/cpu_rows.hpp"

namespace tandem::bench {
namespace {

/// A host generator of cuRAND, or null where the machine cannot make one.
curandGenerator_t make(curandRngType_t type) {
    curandGenerator_t generator = nullptr;
    if (curandCreateGeneratorHost(&generator, type) != CURAND_STATUS_SUCCESS) return nullptr;
    curandSetPseudoRandomGeneratorSeed(generator, 1);
    unsigned first[64];
    curandGenerate(generator, first, 64);  // some prepare their state for seconds here
    return generator;
}

template <class Element, class Generate>
void register_curand_row(const char* op, curandGenerator_t generator, const char* draw, Generate generate) {
    register_row(op, draw, sizeof(Element), [=](uint8_t* out, std::size_t n) {
        if (generate(generator, reinterpret_cast<Element*>(out), n) != CURAND_STATUS_SUCCESS) std::perror(op);
    });
}

void register_type(const char* op, curandRngType_t type) {
    const curandGenerator_t g = make(type);
    if (g == nullptr) {
        std::fprintf(stderr, "%s: cuRAND has no host generator here\n", op);
        return;
    }
    register_curand_row<unsigned>(op, g, "u32", curandGenerate);
    register_curand_row<float>(op, g, "f32", curandGenerateUniform);
    register_curand_row<double>(op, g, "f64", curandGenerateUniformDouble);
    register_curand_row<float>(op, g, "normal_f32",
                               [](auto gen, float* out, std::size_t n) { return curandGenerateNormal(gen, out, n, 0.0f, 1.0f); });
    register_curand_row<double>(op, g, "normal_f64", [](auto gen, double* out, std::size_t n) {
        return curandGenerateNormalDouble(gen, out, n, 0.0, 1.0);
    });
    register_curand_row<float>(op, g, "lognormal_f32", [](auto gen, float* out, std::size_t n) {
        return curandGenerateLogNormal(gen, out, n, 0.0f, 1.0f);
    });
    register_curand_row<double>(op, g, "lognormal_f64", [](auto gen, double* out, std::size_t n) {
        return curandGenerateLogNormalDouble(gen, out, n, 0.0, 1.0);
    });
}

}  // namespace

void register_curand() {
    register_type("curand_host_philox", CURAND_RNG_PSEUDO_PHILOX4_32_10);
    register_type("curand_host_mt19937", CURAND_RNG_PSEUDO_MT19937);
}

}  // namespace tandem::bench
