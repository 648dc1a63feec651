#pragma once

/// CUDA calls as the library makes them: by their own return values only, so that the caller's pending error stays what it is.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <utility>

namespace tandem::api {

/// Throws error, with the status that fits, when a CUDA call has failed.
void check_cuda(cudaError_t result, const char* call);

/// Makes a device current for a scope. Throws error when it cannot.
class DeviceScope {
  public:
    explicit DeviceScope(int device) {
        check_cuda(cudaGetDevice(&before_), "cudaGetDevice");
        switched_ = before_ != device;
        if (switched_) check_cuda(cudaSetDevice(device), "cudaSetDevice");
    }
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;
    ~DeviceScope() {
        if (switched_) static_cast<void>(cudaSetDevice(before_));
    }

  private:
    int before_ = 0;
    bool switched_ = false;
};

/// Lets this thread allocate, query and load code while some stream is being captured, for a scope. None of it goes to that
/// stream.
class RelaxedCapture {
  public:
    RelaxedCapture() { ok_ = cudaThreadExchangeStreamCaptureMode(&mode_) == cudaSuccess; }
    RelaxedCapture(const RelaxedCapture&) = delete;
    RelaxedCapture& operator=(const RelaxedCapture&) = delete;
    ~RelaxedCapture() {
        if (ok_) static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_));
    }

  private:
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
    bool ok_ = false;
};

/// An event without a time stamp.
class Event {
  public:
    Event() { check_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreate"); }
    Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    Event& operator=(Event&& other) noexcept {
        std::swap(event_, other.event_);
        return *this;
    }
    ~Event() {
        if (event_ != nullptr) static_cast<void>(cudaEventDestroy(event_));
    }

    void record(cudaStream_t stream) noexcept { static_cast<void>(cudaEventRecord(event_, stream)); }
    cudaError_t wait_on(cudaStream_t stream) const noexcept { return cudaStreamWaitEvent(stream, event_, 0); }
    cudaError_t wait() const noexcept { return cudaEventSynchronize(event_); }
    bool done() const noexcept { return cudaEventQuery(event_) != cudaErrorNotReady; }
    cudaEvent_t release() noexcept { return std::exchange(event_, nullptr); }

  private:
    cudaEvent_t event_ = nullptr;
};

/// The graph that a stream is being captured into; null when it is not being captured. Throws error for a stream that cannot be
/// enqueued on without breaking a capture: one whose capture has failed, or the legacy stream during a capture that it would
/// join.
cudaGraph_t captured_graph(cudaStream_t stream);

/// A number for a stream that no other stream of the process ever has.
uint64_t id_of(cudaStream_t stream);

/// A number for the current context that no other context of the process ever has: cudaDeviceReset makes a new one.
uint64_t current_context_id(int device);

}  // namespace tandem::api
