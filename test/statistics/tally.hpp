#pragma once

/// What many threads count over large samples.

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace tandem::test {

/// Calls body(tally, begin, end) for the parts of [0, n), each on a thread of its own with a copy of `empty`. Returns the parts'
/// tallies added together with +=.
template <class Tally, class Body>
Tally tally_over(std::size_t n, Tally empty, Body body) {
    const std::size_t parts = std::max(1u, std::thread::hardware_concurrency());
    std::vector<Tally> tallies(parts, empty);
    std::vector<std::thread> threads;
    for (std::size_t p = 0; p < parts; ++p) {
        threads.emplace_back([&, p] { body(tallies[p], n * p / parts, n * (p + 1) / parts); });
    }
    for (std::thread& thread : threads) thread.join();
    Tally total = empty;
    for (const Tally& tally : tallies) total += tally;
    return total;
}

/// Counts in cells.
struct Counts {
    std::vector<uint64_t> cells;
    explicit Counts(std::size_t n) : cells(n, 0) {}
    Counts& operator+=(const Counts& other) {
        for (std::size_t i = 0; i < cells.size(); ++i) cells[i] += other.cells[i];
        return *this;
    }
};

/// Sums of the first four powers.
struct Powers {
    double sum[4] = {0, 0, 0, 0};
    void add(double x) {
        double power = 1;
        for (double& s : sum) s += power *= x;
    }
    Powers& operator+=(const Powers& other) {
        for (int i = 0; i < 4; ++i) sum[i] += other.sum[i];
        return *this;
    }
};

}  // namespace tandem::test
