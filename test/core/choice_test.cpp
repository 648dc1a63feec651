/// Weighted choice: the mass of every value to the last unit, weights of any magnitude, and what is refused.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/core_fill.hpp"

namespace tandem::test {
namespace {

__extension__ using Wide = unsigned __int128;

ChoiceTable build(const std::vector<double>& weights, uint32_t low = 0) {
    return choice_build(weights.data(), weights.size(), low);
}

int width_of(uint64_t x) {
    int n = 0;
    for (; x != 0; x >>= 1) ++n;
    return n;
}

/// ceil(w * 2^t) in floating point, for weights and scales that stay far from its limits.
uint64_t ceil_scaled_plainly(double w, int t) {
    const double scaled = std::ldexp(w, t);
    return static_cast<uint64_t>(std::ceil(scaled));
}

/// What the contract says each value weighs, in units of which the whole table has capacity * m.
std::vector<uint64_t> masses(const std::vector<double>& weights, uint64_t capacity) {
    int e = 0;
    double largest = 0.0;
    for (const double w : weights) largest = std::fmax(largest, w);
    std::frexp(largest, &e);
    int t = 63 - width_of(weights.size()) - (e - 1);
    uint64_t total = 0;
    for (const double w : weights) total += ceil_scaled_plainly(w, t);
    t += 63 - width_of(total);
    std::vector<uint64_t> mass;
    total = 0;
    for (const double w : weights) {
        mass.push_back(ceil_scaled_plainly(w, t));
        total += mass.back();
    }
    std::size_t big = 0;
    for (std::size_t i = 0; i < mass.size(); ++i) {
        if (mass[i] > mass[big]) big = i;
    }
    mass[big] += capacity * mass.size() - total;
    return mass;
}

std::vector<uint64_t> rebuilt(const ChoiceTable& table) {
    std::vector<uint64_t> mass(table.m);
    for (uint32_t j = 0; j < table.m; ++j) {
        EXPECT_LE(table.cut[j], table.capacity);
        EXPECT_LT(table.alias[j], table.m);
        mass[j] += table.cut[j];
        mass[table.alias[j]] += table.capacity - table.cut[j];
    }
    return mass;
}

std::vector<double> random_weights(std::size_t m, Rng& rng) {
    std::vector<double> weights(m);
    const uint64_t shape = rng.urand64(4);
    for (double& w : weights) {
        w = shape == 0 ? rng.drand() : shape == 1 ? std::ldexp(rng.drand(), -static_cast<int>(rng.urand(60))) : rng.exponential();
        if (shape == 3 && rng.urand(3) == 0) w = 0.0;
    }
    weights[rng.urand64(m)] = 1.0;
    return weights;
}

TEST(Choice, MassIsRightToTheLastUnit) {
    Rng rng(2026);
    for (int trial = 0; trial < 400; ++trial) {
        const std::vector<double> weights = random_weights(1 + rng.urand64(trial < 300 ? 40 : 5000), rng);
        const ChoiceTable table = build(weights);
        EXPECT_EQ(rebuilt(table), masses(weights, table.capacity)) << trial;
    }
}

TEST(Choice, ZeroWeightsAreUnreachable) {
    Rng rng(5);
    const std::vector<double> weights{0.0, 3.0, -0.0, 1e-300, 0.0, 2.0, 0.0};
    const ChoiceTable table = build(weights);
    const std::vector<uint64_t> mass = rebuilt(table);
    for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_EQ(mass[i] == 0, weights[i] == 0) << i;
    for (uint64_t i = 0; i < 200000; ++i) {
        const uint64_t draw = i < 1000 ? i << 54 : i < 2000 ? ~((i - 1000) << 54) : rng.urand64();
        ASSERT_GT(weights[choice_of(table.view(), draw)], 0.0);
    }
}

/// The contract's map in 128-bit arithmetic.
uint32_t map_plainly(const ChoiceTable& table, uint64_t draw) {
    const Wide product = Wide{draw} * table.m;
    const auto j = static_cast<uint32_t>(product >> 64);
    const auto level = static_cast<uint64_t>(Wide{static_cast<uint64_t>(product)} * table.capacity >> 64);
    return table.low + (level < table.cut[j] ? j : table.alias[j]);
}

TEST(Choice, MapsEveryKindOfDraw) {
    Rng rng(6);
    for (const std::size_t m : {1u, 2u, 3u, 1000u, 65536u, 65537u}) {
        const ChoiceTable table = build(random_weights(m, rng), 77);
        for (const uint64_t draw : {0ull, 1ull, ~0ull, ~0ull - 1, 1ull << 63, (1ull << 63) - 1, 0xffffffffull, 1ull << 32}) {
            EXPECT_EQ(choice_of(table.view(), draw), map_plainly(table, draw));
        }
        for (int i = 0; i < 20000; ++i) {
            const uint64_t draw = rng.urand64();
            ASSERT_EQ(choice_of(table.view(), draw), map_plainly(table, draw));
            ASSERT_LT(choice_of(table.view(), draw) - 77, m);
        }
    }
}

TEST(Choice, MapsTheWidestTables) {
    // Only column 0 exists here: draws below 2^32 + 2 stay in it when there are 2^32 - 1 columns.
    const uint64_t cut = 0xffffffffu;
    const uint32_t alias = 7;
    const ChoiceView widest{&cut, &alias, 1ull << 32, 0xffffffffu, 0};
    EXPECT_EQ(choice_of(widest, 0), 0u);
    EXPECT_EQ(choice_of(widest, 1ull << 31), 0u);
    EXPECT_EQ(choice_of(widest, 1ull << 32), 7u);
    EXPECT_EQ(choice_of(widest, (1ull << 32) + 1), 7u);
}

TEST(Choice, WeightsOfAnyMagnitude) {
    const double tiny = std::numeric_limits<double>::denorm_min(), huge = std::numeric_limits<double>::max();
    for (const double unit : {tiny, 1e-310, 1e-200, 1.0, 1e200, huge / 3}) {
        const ChoiceTable table = build({unit, unit, unit});
        const std::vector<uint64_t> mass = rebuilt(table);
        EXPECT_EQ(mass[0], mass[1]) << unit;
        EXPECT_EQ(mass[1], mass[2]) << unit;
    }
    const std::vector<double> all_huge(1000, huge);
    EXPECT_EQ(build(all_huge).alias[999], 999u);
    const ChoiceTable mixed = build({huge, tiny});
    EXPECT_EQ(rebuilt(mixed)[1], 1u);
}

template <class Call>
std::string refusal(Call call) {
    try {
        call();
    } catch (const std::invalid_argument& e) {
        return e.what();
    }
    return "";
}

TEST(Choice, RefusesBadWeights) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(refusal([&] { build({1.0, 2.0, nan}); }), "choice_build: weight 2 is nan; allowed are finite values of 0 or more");
    EXPECT_EQ(refusal([&] { build({inf}); }), "choice_build: weight 0 is inf; allowed are finite values of 0 or more");
    EXPECT_EQ(refusal([&] { build({1.0, -inf}); }), "choice_build: weight 1 is -inf; allowed are finite values of 0 or more");
    EXPECT_EQ(refusal([&] { build({1.0, -0.5}); }), "choice_build: weight 1 is -0.5; allowed are finite values of 0 or more");
    EXPECT_EQ(refusal([&] { build({0.0, -0.0, 0.0}); }), "choice_build: every weight is 0; allowed are lists with one above 0");
    EXPECT_EQ(refusal([&] { build({}); }), "choice_build: 0 weights; allowed are 1 to 4294967295");
    const double one = 1.0;
    EXPECT_EQ(refusal([&] { choice_build(&one, 1ull << 32); }), "choice_build: 4294967296 weights; allowed are 1 to 4294967295");
    EXPECT_EQ(refusal([&] { choice_build(nullptr, 1); }), "choice_build: weights is null");
}

TEST(Choice, OffsetsEndBelow2To32) {
    EXPECT_EQ(build({1.0, 0.0}, 0xfffffffeu).low, 0xfffffffeu);
    EXPECT_EQ(build({1.0}, 0xffffffffu).low, 0xffffffffu);
    EXPECT_EQ(refusal([&] {
                  build({1.0, 1.0}, 0xffffffffu);
              }),
              "choice_build: offset 4294967295 with 2 weights; allowed are values up to 4294967295");
}

TEST(Laws, RefuseBadParameters) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    for (const double lambda : {0.0, -0.0, -1.0, nan, inf, 0x1.0000000000001p31}) {
        EXPECT_NE(refusal([&] { poisson_table(lambda); }).find("poisson_table: lambda is "), std::string::npos) << lambda;
    }
    for (const double p : {-0x1p-1074, 0x1.0000000000001p0, nan, inf, -inf}) {
        EXPECT_NE(refusal([&] { binomial_table(10, p); }).find("binomial_table: p is "), std::string::npos) << p;
        EXPECT_NE(refusal([&] { geometric_table(p); }).find("geometric_table: p is "), std::string::npos) << p;
    }
    EXPECT_NE(refusal([&] { geometric_table(0x1.fffffffffffffp-21); }), "");
    EXPECT_NE(refusal([&] { geometric_table(0.0); }), "");
}

