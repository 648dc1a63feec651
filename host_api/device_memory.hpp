#pragma once

/// Small device memory that outlives its owner: it is given up at any time, on any thread, and freed or used again only when
/// what was enqueued is done with it.

#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <vector>

#include "host_api/cuda_support.hpp"

namespace tandem::api {

/// A stream of the library's own, so that copies neither wait for the caller's work nor end a capture.
class PrivateStream {
  public:
    PrivateStream() { check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate"); }
    PrivateStream(const PrivateStream&) = delete;
    PrivateStream& operator=(const PrivateStream&) = delete;
    ~PrivateStream() { static_cast<void>(cudaStreamDestroy(stream_)); }

    void copy(void* to, const void* from, std::size_t bytes) {
        check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_), "cudaMemcpyAsync");
    }
    void read(void* to, const void* from, std::size_t bytes) {
        check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_), "cudaMemcpyAsync");
    }
    void wait() { check_cuda(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

  private:
    cudaStream_t stream_ = nullptr;
};

/// An allocation and the ends of the work that may still use it.
struct TrackedMemory {
    void* memory = nullptr;
    std::size_t bytes = 0;
    uint64_t context_id = 0;
    struct Use {
        uint64_t stream_id;
        Event end;
        int launching;  // pieces of work whose end is not recorded yet
    };
    std::vector<Use> uses;  // one a stream
};

/// The memory that nothing names any more, until what was enqueued has used it. Threads may share a yard.
class MemoryYard {
  public:
    void retire(TrackedMemory memory) noexcept;  ///< makes no CUDA call: graphs end on a thread that must not

    /// Memory of exactly that size which is done with; null when there is none. That context is current.
    void* take(std::size_t bytes, uint64_t context_id);

    void collect(uint64_t context_id) noexcept;  ///< frees what is done; that context is current

  private:
    std::mutex mutex_;
    std::vector<TrackedMemory> retired_;
};

/// Owns memory of the current device. Destroying it is safe at any time, on any thread: the memory goes to the yard.
class DeviceMemory {
  public:
    /// Memory in the current context, which has that id. Throws error.
    DeviceMemory(std::size_t bytes, uint64_t context_id, MemoryYard& yard);
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    ~DeviceMemory() { yard_.retire(std::move(memory_)); }

    void* data() const { return memory_.memory; }
    uint64_t context_id() const { return memory_.context_id; }

    /// Work that uses the memory, from before its launch on a stream until after it. Work of a graph needs none: the graph
    /// retains the owner.
    class Use {
      public:
        Use(DeviceMemory& memory, cudaStream_t stream)
            : memory_(memory), stream_(stream), use_(memory.begin_use(id_of(stream))) {}
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;
        ~Use() { memory_.end_use(use_, stream_); }

      private:
        DeviceMemory& memory_;
        cudaStream_t stream_;
        std::size_t use_;
    };

  private:
    std::size_t begin_use(uint64_t stream_id);
    void end_use(std::size_t use, cudaStream_t stream) noexcept;

    TrackedMemory memory_;
    std::mutex mutex_;
    MemoryYard& yard_;
};

/// Makes a graph own a share of an object, so that the object lives as long as the graph and what is made of it.
void retain(cudaGraph_t graph, const std::shared_ptr<const void>& object);

}  // namespace tandem::api
