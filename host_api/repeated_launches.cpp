#include "host_api/repeated_launches.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "host_api/cuda_driver.hpp"
#include "host_api/cuda_support.hpp"

namespace tandem::api {

KernelGraph::~KernelGraph() {
    // Where it still runs, the driver keeps it until it is done.
    if (executable_ != nullptr) static_cast<void>(cudaGraphExecDestroy(executable_));
    if (graph_ != nullptr) static_cast<void>(cudaGraphDestroy(graph_));
}

bool KernelGraph::make(const kernels::KernelCall& call) noexcept {
    const RelaxedCapture relaxed;
    cudaKernelNodeParams node{};
    node.func = const_cast<void*>(call.kernel);
    node.gridDim = dim3(call.blocks);
    node.blockDim = dim3(call.threads);
    node.sharedMemBytes = static_cast<unsigned>(call.shared);
    node.kernelParams = call.arguments;
    return cudaGraphCreate(&graph_, 0) == cudaSuccess &&
           cudaGraphAddKernelNode(&node_, graph_, nullptr, 0, &node) == cudaSuccess &&
           cudaGetFuncBySymbol(&function_, call.kernel) == cudaSuccess &&
           cudaGraphInstantiate(&executable_, graph_, 0) == cudaSuccess;
}

bool KernelGraph::launch(const kernels::KernelCall& call) noexcept {
    if (executable_ == nullptr) {
        if (!make(call)) return false;
    } else {
        CUDA_KERNEL_NODE_PARAMS node{};
        node.func = function_;
        node.gridDimX = call.blocks;
        node.gridDimY = node.gridDimZ = 1;
        node.blockDimX = call.threads;
        node.blockDimY = node.blockDimZ = 1;
        node.sharedMemBytes = static_cast<unsigned>(call.shared);
        node.kernelParams = call.arguments;
        if (driver().set_kernel_node(executable_, node_, &node) != CUDA_SUCCESS) return false;
    }
    return driver().launch_graph(executable_, call.stream) == CUDA_SUCCESS;
}

cudaError_t RepeatedLaunches::launch(const kernels::KernelCall& call) {
    const uint64_t stream_id = id_of(call.stream);
    Entry* const entry = take(stream_id, call.kernel);
    if (entry != nullptr) {
        const bool launched = entry->graph.launch(call);
        give_back(*entry, launched);
        if (launched) return cudaSuccess;
    }
    const RelaxedCapture relaxed;
    // What a plain launch answers is the answer, also where a graph was refused.
    const cudaError_t result = kernels::launch_blocks(call);
    if (result == cudaSuccess && entry == nullptr) remember(stream_id, call.kernel);
    return result;
}

RepeatedLaunches::Entry* RepeatedLaunches::take(uint64_t stream_id, const void* kernel) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& entry : entries_) {
        if (entry->stream_id != stream_id || entry->kernel != kernel) continue;
        entry->used = ++launches_;
        if (entry->taken || entry->refused) return nullptr;
        entry->taken = true;
        return entry.get();
    }
    return nullptr;
}

void RepeatedLaunches::give_back(Entry& entry, bool launched) {
    const std::lock_guard<std::mutex> lock(mutex_);
    entry.taken = false;
    entry.refused = !launched;
}

void RepeatedLaunches::remember(uint64_t stream_id, const void* kernel) noexcept {
    std::unique_ptr<Entry> gone;  // destroyed without the lock
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto known = [&](const auto& entry) { return entry->stream_id == stream_id && entry->kernel == kernel; };
    if (std::any_of(entries_.begin(), entries_.end(), known)) return;
    try {
        auto entry = std::make_unique<Entry>(stream_id, kernel, ++launches_);
        if (entries_.size() < MOST) {
            entries_.push_back(std::move(entry));
            return;
        }
        const auto oldest = std::min_element(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
            return a->taken != b->taken ? b->taken : a->used < b->used;
        });
        if ((*oldest)->taken) return;
        gone = std::exchange(*oldest, std::move(entry));
    } catch (const std::bad_alloc&) {
        // It is launched as before.
    }
}

}  // namespace tandem::api
