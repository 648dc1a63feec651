#pragma once

/// Discrete laws as tables of a weighted choice (contract, section 12). Host only; each value costs one 64-bit draw.

#include "tandem/core/arithmetic.hpp"
#include "tandem/core/choice.hpp"

#if !defined(__CUDACC_RTC__)
#include <algorithm>

namespace tandem {
namespace detail {

/// Weights below this, relative to the mode's, are left out. It also bounds the tables: the widest legal law, the geometric one
/// of p = 2^-20, keeps fewer than 2^26 values.
constexpr double LAW_FLOOR = 0x1p-80;

/// The table of a law on 0 .. last, whose weight at its mode is 1: `step_down(k, w)` is the weight of k - 1 and `step_up(k, w)`
/// that of k + 1, given the weight w of k.
template <class Down, class Up>
ChoiceTable law_table(uint64_t mode, uint64_t last, Down step_down, Up step_up) {
    std::vector<double> weights{1.0};
    uint64_t low = mode;
    for (double w = 1.0; low > 0; --low) {
        w = step_down(low, w);
        if (!(w >= LAW_FLOOR)) break;
        weights.push_back(w);
    }
    std::reverse(weights.begin(), weights.end());
    double w = 1.0;
    for (uint64_t k = mode; k < last; ++k) {
        w = step_up(k, w);
        if (!(w >= LAW_FLOOR)) break;
        weights.push_back(w);
    }
    return choice_build(weights.data(), weights.size(), static_cast<uint32_t>(low));
}

[[noreturn]] inline void refuse_law(const char* what, double value, const char* allowed) {
    throw std::invalid_argument(std::string(what) + " is " + number_text(value) + "; allowed are " + allowed);
}

}  // namespace detail

/// The Poisson law of mean lambda, 0 < lambda <= 2^31; otherwise throws std::invalid_argument.
inline ChoiceTable poisson_table(double lambda) {
    if (!(lambda > 0.0 && lambda <= 0x1p31)) {
        detail::refuse_law("poisson_table: lambda", lambda, "values above 0 up to 2147483648");
    }
    return detail::law_table(
        static_cast<uint64_t>(lambda), 0xffffffffu,
        [lambda](uint64_t k, double w) { return ieee::mul(w, ieee::div(static_cast<double>(k), lambda)); },
        [lambda](uint64_t k, double w) { return ieee::mul(w, ieee::div(lambda, static_cast<double>(k + 1))); });
}

/// The number of successes in n trials of probability p, 0 <= p <= 1; any other p throws std::invalid_argument.
inline ChoiceTable binomial_table(uint32_t n, double p) {
    if (!(p >= 0.0 && p <= 1.0)) detail::refuse_law("binomial_table: p", p, "values from 0 to 1");
    const double certain = 1.0;
    if (n == 0 || p == 0.0) return choice_build(&certain, 1, 0);
    if (p == 1.0) return choice_build(&certain, 1, n);
    const double ratio = ieee::div(p, ieee::sub(1.0, p));
    const double centre = ieee::mul(static_cast<double>(n) + 1.0, p);
    const uint64_t mode = std::min<uint64_t>(n, static_cast<uint64_t>(centre));
    return detail::law_table(
        mode, n,
        [n, ratio](uint64_t k, double w) {
            return ieee::mul(w, ieee::div(static_cast<double>(k), ieee::mul(static_cast<double>(n - k + 1), ratio)));
        },
        [n, ratio](uint64_t k, double w) {
            return ieee::mul(w, ieee::div(ieee::mul(static_cast<double>(n - k), ratio), static_cast<double>(k + 1)));
        });
}

/// The number of failures before the first success of probability p, 2^-20 <= p <= 1; any other p throws std::invalid_argument.
inline ChoiceTable geometric_table(double p) {
    if (!(p >= 0x1p-20 && p <= 1.0)) {
        detail::refuse_law("geometric_table: p", p, "values from 2^-20 (9.5367431640625e-07) to 1");
    }
    const double failure = ieee::sub(1.0, p);
    return detail::law_table(
        0, 0xffffffffu, [](uint64_t, double w) { return w; }, [failure](uint64_t, double w) { return ieee::mul(w, failure); });
}

}  // namespace tandem
#endif
