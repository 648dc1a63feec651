#include "host_api/theta/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "host_api/cpu/float_mode.hpp"
#include "host_api/theta/binomial_tables.hpp"
#include "tandem/core/arithmetic.hpp"

// Each operation rounds once, in the order written: the reference's bounds depend on it. Products go through ieee::mul, which no
// compiler joins with a later sum.

namespace tandem::api {
namespace {

using ieee::mul;

/// The mass of a normal law beyond 1, 2 and 3 standard deviations on one side, as the reference has it.
constexpr double TAIL[3] = {0.1586553191586026479, 0.0227502618904135701, 0.0013498126861731796};

constexpr double NEARLY_ALL = 1.0 - 1e-5;  // a fraction above which at most one key is missing

/// A sample of n keys of which each was kept with probability `fraction`.
struct Sample {
    uint64_t n;
    double count;     // n
    double fraction;  // in (0, 1)
    double missed;    // 1 - fraction
};

/// Both bounds of the classic method have the form N + w^2/2 -+ (w/2) sqrt(w^2 + 4N), with N = corrected count / fraction.
struct Classic {
    double n;
    double half_square;
    double spread;
};

Classic classic(const Sample& sample, double corrected, double deviations) {
    const double n = corrected / sample.fraction;
    const double w = mul(deviations, std::sqrt(sample.missed / sample.fraction));
    const double square = mul(w, w);
    return {n, 0.5 * square, mul(0.5 * w, std::sqrt(square + mul(4.0, n)))};
}

double classic_lower(const Sample& sample, double deviations) {
    const Classic c = classic(sample, sample.count - 0.5, deviations);
    return c.n + c.half_square - c.spread;
}

double classic_upper(const Sample& sample, double deviations) {
    const Classic c = classic(sample, sample.count + 0.5, deviations);
    return c.n + c.half_square + c.spread;
}

/// The first m at which the probability that `successes` were reached with m keys or fewer is above, or with `at_least` not
/// below, a mass.
double first_beyond(const Sample& sample, double successes, double mass, bool at_least) {
    double m = successes;
    double term = std::pow(sample.fraction, successes);
    double sum = term;
    while (at_least ? sum < mass : sum <= mass) {
        term = mul(mul(term, sample.missed), m) / (m + 1.0 - successes);
        sum += term;
        m += 1.0;
    }
    return m;
}

bool few_of_many(const Sample& sample) { return sample.fraction < sample.count / 360.0; }

double lower_bound_of(const Sample& sample, uint32_t deviations) {
    const double tail = TAIL[deviations - 1];
    if (sample.n == 0) return 0.0;
    if (sample.n == 1) return std::floor(std::log(1.0 - tail) / std::log(sample.missed));
    if (sample.n >= BINOMIAL_ROWS) return classic_lower(sample, deviations) - 0.5;
    if (sample.fraction > NEARLY_ALL) return sample.count;
    if (few_of_many(sample)) return classic_lower(sample, BINOMIAL_LOWER[sample.n][deviations - 1]) - 0.5;
    return first_beyond(sample, sample.count, tail, false) - 1.0;
}

double upper_bound_of(const Sample& sample, uint32_t deviations) {
    const double tail = TAIL[deviations - 1];
    if (sample.n == 0) return std::ceil(std::log(tail) / std::log(sample.missed));
    if (sample.n >= BINOMIAL_ROWS) return classic_upper(sample, deviations) + 0.5;
    if (sample.fraction > NEARLY_ALL) return sample.count + 1.0;
    if (few_of_many(sample)) return classic_upper(sample, BINOMIAL_UPPER[sample.n][deviations - 1]) + 0.5;
    return first_beyond(sample, sample.count + 1.0, 1.0 - tail, true);
}

double fraction_of(uint64_t theta) { return static_cast<double>(theta) / static_cast<double>(MAX_THETA); }

}  // namespace

double theta_estimate(const ThetaSummary& summary) {
    const cpu::FloatMode mode;
    return static_cast<double>(summary.retained) / fraction_of(summary.theta);
}

ThetaBounds theta_bounds(const ThetaSummary& summary, uint32_t deviations) {
    const cpu::FloatMode mode;
    const double count = static_cast<double>(summary.retained);
    const double fraction = fraction_of(summary.theta);
    if (summary.empty || fraction == 1.0) return {count, count};  // a theta just below MAX_THETA has the fraction 1 too
    const Sample sample{summary.retained, count, fraction, 1.0 - fraction};
    const double estimate = count / fraction;
    return {std::min(estimate, std::max(count, lower_bound_of(sample, deviations))),
            std::max(estimate, upper_bound_of(sample, deviations))};
}

}  // namespace tandem::api
