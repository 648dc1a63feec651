#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "host_api/cpu/engine.hpp"
#include "host_api/cpu/targets.hpp"
#include "support/guarded.hpp"
#include "support/reference.hpp"
#include "support/samples.hpp"

namespace tandem::test {
namespace {

/// Every draw on every instruction set of the machine.
class CpuFill : public testing::TestWithParam<std::tuple<cpu::Target, DrawSample>> {
  protected:
    void SetUp() override { cpu::force_target(target()); }
    void TearDown() override {
        cpu::force_target("");
        cpu::stream_from(0);
    }

    std::string target() const { return std::get<0>(GetParam()).name; }
    Fill sample() const { return std::get<1>(GetParam()).fill; }

    Key random_key() {
        Key key{};
        for (uint32_t& w : key.w) w = static_cast<uint32_t>(random());
        return key;
    }

    uint64_t random(uint64_t below = 0) { return below == 0 ? generator_() : generator_() % below; }

    /// Fills and compares with the reference, for the alignment given in elements beyond a multiple of 256 bytes.
    void check(Fill fill, uint64_t offset, std::initializer_list<unsigned> thread_counts) {
        const std::vector<uint8_t> expected = reference_fill(fill);
        for (const unsigned threads : thread_counts) {
            for (const bool stream : {false, true}) {
                cpu::stream_from(stream ? 1 : 0);
                GuardedBuffer buffer(expected.size(), offset * element_alignment(fill));
                fill.out = buffer.data();
                cpu::fill(fill, threads);
                ASSERT_EQ(cpu::last_target(), target());
                ASSERT_TRUE(buffer.intact()) << describe(fill, threads) << (stream ? ", streamed" : "");
                ASSERT_TRUE(buffer.equals(expected)) << describe(fill, threads) << (stream ? ", streamed" : "");
            }
        }
    }

    static std::string describe(const Fill& fill, unsigned threads) {
        return "n " + std::to_string(fill.n) + ", position " + std::to_string(fill.position) + ", K " +
               std::to_string(fill.chunk_length) + ", threads " + std::to_string(threads);
    }

