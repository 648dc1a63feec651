#include <algorithm>

#include "theta/api_suite.hpp"

namespace tandem::test {
namespace {

TEST_P(ThetaApiSuite, EstimateAndBoundsVectors) {
    for (const ThetaSketchCase& c : load_theta_sketches()) {
        if (c.rule.n > 100000) continue;
        SCOPED_TRACE(c.name);
        const ThetaKeys keys = c.rule.keys();
        tandemTheta_t handle = nullptr;
        ASSERT_EQ(GetParam().create(&handle, c.lg_k, c.seed, c.p), SUCCESS);
        const ThetaSketch sketch(handle);
        const PlacedKeys placed = GetParam().place(keys.bytes.data(), keys.bytes.size(), theta_key_bytes(keys.kind));
        ASSERT_EQ(tandemThetaUpdate(handle, placed.get(), keys.n, static_cast<tandemThetaKey_t>(keys.kind), GetParam().stream),
                  SUCCESS);
        EXPECT_EQ(sketch.estimate(), c.result.estimate);
        for (uint32_t deviations = 1; deviations <= 3; ++deviations) {
            EXPECT_EQ(sketch.bounds(deviations).lower, c.result.bounds.at(2 * deviations - 2));
            EXPECT_EQ(sketch.bounds(deviations).upper, c.result.bounds.at(2 * deviations - 1));
        }
    }
}

TEST_P(ThetaApiSuite, TheCppObjectMeansTheSame) {
    tandemTheta_t handle = nullptr;
    ASSERT_EQ(GetParam().create(&handle, 5, DEFAULT_THETA_SEED, 1.0f), SUCCESS);
    ThetaSketch first(handle);
    EXPECT_TRUE(first.empty());
    const int32_t key = -1;
    const PlacedKeys placed = GetParam().place(&key, 4, 4);
    first.update(static_cast<const int32_t*>(placed.get()), 1, GetParam().stream);
    first.update(static_cast<const uint8_t*>(placed.get()), 1, GetParam().stream);  // 255 of 8 bits is the same key
    EXPECT_EQ(first.retained(), 1u);
    EXPECT_EQ(first.theta(), MAX_THETA);
    ThetaSketch second(std::move(first));
    EXPECT_EQ(first.get(), nullptr);
    EXPECT_THROW(first.estimate(), error);
    const std::vector<unsigned char> image = second.serialize();
    EXPECT_EQ(ThetaSketch::host_from(image.data(), image.size()).serialize(), image);
    ThetaSketch other = ThetaSketch::host(5);
    Generator generator = Generator::host();
    other.update_draws<uint64_t>(generator, 100);
    EXPECT_EQ(generator.position(), 6400u);
    other.merge(second);
    other.intersect(second);
    EXPECT_EQ(other.retained(), 1u);
    other.a_not_b(second);
    EXPECT_EQ(other.retained(), 0u);
    second.reset(GetParam().stream);
    EXPECT_TRUE(second.empty());
}

// Host sketches share the work among the generator's threads; others take the setting without effect.
TEST_P(ThetaApiSuite, DrawsDoNotDependOnTheNumberOfThreads) {
    constexpr uint64_t N = 100003;
    tandemGenerator_t generator = nullptr;
    ASSERT_EQ(GetParam().create_generator(&generator, TANDEM_RNG_PSEUDO_DEFAULT), SUCCESS);
    ASSERT_EQ(tandemSetStream(generator, GetParam().stream), SUCCESS);
    for (const tandemThetaKey_t type : {TANDEM_THETA_KEY_U64, TANDEM_THETA_KEY_U16, TANDEM_THETA_KEY_F32}) {
        for (const uint32_t lg_k : {5u, 17u}) {
            const ApiHandle one(GetParam(), DEFAULT_THETA_SEED, lg_k);
            for (const uint32_t threads : {1u, 2u, 3u, 7u, 1024u}) {
                const ApiHandle many(GetParam(), DEFAULT_THETA_SEED, lg_k);
                const ApiHandle& sketch = threads == 1 ? one : many;
                ASSERT_EQ(tandemSetHostThreads(generator, threads), SUCCESS);
                ASSERT_EQ(tandemSetPosition(generator, 33), SUCCESS);
                ASSERT_EQ(tandemThetaUpdateDraws(sketch, generator, type, N), SUCCESS);
                EXPECT_EQ(sketch.image(), one.image()) << threads;
            }
        }
    }
    EXPECT_EQ(tandemDestroyGenerator(generator), SUCCESS);
}

TEST_P(ThetaApiSuite, ResultsNeedPlaces) {
    const ApiHandle sketch(GetParam());
    sketch.with(0, 1000);
    double lower = 7, upper = 7;
    EXPECT_EQ(tandemThetaGetEstimate(sketch, nullptr), REFUSED);
    EXPECT_EQ(tandemThetaGetTheta(sketch, nullptr), REFUSED);
    EXPECT_EQ(tandemThetaGetRetained(sketch, nullptr), REFUSED);
    EXPECT_EQ(tandemThetaGetEmpty(sketch, nullptr), REFUSED);
    EXPECT_EQ(tandemThetaGetBounds(sketch, 1, nullptr, &upper), REFUSED);
    EXPECT_EQ(tandemThetaGetBounds(sketch, 1, &lower, nullptr), REFUSED);
    for (const uint32_t deviations : {0u, 4u, 0xffffffffu}) {
        expect_refusal(tandemThetaGetBounds(sketch, deviations, &lower, &upper), REFUSED, "tandemThetaGetBounds",
                       "deviations is " + std::to_string(deviations) + "; it must be 1, 2 or 3");
    }
    EXPECT_EQ(lower, 7);
    EXPECT_EQ(upper, 7);
    EXPECT_EQ(tandemThetaGetBounds(sketch, 3, &lower, &upper), SUCCESS);
    double estimate = 0;
    EXPECT_EQ(tandemThetaGetEstimate(sketch, &estimate), SUCCESS);
    EXPECT_LT(lower, estimate);
    EXPECT_LT(estimate, upper);
}

TEST_P(ThetaApiSuite, SerializeWritesIntoTheRoomThatItIsGiven) {
    const ApiHandle sketch(GetParam());
    sketch.with(0, 1000);
    const std::vector<uint8_t> image = sketch.image();
    EXPECT_EQ(tandemThetaSerialize(sketch, nullptr, nullptr), REFUSED);
    std::vector<uint8_t> room(image.size() + 64, 0xa5);
    EXPECT_EQ(tandemThetaSerialize(sketch, room.data(), nullptr), REFUSED);
    for (const std::size_t small : {std::size_t{0}, std::size_t{8}, image.size() - 1}) {
        std::size_t bytes = small;
        expect_refusal(tandemThetaSerialize(sketch, room.data(), &bytes), REFUSED, "tandemThetaSerialize",
                       "bytes is " + std::to_string(small) + "; the image has " + std::to_string(image.size()));
        EXPECT_EQ(bytes, small);
    }
    EXPECT_EQ(std::count(room.begin(), room.end(), 0xa5), static_cast<std::ptrdiff_t>(room.size()));
    std::size_t bytes = room.size() - 1;
    EXPECT_EQ(tandemThetaSerialize(sketch, room.data() + 1, &bytes), SUCCESS);  // at an odd address
    EXPECT_EQ(bytes, image.size());
    EXPECT_TRUE(std::equal(image.begin(), image.end(), room.begin() + 1));
    EXPECT_EQ(room[0], 0xa5);
    EXPECT_EQ(room[image.size() + 1], 0xa5);
}

TEST_P(ThetaApiSuite, DeserializeChecksInOrder) {
    const bool host = GetParam().create == tandemThetaCreateHost;
    const auto deserialize = host ? tandemThetaDeserializeHost : tandemThetaDeserialize;
    const ApiHandle sketch(GetParam());
    std::vector<uint8_t> image = sketch.with(0, 1000).image();
    tandemTheta_t made = UNTOUCHED;
    EXPECT_EQ(deserialize(nullptr, nullptr, 0, 99, 1), NO_HANDLE);
    EXPECT_EQ(deserialize(&made, image.data(), image.size(), 4, DEFAULT_THETA_SEED), REFUSED);
    EXPECT_EQ(deserialize(&made, nullptr, image.size(), 5, DEFAULT_THETA_SEED), REFUSED);
    EXPECT_EQ(deserialize(&made, image.data(), image.size(), 5, 1), REFUSED);
    EXPECT_EQ(deserialize(&made, image.data(), 0, 5, DEFAULT_THETA_SEED), REFUSED);
    EXPECT_EQ(made, UNTOUCHED);
    ASSERT_EQ(deserialize(&made, image.data(), image.size(), 26, DEFAULT_THETA_SEED), SUCCESS);
    std::fill(image.begin(), image.end(), 0);
    EXPECT_EQ(ThetaSketch(made).serialize(), sketch.image());
}

}  // namespace
}  // namespace tandem::test
