#pragma once

/// Keys in device memory, for the suites.

#include "host_api/cuda_memory.hpp"
#include "theta/set_suite.hpp"

namespace tandem::test {

inline std::string gpu_missing() { return gpus_missing(1); }

/// Keys in device memory, behind as many bytes as leave them aligned to one key and no further.
inline PlacedKeys place_on_device(const void* keys, std::size_t bytes, uint32_t bytes_a_key) {
    const auto room = std::make_shared<DeviceBytes>(bytes + bytes_a_key);
    uint8_t* const placed = room->data() + bytes_a_key;
    EXPECT_EQ(cudaMemcpy(placed, keys, bytes, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    return PlacedKeys(room, placed);
}

}  // namespace tandem::test
