#pragma once

/// Kernels that are launched again and again.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels/launch_kernel.hpp"

namespace tandem::api {

/// A graph of one kernel. The driver puts one that it knows on a stream in half the time that a launch of the kernel takes it
/// (on an H200's host 1.6 beside 3.6 us), with other arguments each time.
class KernelGraph {
  public:
    KernelGraph() = default;
    KernelGraph(const KernelGraph&) = delete;
    KernelGraph& operator=(const KernelGraph&) = delete;
    ~KernelGraph();

    /// Makes the graph, when there is none, and launches it; false when that cannot be done, and nothing is enqueued.
    bool launch(const kernels::KernelCall& call) noexcept;

  private:
    bool make(const kernels::KernelCall& call) noexcept;

    cudaGraph_t graph_ = nullptr;
    cudaGraphNode_t node_ = nullptr;
    cudaGraphExec_t executable_ = nullptr;
    cudaFunction_t function_ = nullptr;
};

/// Launches kernels of the current context, from the second time on that a stream takes one, as graphs. Each stream has its own
/// ones, so that streams never wait for each other. Threads may share it; it never waits for another thread's launch.
class RepeatedLaunches final : public kernels::Launcher {
  public:
    /// So many kernels of streams are remembered, those that were used last. A graph takes about 115 KB of device memory.
    static constexpr std::size_t MOST = 64;

    cudaError_t launch(const kernels::KernelCall& call) override;

  private:
    struct Entry {
        Entry(uint64_t stream, const void* of, uint64_t now) : stream_id(stream), kernel(of), used(now) {}
        uint64_t stream_id;
        const void* kernel;
        uint64_t used;  // in the order of launches
        KernelGraph graph;
        bool taken = false;    // by a thread
        bool refused = false;  // by the driver
    };

    Entry* take(uint64_t stream_id, const void* kernel);
    void give_back(Entry& entry, bool launched);
    void remember(uint64_t stream_id, const void* kernel) noexcept;

    std::mutex mutex_;
    uint64_t launches_ = 0;
    std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace tandem::api
