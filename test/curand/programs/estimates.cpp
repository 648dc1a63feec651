// Monte Carlo with host generators, in C++: uniforms, integers and what their means should be.

#include <cmath>
#include <cstdio>
#include <vector>

#include CURAND_HEADER
#include "report.h"

namespace {

constexpr size_t N = 100000;

double mean_of(const std::vector<double>& values) {
    double sum = 0;
    for (double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

void estimate(curandRngType_t type) {
    std::printf("type %d\n", static_cast<int>(type));
    curandGenerator_t generator = nullptr;
    CALL(curandCreateGeneratorHost(&generator, type));
    CALL(curandSetPseudoRandomGeneratorSeed(generator, 1234ULL));
    CALL(curandSetGeneratorOffset(generator, 0));
    CALL(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_DEFAULT));
    CALL(curandGenerateSeeds(generator));

    std::vector<float> points(2 * N);
    CALL(curandGenerateUniform(generator, points.data(), points.size()));
    size_t inside = 0;
    bool in_range = true;
    for (size_t i = 0; i < N; ++i) {
        const float x = points[2 * i];
        const float y = points[2 * i + 1];
        inside += x * x + y * y <= 1.0f ? 1 : 0;
        in_range = in_range && x > 0.0f && x <= 1.0f && y > 0.0f && y <= 1.0f;
    }
    CHECK(in_range);
    CHECK(std::fabs(4.0 * static_cast<double>(inside) / N - 3.14159265) < 0.03);

    std::vector<double> uniforms(N);
    CALL(curandGenerateUniformDouble(generator, uniforms.data(), N));
    CHECK(std::fabs(mean_of(uniforms) - 0.5) < 0.005);

    std::vector<unsigned int> words(N);
    CALL(curandGenerate(generator, words.data(), N));
    size_t high = 0;
    for (unsigned int word : words) high += word >> 31;
    CHECK(std::fabs(static_cast<double>(high) / N - 0.5) < 0.01);

    std::vector<unsigned int> counts(N);
    CALL(curandGeneratePoisson(generator, counts.data(), N, 12.5));
    std::vector<double> as_doubles(counts.begin(), counts.end());
    CHECK(std::fabs(mean_of(as_doubles) - 12.5) < 0.06);
    CALL(curandDestroyGenerator(generator));
}

}  // namespace

int main() {
    for (curandRngType_t type : {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_PHILOX4_32_10})
        estimate(type);
    return 0;
}
