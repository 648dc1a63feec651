/// Bounded integers, weighted choice and the Poisson law against their exact probabilities, by chi-square. Fixed keys, so a test
/// that passed once passes always; ALPHA is what a change of the keys would risk in each check.

#include <gtest/gtest.h>

#include <cmath>

#include "statistics/p_values.hpp"
#include "statistics/source.hpp"
#include "statistics/tally.hpp"
#include "tandem/core/laws.hpp"

namespace tandem::test {
namespace {

constexpr double ALPHA = 1e-6;

class Discrete : public testing::Test {
  protected:
    void SetUp() override {
        if (const std::string missing = source_missing(); !missing.empty()) GTEST_SKIP() << missing;
    }
};

/// Puts each value into the cell that `cell_of` names.
template <class V, class CellOf>
std::vector<uint64_t> count_cells(const std::vector<V>& values, std::size_t cells, CellOf cell_of) {
    return tally_over(values.size(), Counts(cells),
                      [&](Counts& counts, std::size_t begin, std::size_t end) {
                          for (std::size_t i = begin; i < end; ++i) ++counts.cells[static_cast<std::size_t>(cell_of(values[i]))];
                      })
        .cells;
}

/// Checks draws below `range`: that they are below it, `slices` equal slices of it, and the remainders modulo 3 and 7.
template <class V>
void check_below(Draw kind, uint64_t range) {
    __extension__ using Wide = unsigned __int128;
    Fill fill;
    fill.draw = kind;
    fill.key = Key{{0xd15c, 7, static_cast<uint32_t>(range), static_cast<uint32_t>(range >> 32)}};
    fill.element_bytes = sizeof(V);
    fill.range = range;
    fill.n = sample_size();
    const std::vector<V> values = draw<V>(fill);
    const double each = static_cast<double>(fill.n) / static_cast<double>(range);

    const uint64_t slices = range < 3072 ? range : 3072;
    // Values at or beyond the range go to a cell of their own.
    const auto slice_of = [&](V v) { return v < range ? static_cast<uint64_t>(static_cast<Wide>(v) * slices / range) : slices; };
    std::vector<uint64_t> counts = count_cells(values, slices + 1, slice_of);
    EXPECT_EQ(counts.back(), 0u) << "values at or beyond " << range;
    counts.pop_back();
    std::vector<double> expected;
    for (uint64_t s = 0; s < slices; ++s) {
        // Slice s holds the v with s * range <= v * slices < (s + 1) * range.
        const Wide from = (static_cast<Wide>(s) * range + slices - 1) / slices;
        const Wide to = (static_cast<Wide>(s + 1) * range + slices - 1) / slices;
        expected.push_back(each * static_cast<double>(static_cast<uint64_t>(to - from)));
    }
    EXPECT_GT(chi_square_p(counts, expected), ALPHA) << "slices of " << range;

    for (const uint64_t modulus : {uint64_t{3}, uint64_t{7}}) {
        std::vector<double> remainders;
        for (uint64_t r = 0; r < modulus; ++r) {
            remainders.push_back(each * static_cast<double>(range / modulus + (r < range % modulus ? 1 : 0)));
        }
        const auto remainder_of = [modulus](V v) { return v % modulus; };
        EXPECT_GT(chi_square_p(count_cells(values, modulus, remainder_of), remainders), ALPHA) << range << " modulo " << modulus;
    }
}

TEST_F(Discrete, Below32) {
    for (const uint32_t range : {2u, 3u, 6u, 1000u, 65536u, 0x80000001u, 0xc0000000u, 0xfffffffeu}) {
        check_below<uint32_t>(Draw::below32, range);
    }
}

TEST_F(Discrete, Below64) {
    for (const uint64_t range : {uint64_t{6}, uint64_t{1000003}, (uint64_t{1} << 63) + 1, uint64_t{3} << 62}) {
        check_below<uint64_t>(Draw::below64, range);
    }
}

void check_table(const ChoiceTable& table, const std::vector<double>& probabilities, uint32_t first) {
    Fill fill;
    fill.draw = Draw::choice;
    fill.key = Key{{0xc401ce, 1, 2, static_cast<uint32_t>(probabilities.size())}};
    fill.n = sample_size();
    fill.choice = table.view();
    const std::vector<uint32_t> values = draw<uint32_t>(fill);
    const std::size_t cells = probabilities.size();
    const auto cell_of = [&](uint32_t v) { return v - first < cells ? v - first : cells; };
    std::vector<uint64_t> counts = count_cells(values, cells + 1, cell_of);
    EXPECT_EQ(counts.back(), 0u);
    counts.pop_back();
    std::vector<double> expected;
    for (std::size_t i = 0; i < cells; ++i) {
        expected.push_back(static_cast<double>(fill.n) * probabilities[i]);
        if (probabilities[i] == 0) {
            EXPECT_EQ(counts[i], 0u) << "weight 0 at " << i;
        }
    }
    EXPECT_GT(chi_square_p(counts, expected), ALPHA);
}

TEST_F(Discrete, Choice) {
    for (const std::size_t m : {2u, 5u, 1000u}) {
        std::vector<double> weights(m);
        double sum = 0;
        for (std::size_t i = 0; i < m; ++i) sum += weights[i] = static_cast<double>((i * 7919 + 1) % 1009 % 97);
        std::vector<double> probabilities;
        for (const double weight : weights) probabilities.push_back(weight / sum);
        check_table(choice_build(weights.data(), m, 100), probabilities, 100);
    }
}

TEST_F(Discrete, Poisson) {
    for (const double lambda : {0.3, 10.0, 1e4}) {
        const ChoiceTable table = poisson_table(lambda);
        std::vector<double> probabilities;
        for (uint32_t i = 0; i < table.m; ++i) {
            const double k = static_cast<double>(table.low) + i;
            probabilities.push_back(std::exp(k * std::log(lambda) - lambda - std::lgamma(k + 1)));
        }
        check_table(table, probabilities, table.low);
    }
}

}  // namespace
}  // namespace tandem::test
