#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "theta/theta_reference.hpp"

namespace tandem::test {
namespace {

using nlohmann::json;

uint64_t hexadecimal(const json& digits) { return std::stoull(digits.get<std::string>(), nullptr, 16); }

TEST(ThetaCore, HashVectors) {
    const json vectors = json::parse(theta_vectors_text());
    EXPECT_EQ(vectors["hashes"].size(), 86u);
    for (const json& record : vectors["hashes"]) {
        SCOPED_TRACE(record.dump());
        const ThetaKey kind = theta_kind(record["type"]);
        const uint64_t canonical = theta_canonical(kind, hexadecimal(record["bits"]));
        EXPECT_EQ(canonical, hexadecimal(record["canonical"]));
        EXPECT_EQ(theta_hash(canonical, hexadecimal(record["seed"])), hexadecimal(record["hash"]));
        // The reference of the other tests is held to the same values.
        EXPECT_EQ(reference_theta_hash(kind, hexadecimal(record["bits"]), hexadecimal(record["seed"])),
                  hexadecimal(record["hash"]));
    }
}

TEST(ThetaCore, SeedHashVectors) {
    const json vectors = json::parse(theta_vectors_text());
    for (const json& record : vectors["seed_hashes"]) {
        EXPECT_EQ(theta_seed_hash(hexadecimal(record["seed"])), record["seed_hash"].get<uint16_t>());
        EXPECT_EQ(reference_seed_hash(hexadecimal(record["seed"])), record["seed_hash"].get<uint16_t>());
    }
}

TEST(ThetaCore, StartingThetaVectors) {
    const json vectors = json::parse(theta_vectors_text());
    for (const json& record : vectors["starting_theta"]) {
        const float p = std::strtof(record["p"].get<std::string>().c_str(), nullptr);
        EXPECT_TRUE(valid_theta_p(p));
        EXPECT_EQ(theta_start(p), hexadecimal(record["theta64"])) << p;
    }
}

TEST(ThetaCore, SamplingProbabilitiesThatAreRefused) {
    for (const float p : {0.0f, -0.0f, -1.0f, 0x1.fffffep-64f, 0x1p-149f, 0x1.000002p+0f, 2.0f, INFINITY, -INFINITY, NAN, -NAN}) {
        EXPECT_FALSE(valid_theta_p(p)) << p;
    }
    EXPECT_TRUE(valid_theta_p(0x1p-63f));
    EXPECT_EQ(theta_start(0x1p-63f), 1u);
}

// Widening by integers against the machine's own conversion.
TEST(ThetaCore, FloatsAreTheDoublesOfTheirValue) {
    for (uint64_t bits = 0; bits <= 0xffffffffu; bits += 9973) {
        const float value = bit_cast<float>(static_cast<uint32_t>(bits));
        const uint64_t expected = value != value  ? 0x7ff8000000000000u
                                  : value == 0.0f ? 0
                                                  : bit_cast<uint64_t>(static_cast<double>(value));
        ASSERT_EQ(theta_canonical<ThetaKey::f32>(bits), expected) << bits;
    }
    for (uint32_t subnormal = 1; subnormal < 1u << 23; subnormal += 61) {
        ASSERT_EQ(theta_canonical<ThetaKey::f32>(subnormal), bit_cast<uint64_t>(static_cast<double>(bit_cast<float>(subnormal))));
    }
}

TEST(ThetaCore, SignedAndUnsignedTypesShareTheirKeys) {
    EXPECT_EQ(theta_canonical<ThetaKey::u8>(255), ~uint64_t{0});
    EXPECT_EQ(theta_canonical<ThetaKey::u16>(65535), ~uint64_t{0});
    EXPECT_EQ(theta_canonical<ThetaKey::u32>(0xffffffffu), ~uint64_t{0});
    EXPECT_EQ(theta_canonical<ThetaKey::u64>(0xffffffffu), 0xffffffffu);
    EXPECT_EQ(theta_canonical<ThetaKey::i8>(127), 127u);
}

TEST(ThetaCore, TheInvertibleSeedGivesAnyHash) {
    for (const uint64_t hash : {uint64_t{0}, uint64_t{1}, MAX_THETA - 1, MAX_THETA, uint64_t{0x123456789abcdef}}) {
        EXPECT_EQ(theta_hash(theta_key_of_hash(hash), 8), hash);
        EXPECT_EQ(theta_hash(theta_key_of_hash(hash | uint64_t{1} << 63), 8), hash);
    }
}

}  // namespace
}  // namespace tandem::test
