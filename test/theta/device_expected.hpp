#pragma once

/// What sets of device memory must hold, by sorting.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "host_api/theta/set.hpp"
#include "theta/theta_reference.hpp"

namespace tandem::test {

inline api::ThetaState expected_state(std::vector<uint64_t> hashes, uint32_t lg_k, uint64_t theta = MAX_THETA) {
    const auto rejected = [=](uint64_t hash) { return hash == 0 || hash >= theta; };
    hashes.erase(std::remove_if(hashes.begin(), hashes.end(), rejected), hashes.end());
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
    const std::size_t k = std::size_t{1} << lg_k;
    if (hashes.size() > k) {
        theta = hashes[k];
        hashes.resize(k);
    }
    return {false, theta, std::move(hashes)};
}

/// The hashes of n keys in host memory.
inline std::vector<uint64_t> hashes_of(const void* keys, ThetaKey kind, uint64_t n, uint64_t seed) {
    const uint32_t bytes = theta_key_bytes(kind);
    std::vector<uint64_t> hashes(n);
    for (uint64_t i = 0; i < n; ++i) {
        uint64_t bits = 0;
        std::copy_n(static_cast<const uint8_t*>(keys) + i * bytes, bytes, reinterpret_cast<uint8_t*>(&bits));
        hashes[i] = reference_theta_hash(kind, bits, seed);
    }
    return hashes;
}

inline void expect_state(const api::ThetaState& found, const api::ThetaState& expected) {
    EXPECT_EQ(found.empty, expected.empty);
    EXPECT_EQ(found.theta, expected.theta);
    ASSERT_EQ(found.hashes.size(), expected.hashes.size());
    EXPECT_TRUE(found.hashes == expected.hashes);
}

/// Distinct 64-bit keys without a pattern.
inline std::vector<uint64_t> mixed_keys(uint64_t n, uint64_t start = 0) {
    std::vector<uint64_t> keys(n);
    for (uint64_t i = 0; i < n; ++i) {
        uint64_t z = (start + i + 1) * 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        keys[i] = z ^ z >> 31;
    }
    return keys;
}

}  // namespace tandem::test
