/// tandem_bench_gpu: every fill of device memory beside a kernel that only stores and beside cuRAND, in one run.
///   tandem_bench_gpu [--quick] [--filter REGEX] [--out FILE] [Google Benchmark's options]
///   --quick         the largest size only, and of cuRAND the two fastest generators in their fastest ordering
///   --filter REGEX  the rows whose names contain a match
///   --out FILE      the results as JSON

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <regex>

#include "benchmark/gpu_host_cost.hpp"
#include "benchmark/gpu_measure.hpp"
#include "benchmark/gpu_peers.hpp"
#include "benchmark/gpu_report.hpp"
#include "benchmark/gpu_rows.hpp"
#include "benchmark/gpu_store.hpp"

namespace tandem::bench {
namespace {

constexpr std::size_t ROOF_BYTES = std::size_t{1} << 31;
constexpr std::size_t LARGEST_BYTES = std::size_t{1} << 33;     // 2^30 elements of 8 bytes
constexpr std::size_t LONGEST_IN_TURNS = std::size_t{1} << 20;  // elements
constexpr std::size_t SLACK = 4096;                             // for outputs that begin off the buffer's start

struct Options {
    bool quick = false;
    std::string filter;
    std::string out;
};

/// Takes this program's options out of the arguments; false when they are wrong.
bool take_options(int& argc, char** argv, Options& options) {
    int kept = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--quick") {
            options.quick = true;
        } else if (argument == "--filter" || argument == "--out") {
            if (++i == argc) return false;
            (argument == "--out" ? options.out : options.filter) = argv[i];
        } else {
            argv[kept++] = argv[i];
        }
    }
    argc = kept;
    return true;
}

using Shared = std::shared_ptr<Measurement>;

Shared measurement(std::string name, std::size_t bytes, std::size_t items, std::function<void()> call) {
    auto m = std::make_shared<Measurement>();
    m->name = std::move(name);
    m->bytes = bytes;
    m->items = items;
    m->call = std::move(call);
    return m;
}

/// Everything to measure, registered in an order that puts what is compared side by side.
class Suite {
  public:
    explicit Suite(const Options& options)
        : quick_(options.quick),
          memory_((options.quick ? ROOF_BYTES : LARGEST_BYTES) + SLACK),
          subject_(make_subject()),
          generators_(make_peer_generators()) {
        // The first store warms the GPU up as well.
        store(ROOF_BYTES);
        char* const out = memory_.data();
        memset_ = measurement("BM_memset/bytes:" + std::to_string(ROOF_BYTES), ROOF_BYTES, ROOF_BYTES,
                              [out] { check(cudaMemsetAsync(out, 1, ROOF_BYTES), "cudaMemsetAsync"); });
        register_measurement(memset_);
        const std::regex filter(options.filter);
        for (Row& row : make_rows(*subject_, quick_)) {
            if (std::regex_search(row.name, filter)) add(std::move(row));
        }
    }

    std::size_t rows() const { return rows_.size(); }

    Report report() const {
        Report report;
        report.roofline = stores_.at(ROOF_BYTES)->gib_s();
        report.context = describe_machine();
        report.context.emplace_back("roofline_gib_s", number(report.roofline));
        report.context.emplace_back("memset_gib_s", number(memset_->gib_s()));
        RowResult slowest;
        for (const Entry& entry : rows_) {
            RowResult r;
            r.row = entry.row.name;
            r.n = entry.row.n;
            r.microseconds = entry.measured->seconds * 1e6;
            r.gib_s = entry.measured->gib_s();
            r.store_same_size = stores_.at(entry.measured->bytes)->gib_s();
            choose_peer(entry.row, r);
            report.rows.push_back(r);
            const bool unaligned = r.row.rfind("normal_f64_start", 0) == 0 || r.row.rfind("normal_f64_out", 0) == 0;
            if (unaligned && (slowest.row.empty() || r.gib_s < slowest.gib_s)) slowest = r;
        }
        if (!slowest.row.empty()) {
            slowest.row = "normal_f64_unaligned_min";
            report.rows.push_back(slowest);
        }
        for (const auto& entry : peers_) {
            for (const PeerEntry& peer : entry.second) {
                if (peer.measured->seconds > 0) report.all_peers.emplace_back(peer.measured->name, peer.measured->gib_s());
            }
        }
        return report;
    }

