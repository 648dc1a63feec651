/// Normals and exponentials against their laws: moments, tails, Kolmogorov-Smirnov, Anderson-Darling, and the layers of the
/// ziggurat. Fixed keys, so a test that passed once passes always; ALPHA is what a change of the keys would risk in each check,
/// a failure in about 10000 such changes of all of them together.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "statistics/p_values.hpp"
#include "statistics/source.hpp"
#include "statistics/tally.hpp"
#include "tandem/core/normal_tables.hpp"

namespace tandem::test {
namespace {

constexpr double ALPHA = 1e-6;

/// A law on the real line.
struct Law {
    double (*below)(double);   ///< P(X < x)
    double (*beyond)(double);  ///< P(X > x), accurate where small
    double moment[4];          ///< E X^k, k = 1..4
    double variance[4];        ///< of X^k
    int moments;               ///< so many have sums that are near normal
    std::vector<double> tails;
};

const Law NORMAL = {[](double x) { return 0.5 * std::erfc(-x * std::sqrt(0.5)); },
                    [](double x) { return 0.5 * std::erfc(x * std::sqrt(0.5)); },
                    {0, 1, 0, 3},
                    {1, 2, 15, 96},
                    4,
                    {2, 3, 3.5, 4, 4.5, 5}};

// E X^k = k!, and the variance of X^k is (2k)! - k!^2.
const Law EXPONENTIAL = {[](double x) { return -std::expm1(-x); },
                         [](double x) { return std::exp(-x); },
                         {1, 2, 6, 24},
                         {1, 20, 684, 39744},
                         3,
                         {3, 6, 9, 12, 15}};

struct Kind {
    const char* name;
    Draw draw;
    NormalMode mode;
    const Law* law;
    bool two_sided;
};

class Continuous : public testing::TestWithParam<Kind> {
  protected:
    void SetUp() override {
        if (const std::string missing = source_missing(); !missing.empty()) GTEST_SKIP() << missing;
        Fill fill;
        fill.draw = GetParam().draw;
        fill.mode = GetParam().mode;
        fill.key = Key{{0x57a7, 1, 2, static_cast<uint32_t>(GetParam().draw)}};
        fill.n = sample_size();
        const bool narrow = fill.draw == Draw::normal32 || fill.draw == Draw::exponential32;
        if (!narrow) {
            values_ = draw<double>(fill);
        } else {
            const std::vector<float> floats = draw<float>(fill);
            values_.assign(floats.begin(), floats.end());
        }
        n_ = static_cast<double>(values_.size());
    }

    const Law& law() const { return *GetParam().law; }

    template <class Tally, class Each>
    Tally over_values(Tally empty, Each each) const {
        return tally_over(values_.size(), empty, [&](Tally& tally, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) each(tally, values_[i]);
        });
    }

