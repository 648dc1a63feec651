#include <gtest/gtest.h>

#include "host_api/cpu/engine.hpp"
#include "support/guarded.hpp"
#include "support/reference.hpp"
#include "support/tables.hpp"
#include "support/vectors.hpp"

namespace tandem::test {
namespace {

void check(const VectorCase& c, unsigned threads) {
    ChoiceTable table;
    Fill fill = c.fill;
    if (c.table.kind != TableSpec::Kind::none) {
        table = table_of(c.table);
        fill.choice = table.view();
    }
    if (fill.n == 0) return;
    GuardedBuffer buffer(c.output_bytes, element_alignment(fill));
    fill.out = buffer.data();
    cpu::fill(fill, threads);
    EXPECT_TRUE(buffer.intact()) << c;
    EXPECT_EQ(difference(c, buffer.data()), "") << c << ", " << threads << " threads";
}

TEST(CpuVectors, OneThread) {
    for (const VectorCase& c : load_vectors()) check(c, 1);
}

TEST(CpuVectors, ThreeThreads) {
    for (const VectorCase& c : load_vectors()) check(c, 3);
}

// Independent code for derived draws, so that a sweep against the reference means something.
TEST(Reference, AgreesWithTheVectorsOfDerivedDraws) {
    for (const VectorCase& c : load_vectors()) {
        if (c.fill.draw <= Draw::character) continue;
        Fill fill = c.fill;
        ChoiceTable table;
        if (c.table.kind != TableSpec::Kind::none) {
            table = table_of(c.table);
            fill.choice = table.view();
        }
        ReferenceNotes notes;
        const std::vector<uint8_t> output = reference_fill(fill, &notes);
        ASSERT_EQ(output.size(), c.output_bytes) << c;
        EXPECT_EQ(difference(c, output.data()), "") << c;
        if (c.rejected >= 0) {
            EXPECT_EQ(notes.rejected, static_cast<uint64_t>(c.rejected)) << c;
        }
        ASSERT_LE(c.missed.size(), notes.missed.size()) << c;
        notes.missed.resize(c.missed.size());
        EXPECT_EQ(notes.missed, c.missed) << c;
    }
}

}  // namespace
}  // namespace tandem::test
