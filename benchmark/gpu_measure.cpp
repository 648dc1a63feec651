#include "benchmark/gpu_measure.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace tandem::bench {
namespace {

constexpr int CALLS = 21;
constexpr int TURNS = 40, CALLS_A_TURN = 25, WARM_CALLS_A_TURN = 3;

// Under a power cap each row finds its own clocks, so it is warmed up by itself.
void warm_up(const EventTimer& timer, const Measurement& m) {
    const double enough = m.bytes >= (std::size_t{1} << 26) ? 0.25 : 0.08;
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < enough) timer.seconds_of(m.call);
}

void report(benchmark::State& state, Measurement& m, std::vector<double> times) {
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
    m.seconds = times[times.size() / 2];
    state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(m.bytes));
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(m.items));
    state.counters["median_us"] = m.seconds * 1e6;
    state.counters["GiB/s"] = m.gib_s();
}

void run(benchmark::State& state, Measurement& m) {
    std::vector<double> times;
    try {
        const EventTimer timer;
        if (m.prepare) m.prepare();
        warm_up(timer, m);
        for (auto _ : state) {
            times.push_back(timer.seconds_of(m.call));
            state.SetIterationTime(times.back());
        }
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
        return;
    }
    report(state, m, std::move(times));
}

}  // namespace

class Turns {
  public:
    std::size_t add(const std::shared_ptr<Measurement>& measurement) {
        members_.push_back({measurement, {}, {}});
        return members_.size() - 1;
    }

    void run(benchmark::State& state, std::size_t which) {
        if (!measured_) measure();
        const Member& member = members_[which];
        if (!member.failure.empty()) {
            state.SkipWithError(member.failure.c_str());
            return;
        }
        auto time = member.times.begin();
        for (auto _ : state) state.SetIterationTime(*time++);
        report(state, *member.measurement, member.times);
    }

  private:
    struct Member {
        std::shared_ptr<Measurement> measurement;
        std::vector<double> times;
        std::string failure;
    };

    void measure() {
        measured_ = true;
        const EventTimer timer;
        const auto start = std::chrono::steady_clock::now();
        while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < 0.1) {
            for (Member& member : members_) turn(timer, member, false);
        }
        // Each round begins with another one, so that none always follows the same neighbour's pause.
        for (std::size_t round = 0; round < TURNS; ++round) {
            for (std::size_t i = 0; i < members_.size(); ++i) turn(timer, members_[(i + round) % members_.size()], true);
        }
    }

    static void turn(const EventTimer& timer, Member& member, bool counts) {
        if (!member.failure.empty()) return;
        try {
            if (member.measurement->prepare) member.measurement->prepare();
            for (int i = 0; i < WARM_CALLS_A_TURN; ++i) timer.seconds_of(member.measurement->call);
            for (int i = 0; counts && i < CALLS_A_TURN; ++i) member.times.push_back(timer.seconds_of(member.measurement->call));
        } catch (const std::exception& e) {
            member.failure = e.what();
        }
    }

    bool measured_ = false;
    std::vector<Member> members_;
};

void check(cudaError_t result, const char* what) {
    if (result != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(result));
}

DeviceMemory::DeviceMemory(std::size_t bytes) { check(cudaMalloc(&data_, bytes), "cudaMalloc"); }

DeviceMemory::~DeviceMemory() { cudaFree(data_); }

EventTimer::EventTimer() {
    check(cudaEventCreate(&before_), "cudaEventCreate");
    check(cudaEventCreate(&after_), "cudaEventCreate");
}

EventTimer::~EventTimer() {
    cudaEventDestroy(before_);
    cudaEventDestroy(after_);
}

double EventTimer::seconds_of(const std::function<void()>& call) const {
    check(cudaEventRecord(before_), "cudaEventRecord");
    call();
    check(cudaEventRecord(after_), "cudaEventRecord");
    check(cudaEventSynchronize(after_), "cudaEventSynchronize");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, before_, after_), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds) * 1e-3;
}

void register_measurement(const std::shared_ptr<Measurement>& measurement) {
    benchmark::RegisterBenchmark(measurement->name.c_str(), [measurement](benchmark::State& state) { run(state, *measurement); })
        ->Iterations(CALLS)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
}

std::shared_ptr<Turns> make_turns() { return std::make_shared<Turns>(); }

void register_in_turns(const std::shared_ptr<Turns>& turns, const std::shared_ptr<Measurement>& measurement) {
    const std::size_t which = turns->add(measurement);
    benchmark::RegisterBenchmark(measurement->name.c_str(), [turns, which](benchmark::State& state) { turns->run(state, which); })
        ->Iterations(TURNS * CALLS_A_TURN)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
}

}  // namespace tandem::bench
