#include "host_api/repeated_launches.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "host_api/cuda_driver.hpp"
#include "host_api/cuda_support.hpp"

namespace tandem::api {
namespace {

CUDA_KERNEL_NODE_PARAMS_v2 node_of(cudaFunction_t function, const kernels::KernelCall& call) {
    CUDA_KERNEL_NODE_PARAMS_v2 node{};
    node.func = function;
    node.gridDimX = call.blocks;
    node.gridDimY = node.gridDimZ = 1;
    node.blockDimX = call.threads;
    node.blockDimY = node.blockDimZ = 1;
    node.sharedMemBytes = static_cast<unsigned>(call.shared);
    node.kernelParams = call.arguments;
    return node;
}

bool in_green_context(cudaStream_t stream) {
    void* green = nullptr;
    const auto ask = driver().stream_green_context;
    return ask != nullptr && ask(stream, &green) == CUDA_SUCCESS && green != nullptr;
}

}  // namespace

void KernelGraph::destroy() noexcept {
    // Where it still runs, the driver keeps it until it is done.
    if (executable_ != nullptr) static_cast<void>(driver().destroy_executable(executable_));
    if (graph_ != nullptr) static_cast<void>(driver().destroy_graph(graph_));
    executable_ = nullptr;
    graph_ = nullptr;
}

bool KernelGraph::find_function(const void* kernel) noexcept {
    if (kernel_ == kernel) return true;
    // The runtime knows it, as the kernel has been launched.
    if (cudaGetFuncBySymbol(&function_, kernel) != cudaSuccess) return false;
    kernel_ = kernel;
    return true;
}

bool KernelGraph::make(const kernels::KernelCall& call) noexcept {
    if (!find_function(call.kernel)) return false;
    const CUDA_KERNEL_NODE_PARAMS_v2 node = node_of(function_, call);
    if (driver().make_graph(&graph_, 0) == CUDA_SUCCESS &&
        driver().add_kernel_node(&node_, graph_, nullptr, 0, &node) == CUDA_SUCCESS &&
        driver().instantiate_graph(&executable_, graph_, 0) == CUDA_SUCCESS) {
        return true;
    }
    destroy();
    return false;
}

bool KernelGraph::launch(const kernels::KernelCall& call) noexcept {
    if (!find_function(call.kernel)) return false;
    const CUDA_KERNEL_NODE_PARAMS_v2 node = node_of(function_, call);
    return driver().set_kernel_node(executable_, node_, &node) == CUDA_SUCCESS &&
           driver().launch_graph(executable_, call.stream) == CUDA_SUCCESS;
}

cudaError_t RepeatedLaunches::launch(const kernels::KernelCall& call) {
    unsigned long long stream_id = 0;
    const bool known_stream = driver().stream_id(call.stream, &stream_id) == CUDA_SUCCESS;
    Entry* const entry = known_stream ? take(stream_id, call.kernel) : nullptr;
    if (entry != nullptr) {
        const bool launched = entry->graph->launch(call);
        give_back(*entry, launched);
        if (launched) return cudaSuccess;
    }
    const RelaxedCapture relaxed;
    // What a plain launch answers is the answer, also where a graph was refused.
    const cudaError_t result = kernels::launch_blocks(call);
    if (result != cudaSuccess) return result;
    if (known_stream && entry == nullptr && !in_green_context(call.stream)) remember(stream_id, call.kernel);
    make_graphs(call);
    return result;
}

RepeatedLaunches::Entry* RepeatedLaunches::take(uint64_t stream_id, const void* kernel) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++launches_;
    for (const auto& entry : entries_) {
        if (entry->stream_id != stream_id || entry->kernel != kernel) continue;
        entry->used = launches_;
        if (entry->taken || entry->refusals >= MOST_REFUSALS) return nullptr;
        if (entry->graph == nullptr) {
            if (spare_.empty()) return nullptr;
            entry->graph = std::move(spare_.back());
            spare_.pop_back();
        }
        entry->taken = true;
        return entry.get();
    }
    return nullptr;
}

void RepeatedLaunches::give_back(Entry& entry, bool launched) {
    const std::lock_guard<std::mutex> lock(mutex_);
    entry.taken = false;
    if (!launched) ++entry.refusals;
}

void RepeatedLaunches::remember(uint64_t stream_id, const void* kernel) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto known = [&](const auto& entry) { return entry->stream_id == stream_id && entry->kernel == kernel; };
    if (std::any_of(entries_.begin(), entries_.end(), known)) return;
    try {
        auto entry = std::make_unique<Entry>(stream_id, kernel, launches_);
        if (entries_.size() < MOST) {
            entries_.push_back(std::move(entry));
            return;
        }
        // On another stream a graph would wait for what it was launched behind on this one.
        const auto stale = std::find_if(entries_.begin(), entries_.end(), [&](const auto& other) {
            return !other->taken && launches_ - other->used > STALE && (other->graph == nullptr || other->stream_id == stream_id);
        });
        if (stale == entries_.end()) return;
        entry->graph = std::move((*stale)->graph);
        *stale = std::move(entry);
    } catch (const std::bad_alloc&) {
        // It is launched as before.
    }
}

void RepeatedLaunches::make_graphs(const kernels::KernelCall& call) noexcept {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (made_ || launches_ < 2) return;
        made_ = true;
    }
    try {
        for (std::size_t i = 0; i < MOST; ++i) {
            auto graph = std::make_unique<KernelGraph>();
            if (!graph->make(call)) return;
            const std::lock_guard<std::mutex> lock(mutex_);
            spare_.push_back(std::move(graph));
        }
    } catch (const std::bad_alloc&) {
        // There are as many as there are.
    }
}

}  // namespace tandem::api
