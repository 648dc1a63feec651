// Normals and log-normals of double precision: the ziggurat's table pass, misses finished by their warp.

#include <cuda_pipeline.h>

#include "kernels/families.hpp"
#include "kernels/launch.cuh"
#include "kernels/op.cuh"
#include "tandem/core/exp.hpp"
#include "tandem/core/normal.hpp"

namespace tandem::kernels {
namespace {

// What the table pass reads, as it lies in shared memory.
struct alignas(16) FastTable {
    double w[ZIGGURAT_LAYERS];
    uint32_t kx_high[ZIGGURAT_LAYERS];
};

constexpr FastTable fast_table() {
    FastTable t{};
    for (int i = 0; i < ZIGGURAT_LAYERS; ++i) {
        t.w[i] = ZIGGURAT_HOST.w[i];
        t.kx_high[i] = static_cast<uint32_t>(ZIGGURAT_HOST.kx[i] >> 21);
    }
    return t;
}

__device__ const FastTable FAST_TABLE = fast_table();

// Out of line and with its arguments by value: the rare path must not take registers from the common one.
__device__ __noinline__ double normal_in_full(uint64_t raw, Key sub, uint32_t chunk_length, uint64_t g) {
    return normal_f64(raw, ziggurat_tables(), sub, chunk_length, g);
}

template <Form kForm>
struct Normal64Op : OpBase {
    static constexpr int WIDTH = 64;
    static constexpr bool MISSES = true;
    static constexpr bool UNIT_MASK = true;
    static constexpr std::size_t TABLE_BYTES = sizeof(FastTable);
    using Element = double;

    double mean, stddev;
    Key sub;
    uint64_t first_draw;
    uint32_t chunk_length;

    explicit Normal64Op(const Fill& fill)
        : mean(fill.mean),
          stddev(fill.stddev),
          sub(sub_key(fill.key, PURPOSE_NORMAL64)),
          first_draw(0),
          chunk_length(fill.chunk_length) {}

    __device__ void prepare(const FillArgs& args, const Key& key) {
        if (args.device_key != nullptr) sub = sub_key(key, PURPOSE_NORMAL64);
        first_draw = args.first_draw;
        char* const table = block_memory();
        for (unsigned i = threadIdx.x * 16; i < sizeof(FastTable); i += blockDim.x * 16) {
            __pipeline_memcpy_async(table + i, reinterpret_cast<const char*>(&FAST_TABLE) + i, 16);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
    }

    __device__ uint32_t unit(const uint32_t (&raw)[4], uint4& value) const {
        const FastTable& t = *reinterpret_cast<const FastTable*>(block_memory());
        const ZigguratSplit a = ziggurat_split(draw64(raw, 0)), b = ziggurat_split(draw64(raw, 1));
        const uint32_t missed =
            (ziggurat_sure_hit(a, t.kx_high[a.layer]) ? 0u : 1u) | (ziggurat_sure_hit(b, t.kx_high[b.layer]) ? 0u : 2u);
        value = packed(finished(ziggurat_value(a, t.w[a.layer])), finished(ziggurat_value(b, t.w[b.layer])));
        return missed;
    }

    __device__ uint32_t missed(const uint32_t (&raw)[4]) const {
        uint4 unused;
        return unit(raw, unused);
    }

    __device__ double slow(uint64_t raw, int64_t i) const {
        return finished(normal_in_full(raw, sub, chunk_length, first_draw + static_cast<uint64_t>(i)));
    }

    __device__ bool attempt(uint64_t raw, int64_t i, uint32_t, double& value) const {
        value = slow(raw, i);
        return true;
    }

  private:
    __device__ double finished(double z) const {
        if constexpr (kForm == Form::standard) return z;
        const double x = ieee::fma(z, stddev, mean);
        return kForm == Form::scaled ? x : exp64(x);
    }
};

template <Form kForm>
cudaError_t launch_form(const Fill& fill, const Key* device_key, cudaStream_t stream) {
    return launch_derived<Normal64Op<kForm>, ZigguratPolicy>(fill, device_key, fill.n, Normal64Op<kForm>(fill), stream);
}

}  // namespace

cudaError_t launch_normal64(const Fill& fill, const Key* device_key, cudaStream_t stream) {
    // exp of z + 0 is exp of z also where z is -0, so log-normals need no form without parameters.
    if (fill.draw == Draw::lognormal64) return launch_form<Form::log>(fill, device_key, stream);
    if (fill.mean == 0.0 && fill.stddev == 1.0) return launch_form<Form::standard>(fill, device_key, stream);
    return launch_form<Form::scaled>(fill, device_key, stream);
}

}  // namespace tandem::kernels
