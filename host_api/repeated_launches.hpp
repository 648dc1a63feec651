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
/// (on an H200's host 1.6 beside 3.6 us), with other arguments each time. A context is current in every call, and the thread's
/// pending error is neither set nor cleared.
class KernelGraph {
  public:
    KernelGraph() = default;
    KernelGraph(const KernelGraph&) = delete;
    KernelGraph& operator=(const KernelGraph&) = delete;
    ~KernelGraph() { destroy(); }

    /// Makes the graph, of a kernel that has been launched before; false when that cannot be done. May wait for what runs on the
    /// device, when the driver has to get memory for it.
    bool make(const kernels::KernelCall& call) noexcept;

    /// Launches the graph with that kernel, which has been launched before, in the place of its own; false when that cannot be
    /// done, and nothing is enqueued.
    bool launch(const kernels::KernelCall& call) noexcept;

  private:
    bool find_function(const void* kernel) noexcept;
    void destroy() noexcept;

    cudaGraph_t graph_ = nullptr;
    cudaGraphNode_t node_ = nullptr;
    cudaGraphExec_t executable_ = nullptr;
    const void* kernel_ = nullptr;
    cudaFunction_t function_ = nullptr;
};

/// Launches kernels of the current context, once a stream has taken them before, as graphs. Each stream has its own ones, so that
/// streams never wait for each other, and keeps them; its kernels that have not run for long leave theirs to others of the same
/// stream. Streams of a green context keep plain launches: only those stay within its multiprocessors. Threads may share it; it
/// never waits for another thread's launch.
///
/// All graphs are made at the second launch, so that later ones neither allocate nor wait: past 32 graphs in a context, the
/// caller's own among them, the driver gets more memory and waits for the kernels that run.
class RepeatedLaunches final : public kernels::Launcher {
  public:
    /// So many kernels of streams become graphs. One takes about 115 KB of device memory.
    static constexpr std::size_t MOST = 32;

    cudaError_t launch(const kernels::KernelCall& call) override;

  private:
    struct Entry {
        Entry(uint64_t stream, const void* of, uint64_t now) : stream_id(stream), kernel(of), used(now) {}
        uint64_t stream_id;
        const void* kernel;
        uint64_t used;                       // in the order of launches
        std::unique_ptr<KernelGraph> graph;  // from the second time on
        bool taken = false;                  // by a thread
        int refusals = 0;                    // by the driver
    };

    // Launches after which a place may be given to another kernel. More kernels than there are places, in turn, would otherwise
    // never find theirs again.
    static constexpr uint64_t STALE = 4 * MOST;
    static constexpr int MOST_REFUSALS = 3;

    Entry* take(uint64_t stream_id, const void* kernel);
    void give_back(Entry& entry, bool launched);
    void remember(uint64_t stream_id, const void* kernel) noexcept;
    void make_graphs(const kernels::KernelCall& call) noexcept;

    std::mutex mutex_;
    uint64_t launches_ = 0;
    bool made_ = false;  // the graphs, or they are being made
    std::vector<std::unique_ptr<Entry>> entries_;
    std::vector<std::unique_ptr<KernelGraph>> spare_;
};

}  // namespace tandem::api
