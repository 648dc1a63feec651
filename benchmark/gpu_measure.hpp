#pragma once

/// Timing of calls that enqueue work on the default stream.

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tandem::bench {

/// Throws std::runtime_error with CUDA's words unless `result` is success.
void check(cudaError_t result, const char* what);

constexpr double GIB = 1024.0 * 1024.0 * 1024.0;

/// Device memory.
class DeviceMemory {
  public:
    explicit DeviceMemory(std::size_t bytes);
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    ~DeviceMemory();
    char* data() const { return static_cast<char*>(data_); }

  private:
    void* data_ = nullptr;
};

/// Times what a call puts on the default stream, from one event to another.
class EventTimer {
  public:
    EventTimer();
    EventTimer(const EventTimer&) = delete;
    EventTimer& operator=(const EventTimer&) = delete;
    ~EventTimer();

    /// In seconds. On an idle device the host's time for the call counts too.
    double seconds_of(const std::function<void()>& call) const;

  private:
    cudaEvent_t before_ = nullptr;
    cudaEvent_t after_ = nullptr;
};

/// One thing to time. `seconds` is the median of the calls, each between two events; 0 until it has run, or when it failed.
struct Measurement {
    std::string name;  ///< in the form BM_<operation>/<what>/n:<count>
    std::size_t bytes = 0;
    std::size_t items = 0;
    std::function<void()> prepare;  ///< once, before the warm-up; may be empty
    std::function<void()> call;
    double seconds = 0;

    double gib_s() const { return seconds > 0 ? static_cast<double>(bytes) / GIB / seconds : 0; }
};

/// Hands a measurement to Google Benchmark: a warm-up with the call itself, then 21 calls, one an iteration. The measurement is
/// kept alive.
void register_measurement(const std::shared_ptr<Measurement>& measurement);

/// Short calls that are to be compared: they are timed a few at a time in turns, so that whatever the machine does meanwhile
/// reaches all of them alike.
class Turns;
std::shared_ptr<Turns> make_turns();

/// Hands a measurement to Google Benchmark as one of those that take turns; all of them are timed when the first one runs.
void register_in_turns(const std::shared_ptr<Turns>& turns, const std::shared_ptr<Measurement>& measurement);

}  // namespace tandem::bench
