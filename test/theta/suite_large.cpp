/// Updates of many more keys than a large sketch keeps, which cut its table again and again. The expectation is by sorting.

#include <cstring>

#include "theta/device_expected.hpp"
#include "theta/large_suite.hpp"

namespace tandem::test {
namespace {

constexpr uint64_t SEED = DEFAULT_THETA_SEED;
constexpr std::size_t PREAMBLE_BYTES = 24;

/// The hashes of keys that a sketch of n random keys may keep: all below a bound that is a little above the theta to come.
std::vector<uint64_t> low_hashes(const std::vector<uint64_t>& keys, uint64_t k) {
    const auto bound = static_cast<uint64_t>(0x1p63 * 1.02 * static_cast<double>(k) / static_cast<double>(keys.size()));
    std::vector<uint64_t> low;
    low.reserve(k + k / 16);
    for (const uint64_t key : keys) {
        const uint64_t hash = reference_theta_hash(ThetaKey::u64, key, SEED);
        if (hash < bound) low.push_back(hash);
    }
    return low;
}

uint64_t word_at(const std::vector<uint8_t>& image, std::size_t offset) {
    uint64_t word = 0;
    std::memcpy(&word, image.data() + offset, sizeof(word));
    return word;
}

void expect_holds(tandemTheta_t sketch, const api::ThetaState& expected) {
    const std::size_t k = expected.hashes.size();
    uint64_t theta = 0, retained = 0;
    double estimate = 0;
    ASSERT_EQ(tandemThetaGetTheta(sketch, &theta), SUCCESS);
    ASSERT_EQ(tandemThetaGetRetained(sketch, &retained), SUCCESS);
    ASSERT_EQ(tandemThetaGetEstimate(sketch, &estimate), SUCCESS);
    EXPECT_EQ(theta, expected.theta);
    EXPECT_EQ(retained, k);
    EXPECT_EQ(estimate, static_cast<double>(k) / (static_cast<double>(expected.theta) / 0x1p63));
    std::size_t bytes = 0;
    ASSERT_EQ(tandemThetaSerialize(sketch, nullptr, &bytes), SUCCESS);
    ASSERT_EQ(bytes, PREAMBLE_BYTES + k * 8);
    std::vector<uint8_t> image(bytes);
    ASSERT_EQ(tandemThetaSerialize(sketch, image.data(), &bytes), SUCCESS);
    EXPECT_EQ(word_at(image, 16), expected.theta);
    EXPECT_EQ(std::memcmp(image.data() + PREAMBLE_BYTES, expected.hashes.data(), k * 8), 0);
}

TEST_P(ThetaLarge, KeepsTheSmallestHashesOfManyMoreKeys) {
    const LargeCase& large = GetParam();
    if (!large.kind.missing().empty()) GTEST_SKIP() << large.kind.missing();
    const uint64_t k = uint64_t{1} << large.lg_k;
    const std::vector<uint64_t> keys = mixed_keys(uint64_t{1} << large.lg_keys);
    std::vector<uint64_t> low = low_hashes(keys, k);
    ASSERT_GT(low.size(), k);  // or the bound hides what should be kept
    const api::ThetaState expected = expected_state(std::move(low), large.lg_k);

    const ApiHandle sketch(large.kind, SEED, large.lg_k);
    const PlacedKeys placed = large.kind.place(keys.data(), keys.size() * 8, 8);
    for (const char* turn : {"in one update", "and once more, which changes nothing"}) {
        SCOPED_TRACE(turn);
        ASSERT_EQ(tandemThetaUpdate(sketch, placed.get(), keys.size(), TANDEM_THETA_KEY_U64, large.kind.stream), SUCCESS);
        expect_holds(sketch, expected);
    }
}

}  // namespace
}  // namespace tandem::test
