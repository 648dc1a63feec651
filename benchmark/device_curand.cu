// cuRAND's device interface in the same kernels. States are prepared in memory, as its documentation advises.

#include <curand_kernel.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

#include "benchmark/device_rows.hpp"
#include "benchmark/gpu_measure.hpp"

namespace tandem::bench {
namespace {

using Philox = curandStatePhilox4_32_10_t;
using Xorwow = curandStateXORWOW_t;
constexpr unsigned long long SEED = 1234;

__device__ uint32_t this_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <class S>
__global__ void set_up(S* states) {
    curand_init(SEED, this_thread(), 0, states + this_thread());
}

struct Uniform {
    using Value = float;
    static constexpr uint32_t COUNT = 1;
    template <class S>
    static __device__ float sum(S& s) {
        return curand_uniform(&s);
    }
};
struct Uniform4 {
    using Value = float;
    static constexpr uint32_t COUNT = 4;
    static __device__ float sum(Philox& s) {
        const float4 u = curand_uniform4(&s);
        return u.x + u.y + u.z + u.w;
    }
};
struct Normal2 {
    using Value = float;
    static constexpr uint32_t COUNT = 2;
    template <class S>
    static __device__ float sum(S& s) {
        const float2 z = curand_normal2(&s);
        return z.x + z.y;
    }
};
struct Normal4 {
    using Value = float;
    static constexpr uint32_t COUNT = 4;
    static __device__ float sum(Philox& s) {
        const float4 z = curand_normal4(&s);
        return z.x + z.y + z.z + z.w;
    }
};
struct Normal2Double {
    using Value = double;
    static constexpr uint32_t COUNT = 2;
    template <class S>
    static __device__ double sum(S& s) {
        const double2 z = curand_normal2_double(&s);
        return z.x + z.y;
    }
};

template <class S, class D>
__global__ void sums(const S* states, uint32_t draws, typename D::Value* out) {
    S state = states[this_thread()];
    typename D::Value sum = 0;
#pragma unroll 8
    for (uint32_t i = 0; i < draws / D::COUNT; ++i) sum += D::sum(state);
    out[this_thread()] = sum;
}

template <class S, class D>
DeviceCall sum_call(const char* name) {
    using V = typename D::Value;
    constexpr uint32_t DRAWS = 32768 * 4 / sizeof(V);
    const unsigned grid = full_grid(reinterpret_cast<const void*>(&sums<S, D>), BLOCK_THREADS);
    const std::size_t threads = static_cast<std::size_t>(grid) * BLOCK_THREADS;
    char* const memory = device_scratch(threads * (sizeof(S) + sizeof(V)));
    S* const states = reinterpret_cast<S*>(memory);
    V* const out = reinterpret_cast<V*>(memory + threads * sizeof(S));
    DeviceCall call{name, threads * DRAWS, threads * DRAWS * sizeof(V), {}, {}};
    call.prepare = [=] {
        set_up<<<grid, BLOCK_THREADS>>>(states);
        check(cudaDeviceSynchronize(), name);
    };
    call.call = [=] {
        sums<S, D><<<grid, BLOCK_THREADS>>>(states, DRAWS, out);
        check(cudaPeekAtLastError(), name);
    };
    return call;
}

/// An element by random access: a state of its own, made where it is needed.
template <class S>
struct Element {
    __device__ uint32_t operator()(uint64_t i) const {
        S state;
        curand_init(SEED, i, 0, &state);
        return curand(&state) ^ 0x5bd1e995u;
    }
};

template <class S>
DeviceCall transform_call(const char* name, uint64_t n) {
    uint32_t* const out = reinterpret_cast<uint32_t*>(device_scratch(n * sizeof(uint32_t)));
    DeviceCall call{name, n, n * sizeof(uint32_t), {}, {}};
    call.call = [=] {
        const thrust::counting_iterator<unsigned long long> first(0);
        thrust::transform(thrust::cuda::par_nosync, first, first + static_cast<long long>(n), out, Element<S>{});
    };
    return call;
}

}  // namespace

std::vector<DeviceCall> curand_calls() {
    return {
        sum_call<Xorwow, Uniform>("curand_uniform xorwow"),
        sum_call<Philox, Uniform>("curand_uniform philox"),
        sum_call<Philox, Uniform4>("curand_uniform4 philox"),
        sum_call<Philox, Normal2>("curand_normal2 philox"),
        sum_call<Philox, Normal4>("curand_normal4 philox"),
        sum_call<Xorwow, Normal2>("curand_normal2 xorwow"),
        sum_call<Philox, Normal2Double>("curand_normal2_double philox"),
        sum_call<Xorwow, Normal2Double>("curand_normal2_double xorwow"),
        transform_call<Philox>("curand_init, curand philox", 1ull << 28),
        transform_call<Xorwow>("curand_init, curand xorwow", 1ull << 20),
    };
}

}  // namespace tandem::bench
