// The numbers of the drop-in are those of tandem.h from the key of the generator's type, and its habits are cuRAND's.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "curand/curand_library.hpp"
#include "tandem/tandem.h"

namespace tandem::test {
namespace {

constexpr int TYPES[] = {0, 101, 121, 141, 142, 161};
constexpr int XORWOW = 101;
constexpr std::size_t N = 1001;

const CurandLibrary& library() {
    static const CurandLibrary loaded(TANDEM_TEST_CURAND);
    return loaded;
}

/// The purpose that the documentation gives for a type.
uint64_t purpose_of(int type) { return 0x637552414e440000ull + static_cast<uint64_t>(type); }

/// A host generator of the drop-in and the generator of tandem.h that it should equal.
class Pair {
  public:
    Pair(int type, unsigned long long seed) {
        EXPECT_EQ(library().CreateGeneratorHost(&curand, type), 0);
        // A new generator has seed 0.
        const int seeded = seed == 0 ? 0 : library().SetPseudoRandomGeneratorSeed(curand, seed);
        EXPECT_EQ(seeded, 0);
        tandemGenerator_t root = nullptr;
        EXPECT_EQ(tandemCreateGeneratorHost(&root, TANDEM_RNG_PSEUDO_DEFAULT), TANDEM_STATUS_SUCCESS);
        EXPECT_EQ(tandemSetPseudoRandomGeneratorSeed(root, seed), TANDEM_STATUS_SUCCESS);
        EXPECT_EQ(tandemSetUniformInterval(root, TANDEM_UNIFORM_OPEN_CLOSED), TANDEM_STATUS_SUCCESS);
        EXPECT_EQ(tandemSubGenerator(root, purpose_of(type), &tandem), TANDEM_STATUS_SUCCESS);
        tandemDestroyGenerator(root);
    }
    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;
    ~Pair() {
        library().DestroyGenerator(curand);
        tandemDestroyGenerator(tandem);
    }

