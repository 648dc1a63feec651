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

template <bool kLog>
struct Normal64Op : OpBase {
    static constexpr int WIDTH = 64;
    static constexpr bool MISSES = true;
    static constexpr std::size_t TABLE_BYTES = sizeof(FastTable);
    using Element = double;

    double mean, stddev;
    Key sub;
    uint64_t first_draw;
    uint32_t chunk_length;
    const double* w;  // in shared memory
    const uint32_t* kx_high;

    explicit Normal64Op(const Fill& fill)
        : mean(fill.mean),
          stddev(fill.stddev),
          sub(sub_key(fill.key, PURPOSE_NORMAL64)),
          first_draw(0),
          chunk_length(fill.chunk_length),
          w(nullptr),
          kx_high(nullptr) {}

    __device__ void prepare(const FillArgs& args, const Key& key, char* table) {
        if (args.device_key != nullptr) sub = sub_key(key, PURPOSE_NORMAL64);
        first_draw = args.first_draw;
        const FastTable* const mine = reinterpret_cast<const FastTable*>(table);
        for (unsigned i = threadIdx.x * 16; i < sizeof(FastTable); i += blockDim.x * 16) {
            __pipeline_memcpy_async(table + i, reinterpret_cast<const char*>(&FAST_TABLE) + i, 16);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        w = mine->w;
        kx_high = mine->kx_high;
        __syncthreads();
    }

    __device__ uint32_t unit(const uint32_t (&raw)[4], uint4& value) const {
        const ZigguratSplit a = ziggurat_split(draw64(raw, 0)), b = ziggurat_split(draw64(raw, 1));
        value = packed(finished(ziggurat_value(a, w[a.layer])), finished(ziggurat_value(b, w[b.layer])));
        return (ziggurat_sure_hit(a, kx_high[a.layer]) ? 0u : 1u) | (ziggurat_sure_hit(b, kx_high[b.layer]) ? 0u : 2u);
    }

    __device__ uint32_t missed(const uint32_t (&raw)[4]) const {
        const ZigguratSplit a = ziggurat_split(draw64(raw, 0)), b = ziggurat_split(draw64(raw, 1));
        return (ziggurat_sure_hit(a, kx_high[a.layer]) ? 0u : 1u) | (ziggurat_sure_hit(b, kx_high[b.layer]) ? 0u : 2u);
    }

    __device__ double slow(uint64_t raw, int64_t i) const {
        return finished(normal_in_full(raw, sub, chunk_length, first_draw + static_cast<uint64_t>(i)));
    }

  private:
    __device__ double finished(double z) const {
        if constexpr (kLog) {
            return lognormal_of(z, mean, stddev);
        } else {
            return affine(z, mean, stddev);
        }
    }
};

}  // namespace

cudaError_t launch_normal64(const Fill& fill, const Key* device_key, cudaStream_t stream) {
    if (fill.draw == Draw::lognormal64) {
        return launch_derived<Normal64Op<true>, ZigguratPolicy>(fill, device_key, fill.n, Normal64Op<true>(fill), stream);
    }
    return launch_derived<Normal64Op<false>, ZigguratPolicy>(fill, device_key, fill.n, Normal64Op<false>(fill), stream);
}

}  // namespace tandem::kernels
