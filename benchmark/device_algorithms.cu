// Fused reductions beside the same generation alone; transforms, fused and through Thrust's iterators.

#include <thrust/execution_policy.h>
#include <thrust/transform.h>
#include <cuda/std/functional>

#include <memory>

#include "benchmark/device_rows.hpp"
#include "benchmark/gpu_measure.hpp"
#include "tandem/algorithm.cuh"
#include "tandem/thrust.cuh"

namespace tandem::bench {
namespace {

const Key KEY{{1, 2, 3, 4}};
constexpr uint64_t N = 1ull << 28;
constexpr uint32_t K = DEFAULT_CHUNK_LENGTH;

struct Scramble {
    __host__ __device__ uint32_t operator()(uint32_t v) const { return v ^ 0x5bd1e995u; }
};

/// Every chunk of the first N elements, a thread each; nothing is stored.
template <class V>
__global__ void __launch_bounds__(BLOCK_THREADS) generate_only(Key key, V* out) {
    const uint64_t chunk = static_cast<uint64_t>(blockIdx.x) * BLOCK_THREADS + threadIdx.x;
    ChunkState s = walk_start(key, chunk);
    V sum = 0;
#pragma unroll 8
    for (uint32_t j = 0; j < K; ++j) {
        T(s);
        if constexpr (sizeof(V) == 8) {
            sum += to_f64(static_cast<uint64_t>(s.o[1]) << 32 | s.o[0]);
            sum += to_f64(static_cast<uint64_t>(s.o[3]) << 32 | s.o[2]);
        }
    }
    if constexpr (sizeof(V) == 4) sum = s.o[0] ^ s.o[1] ^ s.o[2] ^ s.o[3];
    if (sum == static_cast<V>(-1)) *out = sum;
}

template <class V>
DeviceCall generation_alone(const char* name) {
    DeviceCall call{name, N, N * sizeof(V), {}, {}};
    V* const out = reinterpret_cast<V*>(device_scratch(sizeof(V)));
    call.call = [name, out] {
        generate_only<V><<<static_cast<unsigned>(N * sizeof(V) / (16 * K) / BLOCK_THREADS), BLOCK_THREADS>>>(KEY, out);
        check(cudaPeekAtLastError(), name);
    };
    return call;
}

template <class S>
DeviceCall fused_reduce(const char* name, const S& source) {
    using V = typename S::value_type;
    constexpr std::size_t OUT = 256;
    std::size_t bytes = 0;
    reduce(nullptr, bytes, source, N, static_cast<V*>(nullptr), V{}, cuda::std::plus<>{});
    char* const memory = device_scratch(OUT + bytes);
    DeviceCall call{name, N, N * sizeof(V), {}, {}};
    call.call = [=] {
        std::size_t size = bytes;
        reduce(memory + OUT, size, source, N, reinterpret_cast<V*>(memory), V{}, cuda::std::plus<>{});
    };
    return call;
}

DeviceCall fused_transform(const char* name) {
    uint32_t* const out = reinterpret_cast<uint32_t*>(device_scratch(N * sizeof(uint32_t)));
    DeviceCall call{name, N, N * sizeof(uint32_t), {}, {}};
    call.call = [out] { transform(uniform<uint32_t>(KEY), N, out, Scramble{}); };
    return call;
}

DeviceCall thrust_transform(const char* name, uint32_t chunk_length) {
    uint32_t* const out = reinterpret_cast<uint32_t*>(device_scratch(N * sizeof(uint32_t)));
    DeviceCall call{name, N, N * sizeof(uint32_t), {}, {}};
    call.call = [=] {
        const auto first = make_iterator(uniform<uint32_t>(KEY, 0, chunk_length));
        thrust::transform(thrust::cuda::par_nosync, first, first + static_cast<long long>(N), out, Scramble{});
    };
    return call;
}

}  // namespace

std::vector<DeviceCall> algorithm_calls() {
    return {
        fused_reduce("fused_reduce_u32", uniform<uint32_t>(KEY)),
        fused_reduce("fused_reduce_f64", uniform<double>(KEY)),
        generation_alone<uint32_t>("generation alone u32"),
        generation_alone<double>("generation alone f64"),
        fused_reduce("fused_reduce_normal_f64", normal<double>(KEY)),
        fused_reduce("fused_reduce_normal_f32", normal<float>(KEY)),
        fused_transform("fused_transform_u32"),
        thrust_transform("thrust_transform_u32", 32),
        thrust_transform("thrust_transform_u32_k1", 1),
    };
}

}  // namespace tandem::bench