    CurandLibrary::Generator curand = nullptr;
    tandemGenerator_t tandem = nullptr;
};

/// Calls both functions with the arguments after the length; their outputs are to be the same bits.
template <class T, class Curand, class Tandem, class... Arguments>
void expect_equal(const Pair& pair, Curand curand, Tandem tandem, std::size_t n, Arguments... arguments) {
    std::vector<T> ours(n + 1, T{});
    std::vector<T> expected(n + 1, T{});
    EXPECT_EQ(curand(pair.curand, ours.data(), n, arguments...), 0);
    EXPECT_EQ(tandem(pair.tandem, expected.data(), n, arguments...), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(ours, expected);
}

std::vector<uint32_t> words(CurandLibrary::Generator g, std::size_t n) {
    std::vector<uint32_t> out(n);
    EXPECT_EQ(library().Generate(g, out.data(), n), 0);
    return out;
}

void expect_equal_for_every_call(const Pair& pair, std::size_t n) {
    const CurandLibrary& l = library();
    expect_equal<unsigned>(pair, l.Generate, tandemGenerate, n);
    expect_equal<unsigned long long>(pair, l.GenerateLongLong, tandemGenerateLongLong, n);
    expect_equal<float>(pair, l.GenerateUniform, tandemGenerateUniform, n);
    expect_equal<double>(pair, l.GenerateUniformDouble, tandemGenerateUniformDouble, n);
    expect_equal<float>(pair, l.GenerateNormal, tandemGenerateNormal, n, 0.0f, 1.0f);
    expect_equal<double>(pair, l.GenerateNormalDouble, tandemGenerateNormalDouble, n, 5.0, 0.25);
    expect_equal<float>(pair, l.GenerateLogNormal, tandemGenerateLogNormal, n, 1.0f, 0.5f);
    expect_equal<double>(pair, l.GenerateLogNormalDouble, tandemGenerateLogNormalDouble, n, 0.0, 1.0);
    expect_equal<unsigned>(pair, l.GeneratePoisson, tandemGeneratePoisson, n, 7.5);
}

TEST(Values, AreThoseOfTheTypesKey) {
    for (int type : TYPES) {
        for (unsigned long long seed : {0ull, 1ull, ~0ull}) {
            SCOPED_TRACE(testing::Message() << "type " << type << ", seed " << seed);
            const Pair pair(type, seed);
            for (std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{7}, N}) expect_equal_for_every_call(pair, n);
        }
    }
}

TEST(Values, OfTypesDiffer) {
    std::vector<std::vector<uint32_t>> seen;
    for (int type : TYPES) {
        const Pair pair(type, 5);
        seen.push_back(words(pair.curand, 4));
        for (std::size_t i = 0; i + 1 < seen.size(); ++i) EXPECT_NE(seen[i], seen.back()) << "type " << type;
    }
    const Pair fallback(100, 5);
    EXPECT_EQ(words(fallback.curand, 4), seen[1]);
}

TEST(Values, OfAnOffset) {
    const Pair pair(XORWOW, 9);
    ASSERT_EQ(library().SetGeneratorOffset(pair.curand, 12345), 0);
    ASSERT_EQ(tandemSetGeneratorOffset(pair.tandem, 12345), TANDEM_STATUS_SUCCESS);
    expect_equal_for_every_call(pair, N);
}

TEST(Habits, ASeedKeepsThePosition) {
    const Pair pair(XORWOW, 3);
    words(pair.curand, 77);
    ASSERT_EQ(library().SetPseudoRandomGeneratorSeed(pair.curand, 4), 0);
    const std::vector<uint32_t> got = words(pair.curand, 10);
    const Pair other(XORWOW, 4);
    ASSERT_EQ(library().SetGeneratorOffset(other.curand, 77), 0);
    EXPECT_EQ(got, words(other.curand, 10));
}

TEST(Habits, ASeedRestartsTypesWithoutOffsets) {
    for (int type : {141, 142}) {
        const Pair pair(type, 3);
        words(pair.curand, 77);
        ASSERT_EQ(library().SetPseudoRandomGeneratorSeed(pair.curand, 4), 0);
        const Pair other(type, 4);
        EXPECT_EQ(words(pair.curand, 10), words(other.curand, 10)) << type;
    }
}

TEST(Habits, SeedThenOffsetRestarts) {
    const Pair pair(XORWOW, 3);
    const std::vector<uint32_t> first = words(pair.curand, 10);
    ASSERT_EQ(library().SetPseudoRandomGeneratorSeed(pair.curand, 3), 0);
    ASSERT_EQ(library().SetGeneratorOffset(pair.curand, 0), 0);
    EXPECT_EQ(words(pair.curand, 10), first);
}

TEST(Habits, WhatSetsNothingKeepsThePosition) {
    const CurandLibrary& l = library();
    const Pair pair(XORWOW, 3);
    const Pair quiet(XORWOW, 3);
    words(pair.curand, 5);
    words(quiet.curand, 5);
    EXPECT_EQ(l.GenerateSeeds(pair.curand), 0);
    EXPECT_EQ(l.SetGeneratorOrdering(pair.curand, 103), 0);
    EXPECT_EQ(l.SetStream(pair.curand, nullptr), 0);
    EXPECT_EQ(l.GenerateUniformDouble(pair.curand, nullptr, 0), 0);
    EXPECT_EQ(l.GenerateNormal(pair.curand, nullptr, 3, 0, 1), 104);
    EXPECT_EQ(l.SetQuasiRandomGeneratorDimensions(pair.curand, 2), 103);
    EXPECT_EQ(words(pair.curand, 10), words(quiet.curand, 10));
}

TEST(Habits, UniformsLieAboveZero) {
    const Pair pair(XORWOW, 11);
    std::vector<uint32_t> raw(1 << 16);
    std::vector<float> uniforms(raw.size());
    ASSERT_EQ(library().GenerateUniform(pair.curand, uniforms.data(), uniforms.size()), 0);
    ASSERT_EQ(tandemGenerate(pair.tandem, raw.data(), raw.size()), TANDEM_STATUS_SUCCESS);
    for (std::size_t i = 0; i < raw.size(); ++i) {
        ASSERT_EQ(uniforms[i], std::ldexp(static_cast<float>((1u << 24) - (raw[i] >> 8)), -24)) << i;
    }
}

TEST(Habits, ANegativeDeviationIsItsAbsoluteValue) {
    const CurandLibrary& l = library();
    const Pair pair(XORWOW, 12);
    std::vector<double> out(9);
    std::vector<double> expected(9);
    ASSERT_EQ(l.GenerateNormalDouble(pair.curand, out.data(), 9, 1.0, -2.0), 0);
    ASSERT_EQ(tandemGenerateNormalDouble(pair.tandem, expected.data(), 9, 1.0, 2.0), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(out, expected);
}

TEST(Habits, EveryPoissonMethodIsOne) {
    const Pair pair(XORWOW, 12);
    std::vector<unsigned> out(9);
    std::vector<unsigned> expected(9);
    for (int method = 0; method < 14; ++method) {
        ASSERT_EQ(library().GeneratePoissonMethod(pair.curand, out.data(), 9, 20.0, method), 0);
        ASSERT_EQ(tandemGeneratePoisson(pair.tandem, expected.data(), 9, 20.0), TANDEM_STATUS_SUCCESS);
        EXPECT_EQ(out, expected);
    }
}

}  // namespace
}  // namespace tandem::test
