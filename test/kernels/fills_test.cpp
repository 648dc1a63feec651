/// Every draw through the kernels against the scalar reference and the CPU engine: sizes, edges, alignments, positions, cuts.

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <random>

#include "kernels/fill_batch.hpp"
#include "support/reference.hpp"
#include "support/samples.hpp"

namespace tandem::test {
namespace {

class KernelTest : public testing::TestWithParam<DrawSample> {
  protected:
    void SetUp() override {
        if (const std::string missing = gpus_missing(1); !missing.empty()) GTEST_SKIP() << missing;
    }

    uint64_t random(uint64_t below = 0) { return below == 0 ? generator_() : generator_() % below; }

    /// The sample with n elements, a random key and a random place; K is 2^0 .. 2^(log2_k_end - 1).
    Fill anywhere(uint64_t n, uint64_t log2_k_end) {
        Fill fill = GetParam().fill;
        for (uint32_t& w : fill.key.w) w = static_cast<uint32_t>(random());
        fill.chunk_length = 1u << random(log2_k_end);
        fill.position = random() >> (1 + random(50));
        fill.n = n;
        return fill;
    }

    /// An offset of whole elements, below 256 bytes.
    std::size_t random_offset() {
        const std::size_t alignment = element_alignment(GetParam().fill);
        return random(256 / alignment) * alignment;
    }

    FillBatch batch_;

