#pragma once

/// The scratch memory of the current device.

#include <cuda_runtime_api.h>

#include "host_api/cuda_support.hpp"
#include "host_api/scratch_pool.hpp"

namespace tandem::api {

class CudaScratch final : public ScratchMemory {
  public:
    void* allocate(std::size_t bytes) noexcept override {
        void* memory = nullptr;
        return cudaMalloc(&memory, bytes) == cudaSuccess ? memory : nullptr;
    }
    void free(void* memory) noexcept override { static_cast<void>(cudaFree(memory)); }
    CUevent_st* make_event() override { return Event().release(); }
    void destroy_event(CUevent_st* event) noexcept override { static_cast<void>(cudaEventDestroy(event)); }
    void record(CUevent_st* event, CUstream_st* stream) noexcept override { static_cast<void>(cudaEventRecord(event, stream)); }
    bool done(CUevent_st* event) noexcept override { return cudaEventQuery(event) == cudaSuccess; }
};

}  // namespace tandem::api
