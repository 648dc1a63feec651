// Sums of draws inside kernels: nothing is stored but a sum a thread.

#include "benchmark/device_rows.hpp"
#include "benchmark/gpu_measure.hpp"
#include "tandem/device.cuh"

namespace tandem::bench {
namespace {

const Key KEY{{1, 2, 3, 4}};
constexpr uint64_t WORDS = 32768;  // a thread
constexpr int LOG2_SPACING = 25;   // bits of the stream between two threads' starts

__device__ uint32_t this_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void row_f32(Key key, uint32_t chunk_length, uint32_t draws, float* out) {
    RowRng rng(key, static_cast<uint64_t>(this_thread()) << LOG2_SPACING, chunk_length);
    float sum = 0;
    rng.repeat<float>(draws, [&sum](float u) { sum += u; });
    out[this_thread()] = sum;
}

__global__ void row_f32_single(Key key, uint32_t chunk_length, uint32_t draws, float* out) {
    RowRng rng(key, static_cast<uint64_t>(this_thread()) << LOG2_SPACING, chunk_length);
    float sum = 0;
#pragma unroll 32
    for (uint32_t i = 0; i < draws; ++i) sum += rng.frand();
    out[this_thread()] = sum;
}

__global__ void row_f32_repeat_anywhere(Key key, uint32_t chunk_length, uint32_t draws, uint64_t position, float* out) {
    RowRng rng(key, position + (static_cast<uint64_t>(this_thread()) << LOG2_SPACING), chunk_length);
    float sum = 0;
    rng.repeat<float>(draws, [&sum](float u) { sum += u; });
    out[this_thread()] = sum;
}

__global__ void row_f32_anywhere(Key key, uint32_t chunk_length, uint32_t draws, uint64_t position, float* out) {
    RowRng rng(key, position + (static_cast<uint64_t>(this_thread()) << LOG2_SPACING), chunk_length);
    float sum = 0;
    for (uint32_t i = 0; i < draws; ++i) sum += rng.frand();
    out[this_thread()] = sum;
}

__global__ void chunk_f32(ChunkStream stream, uint32_t draws, float* out) {
    ChunkRng rng(stream, this_thread());
    float sum = 0;
#pragma unroll 16
    for (uint32_t i = 0; i < draws; ++i) sum += rng.frand();
    out[this_thread()] = sum;
}

__global__ void chunk_f64(ChunkStream stream, uint32_t draws, double* out) {
    ChunkRng rng(stream, this_thread());
    double sum = 0;
#pragma unroll 8
    for (uint32_t i = 0; i < draws; ++i) sum += rng.drand();
    out[this_thread()] = sum;
}

template <NormalMode kMode>
__global__ void chunk_normal_f32(ChunkStream stream, uint32_t draws, float* out) {
    ChunkRng rng(stream, this_thread());
    float sum = 0;
#pragma unroll 8
    for (uint32_t i = 0; i < draws / 2; ++i) {
        const Pair<float> z = rng.normalf2(kMode);
        sum += z.x + z.y;
    }
    out[this_thread()] = sum;
}

template <int kBatch>
__global__ void chunk_normal_f64(ChunkStream stream, uint32_t draws, double* out) {
    ChunkRng rng(stream, this_thread());
    double sum = 0;
    for (uint32_t i = 0; i < draws / kBatch; ++i) {
        double z[kBatch];
        rng.normals(z);
#pragma unroll
        for (int j = 0; j < kBatch; ++j) sum += z[j];
    }
    out[this_thread()] = sum;
}

__global__ void chunk_normal_f64_single(ChunkStream stream, uint32_t draws, double* out) {
    ChunkRng rng(stream, this_thread());
    double sum = 0;
#pragma unroll 2
    for (uint32_t i = 0; i < draws; ++i) sum += rng.normal();
    out[this_thread()] = sum;
}

/// launch(grid, draws, out) starts `kernel` with `draws` elements of type V a thread, whose sums go to out.
template <class V, class Kernel, class Launch>
DeviceCall kernel_call(const char* name, Kernel kernel, Launch launch) {
    const uint32_t draws = static_cast<uint32_t>(WORDS * 4 / sizeof(V));
    const unsigned grid = full_grid(reinterpret_cast<const void*>(kernel), BLOCK_THREADS);
    const uint64_t threads = static_cast<uint64_t>(grid) * BLOCK_THREADS;
    V* const out = reinterpret_cast<V*>(device_scratch(threads * sizeof(V)));
    DeviceCall call{name, threads * draws, threads * draws * sizeof(V), {}, {}};
    call.call = [=] {
        launch(grid, draws, out);
        check(cudaPeekAtLastError(), name);
    };
    return call;
}

template <class Kernel>
DeviceCall rows_call(const char* name, Kernel kernel, uint32_t chunk_length) {
    return kernel_call<float>(name, kernel, [=](unsigned grid, uint32_t draws, float* out) {
        kernel<<<grid, BLOCK_THREADS>>>(KEY, chunk_length, draws, out);
    });
}

/// From a position that is no multiple of a row, which the compiler does not know.
template <class Kernel>
DeviceCall anywhere_call(const char* name, Kernel kernel) {
    return kernel_call<float>(name, kernel, [=](unsigned grid, uint32_t draws, float* out) {
        kernel<<<grid, BLOCK_THREADS>>>(KEY, 4096, draws, 32 * 5, out);
    });
}

template <class V>
DeviceCall chunks_call(const char* name, void (*kernel)(ChunkStream, uint32_t, V*)) {
    return kernel_call<V>(name, kernel, [=](unsigned grid, uint32_t draws, V* out) {
        kernel<<<grid, BLOCK_THREADS>>>(ChunkStream(KEY), draws, out);
    });
}

}  // namespace

std::vector<DeviceCall> generator_calls() {
    return {
        rows_call("inkernel_row_f32", &row_f32, 4096),
        rows_call("inkernel_row_f32_k512", &row_f32, 512),
        rows_call("inkernel_row_f32_k32", &row_f32, 32),
        rows_call("inkernel_row_f32_single", &row_f32_single, 4096),
        anywhere_call("inkernel_row_f32_repeat_anywhere", &row_f32_repeat_anywhere),
        anywhere_call("inkernel_row_f32_anywhere", &row_f32_anywhere),
        chunks_call("inkernel_chunk_f32", &chunk_f32),
        chunks_call("inkernel_chunk_f64", &chunk_f64),
        chunks_call("inkernel_normal_f32", &chunk_normal_f32<NormalMode::fast>),
        chunks_call("inkernel_normal_f32_exact", &chunk_normal_f32<NormalMode::exact>),
        chunks_call("inkernel_normal_f64", &chunk_normal_f64<16>),
        chunks_call("inkernel_normal_f64_batch8", &chunk_normal_f64<8>),
        chunks_call("inkernel_normal_f64_batch32", &chunk_normal_f64<32>),
        chunks_call("inkernel_normal_f64_single", &chunk_normal_f64_single),
    };
}

}  // namespace tandem::bench
