// Normals and log-normals of double precision: the ziggurat's table pass, misses finished by their warp.

#include "kernels/families.hpp"
#include "kernels/launch.cuh"
#include "kernels/op.cuh"
#include "tandem/core/exp.hpp"
#include "tandem/core/normal.hpp"

namespace tandem::kernels {
namespace {

template <bool kLog>
struct Normal64Op : OpBase {
    static constexpr int WIDTH = 64;
    static constexpr bool MISSES = true;
    static constexpr std::size_t TABLE_BYTES = ZIGGURAT_LAYERS * (sizeof(double) + sizeof(uint32_t));
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
        double* const to_w = reinterpret_cast<double*>(table);
        uint32_t* const to_k = reinterpret_cast<uint32_t*>(to_w + ZIGGURAT_LAYERS);
        const ZigguratTables tables = ziggurat_tables();
        for (unsigned i = threadIdx.x; i < ZIGGURAT_LAYERS; i += blockDim.x) {
            to_w[i] = tables.w[i];
            to_k[i] = static_cast<uint32_t>(tables.kx[i] >> 21);
        }
        w = to_w;
        kx_high = to_k;
        __syncthreads();
    }

    __device__ uint32_t unit(const uint32_t (&raw)[4], uint4& value) const {
        const ZigguratSplit a = ziggurat_split(draw64(raw, 0)), b = ziggurat_split(draw64(raw, 1));
        value = packed(finished(ziggurat_value(a, w[a.layer])), finished(ziggurat_value(b, w[b.layer])));
        return (ziggurat_sure_hit(a, kx_high[a.layer]) ? 0u : 1u) | (ziggurat_sure_hit(b, kx_high[b.layer]) ? 0u : 2u);
    }

    __device__ double slow(uint64_t raw, int64_t i) const {
        return finished(normal_f64(raw, ziggurat_tables(), sub, chunk_length, first_draw + static_cast<uint64_t>(i)));
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
        return launch_fill<Normal64Op<true>, ZigguratPolicy>(fill, device_key, fill.n, Normal64Op<true>(fill), stream);
    }
    return launch_fill<Normal64Op<false>, ZigguratPolicy>(fill, device_key, fill.n, Normal64Op<false>(fill), stream);
}

}  // namespace tandem::kernels
