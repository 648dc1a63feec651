/// The cuRAND-style functions and the refusals of the algorithms: all of it host code, so no GPU is needed.

#include <gtest/gtest.h>

#include <string>

#include "tandem/algorithm.cuh"
#include "tandem/core/laws.hpp"
#include "tandem/device.cuh"

namespace tandem::test {
namespace {

constexpr uint64_t SEED = 0x123456789abcdefull;

template <class S>
class CurandStyle : public testing::Test {};
using States = testing::Types<tandemState_t, tandemRowState_t>;
TYPED_TEST_SUITE(CurandStyle, States, );

Rng child(uint64_t subsequence, uint64_t offset) { return Rng(split_key(key_of_seed(SEED, 0), subsequence), 32 * offset); }

TYPED_TEST(CurandStyle, InitIsAChildAtAnOffset) {
    for (const uint64_t subsequence : {0ull, 1ull, 2ull, 1ull << 40, ~0ull}) {
        for (const uint64_t offset : {0ull, 1ull, 5ull, 1ull << 40, (1ull << 58) - 1}) {
            TypeParam state;
            tandem_init(SEED, subsequence, offset, &state);
            Rng rng = child(subsequence, offset);
            for (int i = 0; i < 70; ++i) ASSERT_EQ(tandem(&state), rng.urand()) << subsequence << " " << offset << " " << i;
        }
    }
}

TYPED_TEST(CurandStyle, SkipsDrawsAndSubsequences) {
    TypeParam state;
    tandem_init(SEED, 7, 3, &state);
    skipahead(1001, &state);
    EXPECT_EQ(state.position(), 32u * 1004);
    EXPECT_EQ(tandem(&state), child(7, 1004).urand());
    skipahead_sequence(5, &state);
    EXPECT_EQ(tandem(&state), child(12, 1005).urand());
    skipahead_sequence(1, &state);
    skipahead(0, &state);
    EXPECT_EQ(tandem(&state), child(13, 1006).urand());
}

TYPED_TEST(CurandStyle, DrawsAreThoseOfRngAndMoveAsDocumented) {
    TypeParam state;
    tandem_init(SEED, 1, 0, &state);
    Rng rng = child(1, 0);
    const ChoiceTable table = poisson_table(10.0);
    const ChoiceView view = table.view();
    const auto used = [&](uint64_t draws) {
        EXPECT_EQ(state.position(), rng.position());
        const uint64_t bits = rng.position();
        EXPECT_TRUE(rng.set_position(0));
        EXPECT_TRUE(state.set_position(0));
        EXPECT_EQ(bits, 32 * draws);
    };
    const auto pair = [&](float2 found) {
        const Pair<float> z = rng.normalf2();
        EXPECT_EQ(found.x, z.x);
        EXPECT_EQ(found.y, z.y);
    };
    EXPECT_EQ(tandem_uniform(&state), rng.frand());
    used(1);
    EXPECT_EQ(tandem_uniform_double(&state), rng.drand());
    used(2);
    EXPECT_EQ(tandem_normal(&state), rng.normalf());
    used(2);
    EXPECT_EQ(tandem_normal_double(&state), rng.normal());
    used(2);
    EXPECT_EQ(tandem_log_normal(&state, 0.5f, 2.0f), rng.lognormalf(0.5f, 2.0f));
    used(2);
    EXPECT_EQ(tandem_log_normal_double(&state, 0.5, 2.0), rng.lognormal(0.5, 2.0));
    used(2);
    EXPECT_EQ(tandem_exponential(&state), rng.exponentialf());
    used(1);
    EXPECT_EQ(tandem_exponential_double(&state), rng.exponential());
    used(2);
    EXPECT_EQ(tandem_below(&state, 1000), rng.urand(1000));
    used(1);
    EXPECT_EQ(tandem_discrete(&state, view), rng.choice(view));
    used(2);
    const tandemDistributionView_t c_view{view.cut, view.alias, view.capacity, view.m, view.low};
    EXPECT_EQ(tandem_discrete(&state, c_view), rng.choice(view));
    used(2);

    const uint4 words = tandem4(&state);
    for (const uint32_t word : {words.x, words.y, words.z, words.w}) EXPECT_EQ(word, rng.urand());
    used(4);
    const float2 u2 = tandem_uniform2(&state);
    for (const float u : {u2.x, u2.y}) EXPECT_EQ(u, rng.frand());
    used(2);
    const float4 u4 = tandem_uniform4(&state);
    for (const float u : {u4.x, u4.y, u4.z, u4.w}) EXPECT_EQ(u, rng.frand());
    used(4);
    const double2 d2 = tandem_uniform2_double(&state);
    for (const double u : {d2.x, d2.y}) EXPECT_EQ(u, rng.drand());
    used(4);
    pair(tandem_normal2(&state));
    used(2);
    const float4 z4 = tandem_normal4(&state);
    pair(make_float2(z4.x, z4.y));
    pair(make_float2(z4.z, z4.w));
    used(4);
    const double2 z2 = tandem_normal2_double(&state);
    for (const double z : {z2.x, z2.y}) EXPECT_EQ(z, rng.normal());
    used(4);
    const float2 l2 = tandem_log_normal2(&state, 0.5f, 2.0f);
    const Pair<float> z = rng.normalf2();
    EXPECT_EQ(l2.x, lognormal_of(z.x, 0.5f, 2.0f));
    EXPECT_EQ(l2.y, lognormal_of(z.y, 0.5f, 2.0f));
    used(2);
    const float4 l4 = tandem_log_normal4(&state, 0.0f, 1.0f);
    for (const Pair<float> l : {Pair<float>{l4.x, l4.y}, Pair<float>{l4.z, l4.w}}) {
        const Pair<float> normals = rng.normalf2();
        EXPECT_EQ(l.x, lognormal_of(normals.x, 0.0f, 1.0f));
        EXPECT_EQ(l.y, lognormal_of(normals.y, 0.0f, 1.0f));
    }
    used(4);
    const double2 ld2 = tandem_log_normal2_double(&state, 0.5, 2.0);
    for (const double l : {ld2.x, ld2.y}) EXPECT_EQ(l, rng.lognormal(0.5, 2.0));
    used(4);
}

TEST(CurandStyleChunks, DrawsWorkOnEveryGenerator) {
    ChunkRng run(Key{{1, 2, 3, 4}}, 9), same(Key{{1, 2, 3, 4}}, 9);
    EXPECT_EQ(tandem_uniform(&run), same.frand());
    EXPECT_EQ(tandem_normal_double(&run), same.normal());
}

struct Plus {
    template <class V>
    __host__ __device__ V operator()(V a, V b) const {
        return a + b;
    }
};
struct Same {
    template <class V>
    __host__ __device__ V operator()(const V& value) const {
        return value;
    }
};
struct Ignore {
    template <class V>
    __device__ void operator()(const V&) const {}
};

template <class Call>
void expect_refusal(const char* word, Call call) {
    try {
        call();
        ADD_FAILURE() << "not refused: " << word;
    } catch (const error& e) {
        EXPECT_EQ(e.status(), TANDEM_STATUS_OUT_OF_RANGE) << e.what();
        EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    }
}

const Key KEY{{1, 2, 3, 4}};

TEST(AlgorithmRefusals, WrongArgumentsNameThemselves) {
    std::size_t bytes = 0;
    float out = 0;
    double storage[64];
    expect_refusal("chunk length", [&] { for_each(uniform<float>(KEY, 0, 33), 1, Ignore{}); });
    expect_refusal("chunk length", [&] { for_each(uniform<float>(KEY, 0, 131072), 0, Ignore{}); });
    expect_refusal("stddev", [&] { for_each(normal<double>(KEY, 0, 32, 0.0, -1.0), 0, Ignore{}); });
    expect_refusal("scale", [&] { for_each(exponential<float>(KEY, 0, 32, 0.0f), 0, Ignore{}); });
    expect_refusal("2^32", [&] { for_each(below<uint32_t>(1ull << 33, KEY), 0, Ignore{}); });
    expect_refusal("table", [&] { for_each(choice(ChoiceView{}, KEY), 0, Ignore{}); });
    expect_refusal("2^64", [&] { for_each(uniform<uint32_t>(KEY, ~0ull - 63), 2, Ignore{}); });
    expect_refusal("2^64", [&] { for_each(uniform<uint64_t>(KEY, 0), 1ull << 58, Ignore{}); });
    expect_refusal("2^64", [&] { for_each(uniform<uint64_t>(KEY, ~0ull), 0, Ignore{}); });
    expect_refusal("out is null", [&] { transform(uniform<float>(KEY), 1, static_cast<float*>(nullptr), Same{}); });
    reduce(nullptr, bytes, uniform<float>(KEY), 1u << 20, &out, 0.0f, Plus{});
    EXPECT_GT(bytes, 0u);
    bytes = 1;
    expect_refusal("temp has 1 bytes", [&] { reduce(storage, bytes, uniform<float>(KEY), 10, &out, 0.0f, Plus{}); });
    bytes = sizeof storage - 8;
    expect_refusal("out is null",
                   [&] { reduce(storage, bytes, uniform<float>(KEY), 10, static_cast<float*>(nullptr), 0.0f, Plus{}); });
}

TEST(AlgorithmRefusals, NothingToDoLaunchesNothingAndMovesAsTheFill) {
    EXPECT_EQ(for_each(uniform<uint64_t>(KEY, 5), 0, Ignore{}), 64u);
    EXPECT_EQ(for_each(exponential<double>(KEY, 5), 0, Ignore{}), 5u);
    EXPECT_EQ(for_each(normal<float>(KEY, 5), 0, Ignore{}), 5u);
    EXPECT_EQ(transform(uniform<bool>(KEY, 5), 0, static_cast<bool*>(nullptr), Same{}), 5u);
    std::size_t bytes = 0;
    EXPECT_EQ(reduce(nullptr, bytes, normal<float>(KEY, 5), 3, static_cast<float*>(nullptr), 0.0f, Plus{}), 32u + 4 * 32);
}

}  // namespace
}  // namespace tandem::test
