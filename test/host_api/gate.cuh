#pragma once

/// A kernel that holds a stream until the host opens it.

#include <gtest/gtest.h>

#include "host_api/cuda_memory.hpp"
#include "host_api/cuda_streams.hpp"

namespace tandem::test {

/// Ends by itself after some seconds, so that a failing test does not hang.
static __global__ void wait_for_gate(const volatile int* open) {
    const long long give_up = clock64() + 20'000'000'000ll;
    while (*open == 0 && clock64() < give_up) {
    }
}

class Gate {
  public:
    Gate() {
        EXPECT_EQ(cudaHostAlloc(&open_, sizeof(int), cudaHostAllocMapped), cudaSuccess);
        *open_ = 0;
    }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    ~Gate() {
        open();
        cudaDeviceSynchronize();
        cudaFreeHost(const_cast<int*>(open_));
    }

    void hold(cudaStream_t stream) const { wait_for_gate<<<1, 1, 0, stream>>>(open_); }
    void open() { *open_ = 1; }

  private:
    volatile int* open_ = nullptr;
};

}  // namespace tandem::test
