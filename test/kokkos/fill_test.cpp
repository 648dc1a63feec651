/// Every draw on every space by every kernel against the reference: any size, position, chunk length and alignment, and not a
/// byte beyond the output.

#include <gtest/gtest.h>

#include <random>

#include "kokkos/backends.hpp"
#include "support/guarded.hpp"
#include "support/reference.hpp"
#include "support/samples.hpp"

namespace tandem::test {
namespace {

std::vector<DrawSample> samples() {
    std::vector<DrawSample> all;
    for (const DrawSample& sample : plain_samples()) {
        if (!sample.fill.reflected) all.push_back(sample);
    }
    all.insert(all.end(), derived_samples().begin(), derived_samples().end());
    return all;
}

class KokkosFill : public testing::TestWithParam<std::tuple<Backend, DrawSample>> {
  protected:
    void SetUp() override {
        const Fill& fill = std::get<1>(GetParam()).fill;
        if (backend().call && fill.draw == Draw::below64 && fill.full_range)
            GTEST_SKIP() << "the calls add no low bound to all integers";
    }

    const Backend& backend() const { return std::get<0>(GetParam()); }

    /// The draw of the test under a random key, with a chunk length that the backend takes.
    Fill random_fill(uint32_t most_log2_k) {
        Fill fill = std::get<1>(GetParam()).fill;
        for (uint32_t& w : fill.key.w) w = static_cast<uint32_t>(random());
        fill.chunk_length = std::max(backend().least_k, 1u << random(most_log2_k + 1));
        fill.position = random() >> (1 + random(50));
        return fill;
    }

    uint64_t random(uint64_t below = 0) { return below == 0 ? generator_() : generator_() % below; }

    void check(Fill fill, uint64_t offset) {
        const std::vector<uint8_t> expected = reference_fill(fill);
        GuardedBuffer buffer(expected.size(), offset * element_alignment(fill));
        fill.out = buffer.data();
        ASSERT_EQ(backend().fill(fill), fill_span(fill.draw, fill.position, fill.n).end) << describe(fill, offset);
        ASSERT_TRUE(buffer.intact()) << describe(fill, offset);
        ASSERT_TRUE(buffer.equals(expected)) << describe(fill, offset);
    }

    static std::string describe(const Fill& fill, uint64_t offset) {
        return "n " + std::to_string(fill.n) + ", position " + std::to_string(fill.position) + ", K " +
               std::to_string(fill.chunk_length) + ", " + std::to_string(offset) + " elements off";
    }

  private:
    std::mt19937_64 generator_{20261130};
};

TEST_P(KokkosFill, EverySmallSizeAtRandomPlaces) {
    for (uint64_t n = 1; n <= 300; n += backend().slow ? 7 : 1) {
        Fill fill = random_fill(10);
        fill.n = n;
        ASSERT_NO_FATAL_FAILURE(check(fill, random(256)));
    }
}

TEST_P(KokkosFill, LargerSizesAcrossManyGroups) {
    for (int repeat = 0; repeat < (backend().slow ? 2 : 5); ++repeat) {
        Fill fill = random_fill(6);
        fill.n = 1 + random(30000);
        ASSERT_NO_FATAL_FAILURE(check(fill, random(256)));
    }
}

TEST_P(KokkosFill, EverySizeAroundEveryEdge) {
    const DrawRule rule = rule_of(std::get<1>(GetParam()).fill.draw);
    for (const uint32_t log2_k : {0u, 2u, 3u, 5u}) {
        if (1u << log2_k < backend().least_k || (backend().slow && log2_k == 5)) continue;
        const uint64_t group = uint64_t{1024} << log2_k;
        for (const uint64_t edge : {uint64_t{128}, uint64_t{1024}, std::min<uint64_t>(8 * 1024, group), group, 32 * group}) {
            if (edge > 65536 || (backend().slow && edge > group)) continue;
            for (uint64_t around = 0; around < 12; around += backend().slow ? 5 : 1) {
                Fill fill = random_fill(0);
                fill.chunk_length = 1u << log2_k;
                fill.position = random(1 << 20) * 64 * group + edge - std::min<uint64_t>(around / 3 * rule.width, edge);
                fill.n = std::max<uint64_t>(1, random(2) * edge / rule.width / rule.components + around % 3 + around / 3);
                ASSERT_NO_FATAL_FAILURE(check(fill, random(64)));
            }
        }
    }
}

TEST_P(KokkosFill, LongChunks) {
    if (backend().slow) GTEST_SKIP() << "thousands of steps";
    for (const uint32_t k : {4096u, 65536u}) {
        const uint64_t group = uint64_t{1024} * k;
        for (const uint64_t position : {random(group), 7 * group - 1000}) {
            Fill fill = random_fill(0);
            fill.chunk_length = k;
            fill.position = position;
            fill.n = 300;
            ASSERT_NO_FATAL_FAILURE(check(fill, random(256)));
        }
    }
}

TEST_P(KokkosFill, CountsBeyond32BitsAndUpToTheEnd) {
    for (const uint64_t position : {(uint64_t{1} << 46) - 1000, (uint64_t{5} << 46) - 1000, ~uint64_t{0} - 20000}) {
        Fill fill = random_fill(0);
        fill.chunk_length = 8;
        fill.position = position;
        fill.n = 70;
        ASSERT_NO_FATAL_FAILURE(check(fill, random(256)));
    }
    // The last element that the stream has.
    Fill fill = random_fill(0);
    const DrawRule rule = rule_of(fill.draw);
    const uint64_t bits = uint64_t{rule.width} * (rule.in_pairs ? 2 : rule.components);
    fill.chunk_length = 8;
    fill.n = 3;
    fill.position = ((~uint64_t{0} / bits) - (rule.in_pairs ? 2 : 3)) * bits;
    ASSERT_NO_FATAL_FAILURE(check(fill, 1));
}

INSTANTIATE_TEST_SUITE_P(All, KokkosFill, testing::Combine(testing::ValuesIn(backends()), testing::ValuesIn(samples())),
                         [](const auto& test) { return std::get<0>(test.param).name + "_" + std::get<1>(test.param).name; });

}  // namespace
}  // namespace tandem::test
