#include <cmath>
#include <limits>
#include <thread>

#include "theta/api_suite.hpp"

namespace tandem::test {
namespace {

TEST_P(ThetaApiSuite, CreationRefusesWhatIsNotAllowed) {
    const auto create = GetParam().create;
    EXPECT_EQ(create(nullptr, 12, 1, 1.0f), NO_HANDLE);
    tandemTheta_t sketch = UNTOUCHED;
    for (const uint32_t lg_k : {0u, 4u, 27u, 64u, 0xffffffffu}) EXPECT_EQ(create(&sketch, lg_k, 1, 1.0f), REFUSED) << lg_k;
    EXPECT_NE(std::string(tandemGetLastErrorMessage()).find("lg_k is 4294967295; it must be from 5 to 26"), std::string::npos);
    for (const float p : {0.0f, -0.5f, 1.0000001f, 0x1p-64f, std::nanf(""), std::numeric_limits<float>::infinity()}) {
        EXPECT_EQ(create(&sketch, 12, 1, p), REFUSED) << p;
    }
    EXPECT_EQ(sketch, UNTOUCHED);
    for (const uint32_t lg_k : {5u, 26u}) {
        ASSERT_EQ(create(&sketch, lg_k, 0, 0x1p-63f), SUCCESS);
        EXPECT_EQ(tandemThetaDestroy(sketch), SUCCESS);
    }
}

TEST_P(ThetaApiSuite, HandlesThatAreNoneAreRecognised) {
    const ApiHandle live(GetParam());
    tandemGenerator_t generator = nullptr;
    ASSERT_EQ(GetParam().create_generator(&generator, TANDEM_RNG_PSEUDO_DEFAULT), SUCCESS);
    tandemTheta_t destroyed = nullptr;
    ASSERT_EQ(GetParam().create(&destroyed, 5, 1, 1.0f), SUCCESS);
    ASSERT_EQ(tandemThetaDestroy(destroyed), SUCCESS);
    double real = 7;
    uint64_t integer = 7;
    int flag = 7;
    std::size_t bytes = 7;
    for (const tandemTheta_t bad : {tandemTheta_t{}, destroyed, UNTOUCHED, reinterpret_cast<tandemTheta_t>(generator)}) {
        EXPECT_EQ(tandemThetaDestroy(bad), NO_HANDLE);
        EXPECT_EQ(tandemThetaUpdate(bad, nullptr, 1, static_cast<tandemThetaKey_t>(99), nullptr), NO_HANDLE);
        EXPECT_EQ(tandemThetaUpdateDraws(bad, generator, TANDEM_THETA_KEY_U64, 1), NO_HANDLE);
        EXPECT_EQ(tandemThetaMerge(bad, live, nullptr), NO_HANDLE);
        EXPECT_EQ(tandemThetaIntersect(bad, live, nullptr), NO_HANDLE);
        EXPECT_EQ(tandemThetaANotB(bad, live, nullptr), NO_HANDLE);
        EXPECT_EQ(tandemThetaMerge(live, bad, nullptr), NO_HANDLE);
        EXPECT_EQ(tandemThetaIntersect(live, bad, nullptr), NO_HANDLE);
        EXPECT_EQ(tandemThetaANotB(live, bad, nullptr), NO_HANDLE);
        EXPECT_EQ(tandemThetaReset(bad, nullptr), NO_HANDLE);
        EXPECT_EQ(tandemThetaGetEstimate(bad, &real), NO_HANDLE);
        EXPECT_EQ(tandemThetaGetBounds(bad, 1, &real, &real), NO_HANDLE);
        EXPECT_EQ(tandemThetaGetTheta(bad, &integer), NO_HANDLE);
        EXPECT_EQ(tandemThetaGetRetained(bad, &integer), NO_HANDLE);
        EXPECT_EQ(tandemThetaGetEmpty(bad, &flag), NO_HANDLE);
        expect_refusal(tandemThetaSerialize(bad, nullptr, &bytes), NO_HANDLE, "tandemThetaSerialize", "sketch is ");
    }
    EXPECT_EQ(real, 7);
    EXPECT_EQ(integer, 7u);
    EXPECT_EQ(flag, 7);
    EXPECT_EQ(bytes, 7u);
    for (const tandemGenerator_t bad :
         {tandemGenerator_t{}, reinterpret_cast<tandemGenerator_t>(static_cast<tandemTheta_t>(live))}) {
        expect_refusal(tandemThetaUpdateDraws(live, bad, static_cast<tandemThetaKey_t>(99), 1), NO_HANDLE,
                       "tandemThetaUpdateDraws", "generator is ");
    }
    EXPECT_EQ(tandemDestroyGenerator(reinterpret_cast<tandemGenerator_t>(static_cast<tandemTheta_t>(live))), NO_HANDLE);
    EXPECT_EQ(tandemDestroyGenerator(generator), SUCCESS);
}

TEST_P(ThetaApiSuite, UpdateChecksInOrder) {
    const ApiHandle sketch(GetParam());
    const std::vector<uint8_t> before = sketch.image();
    const uint64_t key = 1;
    const PlacedKeys placed = GetParam().place(&key, 8, 8);
    for (const int type : {-1, 10, 99}) {
        expect_refusal(tandemThetaUpdate(sketch, nullptr, 0, static_cast<tandemThetaKey_t>(type), nullptr), NO_TYPE,
                       "tandemThetaUpdate", "type is " + std::to_string(type));
    }
    EXPECT_EQ(tandemThetaUpdate(sketch, nullptr, 0, TANDEM_THETA_KEY_U64, nullptr), SUCCESS);
    expect_refusal(tandemThetaUpdate(sketch, nullptr, 1, TANDEM_THETA_KEY_U64, nullptr), REFUSED, "tandemThetaUpdate",
                   "keys is null");
    const uint8_t* const bytes = static_cast<const uint8_t*>(placed.get());
    for (const auto& [type, size] : {std::pair{TANDEM_THETA_KEY_U64, 8},
                                     {TANDEM_THETA_KEY_F64, 8},
                                     {TANDEM_THETA_KEY_I32, 4},
                                     {TANDEM_THETA_KEY_F32, 4},
                                     {TANDEM_THETA_KEY_U16, 2}}) {
        expect_refusal(tandemThetaUpdate(sketch, bytes + size / 2, 1, type, nullptr), REFUSED, "tandemThetaUpdate",
                       "it must be a multiple of the key's " + std::to_string(size) + " bytes");
    }
    EXPECT_EQ(sketch.image(), before);
    EXPECT_EQ(tandemThetaUpdate(sketch, bytes + 1, 1, TANDEM_THETA_KEY_U8, GetParam().stream), SUCCESS);
    EXPECT_NE(sketch.image(), before);
}

TEST_P(ThetaApiSuite, DrawsMoveTheGeneratorAsAFillDoes) {
    const ApiHandle sketch(GetParam());
    tandemGenerator_t generator = nullptr;
    ASSERT_EQ(GetParam().create_generator(&generator, TANDEM_RNG_PSEUDO_DEFAULT), SUCCESS);
    ASSERT_EQ(tandemSetStream(generator, GetParam().stream), SUCCESS);
    const auto position = [&] {
        uint64_t bits = ~uint64_t{0};
        EXPECT_EQ(tandemGetPosition(generator, &bits), SUCCESS);
        return bits;
    };
    const std::vector<uint8_t> before = sketch.image();
    ASSERT_EQ(tandemSetPosition(generator, 5), SUCCESS);
    EXPECT_EQ(tandemThetaUpdateDraws(sketch, generator, static_cast<tandemThetaKey_t>(10), 1), NO_TYPE);
    expect_refusal(tandemThetaUpdateDraws(sketch, generator, TANDEM_THETA_KEY_U32, uint64_t{1} << 59), REFUSED,
                   "tandemThetaUpdateDraws", "n is 576460752303423488");
    EXPECT_EQ(position(), 5u);
    EXPECT_EQ(tandemThetaUpdateDraws(sketch, generator, TANDEM_THETA_KEY_F32, 0), SUCCESS);
    EXPECT_EQ(position(), 32u);
    EXPECT_EQ(sketch.image(), before);
    EXPECT_EQ(tandemThetaUpdateDraws(sketch, generator, TANDEM_THETA_KEY_I8, 3), SUCCESS);
    EXPECT_EQ(position(), 56u);
    EXPECT_EQ(tandemThetaUpdateDraws(sketch, generator, TANDEM_THETA_KEY_F64, 2), SUCCESS);
    EXPECT_EQ(position(), 192u);
    EXPECT_NE(sketch.image(), before);
    EXPECT_EQ(tandemDestroyGenerator(generator), SUCCESS);
}

// Uniforms count as the generator's setting makes them: [0, 1), or their reflection.
TEST_P(ThetaApiSuite, DrawsFollowTheUniformInterval) {
    const ApiHandle closed(GetParam()), open(GetParam()), stored(GetParam());
    tandemGenerator_t generator = nullptr;
    ASSERT_EQ(tandemCreateGeneratorHost(&generator, TANDEM_RNG_PSEUDO_DEFAULT), SUCCESS);
    ASSERT_EQ(tandemThetaUpdateDraws(closed, generator, TANDEM_THETA_KEY_F32, 1000), SUCCESS);
    ASSERT_EQ(tandemSetUniformInterval(generator, TANDEM_UNIFORM_OPEN_CLOSED), SUCCESS);
    ASSERT_EQ(tandemSetPosition(generator, 0), SUCCESS);
    ASSERT_EQ(tandemThetaUpdateDraws(open, generator, TANDEM_THETA_KEY_F32, 1000), SUCCESS);
    ASSERT_EQ(tandemSetPosition(generator, 0), SUCCESS);
    std::vector<float> uniforms(1000);
    ASSERT_EQ(tandemGenerateUniform(generator, uniforms.data(), uniforms.size()), SUCCESS);
    const PlacedKeys placed = GetParam().place(uniforms.data(), 4000, 4);
    ASSERT_EQ(tandemThetaUpdate(stored, placed.get(), 1000, TANDEM_THETA_KEY_F32, GetParam().stream), SUCCESS);
    EXPECT_EQ(open.image(), stored.image());
    EXPECT_NE(closed.image(), stored.image());
    EXPECT_EQ(tandemDestroyGenerator(generator), SUCCESS);
}

using Operation = tandemStatus_t (*)(tandemTheta_t, tandemTheta_t, CUstream_st*);
const std::pair<Operation, const char*> OPERATIONS[] = {{tandemThetaMerge, "tandemThetaMerge"},
                                                        {tandemThetaIntersect, "tandemThetaIntersect"},
                                                        {tandemThetaANotB, "tandemThetaANotB"}};

TEST_P(ThetaApiSuite, SeedsMustAgreeWhereBothSidesCount) {
    const ApiHandle ours(GetParam(), 1), theirs(GetParam(), 2), none(GetParam(), 2);
    ours.with(0, 100);
    theirs.with(0, 100);
    const std::vector<uint8_t> before = ours.image();
    for (const auto& [operation, name] : OPERATIONS) {
        expect_refusal(operation(ours, theirs, GetParam().stream), REFUSED, name, "other is a sketch of seed 2");
        EXPECT_EQ(ours.image(), before);
    }
    EXPECT_EQ(tandemThetaMerge(ours, none, GetParam().stream), SUCCESS);
    EXPECT_EQ(tandemThetaANotB(ours, none, GetParam().stream), SUCCESS);
    EXPECT_EQ(ours.image(), before);
    EXPECT_EQ(tandemThetaIntersect(ours, none, GetParam().stream), SUCCESS);
    EXPECT_EQ(ours.image().size(), 8u);
    EXPECT_EQ(tandemThetaIntersect(ours, theirs, GetParam().stream), SUCCESS);  // empty: whatever the other is
    EXPECT_EQ(tandemThetaANotB(ours, theirs, GetParam().stream), SUCCESS);
    EXPECT_EQ(tandemThetaMerge(ours, theirs, GetParam().stream), REFUSED);
    EXPECT_EQ(ours.image().size(), 8u);
}

TEST_P(ThetaApiSuite, OperationVectorsThatAreRefused) {
    int refused = 0;
    for (const ThetaOperations& c : load_theta_operations()) {
        if (!c.united.refused) continue;
        ASSERT_TRUE(c.intersection.refused && c.difference.refused);
        const auto sketch = [&](std::size_t i) {
            auto made = GetParam().make(GetParam(), {c.operands[i].lg_k, c.operands[i].seed, c.operands[i].p});
            offer(*made, c.operands[i].rule.keys());
            const std::vector<uint8_t> image = made->image();
            tandemTheta_t handle = nullptr;
            EXPECT_EQ(tandemThetaDeserializeHost(&handle, image.data(), image.size(), 12, c.operands[i].seed), SUCCESS);
            return ThetaSketch(handle);
        };
        const ThetaSketch a = sketch(0), b = sketch(1);
        for (const auto& [operation, name] : OPERATIONS) EXPECT_EQ(operation(a.get(), b.get(), nullptr), REFUSED) << name;
        ++refused;
    }
    EXPECT_EQ(refused, 1);
}

TEST_P(ThetaApiSuite, ASketchMayBeItsOwnOperand) {
    for (const uint64_t n : {uint64_t{0}, uint64_t{20}, uint64_t{5000}}) {
        const ApiHandle sketch(GetParam());
        sketch.with(0, n);
        const std::vector<uint8_t> before = sketch.image();
        EXPECT_EQ(tandemThetaMerge(sketch, sketch, GetParam().stream), SUCCESS);
        EXPECT_EQ(sketch.image(), before);
        EXPECT_EQ(tandemThetaIntersect(sketch, sketch, GetParam().stream), SUCCESS);
        EXPECT_EQ(sketch.image(), before);
        EXPECT_EQ(tandemThetaANotB(sketch, sketch, GetParam().stream), SUCCESS);
        uint64_t retained = 7;
        EXPECT_EQ(tandemThetaGetRetained(sketch, &retained), SUCCESS);
        EXPECT_EQ(retained, 0u);
        int empty = 7;
        EXPECT_EQ(tandemThetaGetEmpty(sketch, &empty), SUCCESS);
        EXPECT_EQ(empty, n <= 32 ? 1 : 0);
    }
}

// A host sketch as the operand of a sketch under test, and the other way round.
TEST_P(ThetaApiSuite, OperandsMayLiveElsewhere) {
    const ApiHandle here(GetParam()), all(GetParam());
    here.with(0, 300);
    all.with(0, 500);
    tandemTheta_t there = nullptr;
    ASSERT_EQ(tandemThetaCreateHost(&there, 5, DEFAULT_THETA_SEED, 1.0f), SUCCESS);
    std::vector<uint64_t> keys(300);
    for (uint64_t i = 0; i < keys.size(); ++i) keys[i] = 200 + i;
    ASSERT_EQ(tandemThetaUpdate(there, keys.data(), keys.size(), TANDEM_THETA_KEY_U64, nullptr), SUCCESS);
    EXPECT_EQ(tandemThetaMerge(there, here, GetParam().stream), SUCCESS);
    EXPECT_EQ(tandemThetaMerge(here, there, GetParam().stream), SUCCESS);
    EXPECT_EQ(here.image(), all.image());
    EXPECT_EQ(tandemThetaANotB(here, there, GetParam().stream), SUCCESS);
    uint64_t retained = 7;
    EXPECT_EQ(tandemThetaGetRetained(here, &retained), SUCCESS);
    EXPECT_EQ(retained, 0u);
    EXPECT_EQ(tandemThetaDestroy(there), SUCCESS);
}

TEST_P(ThetaApiSuite, ThreadsShareSketches) {
    constexpr uint64_t THREADS = 4, CALLS = 20, N = 500;
    const ApiHandle a(GetParam()), b(GetParam()), all(GetParam());
    std::vector<std::thread> threads;
    for (uint64_t t = 0; t < THREADS; ++t) {
        threads.emplace_back([&, t] {
            for (uint64_t call = 0; call < CALLS; ++call) {
                (t % 2 == 0 ? a : b).with((t * CALLS + call) * N, N);
                EXPECT_EQ(tandemThetaMerge(t % 2 == 0 ? a : b, t % 2 == 0 ? b : a, GetParam().stream), SUCCESS);
                double estimate = -1;
                EXPECT_EQ(tandemThetaGetEstimate(a, &estimate), SUCCESS);
                EXPECT_GE(estimate, 0);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(tandemThetaMerge(a, b, GetParam().stream), SUCCESS);
    EXPECT_EQ(a.image(), all.with(0, THREADS * CALLS * N).image());
}

}  // namespace
}  // namespace tandem::test