  private:
    std::mt19937_64 generator_{20260731};
};

TEST_P(CpuFill, EverySmallSizeAtRandomPlaces) {
    for (uint64_t n = 1; n <= 300; ++n) {
        for (int repeat = 0; repeat < (n <= 70 ? 3 : 1); ++repeat) {
            Fill fill = sample();
            fill.n = n;
            fill.key = random_key();
            fill.chunk_length = 1u << random(11);
            fill.position = random() >> (1 + random(50));
            ASSERT_NO_FATAL_FAILURE(check(fill, random(256), {1, 1 + static_cast<unsigned>(random(5))}));
        }
    }
}

TEST_P(CpuFill, EverySizeAroundEveryEdge) {
    const DrawRule rule = rule_of(sample().draw);
    for (const uint32_t k : {1u, 2u, 8u, 32u}) {
        const uint64_t group = uint64_t{1024} * k;
        for (const uint64_t edge : {uint64_t{128}, uint64_t{1024}, group, 2 * group}) {
            const uint64_t base = random(1 << 20) * 8 * group;
            for (uint64_t before = 0; before <= 3; ++before) {
                for (uint64_t after = 0; after <= 2; ++after) {
                    Fill fill = sample();
                    fill.key = random_key();
                    fill.chunk_length = k;
                    fill.position = base + edge - std::min<uint64_t>(before * rule.width, edge);
                    const uint64_t elements = edge / rule.width / rule.components;
                    fill.n = std::max<uint64_t>(1, random(2) * elements + before + after);
                    ASSERT_NO_FATAL_FAILURE(check(fill, random(64), {1, 3}));
                }
            }
        }
    }
}

TEST_P(CpuFill, LargeRandomFills) {
    for (int repeat = 0; repeat < 6; ++repeat) {
        Fill fill = sample();
        fill.n = repeat == 0 ? 20000 : 1 + random(20000);
        fill.key = random_key();
        fill.chunk_length = 1u << random(9);
        fill.position = random() >> (1 + random(50));
        ASSERT_NO_FATAL_FAILURE(check(fill, random(256), {1, 2, 5, 64}));
    }
}

// Streamed fills collect lines in tiles: every offset in a line at both ends, over more tiles than are held at once.
TEST_P(CpuFill, EveryPlaceInALine) {
    for (uint64_t offset = 0; offset < 64; ++offset) {
        Fill fill = sample();
        fill.key = random_key();
        fill.chunk_length = offset % 3 == 0 ? 32 : 1u << random(11);
        fill.position = random() >> 12;
        fill.n = 1 + random(offset % 8 == 0 ? 4 * 8192 / element_alignment(fill) : 200);
        ASSERT_NO_FATAL_FAILURE(check(fill, offset, {1, 2}));
    }
}

TEST_P(CpuFill, LongChunks) {
    for (const uint32_t k : {4096u, 65536u}) {
        const uint64_t group = uint64_t{1024} * k;
        for (const uint64_t position : {random(group), 7 * group - 1000, group * random(1 << 20)}) {
            Fill fill = sample();
            fill.n = 300;
            fill.key = random_key();
            fill.chunk_length = k;
            fill.position = position;
            ASSERT_NO_FATAL_FAILURE(check(fill, random(256), {1, 2}));
        }
    }
}

TEST_P(CpuFill, ChunkNumbersCarryIntoTheirHighWord) {
    for (const uint64_t high : {uint64_t{1}, uint64_t{5}}) {
        for (uint64_t groups_before = 1; groups_before <= 3; ++groups_before) {
            Fill fill = sample();
            fill.n = 700;
            fill.key = random_key();
            fill.chunk_length = 2;
            const uint64_t group = (high << 29) - groups_before;  // chunk 8 * group is just below a multiple of 2^32
            fill.position = group * 1024 * fill.chunk_length;
            ASSERT_NO_FATAL_FAILURE(check(fill, random(256), {1, 2}));
        }
    }
}

TEST_P(CpuFill, LastPositions) {
    const DrawRule rule = rule_of(sample().draw);
    for (uint64_t n = 2; n <= 40; n += 2) {
        Fill fill = sample();
        fill.n = n;
        fill.key = random_key();
        fill.chunk_length = 1u << random(8);
        // A fill may end at most one draw before 2^64.
        fill.position = uint64_t{0} - rule.width * (n * rule.components + 1);
        ASSERT_TRUE(fill_span(fill.draw, fill.position, n).ok);
        ASSERT_NO_FATAL_FAILURE(check(fill, 0, {1, 2}));
    }
}

TEST_P(CpuFill, CutAnywhere) {
    Fill whole = sample();
    const bool pairs = rule_of(whole.draw).in_pairs;
    whole.n = 700;
    whole.chunk_length = 4;
    for (int repeat = 0; repeat < 40; ++repeat) {
        whole.key = random_key();
        whole.position = random(1 << 20);
        const std::vector<uint8_t> expected = reference_fill(whole);
        GuardedBuffer buffer(expected.size(), element_alignment(whole));
        Fill part = whole;
        for (uint64_t done = 0; done < whole.n; done += part.n) {
            part.n = std::min(whole.n - done, 1 + random(300));
            if (pairs && part.n < whole.n - done) part.n += part.n & 1;
            part.out = static_cast<uint8_t*>(buffer.data()) + done * element_size(whole);
            cpu::fill(part);
            part.position = fill_span(part.draw, part.position, part.n).end;
        }
        EXPECT_EQ(part.position, fill_span(whole.draw, whole.position, whole.n).end);
        ASSERT_TRUE(buffer.intact());
        ASSERT_TRUE(buffer.equals(expected)) << describe(whole, 1);
    }
}

std::string name_of(const testing::TestParamInfo<CpuFill::ParamType>& info) {
    return std::get<1>(info.param).name + "_on_" + std::get<0>(info.param).name;
}

INSTANTIATE_TEST_SUITE_P(Plain, CpuFill, testing::Combine(testing::ValuesIn(cpu::targets()), testing::ValuesIn(plain_samples())),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Derived, CpuFill,
                         testing::Combine(testing::ValuesIn(cpu::targets()), testing::ValuesIn(derived_samples())), name_of);

}  // namespace
}  // namespace tandem::test
