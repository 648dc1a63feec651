/// tandem_bench_theta: sketches of device memory beside a kernel that only reads the keys, in one run.
///   tandem_bench_theta [--quick] [--filter REGEX] [--out FILE]
///   --quick         fewer repetitions
///   --filter REGEX  the rows whose names contain a match
///   --out FILE      the results as JSON; the roofline is the reading kernel's, over as many keys in of_store_same_size

#include <algorithm>
#include <cstdio>
#include <map>
#include <regex>

#include "benchmark/gpu_measure.hpp"
#include "benchmark/gpu_report.hpp"
#include "benchmark/theta_keys.hpp"
#include "tandem/tandem.h"
#include "tandem/theta.h"

namespace tandem::bench {
namespace {

constexpr uint64_t MANY = uint64_t{1} << 31;
constexpr uint64_t SOME = uint64_t{1} << 24;

void succeed(tandemStatus_t status) {
    if (status != TANDEM_STATUS_SUCCESS) throw std::runtime_error(tandemGetLastErrorMessage());
}

struct Sketch {
    explicit Sketch(uint32_t lg_k) { succeed(tandemThetaCreate(&handle, lg_k, TANDEM_THETA_DEFAULT_SEED, 1.0f)); }
    Sketch(const Sketch&) = delete;
    Sketch& operator=(const Sketch&) = delete;
    ~Sketch() { tandemThetaDestroy(handle); }
    void reset() const { succeed(tandemThetaReset(handle, nullptr)); }
    void update(const uint64_t* keys, uint64_t n) const {
        succeed(tandemThetaUpdate(handle, keys, n, TANDEM_THETA_KEY_U64, nullptr));
    }
    tandemTheta_t handle = nullptr;
};

/// The median of calls, each after its own preparation, in seconds.
double median_of(int calls, const std::function<void()>& prepare, const std::function<void()>& call) {
    const EventTimer timer;
    std::vector<double> times;
    for (int i = 0; i < calls + 2; ++i) {
        prepare();
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        const double seconds = timer.seconds_of(call);
        if (i >= 2) times.push_back(seconds);  // the first two warm up
    }
    std::nth_element(times.begin(), times.begin() + calls / 2, times.end());
    return times[static_cast<std::size_t>(calls / 2)];
}

class Suite {
  public:
    Suite(const std::string& filter, bool quick)
        : filter_(filter),
          calls_(quick ? 5 : 11),
          memory_(MANY * sizeof(uint64_t)),
          keys_(reinterpret_cast<uint64_t*>(memory_.data())) {
        for (const uint64_t n : {MANY, SOME}) {
            check(write_keys(keys_, n, 0, n), "the keys");
            read_[n] = median_of(
                calls_, [] {}, [=] { check(read_keys(keys_, n, keys_), "the reading kernel"); });
        }
    }

    void run() {
        distinct("theta", 12, MANY);
        distinct("theta", 12, SOME);
        distinct("theta20", 20, MANY);
        distinct("theta26", 26, MANY);
        duplicates("theta_duplicates_2e31", uint64_t{1} << 20);
        duplicates("theta_duplicates_few_2e31", 1000);
        draws();
    }

    Report report() const {
        Report report;
        report.roofline = rate(MANY, read_.at(MANY));
        report.context = describe_machine();
        report.context.emplace_back("roofline_gib_s", number(report.roofline));
        report.context.emplace_back("read_2e31_us", number(read_.at(MANY) * 1e6));
        report.context.emplace_back("read_2e24_us", number(read_.at(SOME) * 1e6));
        report.rows = rows_;
        return report;
    }

  private:
    static double rate(uint64_t n, double seconds) { return static_cast<double>(n) * sizeof(uint64_t) / GIB / seconds; }

    void row(const std::string& name, uint64_t n, const std::function<void()>& prepare, const std::function<void()>& call) {
        if (!std::regex_search(name, filter_)) return;
        RowResult r;
        r.row = name;
        r.n = n;
        const double seconds = median_of(calls_, prepare, call);
        r.microseconds = seconds * 1e6;
        r.gib_s = rate(n, seconds);
        r.store_same_size = rate(n, read_.at(n));
        rows_.push_back(r);
    }

    /// Warm: after as many keys as it is offered again, all of them different. Cold: right after a reset.
    void distinct(const std::string& name, uint32_t lg_k, uint64_t n) {
        const std::string size = n == MANY ? "_2e31" : "_2e24";
        if (!std::regex_search(name + "_warm" + size, filter_) && !std::regex_search(name + "_cold" + size, filter_)) return;
        const Sketch sketch(lg_k);
        check(write_keys(keys_, n, n, n), "the keys");
        sketch.update(keys_, n);
        std::size_t bytes = 0;
        succeed(tandemThetaSerialize(sketch.handle, nullptr, &bytes));
        std::vector<uint8_t> image(bytes);
        succeed(tandemThetaSerialize(sketch.handle, image.data(), &bytes));
        check(write_keys(keys_, n, 0, n), "the keys");
        tandemTheta_t seen = nullptr;
        succeed(tandemThetaDeserialize(&seen, image.data(), image.size(), lg_k, TANDEM_THETA_DEFAULT_SEED));
        row(
            name + "_warm" + size, n,
            [&] {
                sketch.reset();
                succeed(tandemThetaMerge(sketch.handle, seen, nullptr));
            },
            [&] { sketch.update(keys_, n); });
        row(
            name + "_cold" + size, n, [&] { sketch.reset(); }, [&] { sketch.update(keys_, n); });
        tandemThetaDestroy(seen);
    }

    void duplicates(const std::string& name, uint64_t distinct) {
        if (!std::regex_search(name, filter_)) return;
        const Sketch sketch(12);
        check(write_keys(keys_, MANY, 0, distinct), "the keys");
        row(
            name, MANY, [&] { sketch.reset(); }, [&] { sketch.update(keys_, MANY); });
    }

    void draws() {
        const Sketch sketch(12);
        tandemGenerator_t generator = nullptr;
        succeed(tandemCreateGenerator(&generator, TANDEM_RNG_PSEUDO_DEFAULT));
        row(
            "theta_draws_2e31", MANY, [&] { sketch.reset(); },
            [&] { succeed(tandemThetaUpdateDraws(sketch.handle, generator, TANDEM_THETA_KEY_U64, MANY)); });
        succeed(tandemDestroyGenerator(generator));
    }

    std::regex filter_;
    int calls_;
    DeviceMemory memory_;
    uint64_t* keys_;
    std::map<uint64_t, double> read_;  // seconds of the reading kernel
    std::vector<RowResult> rows_;
};

int run(int argc, char** argv) {
    bool quick = false;
    std::string filter, out;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--quick") {
            quick = true;
        } else if ((argument == "--filter" || argument == "--out") && i + 1 < argc) {
            (argument == "--out" ? out : filter) = argv[++i];
        } else {
            std::fprintf(stderr, "usage: tandem_bench_theta [--quick] [--filter REGEX] [--out FILE]\n");
            return 2;
        }
    }
    Suite suite(filter, quick);
    suite.run();
    const Report report = suite.report();
    if (report.rows.empty()) {
        std::fprintf(stderr, "tandem_bench_theta: no row matches %s\n", filter.c_str());
        return 2;
    }
    if (!out.empty()) write_json(report, out);
    print_table(report);
    return 0;
}

}  // namespace
}  // namespace tandem::bench

int main(int argc, char** argv) {
    try {
        return tandem::bench::run(argc, argv);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "tandem_bench_theta: %s\n", e.what());
        return 1;
    }
}
