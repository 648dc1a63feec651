/// Every published output, on every space and by every kernel.

#include <gtest/gtest.h>

#include "kokkos/backends.hpp"
#include "support/guarded.hpp"
#include "support/reference.hpp"
#include "support/tables.hpp"
#include "support/vectors.hpp"

namespace tandem::test {
namespace {

class KokkosVectors : public testing::TestWithParam<VectorCase> {};

TEST_P(KokkosVectors, OnEverySpaceByEveryKernel) {
    const VectorCase& expected = GetParam();
    Fill fill = expected.fill;
    ChoiceTable table;
    if (expected.table.kind != TableSpec::Kind::none) {
        table = table_of(expected.table);
        fill.choice = table.view();
    }
    for (const Backend& backend : backends()) {
        if (fill.chunk_length < backend.least_k || (fill.n == 0 && !backend.call)) continue;
        GuardedBuffer buffer(expected.output_bytes, element_alignment(fill));
        fill.out = buffer.data();
        EXPECT_EQ(backend.fill(fill), expected.end) << backend.name;
        EXPECT_TRUE(buffer.intact()) << backend.name;
        EXPECT_EQ(difference(expected, buffer.data()), "") << backend.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Published, KokkosVectors, testing::ValuesIn(load_vectors()),
                         [](const auto& test) { return std::to_string(test.index) + "_" + test.param.draw; });

}  // namespace
}  // namespace tandem::test
