#include "statistics/p_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tandem::test {
namespace {

// ln of x^a e^-x / Gamma(a).
double log_front(double a, double x) { return a * std::log(x) - x - std::lgamma(a); }

/// The lower regularised incomplete gamma function, by its power series: for x < a + 1.
double gamma_lower_series(double a, double x) {
    double term = 1.0 / a, sum = term;
    for (double k = a + 1; term > sum * 1e-17; k += 1) {
        term *= x / k;
        sum += term;
    }
    return sum * std::exp(log_front(a, x));
}

/// The upper one by its continued fraction, evaluated from the front (Lentz): for x >= a + 1.
double gamma_upper_fraction(double a, double x) {
    double b = x + 1 - a, d = 1 / b, c = std::numeric_limits<double>::max(), value = d;
    for (int i = 1; i < 100000; ++i) {
        const double an = -i * (i - a);
        b += 2;
        d = 1 / (an * d + b);
        c = an / c + b;
        const double factor = c * d;
        value *= factor;
        if (std::fabs(factor - 1) < 1e-15) break;
    }
    return value * std::exp(log_front(a, x));
}

double gamma_upper(double a, double x) {
    if (x <= 0) return 1;
    return x < a + 1 ? 1 - gamma_lower_series(a, x) : gamma_upper_fraction(a, x);
}

double gamma_lower(double a, double x) {
    if (x <= 0) return 0;
    return x < a + 1 ? gamma_lower_series(a, x) : 1 - gamma_upper_fraction(a, x);
}

}  // namespace

double chi_square_tail(double x, double degrees) { return gamma_upper(degrees / 2, x / 2); }

double chi_square_p(const std::vector<uint64_t>& counts, const std::vector<double>& expected) {
    std::vector<double> seen, wanted;
    double count = 0, expectation = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        count += static_cast<double>(counts[i]);
        expectation += expected[i];
        if (expectation < 10) continue;
        seen.push_back(count);
        wanted.push_back(expectation);
        count = expectation = 0;
    }
    if (wanted.empty()) return 1;
    seen.back() += count;
    wanted.back() += expectation;
    if (wanted.size() < 2) return 1;
    double sum = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) sum += (seen[i] - wanted[i]) * (seen[i] - wanted[i]) / wanted[i];
    return chi_square_tail(sum, static_cast<double>(seen.size() - 1));
}

double normal_p(double z) { return std::erfc(std::fabs(z) * std::sqrt(0.5)); }

double count_p(uint64_t count, double expected) {
    const double k = static_cast<double>(count);
    // P(N <= k) is the upper gamma function of k + 1, P(N >= k) the lower one of k.
    const double at_most = gamma_upper(k + 1, expected), at_least = count == 0 ? 1 : gamma_lower(k, expected);
    return std::min(1.0, 2 * std::min(at_most, at_least));
}

double kolmogorov_p(double distance, double n) {
    const double root = std::sqrt(n), x = (root + 0.12 + 0.11 / root) * distance;  // M. Stephens's form for finite n
    if (x < 0.3) return 1;
    double sum = 0, sign = 1;
    for (int k = 1; k <= 100; ++k, sign = -sign) sum += sign * std::exp(-2.0 * k * k * x * x);
    return std::min(1.0, 2 * sum);
}

double anderson_darling_p(const std::vector<double>& sorted) {
    const std::size_t n = sorted.size();
    // Values that round onto an end count as half a step from it.
    const double least = 0x1p-54;
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double low = std::max(sorted[i], least), high = std::max(1 - sorted[n - 1 - i], least);
        sum += (2.0 * static_cast<double>(i) + 1) * (std::log(low) + std::log(high));
    }
    const double statistic = -static_cast<double>(n) - sum / static_cast<double>(n);
    // In the limit it is the sum of Z_j^2 / (j (j + 1)) over independent standard normals. Far out the first term decides, and
    // the others multiply its tail by the product over j >= 2 of (1 - 2 / (j (j + 1)))^(-1/2), which is sqrt(3).
    return std::min(1.0, std::sqrt(3.0) * std::erfc(std::sqrt(std::max(0.0, statistic))));
}

}  // namespace tandem::test
