#pragma once

/// What every call on a set of device memory does around its launch.

#include <algorithm>
#include <memory>
#include <string>

#include "host_api/status.hpp"
#include "host_api/theta/device_set.hpp"

namespace tandem::api {

/// One call on a set: its device, the order of streams, room for the result and scratch.
class DeviceThetaSet::Operation {
  public:
    Operation(DeviceThetaSet& set, CUstream_st* stream) : set_(set), stream_(stream), scope_(set.device_) {
        set.check_context();
        graph_ = captured_graph(stream);
        if (graph_ == nullptr) id_ = id_of(stream);
        begin_use(set);
    }
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    ~Operation() {
        if (grown_ && !done_) set_.memory_->shrink();
    }

    cudaGraph_t graph() const { return graph_; }

    /// Puts this call behind those on a set that it works on; a graph retains the set's memory instead.
    void begin_use(DeviceThetaSet& set) {
        if (graph_ != nullptr) {
            retain(graph_, set.memory_);
            set.captured_ = true;
        } else if (set.used_ && set.last_stream_ != id_) {
            check_cuda(set.last_.wait_on(stream_), "cudaStreamWaitEvent");
        }
    }

    /// The use of an operand's memory, from before the launch until after it; a graph retains it instead.
    std::unique_ptr<ThetaMemory::Use> reading(DeviceThetaSet& other) const {
        return graph_ != nullptr ? nullptr : std::make_unique<ThetaMemory::Use>(*other.memory_, stream_);
    }

    /// Hashes that the set may hold when the work runs: launches of a graph may come after any other call.
    uint64_t held() const { return graph_ != nullptr ? std::max(set_.held_at_most(), 2 * set_.k()) : set_.held_at_most(); }

    /// Makes room for the result.
    void make_room(uint64_t room) {
        if (graph_ != nullptr || set_.captured_) room = std::max(room, set_.k());
        if (room > set_.memory_->room()) make_array(room);
    }

    /// Makes a new array for the result.
    void make_array(uint64_t room) {
        set_.store_.yard().collect(set_.memory_->context_id());
        set_.memory_->grow(rounded_up(room));
        grown_ = true;
    }

    /// Runs `launch` on a target of a plan.
    template <class Launch>
    void run(const kernels::ThetaPlan& plan, Launch launch) {
        ThetaMemory& memory = *set_.memory_;
        kernels::ThetaTarget target{memory.words(), memory.hashes(), memory.room(), set_.parameters_.lg_k, set_.parameters_.seed,
                                    plan,           set_.tuning_,    nullptr};
        if (graph_ != nullptr) {
            const auto scratch = std::make_shared<DeviceMemory>(plan.scratch_bytes, memory.context_id(), set_.store_.yard());
            retain(graph_, scratch);
            target.scratch = scratch->data();
            check_cuda(launch(target), "the launch");
            return;
        }
        const ScratchPool::Lease lease = set_.store_.scratch(memory.context_id()).lease(plan.scratch_bytes, stream_, id_);
        if (lease.memory() == nullptr) {
            throw error(TANDEM_STATUS_ALLOCATION_FAILED,
                        "no device memory for " + std::to_string(plan.scratch_bytes) + " bytes of scratch");
        }
        target.scratch = lease.memory();
        const ThetaMemory::Use use(memory, stream_);
        check_cuda(launch(target), "the launch");
    }

    /// run() without scratch.
    template <class Launch>
    void run_plain(Launch launch) {
        if (graph_ != nullptr) return check_cuda(launch(), "the launch");
        const ThetaMemory::Use use(*set_.memory_, stream_);
        check_cuda(launch(), "the launch");
    }

    /// The work is enqueued: later calls on a set come after it.
    void end_use(DeviceThetaSet& set) noexcept {
        if (graph_ != nullptr) return;
        set.last_.record(stream_);
        set.last_stream_ = id_;
        set.used_ = true;
    }

    /// The same for this set, which may now hold that many hashes: or as many as before, while the graph has not been launched.
    void finish(uint64_t held) noexcept {
        done_ = true;
        set_.held_ = graph_ != nullptr ? std::max(set_.held_, held) : held;
        end_use(set_);
        if (grown_ && !set_.captured_) set_.memory_->forget_older();
    }

  private:
    // Powers of two, so that a set that grows by small batches seldom allocates.
    static uint64_t rounded_up(uint64_t room) {
        uint64_t size = 32;
        while (size < room) size *= 2;
        return size;
    }

    DeviceThetaSet& set_;
    CUstream_st* stream_;
    DeviceScope scope_;
    RelaxedCapture relaxed_;
    cudaGraph_t graph_ = nullptr;
    uint64_t id_ = 0;
    bool grown_ = false;
    bool done_ = false;
};

}  // namespace tandem::api
