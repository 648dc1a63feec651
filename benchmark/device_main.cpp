/// tandem_bench_device: draws inside kernels, fused algorithms and Thrust beside cuRAND's device interface, in one run.
///   tandem_bench_device [--filter REGEX] [--out FILE] [Google Benchmark's options]
///   --filter REGEX  the rows whose names contain a match, and what they are compared with
///   --out FILE      the results as JSON

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <regex>

#include "benchmark/device_rows.hpp"
#include "benchmark/gpu_measure.hpp"
#include "benchmark/gpu_report.hpp"

namespace tandem::bench {

char* device_scratch(std::size_t bytes) {
    // Rows run one after another, so they can share the memory; it grows only before the first of them runs.
    static std::vector<std::unique_ptr<DeviceMemory>> blocks;
    static std::size_t largest = 0;
    if (bytes > largest || blocks.empty()) {
        largest = bytes > (std::size_t{1} << 31) ? bytes : std::size_t{1} << 31;
        blocks.push_back(std::make_unique<DeviceMemory>(largest));
    }
    return blocks.back()->data();
}

unsigned full_grid(const void* kernel, int threads) {
    int device = 0, multiprocessors = 0, blocks = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return static_cast<unsigned>(multiprocessors * blocks);
}

namespace {

/// What a row is compared with, by the beginning of its name; the longest that fits counts. The first peer named is the one in
/// the table.
const std::vector<std::pair<std::string, std::vector<std::string>>> PEERS = {
    {"inkernel_row_f32", {"curand_uniform xorwow", "curand_uniform4 philox", "curand_uniform philox"}},
    {"inkernel_chunk_f32", {"curand_uniform xorwow", "curand_uniform4 philox", "curand_uniform philox"}},
    {"inkernel_chunk_f64", {}},
    {"inkernel_normal_f32", {"curand_normal4 philox", "curand_normal2 philox", "curand_normal2 xorwow"}},
    {"inkernel_normal_f64", {"curand_normal2_double philox", "curand_normal2_double xorwow"}},
    {"fused_reduce_u32", {"generation alone u32"}},
    {"fused_reduce_f64", {"generation alone f64"}},
    {"fused_", {}},
    {"thrust_transform_u32", {"curand_init, curand philox", "curand_init, curand xorwow"}},
};

const std::vector<std::string>& peers_of(const std::string& row) {
    static const std::vector<std::string> none;
    const std::vector<std::string>* found = &none;
    std::size_t length = 0;
    for (const auto& [begin, peers] : PEERS) {
        if (row.rfind(begin, 0) == 0 && begin.size() > length) {
            found = &peers;
            length = begin.size();
        }
    }
    return *found;
}

using Shared = std::shared_ptr<Measurement>;

class Suite {
  public:
    explicit Suite(const std::string& filter) {
        for (const auto& calls : {generator_calls(), algorithm_calls(), curand_calls()}) {
            for (const DeviceCall& call : calls) calls_[call.name] = call;
        }
        const std::regex wanted(filter);
        for (const auto& calls : {generator_calls(), algorithm_calls()}) {
            for (const DeviceCall& call : calls) {
                if (call.name.find(' ') != std::string::npos || !std::regex_search(call.name, wanted)) continue;
                rows_.push_back(call.name);
                add(call.name);
                for (const std::string& peer : peers_of(call.name)) add(peer);
            }
        }
    }

    bool empty() const { return rows_.empty(); }

    Report report() const {
        Report report;
        report.context = describe_machine();
        for (const std::string& name : rows_) {
            const Shared& m = measured_.at(name);
            RowResult r;
            r.row = name;
            r.n = m->items;
            r.microseconds = m->seconds * 1e6;
            r.gib_s = m->gib_s();
            const auto& peers = peers_of(name);
            if (!peers.empty()) {
                r.peer = peers.front();
                r.peer_gib_s = measured_.at(r.peer)->gib_s();
            }
            report.rows.push_back(r);
        }
        for (const auto& [name, m] : measured_) {
            if (name.find(' ') != std::string::npos && m->seconds > 0) report.all_peers.emplace_back(name, m->gib_s());
        }
        return report;
    }

  private:
    void add(const std::string& name) {
        Shared& m = measured_[name];
        if (m != nullptr) return;
        const DeviceCall& call = calls_.at(name);
        m = std::make_shared<Measurement>();
        m->name = "BM_device/" + name + "/n:" + std::to_string(call.items);
        m->bytes = call.bytes;
        m->items = call.items;
        m->prepare = call.prepare;
        m->call = call.call;
        register_measurement(m);
    }

    std::map<std::string, DeviceCall> calls_;
    std::vector<std::string> rows_;
    std::map<std::string, Shared> measured_;
};

int run(const std::string& filter, const std::string& out) {
    const Suite suite(filter);
    if (suite.empty()) {
        std::fprintf(stderr, "tandem_bench_device: no row matches %s\n", filter.c_str());
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    const Report report = suite.report();
    if (!out.empty()) write_json(report, out);
    std::printf("\n");
    for (const auto& [peer, gib_s] : report.all_peers) std::printf("beside: %-34s %10.1f GiB/s\n", peer.c_str(), gib_s);
    int failures = 0;
    std::printf("\n%-28s %12s %10s %10s %6s  %s\n", "row", "n", "us", "GiB/s", "ratio", "peer");
    for (const RowResult& r : report.rows) {
        std::printf("%-28s %12zu %10.1f %10.1f ", r.row.c_str(), r.n, r.microseconds, r.gib_s);
        if (r.peer_gib_s > 0) {
            std::printf("%6.2f  %s\n", r.gib_s / r.peer_gib_s, r.peer.c_str());
        } else {
            std::printf("%6s\n", "-");
        }
        failures += r.gib_s > 0 ? 0 : 1;
    }
    return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tandem::bench

int main(int argc, char** argv) {
    std::string filter, out;
    int kept = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument != "--filter" && argument != "--out") {
            argv[kept++] = argv[i];
        } else if (++i < argc) {
            (argument == "--out" ? out : filter) = argv[i];
        } else {
            std::fprintf(stderr, "usage: tandem_bench_device [--filter REGEX] [--out FILE] [--benchmark_...]\n");
            return 2;
        }
    }
    benchmark::Initialize(&kept, argv);
    if (benchmark::ReportUnrecognizedArguments(kept, argv)) return 2;
    try {
        return tandem::bench::run(filter, out);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "tandem_bench_device: %s\n", e.what());
        return 1;
    }
}
