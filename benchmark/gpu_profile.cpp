/// One call of each row, for a profiler: tandem_profile_gpu [REGEX]. Prints the names of the rows, in the order of their kernels.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <regex>

#include "benchmark/gpu_measure.hpp"
#include "benchmark/gpu_rows.hpp"

int main(int argc, char** argv) {
    using namespace tandem::bench;
    try {
        const std::regex wanted(argc > 1 ? argv[1] : "");
        const auto subject = make_subject();
        std::vector<Row> rows = make_rows(*subject, false);
        constexpr uint64_t MOST = uint64_t{1} << 28;
        const auto largest = [&](const Row& row) {
            return row.n <= MOST && std::all_of(rows.begin(), rows.end(), [&](const Row& other) {
                       return other.name != row.name || other.n <= row.n || other.n > MOST;
                   });
        };
        for (const Row& row : rows) {
            if (!std::regex_search(row.name, wanted) || !largest(row)) continue;
            const DeviceMemory out(row.n * row.element_bytes + row.out_offset);
            if (row.prepare) row.prepare();
            row.call(out.data() + row.out_offset);
            check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
            std::printf("row %s\n", row.name.c_str());
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tandem_profile_gpu: %s\n", error.what());
        return 1;
    }
    return 0;
}
