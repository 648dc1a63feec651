#include "host_api/theta/smallest.hpp"

#include <algorithm>
#include <utility>

namespace tandem::api {
namespace {

constexpr std::size_t SMALL_SORT = 512;  // below it the counting of digits costs more than comparisons do
constexpr std::size_t FEWEST_CANDIDATES = std::size_t{1} << 14;
constexpr std::size_t MOST_CANDIDATES = std::size_t{1} << 22;
constexpr std::size_t MOST_SEEN = std::size_t{1} << 15;

constexpr unsigned DIGIT_BITS = 8;
constexpr unsigned DIGITS = 64 / DIGIT_BITS;
constexpr std::size_t DIGIT_VALUES = std::size_t{1} << DIGIT_BITS;

std::size_t digit_of(uint64_t hash, unsigned digit) { return (hash >> (digit * DIGIT_BITS)) & (DIGIT_VALUES - 1); }

/// Sorts by one digit after another, the lowest first; hashes have no order that comparisons could profit from.
void radix_sort(uint64_t* hashes, std::size_t n, std::vector<uint64_t>& spare) {
    std::size_t counts[DIGITS][DIGIT_VALUES] = {};
    for (std::size_t i = 0; i < n; ++i) {
        for (unsigned digit = 0; digit < DIGITS; ++digit) ++counts[digit][digit_of(hashes[i], digit)];
    }
    if (spare.size() < n) spare.resize(n);
    uint64_t* from = hashes;
    uint64_t* to = spare.data();
    for (unsigned digit = 0; digit < DIGITS; ++digit) {
        if (counts[digit][digit_of(from[0], digit)] == n) continue;  // all hashes have this digit, as small ones their zeros
        std::size_t at = 0;
        for (std::size_t& count : counts[digit]) at += std::exchange(count, at);
        for (std::size_t i = 0; i < n; ++i) to[counts[digit][digit_of(from[i], digit)]++] = from[i];
        std::swap(from, to);
    }
    if (from != hashes) std::copy(from, from + n, hashes);
}

std::size_t power_of_two_from(std::size_t n) {
    std::size_t power = 1;
    while (power < n) power *= 2;
    return power;
}

}  // namespace

SortedHashes below(const SortedHashes& hashes, uint64_t theta) {
    return {hashes.data, static_cast<std::size_t>(std::lower_bound(hashes.begin(), hashes.end(), theta) - hashes.begin())};
}

Kept keep_smallest(const SortedHashes& a, const SortedHashes& b, uint64_t theta, uint64_t k) {
    const SortedHashes left = below(a, theta), right = below(b, theta);
    const uint64_t most = std::min<uint64_t>(k + 1, left.n + right.n);
    Kept kept{{}, theta};
    kept.hashes.reserve(most);
    const uint64_t* i = left.begin();
    const uint64_t* j = right.begin();
    while (kept.hashes.size() < most && i != left.end() && j != right.end()) {
        const uint64_t x = *i, y = *j;
        kept.hashes.push_back(std::min(x, y));
        i += x <= y;
        j += y <= x;
    }
    for (; kept.hashes.size() < most && i != left.end(); ++i) kept.hashes.push_back(*i);
    for (; kept.hashes.size() < most && j != right.end(); ++j) kept.hashes.push_back(*j);
    if (kept.hashes.size() > k) {
        kept.theta = kept.hashes.back();
        kept.hashes.pop_back();
    }
    return kept;
}

std::size_t sort_distinct(uint64_t* hashes, std::size_t n, std::vector<uint64_t>& spare) {
    if (n < SMALL_SORT) {
        std::sort(hashes, hashes + n);
    } else {
        radix_sort(hashes, n, spare);
    }
    return static_cast<std::size_t>(std::unique(hashes, hashes + n) - hashes);
}

Collector::Collector(const std::vector<uint64_t>& retained, uint64_t theta, uint64_t k, uint64_t expected)
    : current_(retained),
      theta_(theta),
      k_(k),
      kept_{{}, theta},
      capacity_(static_cast<std::size_t>(std::min(expected, std::clamp<uint64_t>(k, FEWEST_CANDIDATES, MOST_CANDIDATES)))),
      candidates_(capacity_ + BATCH) {
    if (expected > capacity_) seen_.resize(std::min(power_of_two_from(2 * k), MOST_SEEN));
}

void Collector::offer(const uint64_t* hashes, std::size_t n) {
    if (seen_.empty()) {
        std::copy(hashes, hashes + n, candidates_.data() + count_);
        count_ += n;
    } else {
        const std::size_t mask = seen_.size() - 1;
        for (std::size_t i = 0; i < n; ++i) {
            const uint64_t hash = hashes[i];
            uint64_t& last = seen_[hash & mask];
            candidates_[count_] = hash;
            count_ += last != hash;
            last = hash;
        }
    }
    if (count_ >= capacity_) settle();
}

void Collector::settle() {
    const std::size_t distinct = sort_distinct(candidates_.data(), count_, spare_);
    count_ = 0;
    kept_ = keep_smallest(current_, {candidates_.data(), distinct}, theta_, k_);
    current_ = kept_.hashes;
    theta_ = kept_.theta;
    changed_ = true;
}

bool Collector::finish() {
    if (count_ > 0 || current_.n > k_) settle();
    if (changed_) kept_.hashes.shrink_to_fit();
    return changed_;
}

}  // namespace tandem::api
