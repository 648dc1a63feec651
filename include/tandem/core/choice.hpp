#pragma once

/// Weighted choice from an alias table in exact integers (contract, section 10).

#include "tandem/core/fill.hpp"

#if !defined(__CUDACC_RTC__)
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
#endif

namespace tandem {

/// The column of a table that a draw falls into, and its level there, below the table's capacity.
struct ChoiceColumn {
    uint32_t index;
    uint64_t level;
};

TANDEM_FN ChoiceColumn choice_column(const ChoiceView& table, uint64_t draw) {
    const uint64_t upper = (draw >> 32) * table.m;
    const uint64_t lower = (draw & 0xffffffffu) * table.m;
    const uint64_t middle = upper + (lower >> 32);
    const uint64_t rest = middle << 32 | (lower & 0xffffffffu);  // the low 64 bits of draw * m
    return {static_cast<uint32_t>(middle >> 32), mul_hi(rest, table.capacity)};
}

/// Maps a 64-bit draw to a value low .. low + m - 1 of a table. On CUDA devices the table lies in global memory and does not
/// change while the kernel runs.
TANDEM_FN uint32_t choice_of(const ChoiceView& table, uint64_t draw) {
    const ChoiceColumn c = choice_column(table, draw);
#if defined(__CUDA_ARCH__)
    const uint64_t cut = __ldg(reinterpret_cast<const unsigned long long*>(table.cut) + c.index);
    const uint32_t alias = __ldg(table.alias + c.index);
    return table.low + (c.level < cut ? c.index : alias);
#else
    return table.low + (c.level < table.cut[c.index] ? c.index : table.alias[c.index]);
#endif
}

#if !defined(__CUDACC_RTC__)

/// An alias table in host memory: values low .. low + m - 1.
struct ChoiceTable {
    std::vector<uint64_t> cut;    ///< m entries
    std::vector<uint32_t> alias;  ///< m entries
    uint64_t capacity = 0;
    uint32_t m = 0;
    uint32_t low = 0;

    /// This table for choice_of on the host; valid while the table lives and is not changed.
    ChoiceView view() const { return ChoiceView{cut.data(), alias.data(), capacity, m, low}; }
};

namespace detail {

inline int bit_length(uint64_t x) {
    int length = 0;
    for (int step = 32; step > 0; step >>= 1) {
        if (x >> step) {
            x >>= step;
            length += step;
        }
    }
    return length + static_cast<int>(x);
}

/// A finite weight >= 0 as mantissa * 2^exponent, from its bits alone, so that no mode flushes it to zero.
struct WeightParts {
    uint64_t mantissa;
    int exponent;
};

inline WeightParts weight_parts(double weight) {
    const uint64_t bits = bit_cast<uint64_t>(weight) & 0x7fffffffffffffffu;
    const int biased = static_cast<int>(bits >> 52);
    const uint64_t fraction = bits & 0x000fffffffffffffu;
    return biased == 0 ? WeightParts{fraction, -1074} : WeightParts{fraction | 1ull << 52, biased - 1075};
}

/// ceil(weight * 2^t), which must fit: at least 1 for a weight above 0.
inline uint64_t ceil_scaled(double weight, int t) {
    const WeightParts w = weight_parts(weight);
    if (w.mantissa == 0) return 0;
    const int shift = w.exponent + t;
    if (shift >= 0) return w.mantissa << shift;
    if (shift <= -53) return 1;
    return (w.mantissa + ((1ull << -shift) - 1)) >> -shift;
}

inline std::string number_text(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

/// The bits of the largest weight. Throws when a weight or the list is refused.
inline double largest_weight(const double* weights, uint64_t m) {
    if (m == 0 || m > 0xffffffffu) {
        throw std::invalid_argument("choice_build: " + std::to_string(m) + " weights; allowed are 1 to 4294967295");
    }
    if (weights == nullptr) throw std::invalid_argument("choice_build: weights is null");
    uint64_t largest = 0;
    for (uint64_t i = 0; i < m; ++i) {
        uint64_t bits = bit_cast<uint64_t>(weights[i]);
        if (bits == 0x8000000000000000u) bits = 0;
        if (bits >= 0x7ff0000000000000u) {
            throw std::invalid_argument("choice_build: weight " + std::to_string(i) + " is " + number_text(weights[i]) +
                                        "; allowed are finite values of 0 or more");
        }
        largest = bits > largest ? bits : largest;
    }
    if (largest == 0) throw std::invalid_argument("choice_build: every weight is 0; allowed are lists with one above 0");
    return bit_cast<double>(largest);
}

/// Gives every column below the capacity an alias that fills it up, taken from the first column with something to give.
inline void pair_columns(ChoiceTable& table) {
    const uint64_t capacity = table.capacity;
    uint64_t* const cut = table.cut.data();
    uint32_t* const alias = table.alias.data();
    const uint64_t m = table.m;
    const auto next_donor = [&](uint64_t from) {
        while (from < m && cut[from] < capacity) ++from;
        return from;
    };
    uint64_t donor = next_donor(0);
    for (uint64_t i = 0; i < m; ++i) {
        uint64_t j = i;
        while (j <= i && cut[j] < capacity) {
            alias[j] = static_cast<uint32_t>(donor);
            cut[donor] -= capacity - cut[j];
            j = donor;
            if (cut[donor] < capacity) donor = next_donor(donor + 1);
        }
    }
}

}  // namespace detail

/// Builds the table that yields low + i with probability weights[i] / sum, up to a rounding of each weight up in units of about
/// 2^-63 of the sum: a weight above 0, however small, stays possible, and a weight of 0 is impossible. 1 <= m < 2^32 weights,
/// finite and not negative, at least one above 0, and low + m <= 2^32; otherwise throws std::invalid_argument, which names the
/// argument, its value and what is allowed. The same table on every machine.
inline ChoiceTable choice_build(const double* weights, uint64_t m, uint32_t low = 0) {
    const detail::WeightParts largest = detail::weight_parts(detail::largest_weight(weights, m));
    if (m > 0x100000000u - low) {
        throw std::invalid_argument("choice_build: offset " + std::to_string(low) + " with " + std::to_string(m) +
                                    " weights; allowed are values up to 4294967295");
    }
    ChoiceTable table;
    table.m = static_cast<uint32_t>(m);
    table.low = low;

    // largest = f * 2^e with 0.5 <= f < 1: scaled so, every sum of m weights stays below 2^64.
    const int e = largest.exponent + detail::bit_length(largest.mantissa);
    int t = 63 - detail::bit_length(m) - (e - 1);
    uint64_t total = 0;
    for (uint64_t i = 0; i < m; ++i) total += detail::ceil_scaled(weights[i], t);
    t += 63 - detail::bit_length(total);

    table.cut.resize(m);
    table.alias.resize(m);
    total = 0;
    uint64_t big = 0;
    for (uint64_t i = 0; i < m; ++i) {
        const uint64_t cut = detail::ceil_scaled(weights[i], t);
        table.cut[i] = cut;
        table.alias[i] = static_cast<uint32_t>(i);
        total += cut;
        if (cut > table.cut[big]) big = i;
    }
    table.capacity = total / m + (total % m != 0);
    table.cut[big] += table.capacity * m - total;
    detail::pair_columns(table);
    return table;
}

#endif

}  // namespace tandem
