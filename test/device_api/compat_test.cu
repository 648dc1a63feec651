/// A kernel's body written for curand_kernel.h, compiled against the compat header and run on the host.

#include <gtest/gtest.h>

#include <type_traits>

#include "tandem/curand_kernel_compat.cuh"

namespace {

template <class State>
__host__ __device__ double ported_body(State* state) {
    curand_init(1234ULL, 5, 2, state);
    double sum = curand(state) + curand_uniform(state) + curand_uniform_double(state) + curand_normal(state);
    sum += curand_normal_double(state) + curand_log_normal(state, 0.0f, 1.0f) + curand_log_normal_double(state, 0.0, 1.0);
    const uint4 words = curand4(state);
    const float4 uniforms = curand_uniform4(state), normals = curand_normal4(state);
    const double2 doubles = curand_uniform2_double(state), double_normals = curand_normal2_double(state);
    const float2 pair = curand_normal2(state), logs = curand_log_normal2(state, 0.0f, 1.0f);
    skipahead(10ULL, state);
    skipahead_sequence(1ULL, state);
    return sum + words.w + uniforms.w + normals.w + doubles.y + double_normals.y + pair.y + logs.y + curand(state);
}

// Where cuRAND's states may be, being plain structures: that it compiles is the test.
static_assert(std::is_trivial_v<curandState> && std::is_trivial_v<curandStatePhilox4_32_10_t> &&
              std::is_trivial_v<curandStateMRG32k3a_t>);
// Programs overload and specialise on them.
static_assert(!std::is_same_v<curandStateXORWOW_t, curandStatePhilox4_32_10_t> &&
              !std::is_same_v<curandStateXORWOW_t, curandStateMRG32k3a_t>);
static_assert(std::is_same_v<struct curandStateXORWOW*, curandState_t*>);

__device__ curandState global_states[32];
union Scratch {
    curandStatePhilox4_32_10_t state;
    float values[32];
};
__global__ void kernel_with_states_everywhere(float* out) {
    __shared__ curandState shared_states[32];
    __shared__ Scratch scratch;
    curand_init(1234, threadIdx.x, 0, &shared_states[threadIdx.x]);
    global_states[threadIdx.x] = shared_states[threadIdx.x];
    if (threadIdx.x == 0) curand_init(1, 2, 3, &scratch.state);
    curandState local = global_states[threadIdx.x];
    out[threadIdx.x] = curand_uniform(&local) + curand_uniform(shared_states + threadIdx.x);
}

__global__ void ported_kernel(curandState* states, double* out) { out[threadIdx.x] = ported_body(states + threadIdx.x); }

TEST(CurandCompat, PortedCodeRunsAndUniformsIncludeOneNotZero) {
    curandState_t state;
    curandStatePhilox4_32_10_t other;
    tandemState_t ours;
    tandemRowState_t fast;
    const double expected = ported_body(&ours);
    EXPECT_EQ(ported_body(&state), expected);
    EXPECT_EQ(ported_body(&other), expected);
    EXPECT_EQ(ported_body(&fast), expected);
    EXPECT_EQ(curand(&state), ours.urand());  // and each goes on where the other does
    EXPECT_NE(reinterpret_cast<const void*>(&ported_kernel), nullptr);
    EXPECT_NE(reinterpret_cast<const void*>(&kernel_with_states_everywhere), nullptr);

    curand_init(99, 0, 0, &state);
    tandem::Rng rng(tandem::split_key(tandem::key_of_seed(99, 0), 0));
    for (int i = 0; i < 1000; ++i) {
        const float u = curand_uniform(&state);
        ASSERT_EQ(u, 1.0f - rng.frand());
        ASSERT_GT(u, 0.0f);
        ASSERT_LE(u, 1.0f);
    }
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(curand_uniform_double(&state), 1.0 - rng.drand());
    EXPECT_EQ(tandem::reflect(tandem::to_f32(0)), 1.0f);
    EXPECT_EQ(tandem::reflect(tandem::to_f32(~0u)), 0x1p-24f);
}

}  // namespace