  private:
    struct Entry {
        Row row;
        Shared measured;
    };
    struct PeerEntry {
        std::string name;
        Shared measured;
    };

    void store(std::size_t bytes) {
        Shared& m = stores_[bytes];
        if (m != nullptr) return;
        char* const out = memory_.data();
        m = measurement("BM_store/bytes:" + std::to_string(bytes), bytes, bytes,
                        [out, bytes] { check(store_16_bytes_a_thread(out, bytes, nullptr), "the store kernel"); });
        if (bytes > 8 * LONGEST_IN_TURNS) return register_measurement(m);
        register_in_turns(store_turns_, m);
    }

    void add(Row row) {
        const std::size_t bytes = row.n * row.element_bytes;
        store(bytes);
        void* const out = memory_.data() + row.out_offset;
        const Shared m = measurement("BM_fill/" + row.name + "/n:" + std::to_string(row.n), bytes, row.n,
                                     [call = row.call, out] { call(out); });
        m->prepare = row.prepare;
        enlist(m, row.peer, row.n);
        add_peers(row.peer, row.n);
        rows_.push_back({std::move(row), m});
    }

    /// Short calls take turns with those that they are compared with, or where cuRAND has none, with the others of that size.
    void enlist(const Shared& m, PeerCall call, std::size_t n) {
        if (n > LONGEST_IN_TURNS) return register_measurement(m);
        std::shared_ptr<Turns>& turns = turns_[{call, n}];
        if (turns == nullptr) turns = make_turns();
        register_in_turns(turns, m);
    }

    void add_peers(PeerCall call, std::size_t n) {
        if (call == PeerCall::none || peers_.count({call, n}) != 0) return;
        std::vector<PeerEntry>& entries = peers_[{call, n}];
        const bool all = !quick_ && n <= std::size_t{1} << 28;
        for (const Peer& peer : peers_of(call, generators_, all)) {
            void* const out = memory_.data();
            const Shared m = measurement("BM_curand/" + peer.id + "/n:" + std::to_string(n), n * element_bytes_of(call), n,
                                         [f = peer.call, out, n] { f(out, n); });
            enlist(m, call, n);
            entries.push_back({peer.name, m});
        }
    }

    void choose_peer(const Row& row, RowResult& r) const {
        const auto found = peers_.find({row.peer, row.n});
        if (found == peers_.end()) return;
        for (const PeerEntry& peer : found->second) {
            if (peer.measured->gib_s() <= r.peer_gib_s) continue;
            r.peer_gib_s = peer.measured->gib_s();
            r.peer = peer.name;
        }
    }

    bool quick_;
    DeviceMemory memory_;
    std::shared_ptr<Subject> subject_;
    std::shared_ptr<PeerGenerators> generators_;
    std::map<std::size_t, Shared> stores_;
    std::shared_ptr<Turns> store_turns_ = make_turns();
    Shared memset_;
    std::vector<Entry> rows_;
    std::map<std::pair<PeerCall, std::size_t>, std::vector<PeerEntry>> peers_;
    std::map<std::pair<PeerCall, std::size_t>, std::shared_ptr<Turns>> turns_;
};

int run(const Options& options) {
    const std::vector<HostCost> cold = measure_cold_calls();
    const Suite suite(options);
    if (suite.rows() == 0) {
        std::fprintf(stderr, "tandem_bench_gpu: no row matches %s\n", options.filter.c_str());
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    Report report = suite.report();
    report.cold_calls = cold;
    report.warm_calls = measure_warm_calls();
    if (!options.out.empty()) write_json(report, options.out);
    print_table(report);
    for (const RowResult& row : report.rows) {
        if (row.gib_s == 0) {
            std::fprintf(stderr, "tandem_bench_gpu: %s has no figure\n", row.row.c_str());
            return 1;
        }
    }
    return 0;
}

}  // namespace
}  // namespace tandem::bench

int main(int argc, char** argv) {
    tandem::bench::Options options;
    if (!tandem::bench::take_options(argc, argv, options)) {
        std::fprintf(stderr, "usage: tandem_bench_gpu [--quick] [--filter REGEX] [--out FILE] [--benchmark_...]\n");
        return 2;
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    try {
        return tandem::bench::run(options);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "tandem_bench_gpu: %s\n", e.what());
        return 1;
    }
}
