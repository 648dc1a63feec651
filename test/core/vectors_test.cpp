/// Every published output, made element by element from the core.

#include <gtest/gtest.h>

#include "core/core_fill.hpp"
#include "support/tables.hpp"
#include "support/vectors.hpp"

namespace tandem::test {
namespace {

class CoreVectors : public testing::TestWithParam<VectorCase> {};

TEST_P(CoreVectors, ElementByElement) {
    const VectorCase& expected = GetParam();
    Fill fill = expected.fill;
    ChoiceTable table;
    if (expected.table.kind != TableSpec::Kind::none) {
        table = table_of(expected.table);
        fill.choice = table.view();
    }
    uint64_t end = 0;
    const std::vector<uint8_t> output = core_fill(fill, &end);
    ASSERT_EQ(output.size(), expected.output_bytes);
    EXPECT_EQ(difference(expected, output.data()), "");
    if (fill.n > 0) {
        EXPECT_EQ(end, expected.end);
    }
    const Span span = fill_span(fill.draw, fill.position, fill.n);
    EXPECT_TRUE(span.ok);
    EXPECT_EQ(span.end, expected.end);
}

TEST_P(CoreVectors, TableFacts) {
    const VectorCase& expected = GetParam();
    if (!expected.table.has_expectations) return;
    const ChoiceTable table = table_of(expected.table);
    EXPECT_EQ(table.capacity, expected.table.capacity);
    EXPECT_EQ(table.low, expected.table.low);
    if (expected.table.entries != 0) {
        EXPECT_EQ(table.m, expected.table.entries);
    }
}

TEST_P(CoreVectors, Fallbacks) {
    const VectorCase& expected = GetParam();
    const Fill& fill = expected.fill;
    Rng rng(fill.key, fill.position, fill.chunk_length);
    if (expected.rejected >= 0) {
        int64_t rejected = 0;
        for (uint64_t i = 0; i < fill.n; ++i) {
            if (fill.draw == Draw::below32) {
                uint32_t value;
                rejected += !below_u32(rng.urand(), below_rule(static_cast<uint32_t>(fill.range), fill.full_range), value);
            } else {
                uint64_t value;
                rejected += !below_u64(rng.urand64(), below_rule(fill.range, fill.full_range), value);
            }
        }
        EXPECT_EQ(rejected, expected.rejected);
    }
    std::vector<uint64_t> missed;
    for (uint64_t i = 0; i < fill.n && missed.size() < expected.missed.size(); ++i) {
        const ZigguratSplit split = ziggurat_split(rng.urand64());
        if (!ziggurat_hit(split, ziggurat_tables().kx[split.layer])) missed.push_back(i);
    }
    EXPECT_EQ(missed, expected.missed);
}

INSTANTIATE_TEST_SUITE_P(Published, CoreVectors, testing::ValuesIn(load_vectors()),
                         [](const auto& test) { return std::to_string(test.index) + "_" + test.param.draw; });

}  // namespace
}  // namespace tandem::test