  private:
    std::mt19937_64 generator_{20261130};
};

using KernelFill = KernelTest;
using KernelSanitizer = KernelTest;  // few and small cases, for compute-sanitizer

TEST_P(KernelFill, EverySmallSizeAtRandomPlaces) {
    for (uint64_t n = 1; n <= 70; ++n) {
        for (const uint64_t log2_k_end : {1u, 6u, 11u}) batch_.add(anywhere(n, log2_k_end), random_offset());
    }
    batch_.run();
}

TEST_P(KernelFill, EverySizeAroundEveryEdge) {
    const DrawRule rule = rule_of(GetParam().fill.draw);
    constexpr uint64_t MOST = 40000;
    for (const uint32_t k : {1u, 2u, 8u, 16u, 32u, 64u, 256u}) {
        const uint64_t group = uint64_t{1024} * k;
        // Block, row, rows staged at once, group, tile of four groups, and the tile of small K.
        for (const uint64_t edge : {uint64_t{128}, uint64_t{1024}, uint64_t{1024 * 32}, group, 4 * group, uint64_t{4096 * 32}}) {
            const uint64_t base = random(1 << 20) * (uint64_t{1} << 20);
            for (uint64_t before = 0; before <= 3; ++before) {
                for (uint64_t after = 0; after <= 2; ++after) {
                    Fill fill = anywhere(1, 1);
                    fill.chunk_length = k;
                    fill.position = base + edge - std::min<uint64_t>(before * rule.width, edge);
                    const uint64_t elements = edge / rule.width / rule.components;
                    const bool on = random(2) == 1 && elements <= MOST;  // to the next edge
                    fill.n = std::max<uint64_t>(1, (on ? elements : 0) + before + after);
                    batch_.add(fill, random_offset(), fill.n > 100 ? Oracle::engine : Oracle::reference);
                }
            }
        }
    }
    batch_.run();
}

/// Tiles of a chunk length whose list of misses is dense, and last thread blocks of which only some warps have a tile.
TEST_P(KernelFill, LongListsInPartlyFilledBlocks) {
    for (const uint32_t k : {32u, 64u, 128u, 256u}) {
        const uint64_t tile = uint64_t{32} * k * 128 / rule_of(GetParam().fill.draw).width;
        for (const uint64_t tiles : {uint64_t{1}, uint64_t{3}, uint64_t{5}, uint64_t{1025} * 32 / k}) {
            for (int i = 0; i < 3; ++i) {
                Fill fill = anywhere(tile * tiles / rule_of(GetParam().fill.draw).components, 1);
                fill.chunk_length = k;
                fill.position = random(1000) * 32 * k * 128;
                if (tiles * k > 5000) fill.n = std::min<uint64_t>(fill.n, 600000);
                batch_.add(fill, 0, Oracle::engine);
            }
        }
        batch_.run();
    }
}

TEST_P(KernelFill, EveryAlignmentOfTheOutput) {
    const std::size_t alignment = element_alignment(GetParam().fill);
    for (std::size_t offset = 0; offset < 128; offset += alignment) {
        for (const uint64_t n : {uint64_t{1}, 30 + random(40), 400 + random(800)}) {
            batch_.add(anywhere(n, 7), offset, n > 100 ? Oracle::engine : Oracle::reference);
        }
    }
    batch_.run();
}

TEST_P(KernelFill, EveryAlignmentOfTheStart) {
    const uint64_t width = rule_of(GetParam().fill.draw).width;
    for (uint64_t start = 0; start < 1024; start += std::max<uint64_t>(width, 8)) {
        Fill fill = anywhere(300 + random(800), 7);
        fill.position = fill.position / 1024 * 1024 + start + random(8);
        batch_.add(fill, random_offset(), Oracle::engine);
    }
    batch_.run();
}

TEST_P(KernelFill, LargeFills) {
    for (const uint64_t n : {65535u, 65536u, 123457u, 262144u, 700001u, (1u << 21) + 3}) {
        batch_.add(anywhere(n, 9), random_offset(), Oracle::engine);
        Fill fill = anywhere(n, 1);
        fill.chunk_length = 32;
        batch_.add(fill, random_offset(), Oracle::engine);
    }
    // So many tiles that the misses of normals are finished in segments of a chunk.
    if (GetParam().fill.draw == Draw::normal64) {
        Fill fill = anywhere((1u << 25) + 5 * 32 * 64, 1);
        fill.chunk_length = 32;
        fill.position = random(1000) * 32 * 32 * 128;
        batch_.add(fill, 0, Oracle::engine);
    }
    batch_.run();
}

// From more than a warp a scheduler on, threads of some short fills make two blocks of the stream, in both halves of a chunk.
TEST_P(KernelFill, ShortFillsOfBothHalvesOfChunks) {
    const uint64_t width = rule_of(GetParam().fill.draw).width;
    for (const uint32_t k : {8u, 16u, 32u, 64u}) {
        const uint64_t group = uint64_t{1024} * k;
        for (const uint64_t edge : {uint64_t{0}, uint64_t{1024}, group / 2, group - 128}) {
            for (const uint64_t n : {34000u, 38001u, 43000u}) {
                Fill fill = anywhere(n, 1);
                fill.chunk_length = k;
                fill.position = (1 + random(1 << 20)) * group + edge - width * random(3);
                batch_.add(fill, random_offset(), Oracle::engine);
            }
        }
    }
    batch_.run();
}

TEST_P(KernelFill, LongChunks) {
    for (const uint32_t k : {1024u, 4096u, 65536u}) {
        const uint64_t group = uint64_t{1024} * k;
        for (const uint64_t position : {random(group), 7 * group - 1000, group * random(1 << 20), 4 * group - 128}) {
            for (const uint64_t n : {300u, 20000u}) {
                Fill fill = anywhere(n, 1);
                fill.chunk_length = k;
                fill.position = position;
                batch_.add(fill, random_offset(), Oracle::engine);
            }
        }
    }
    batch_.run();
}

TEST_P(KernelFill, PositionsNearTheirBounds) {
    const DrawRule rule = rule_of(GetParam().fill.draw);
    for (uint64_t n = 2; n <= 80; n += 2) {
        Fill fill = anywhere(n, 11);
        // A fill may end at most one draw before 2^64.
        fill.position = uint64_t{0} - rule.width * (n * rule.components + 1);
        ASSERT_TRUE(fill_span(fill.draw, fill.position, n).ok);
        batch_.add(fill, random_offset());
        fill.position = (uint64_t{1} << 63) - random(rule.width * n);
        batch_.add(fill, random_offset());
        fill.position = (uint64_t{1} << (32 + random(31))) - random(rule.width * n);
        batch_.add(fill, random_offset());
    }
    batch_.run();
}

TEST_P(KernelFill, CutAnywhereEqualsTheWhole) {
    const uint64_t step = rule_of(GetParam().fill.draw).in_pairs ? 2 : 1;
    for (int repeat = 0; repeat < 8; ++repeat) {
        Fill fill = anywhere(700, 6);
        std::vector<uint64_t> cuts;
        for (uint64_t at = step * (1 + random(90)); at < fill.n; at += step * (1 + random(90))) cuts.push_back(at);
        batch_.add_cut(fill, cuts, random_offset());
    }
    // Between any two elements: at, after and between rejections, whichever they are.
    Fill fill = anywhere(90, 6);
    std::vector<uint64_t> cuts;
    for (uint64_t at = step; at < fill.n; at += step) cuts.push_back(at);
    batch_.add_cut(fill, cuts, random_offset());
    batch_.run();
}

TEST_P(KernelFill, CutsAroundMissesEqualTheWhole) {
    const Draw draw = GetParam().fill.draw;
    if (draw != Draw::normal64 && draw != Draw::lognormal64) return;
    for (int repeat = 0; repeat < 3; ++repeat) {
        const Fill fill = anywhere(3000, 6);
        ReferenceNotes notes;
        reference_fill(fill, &notes);
        ASSERT_GT(notes.missed.size(), 3u);
        std::vector<uint64_t> at = notes.missed, after, between;
        for (std::size_t i = 0; i < at.size(); ++i) {
            if (at[i] + 1 < fill.n) after.push_back(at[i] + 1);
            if (i > 0 && at[i] > at[i - 1] + 1) between.push_back((at[i - 1] + at[i] + 1) / 2);
        }
        if (at.front() == 0) at.erase(at.begin());
        batch_.add_cut(fill, at, random_offset());
        batch_.add_cut(fill, after, random_offset());
        batch_.add_cut(fill, between, random_offset());
    }
    batch_.run();
}

TEST_P(KernelSanitizer, SmallFills) {
    for (const uint64_t n : {1u, 37u, 1500u}) batch_.add(anywhere(n, 7), random_offset(), Oracle::engine);
    Fill fill = anywhere(36001, 1);  // of both halves of chunks
    fill.chunk_length = 16;
    batch_.add(fill, random_offset(), Oracle::engine);
    batch_.run();
}

std::string name_of(const testing::TestParamInfo<DrawSample>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Plain, KernelFill, testing::ValuesIn(plain_samples()), name_of);
INSTANTIATE_TEST_SUITE_P(Derived, KernelFill, testing::ValuesIn(derived_samples()), name_of);
INSTANTIATE_TEST_SUITE_P(Plain, KernelSanitizer, testing::ValuesIn(plain_samples()), name_of);
INSTANTIATE_TEST_SUITE_P(Derived, KernelSanitizer, testing::ValuesIn(derived_samples()), name_of);

}  // namespace
}  // namespace tandem::test
