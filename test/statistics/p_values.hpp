#pragma once

/// Tests of goodness of fit. Each returns a probability that data as far off as these, or farther, come from the law.

#include <cstdint>
#include <vector>

namespace tandem::test {

/// The upper tail of the chi-square law with `degrees` degrees of freedom.
double chi_square_tail(double x, double degrees);

/// Pearson's test of counts against expectations, which have the same sum. Cells expecting fewer than 10 are joined to the next.
double chi_square_p(const std::vector<uint64_t>& counts, const std::vector<double>& expected);

/// Both sides: the probability of a standard normal beyond |z|.
double normal_p(double z);

/// Both sides of a count of rare events against its expectation, by the Poisson law.
double count_p(uint64_t count, double expected);

/// Kolmogorov and Smirnov: `distance` is the largest difference between the empirical distribution of n values and the law's.
double kolmogorov_p(double distance, double n);

/// Anderson and Darling, for sorted probabilities F(x_i). Only small results are accurate (below a few per cent), which is where
/// a test decides.
double anderson_darling_p(const std::vector<double>& sorted);

}  // namespace tandem::test
