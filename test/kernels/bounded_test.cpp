/// Bounded fills of every special range in every output width.

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "kernels/fill_batch.hpp"

namespace tandem::test {
namespace {

constexpr uint64_t FULL = 0;  // in the lists below: 2^width, and apart from that the range 0

std::vector<uint64_t> special_ranges(int width) {
    const uint64_t top = uint64_t{1} << (width - 1);
    const uint64_t last = top + (top - 1);
    std::set<uint64_t> ranges = {FULL, 3, top + 1, top + top / 2, last - 1, last};
    for (int shift = 0; shift < width; ++shift) {
        const uint64_t power = uint64_t{1} << shift;
        ranges.insert({power, power + 1});
        if (power > 1) ranges.insert(power - 1);
    }
    return {ranges.begin(), ranges.end()};
}

void check(Draw draw, int width, std::initializer_list<uint32_t> sizes) {
    std::mt19937_64 random(777);
    FillBatch batch;
    for (const uint64_t range : special_ranges(width)) {
        for (const uint32_t bytes : sizes) {
            for (const bool full : {false, true}) {
                if (full && range != FULL) continue;
                Fill fill;
                fill.draw = draw;
                fill.element_bytes = bytes;
                fill.full_range = full;
                fill.range = range;
                fill.low = random() & 1 ? random() : 0;
                for (uint32_t& w : fill.key.w) w = static_cast<uint32_t>(random());
                fill.chunk_length = 1u << random() % 8;
                fill.position = random() >> 20;
                fill.n = 1 + random() % 900;
                batch.add(fill, random() % 16 * bytes);
            }
        }
    }
    batch.run();
}

TEST(KernelBounded, From32BitDraws) {
    if (const std::string missing = gpus_missing(1); !missing.empty()) GTEST_SKIP() << missing;
    check(Draw::below32, 32, {1, 2, 4, 8});
}

TEST(KernelBounded, From64BitDraws) {
    if (const std::string missing = gpus_missing(1); !missing.empty()) GTEST_SKIP() << missing;
    check(Draw::below64, 64, {1, 2, 4, 8});
}

/// Rejections that go to lists: a tile's many, its few and its none, and lists of several thousand tiles.
TEST(KernelBounded, FewRejections) {
    if (const std::string missing = gpus_missing(1); !missing.empty()) GTEST_SKIP() << missing;
    std::mt19937_64 random(779);
    FillBatch batch;
    for (const uint64_t range : {(uint64_t{1} << 24) + 1, uint64_t{1000003}, (uint64_t{1} << 23) + 1}) {
        for (const uint32_t bytes : {1u, 4u, 8u}) {
            for (const uint32_t k : {1u, 2u, 8u, 32u, 64u}) {
                Fill fill;
                fill.draw = Draw::below32;
                fill.element_bytes = bytes;
                fill.range = range;
                for (uint32_t& w : fill.key.w) w = static_cast<uint32_t>(random());
                fill.chunk_length = k;
                fill.position = random() >> 20;
                fill.n = (k == 32 ? 4000000 : 300000) + random() % 1000;
                batch.add(fill, random() % 16 * bytes, Oracle::engine);
            }
        }
    }
    batch.run();
}

/// About a draw in 129 rejected, the most that the lists of the direct kernel take, at chunk lengths that make them long; and
/// half of them.
TEST(KernelBounded, ManyRejections) {
    if (const std::string missing = gpus_missing(1); !missing.empty()) GTEST_SKIP() << missing;
    std::mt19937_64 random(778);
    FillBatch batch;
    for (const uint64_t range : {uint64_t{18302628885633695745u}, (uint64_t{1} << 63) + 1}) {
        for (const uint32_t k : {32u, 64u, 128u}) {
            for (const uint64_t tiles : {1u, 3u, 1025u}) {
                Fill fill;
                fill.draw = Draw::below64;
                fill.element_bytes = 8;
                fill.range = range;
                for (uint32_t& w : fill.key.w) w = static_cast<uint32_t>(random());
                fill.chunk_length = k;
                fill.position = random() % 1000 * 32 * k * 128;
                fill.n = uint64_t{64} * k * tiles;
                batch.add(fill, 0, Oracle::engine);
            }
        }
    }
    batch.run();
}

}  // namespace
}  // namespace tandem::test
