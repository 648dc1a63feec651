#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tandem/theta.hpp"
#include "theta/host_kind.hpp"
#include "theta/large_suite.hpp"

namespace tandem::test {
namespace {

const SketchKind HOST_HANDLES{"handles", nothing_missing,       make_api_sketch,          place_on_host,
                              nullptr,   tandemThetaCreateHost, tandemCreateGeneratorHost};

INSTANTIATE_TEST_SUITE_P(Host, ThetaSuite, ::testing::Values(HOST_HANDLES), sketch_kind_name);
INSTANTIATE_TEST_SUITE_P(Host, ThetaApiSuite, ::testing::Values(HOST_HANDLES), sketch_kind_name);
INSTANTIATE_TEST_SUITE_P(Host, ThetaLarge, ::testing::Values(LargeCase{HOST_HANDLES, 20, 23}), large_case_name);

// Bytes that are allocated now.
std::size_t allocated_bytes() {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

TEST(ThetaHost, ARestingSketchOwnsItsHashesOnly) {
    constexpr std::size_t SKETCHES = 200, K = 1 << 10;
    std::vector<uint64_t> keys(20000);
    for (uint64_t i = 0; i < keys.size(); ++i) keys[i] = i;
    const auto make = [&] {
        ThetaSketch sketch = ThetaSketch::host(10);
        sketch.update(keys.data(), keys.size());
        sketch.update(keys.data(), 1);
        return sketch;
    };
    static_cast<void>(make());
    std::vector<ThetaSketch> sketches;
    sketches.reserve(SKETCHES);
    const std::size_t before = allocated_bytes();
    for (std::size_t i = 0; i < SKETCHES; ++i) sketches.push_back(make());
    EXPECT_LT(allocated_bytes(), before + SKETCHES * (K * sizeof(uint64_t) + 512));
    for (ThetaSketch& sketch : sketches) sketch.reset();
    EXPECT_LT(allocated_bytes(), before + SKETCHES * 512);
}

TEST(ThetaHost, CreateAndDestroyLoopsLeaveMemoryFlat) {
    const std::vector<uint64_t> keys(1000, 7);
    const auto loop = [&](int turns) {
        for (int i = 0; i < turns; ++i) {
            ThetaSketch sketch = ThetaSketch::host(12);
            sketch.update(keys.data(), keys.size());
            const std::vector<unsigned char> image = sketch.serialize();
            sketch.merge(ThetaSketch::host_from(image.data(), image.size()));
            EXPECT_THROW(ThetaSketch::host(4), error);
            EXPECT_THROW(ThetaSketch::host_from(image.data(), image.size() - 1), error);
        }
    };
    loop(50);
    const std::size_t before = allocated_bytes();
    loop(1000);
    EXPECT_LT(allocated_bytes(), before + 16384);
}

TEST(ThetaHost, SketchesWorkInAForkedChild) {
    constexpr std::size_t N = 1 << 21;  // enough for threads of its own
    Generator generator = Generator::host();
    ThetaSketch sketch = ThetaSketch::host(10);
    sketch.update_draws<uint64_t>(generator, N);
    const std::vector<unsigned char> before = sketch.serialize();
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        alarm(60);
        bool good = sketch.serialize() == before;
        generator.set_position(0);
        sketch.update_draws<uint64_t>(generator, N);
        ThetaSketch fresh = ThetaSketch::host(10);
        generator.set_position(0);
        fresh.update_draws<uint64_t>(generator, N);
        good = good && sketch.serialize() == before && fresh.serialize() == before;
        _exit(good ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_EQ(sketch.serialize(), before);
}

TEST(ThetaHost, WhatNeedsAGpuSaysSo) {
    tandemGenerator_t generator = nullptr;
    if (tandemCreateGenerator(&generator, TANDEM_RNG_PSEUDO_DEFAULT) == TANDEM_STATUS_SUCCESS) {
        EXPECT_EQ(tandemDestroyGenerator(generator), TANDEM_STATUS_SUCCESS);
        GTEST_SKIP() << "this machine has a GPU";
    }
    const tandemTheta_t before = reinterpret_cast<tandemTheta_t>(uintptr_t{16});
    tandemTheta_t sketch = before;
    EXPECT_EQ(tandemThetaCreate(&sketch, 12, 1, 1.0f), TANDEM_STATUS_INITIALIZATION_FAILED);
    const std::vector<unsigned char> image = ThetaSketch::host().serialize();
    EXPECT_EQ(tandemThetaDeserialize(&sketch, image.data(), image.size(), 12, 9001), TANDEM_STATUS_INITIALIZATION_FAILED);
    EXPECT_EQ(tandemThetaCreate(&sketch, 4, 1, 1.0f), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(tandemThetaCreate(nullptr, 12, 1, 1.0f), TANDEM_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(sketch, before);
}

}  // namespace
}  // namespace tandem::test
