#pragma once

/// The results file and the table at the end.

#include <string>
#include <utility>
#include <vector>

#include "benchmark/gpu_host_cost.hpp"

namespace tandem::bench {

/// A row's figures. Rates in GiB/s of output; 0, and an empty peer, where there is none.
struct RowResult {
    std::string row;
    std::size_t n = 0;
    double microseconds = 0;
    double gib_s = 0;
    double store_same_size = 0;  ///< the store kernel's rate over as many bytes
    std::string peer;            ///< the fastest of those measured
    double peer_gib_s = 0;
};

struct Report {
    std::vector<std::pair<std::string, std::string>> context;  ///< values are JSON already
    double roofline = 0;                                       ///< the store kernel's rate over 2 GiB
    std::vector<RowResult> rows;
    std::vector<std::pair<std::string, double>> all_peers;  ///< every call of cuRAND that was measured, GiB/s
    std::vector<HostCost> warm_calls, cold_calls;
};

/// A text as a JSON string.
std::string quoted(const std::string& text);
/// A number as JSON, with four digits after the point.
std::string number(double value);

/// What ran this: the GPU, its clocks, the versions, the date.
std::vector<std::pair<std::string, std::string>> describe_machine();

/// Writes the file; throws std::runtime_error when it cannot.
void write_json(const Report& report, const std::string& path);

void print_table(const Report& report);

}  // namespace tandem::bench
