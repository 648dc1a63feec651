#include "benchmark/gpu_measure.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace tandem::bench {
namespace {

constexpr int CALLS = 21;

class EventTimer {
  public:
    EventTimer() {
        check(cudaEventCreate(&before_), "cudaEventCreate");
        check(cudaEventCreate(&after_), "cudaEventCreate");
    }
    EventTimer(const EventTimer&) = delete;
    EventTimer& operator=(const EventTimer&) = delete;
    ~EventTimer() {
        cudaEventDestroy(before_);
        cudaEventDestroy(after_);
    }

    double seconds_of(const std::function<void()>& call) const {
        check(cudaEventRecord(before_), "cudaEventRecord");
        call();
        check(cudaEventRecord(after_), "cudaEventRecord");
        check(cudaEventSynchronize(after_), "cudaEventSynchronize");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, before_, after_), "cudaEventElapsedTime");
        return static_cast<double>(milliseconds) * 1e-3;
    }

  private:
    cudaEvent_t before_ = nullptr;
    cudaEvent_t after_ = nullptr;
};

// Under a power cap each row finds its own clocks, so it is warmed up by itself.
void warm_up(const EventTimer& timer, const Measurement& m) {
    const double enough = m.bytes >= (std::size_t{1} << 26) ? 0.25 : 0.08;
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < enough) timer.seconds_of(m.call);
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
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
    m.seconds = times[times.size() / 2];
    state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(m.bytes));
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(m.items));
    state.counters["median_us"] = m.seconds * 1e6;
    state.counters["GiB/s"] = m.gib_s();
}

}  // namespace

void check(cudaError_t result, const char* what) {
    if (result != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(result));
}

DeviceMemory::DeviceMemory(std::size_t bytes) { check(cudaMalloc(&data_, bytes), "cudaMalloc"); }

DeviceMemory::~DeviceMemory() { cudaFree(data_); }

void register_measurement(const std::shared_ptr<Measurement>& measurement) {
    benchmark::RegisterBenchmark(measurement->name.c_str(), [measurement](benchmark::State& state) { run(state, *measurement); })
        ->Iterations(CALLS)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
}

}  // namespace tandem::bench