    std::vector<double> values_;
    double n_ = 0;
};

using Ziggurat = Continuous;

TEST_P(Continuous, Moments) {
    const Powers powers = over_values(Powers{}, [](Powers& p, double x) { p.add(x); });
    for (int k = 0; k < law().moments; ++k) {
        const double z = (powers.sum[k] - n_ * law().moment[k]) / std::sqrt(n_ * law().variance[k]);
        EXPECT_GT(normal_p(z), ALPHA) << "moment " << k + 1 << " is " << z << " deviations off";
    }
}

TEST_P(Continuous, Tails) {
    const std::vector<double>& from = law().tails;
    const bool both = GetParam().two_sided;
    const Counts counts = over_values(Counts(2 * from.size()), [&](Counts& c, double x) {
        for (std::size_t i = 0; i < from.size(); ++i) {
            c.cells[2 * i] += x > from[i];
            c.cells[2 * i + 1] += x < -from[i];
        }
    });
    for (std::size_t i = 0; i < from.size(); ++i) {
        const double expected = n_ * law().beyond(from[i]);
        EXPECT_GT(count_p(counts.cells[2 * i], expected), ALPHA) << counts.cells[2 * i] << " beyond " << from[i];
        if (both) {
            EXPECT_GT(count_p(counts.cells[2 * i + 1], expected), ALPHA) << counts.cells[2 * i + 1] << " below " << -from[i];
        } else {
            EXPECT_EQ(counts.cells[2 * i + 1], 0u);
        }
    }
}

// The empirical distribution is read at 2^20 quantiles, so the distance is at most the true one, and the test no stricter.
TEST_P(Continuous, KolmogorovSmirnov) {
    constexpr std::size_t CELLS = 1u << 20;
    const Counts counts = over_values(
        Counts(CELLS + 1), [this](Counts& c, double x) { ++c.cells[static_cast<std::size_t>(law().below(x) * CELLS)]; });
    double distance = 0;
    uint64_t sum = 0;
    for (std::size_t i = 0; i < CELLS; ++i) {
        sum += counts.cells[i];
        distance = std::max(distance, std::fabs(static_cast<double>(sum) / n_ - static_cast<double>(i + 1) / CELLS));
    }
    EXPECT_GT(kolmogorov_p(distance, n_), ALPHA) << "distance " << distance;
}

TEST_P(Continuous, AndersonDarling) {
    const std::size_t n = std::min<std::size_t>(values_.size(), 2000000);
    std::vector<double> sorted(n);
    std::transform(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(n), sorted.begin(), law().below);
    std::sort(sorted.begin(), sorted.end());
    EXPECT_GT(anderson_darling_p(sorted), ALPHA);
}

// Each draw of a pair is independent of the next.
TEST_P(Continuous, NeighboursAreUncorrelated) {
    const double mean = law().moment[0], variance = law().variance[0];
    double sum = 0;
    for (std::size_t i = 0; i + 1 < values_.size(); i += 2) sum += (values_[i] - mean) * (values_[i + 1] - mean);
    EXPECT_GT(normal_p(sum / (std::sqrt(n_ / 2) * variance)), ALPHA);
}

// The edges X_i of the ziggurat's layers, four cells between each two, for both signs: a layer, a sign or a wedge that is
// entered too often shows in its cells.
TEST_P(Ziggurat, EveryLayerAndSign) {
    std::vector<double> edges{0};
    for (int i = 1023; i >= 1; --i) {
        const double to = ZIGGURAT_HOST.w[i] * 0x1p53, from = edges.back();
        for (int quarter = 1; quarter <= 4; ++quarter) edges.push_back(from + (to - from) * quarter / 4);
    }
    const std::size_t side = edges.size();
    const Counts counts = over_values(Counts(2 * side), [&](Counts& c, double x) {
        const auto above = std::upper_bound(edges.begin(), edges.end(), std::fabs(x));
        ++c.cells[static_cast<std::size_t>(above - edges.begin()) - 1 + (std::signbit(x) ? side : 0)];
    });
    std::vector<double> expected(2 * side);
    for (std::size_t i = 0; i < side; ++i) {
        const double beyond = i + 1 < side ? NORMAL.beyond(edges[i + 1]) : 0;
        expected[i] = expected[side + i] = n_ * (NORMAL.beyond(edges[i]) - beyond);
    }
    EXPECT_GT(chi_square_p(counts.cells, expected), ALPHA);
}

const Kind NORMAL64 = {"normal64", Draw::normal64, NormalMode::exact, &NORMAL, true};

std::string name_of(const testing::TestParamInfo<Kind>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Laws, Continuous,
                         testing::Values(NORMAL64, Kind{"normal32", Draw::normal32, NormalMode::exact, &NORMAL, true},
                                         Kind{"normal32_fast", Draw::normal32, NormalMode::fast, &NORMAL, true},
                                         Kind{"exponential64", Draw::exponential64, NormalMode::exact, &EXPONENTIAL, false},
                                         Kind{"exponential32", Draw::exponential32, NormalMode::exact, &EXPONENTIAL, false}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Laws, Ziggurat, testing::Values(NORMAL64), name_of);

}  // namespace
}  // namespace tandem::test
