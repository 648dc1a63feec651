#pragma once

/// What the GPU examples share: they end with 77 where there is no GPU, and with 1 when a result is wrong.

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

inline void require(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(status));
    std::exit(1);
}

inline void require_gpu() {
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0) return;
    std::printf("skipped: no GPU here\n");
    std::exit(77);
}

/// An object, or n of them, that host and device reach.
template <class T>
T* managed(std::size_t n = 1) {
    T* memory = nullptr;
    require(cudaMallocManaged(&memory, n * sizeof(T)));
    return memory;
}
