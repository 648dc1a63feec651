/* Seeds, offsets and normals with a host generator, in C: what a program does to repeat and to continue a sequence. */

#include <math.h>
#include <string.h>

#include CURAND_HEADER
#include "report.h"

#define N 4096

static unsigned int first[N], second[N], joined[2 * N];
static float normals[N], positive[N];
static double normals64[N], positive64[N];

static double mean_of(const double* values) {
    double sum = 0;
    for (int i = 0; i < N; ++i) sum += values[i];
    return sum / N;
}

static void sequences(curandGenerator_t generator) {
    CALL(curandSetPseudoRandomGeneratorSeed(generator, 99));
    CALL(curandSetGeneratorOffset(generator, 0));
    CALL(curandGenerate(generator, first, N));
    CALL(curandGenerate(generator, second, N));
    CHECK(memcmp(first, second, sizeof(first)) != 0);

    /* Two calls equal one. */
    CALL(curandSetPseudoRandomGeneratorSeed(generator, 99));
    CALL(curandSetGeneratorOffset(generator, 0));
    CALL(curandGenerate(generator, joined, 2 * N));
    CHECK(memcmp(joined, first, sizeof(first)) == 0);
    CHECK(memcmp(joined + N, second, sizeof(second)) == 0);

    /* An offset skips numbers. */
    CALL(curandSetGeneratorOffset(generator, N));
    CALL(curandGenerate(generator, first, N));
    CHECK(memcmp(first, second, sizeof(first)) == 0);

    /* Another seed without an offset goes on from the same place of another sequence. */
    CALL(curandSetPseudoRandomGeneratorSeed(generator, 100));
    CALL(curandGenerate(generator, first, N));
    CALL(curandSetGeneratorOffset(generator, 2 * N));
    CALL(curandGenerate(generator, second, N));
    CHECK(memcmp(first, second, sizeof(first)) == 0);
}

/* Nothing is nothing: parameters are not looked at, and the sequence goes on where it was. */
static void nothing(curandGenerator_t generator) {
    CALL(curandSetGeneratorOffset(generator, 0));
    CALL(curandGenerate(generator, joined, 2));
    CALL(curandSetGeneratorOffset(generator, 0));
    CALL(curandGenerate(generator, first, 1));
    CALL(curandGenerateUniformDouble(generator, NULL, 0));
    CALL(curandGenerateNormalDouble(generator, NULL, 0, 0.0, -1.0));
    CALL(curandGenerateLogNormal(generator, NULL, 0, 0.0f, -1.0f));
    CALL(curandGeneratePoisson(generator, NULL, 0, -1.0));
    CALL(curandGenerateUniform(NULL, NULL, 0));
    CALL(curandGenerate(generator, second, 1));
    CHECK(first[0] == joined[0] && second[0] == joined[1]);
}

/* Names that programs use beside the functions. */
static void through_pointers(struct curandGenerator_st* generator) {
    curandStatus_t(CURANDAPI * generate)(curandGenerator_t, unsigned int*, size_t) = curandGenerate;
    CALL(generate(generator, first, N));
}

static void laws(curandGenerator_t generator) {
    CALL(curandGenerateNormal(generator, normals, N, 10.0f, 2.0f));
    for (int i = 0; i < N; ++i) normals64[i] = (double)normals[i];
    CHECK(fabs(mean_of(normals64) - 10.0) < 0.2);
    CALL(curandGenerateNormalDouble(generator, normals64, N, -3.0, 0.5));
    CHECK(fabs(mean_of(normals64) + 3.0) < 0.05);
    CALL(curandGenerateLogNormal(generator, positive, N, 0.0f, 0.25f));
    for (int i = 0; i < N; ++i) positive64[i] = (double)positive[i];
    CHECK(fabs(mean_of(positive64) - 1.0317) < 0.03);
    CALL(curandGenerateLogNormalDouble(generator, positive64, N, 0.0, 0.25));
    CHECK(fabs(mean_of(positive64) - 1.0317) < 0.03);
    CALL(curandGenerateNormal(generator, normals, N, 7.0f, 0.0f));
    CHECK(normals[0] == 7.0f && normals[N - 1] == 7.0f);
}

static void refusals(curandGenerator_t generator) {
    curandGenerator_t none = NULL;
    CALL(curandCreateGeneratorHost(NULL, CURAND_RNG_PSEUDO_DEFAULT));
    CALL(curandCreateGeneratorHost(&none, (curandRngType_t)7));
    CALL(curandGenerate(NULL, first, N));
    CALL(curandDestroyGenerator(NULL));
    CALL(curandSetGeneratorOrdering(generator, (curandOrdering_t)7));
    CALL(curandGeneratePoisson(generator, first, N, -1.0));
    CALL(curandGenerate(generator, NULL, 0));
    CALL(curandGenerateUniform(generator, NULL, 0));
}

int main(void) {
    curandGenerator_t generator = NULL;
    int version = 0;
    CALL(curandGetVersion(&version));
    CHECK(version >= 10000);
    CALL(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_XORWOW));
    CALL(curandSetStream(generator, NULL));
    sequences(generator);
    nothing(generator);
    through_pointers(generator);
    laws(generator);
    refusals(generator);
    CALL(curandDestroyGenerator(generator));
    return 0;
}
