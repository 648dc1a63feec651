/// The three published digests over millions of draws.

#include <gtest/gtest.h>

#include "core/core_fill.hpp"
#include "support/sha256.hpp"

namespace tandem::test {
namespace {

constexpr uint64_t STARTS[] = {0, 1, 77, 12345, 1ull << 30};

Fill fill_at(Draw draw, uint64_t start, uint64_t n) {
    Fill fill;
    fill.draw = draw;
    fill.key = key_of_seed(2026, 7);
    fill.position = start;
    fill.n = n;
    return fill;
}

void append(std::vector<uint8_t>& to, const std::vector<uint8_t>& more) { to.insert(to.end(), more.begin(), more.end()); }

TEST(PublishedDigests, Normals64) {
    std::vector<uint8_t> all;
    for (const uint64_t start : STARTS) append(all, core_fill(fill_at(Draw::normal64, start, 1000000)));
    EXPECT_EQ(sha256_hex(all), "700ec4d2f4d6b82aaa56c6eff18a4e5919585fdbd093988773383d580ea610d1");
}

TEST(PublishedDigests, Exponentials) {
    std::vector<uint8_t> all;
    for (const uint64_t start : STARTS) {
        uint64_t middle = 0;
        append(all, core_fill(fill_at(Draw::exponential64, start, 1000000), &middle));
        append(all, core_fill(fill_at(Draw::exponential32, middle, 1000000)));
    }
    EXPECT_EQ(sha256_hex(all), "7b12b7c36baf14ab42f7736a5a67925c3c7b1bfafc8d50f078ba1af927044dd5");
}

TEST(PublishedDigests, Normals32) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (const uint64_t start : STARTS) {
        for (const uint8_t byte : core_fill(fill_at(Draw::normal32, start, 1999999))) hash = (hash ^ byte) * 0x100000001b3u;
    }
    EXPECT_EQ(hash, 0xaa1ea656ce73a4fbu);
}

}  // namespace
}  // namespace tandem::test
