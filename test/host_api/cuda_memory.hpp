#pragma once

/// Device memory and the presence of GPUs, for tests.

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tandem::test {

#define TANDEM_CUDA_OK(call) ASSERT_EQ(call, cudaSuccess)

/// The number of GPUs that can be used; 0 without a driver.
inline int gpu_count() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

inline std::string gpus_missing(int needed) {
    const int count = gpu_count();
    if (count >= needed) return {};
    return "needs " + std::to_string(needed) + " GPU(s), this machine has " + std::to_string(count);
}

/// Memory of the current device, filled with poison.
class DeviceBytes {
  public:
    static constexpr uint8_t POISON = 0xa5;

    explicit DeviceBytes(std::size_t size) : size_(size) {
        EXPECT_EQ(cudaMalloc(&data_, size == 0 ? 1 : size), cudaSuccess);
        EXPECT_EQ(cudaMemset(data_, POISON, size), cudaSuccess);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
    DeviceBytes(const DeviceBytes&) = delete;
    DeviceBytes& operator=(const DeviceBytes&) = delete;
    ~DeviceBytes() { cudaFree(data_); }

    uint8_t* data() const { return static_cast<uint8_t*>(data_); }
    template <class T>
    T* as() const {
        return static_cast<T*>(data_);
    }

    /// The bytes, after everything enqueued has run.
    std::vector<uint8_t> read() const {
        std::vector<uint8_t> bytes(size_);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(cudaMemcpy(bytes.data(), data_, size_, cudaMemcpyDeviceToHost), cudaSuccess);
        return bytes;
    }

  private:
    void* data_ = nullptr;
    std::size_t size_;
};

}  // namespace tandem::test
