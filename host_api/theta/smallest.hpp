#pragma once

/// The smallest distinct hashes of what is offered: the rule of updates and unions, on host memory.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tandem::api {

/// Hashes in memory, ascending, none twice.
struct SortedHashes {
    SortedHashes(const uint64_t* hashes, std::size_t count) : data(hashes), n(count) {}
    SortedHashes(const std::vector<uint64_t>& hashes) : data(hashes.data()), n(hashes.size()) {}

    const uint64_t* begin() const { return data; }
    const uint64_t* end() const { return data + n; }

    const uint64_t* data;
    std::size_t n;
};

/// The part below theta.
SortedHashes below(const SortedHashes& hashes, uint64_t theta);

/// What is kept, and the theta that it is below.
struct Kept {
    std::vector<uint64_t> hashes;
    uint64_t theta;
};

/// The distinct hashes of both below theta when there are at most k; otherwise the k smallest, and the next one as theta.
Kept keep_smallest(const SortedHashes& a, const SortedHashes& b, uint64_t theta, uint64_t k);

/// Sorts hashes and drops repeats; `spare` is room for as many.
std::size_t sort_distinct(uint64_t* hashes, std::size_t n, std::vector<uint64_t>& spare);

/// Gathers the k smallest distinct hashes of a set and of a sequence of any length, in memory for about 2k + 2^14 hashes.
class Collector {
  public:
    /// Refers to `retained`, which must not change meanwhile. `expected` hashes will be offered.
    Collector(const std::vector<uint64_t>& retained, uint64_t theta, uint64_t k, uint64_t expected);

    /// Hashes at or above it need not be offered.
    uint64_t theta() const { return theta_; }

    /// How many hashes offer() takes at most.
    static constexpr std::size_t BATCH = 1024;

    /// Offers hashes in [1, theta()).
    void offer(const uint64_t* hashes, std::size_t n);

    /// Ends the sequence. True when the set has changed; kept() then is what to keep.
    bool finish();
    Kept& kept() { return kept_; }

  private:
    void settle();

    SortedHashes current_;  // of the set or of kept_
    uint64_t theta_;
    uint64_t k_;
    bool changed_ = false;
    Kept kept_;
    std::size_t capacity_;
    std::vector<uint64_t> candidates_;
    std::size_t count_ = 0;
    std::vector<uint64_t> seen_;  // the last hash offered of each group of low bits: most repeats are dropped by it
    std::vector<uint64_t> spare_;
};

}  // namespace tandem::api