/// P(K = k) as a fraction of the table's whole mass.
double probability(const ChoiceTable& table, const std::vector<uint64_t>& mass, uint64_t k) {
    if (k < table.low || k - table.low >= table.m) return 0.0;
    return static_cast<double>(mass[k - table.low]) / (static_cast<double>(table.capacity) * table.m);
}

TEST(Laws, FollowTheirFormulas) {
    const ChoiceTable poisson = poisson_table(64.0), binomial = binomial_table(1000, 0.3), geometric = geometric_table(0.01);
    const auto poisson_mass = rebuilt(poisson), binomial_mass = rebuilt(binomial), geometric_mass = rebuilt(geometric);
    for (int k = 1; k < 700; ++k) {
        const double p = std::exp(k * std::log(64.0) - 64.0 - std::lgamma(k + 1.0));
        if (p > 1e-12) {
            EXPECT_NEAR(probability(poisson, poisson_mass, static_cast<uint64_t>(k)), p, 1e-11 * p + 1e-17) << k;
        }
        const double b = std::exp(std::lgamma(1001.0) - std::lgamma(k + 1.0) - std::lgamma(1001.0 - k) + k * std::log(0.3) +
                                  (1000 - k) * std::log(0.7));
        if (b > 1e-12) {
            EXPECT_NEAR(probability(binomial, binomial_mass, static_cast<uint64_t>(k)), b, 1e-10 * b + 1e-17) << k;
        }
        const double g = 0.01 * std::pow(0.99, k);
        EXPECT_NEAR(probability(geometric, geometric_mass, static_cast<uint64_t>(k)), g, 1e-12 * g) << k;
    }
}

TEST(Laws, EndsOfTheirParameters) {
    const ChoiceTable largest = poisson_table(0x1p31);
    EXPECT_LT(largest.low, 0x7fffffffu);
    EXPECT_GT(uint64_t{largest.low} + largest.m, 0x80000000u);
    EXPECT_EQ(poisson_table(std::numeric_limits<double>::denorm_min()).m, 1u);
    EXPECT_EQ(binomial_table(0xffffffffu, 1.0).low, 0xffffffffu);
    EXPECT_EQ(binomial_table(0xffffffffu, 0.0).low, 0u);
    const ChoiceTable half = binomial_table(0xffffffffu, 0.5);
    EXPECT_LT(half.low, 0x7fffffffu);
    EXPECT_GT(uint64_t{half.low} + half.m, 0x80000000u);
    const ChoiceTable sure = binomial_table(0xffffffffu, 1 - 0x1p-53);
    EXPECT_LE(uint64_t{sure.low} + sure.m, 1ull << 32);
    EXPECT_EQ(choice_of(sure.view(), 0x123456789abcdefu), 0xffffffffu);
    EXPECT_EQ(geometric_table(1.0).m, 1u);
}

}  // namespace
}  // namespace tandem::test
