#include "host_api/runtime_calls.hpp"

#include <cuda_runtime_api.h>

#include <atomic>

namespace {

std::atomic<int> allocations, frees, events_made, events_destroyed, streams_made, streams_destroyed, launches, waits;

}  // namespace

/// Defines what calls of a function become, and declares what the linker calls the function itself then.
#define TANDEM_COUNT(counter, function, parameters, arguments) \
    extern "C" cudaError_t __real_##function parameters;       \
    extern "C" cudaError_t __wrap_##function parameters {      \
        ++counter;                                             \
        return __real_##function arguments;                    \
    }

TANDEM_COUNT(allocations, cudaMalloc, (void** memory, size_t bytes), (memory, bytes))
TANDEM_COUNT(allocations, cudaMallocAsync, (void** memory, size_t bytes, cudaStream_t stream), (memory, bytes, stream))
TANDEM_COUNT(allocations, cudaMallocHost, (void** memory, size_t bytes), (memory, bytes))
TANDEM_COUNT(allocations, cudaHostAlloc, (void** memory, size_t bytes, unsigned flags), (memory, bytes, flags))
TANDEM_COUNT(frees, cudaFree, (void* memory), (memory))
TANDEM_COUNT(frees, cudaFreeAsync, (void* memory, cudaStream_t stream), (memory, stream))
TANDEM_COUNT(frees, cudaFreeHost, (void* memory), (memory))
TANDEM_COUNT(events_made, cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), (event, flags))
TANDEM_COUNT(events_destroyed, cudaEventDestroy, (cudaEvent_t event), (event))
TANDEM_COUNT(streams_made, cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), (stream, flags))
TANDEM_COUNT(streams_destroyed, cudaStreamDestroy, (cudaStream_t stream), (stream))
TANDEM_COUNT(launches, cudaLaunchKernelExC, (const cudaLaunchConfig_t* config, const void* kernel, void** arguments),
             (config, kernel, arguments))
TANDEM_COUNT(waits, cudaDeviceSynchronize, (), ())
TANDEM_COUNT(waits, cudaStreamSynchronize, (cudaStream_t stream), (stream))
TANDEM_COUNT(waits, cudaEventSynchronize, (cudaEvent_t event), (event))
TANDEM_COUNT(waits, cudaMemcpy, (void* to, const void* from, size_t bytes, cudaMemcpyKind kind), (to, from, bytes, kind))
TANDEM_COUNT(waits, cudaMemset, (void* to, int value, size_t bytes), (to, value, bytes))

namespace tandem::test {

RuntimeCalls runtime_calls() {
    return {allocations, frees, events_made, events_destroyed, streams_made, streams_destroyed, launches, waits};
}

}  // namespace tandem::test
