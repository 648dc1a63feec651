// Exponentials of both precisions.

#include "kernels/families.hpp"
#include "kernels/launch.cuh"
#include "kernels/op.cuh"
#include "tandem/core/exponential.hpp"

namespace tandem::kernels {
namespace {

struct Exponential64Op : OpBase {
    static constexpr int WIDTH = 64;
    using Element = double;
    double scale;
    explicit Exponential64Op(double s) : scale(s) {}
    __device__ double slow(uint64_t raw, int64_t) const { return scaled(exponential_f64(raw), scale); }
    __device__ bool unit(const uint32_t (&raw)[4], uint4& value) const {
        value = packed(slow(draw64(raw, 0), 0), slow(draw64(raw, 1), 0));
        return false;
    }
};

struct Exponential32Op : OpBase {
    static constexpr int WIDTH = 32;
    using Element = float;
    float scale;
    explicit Exponential32Op(float s) : scale(s) {}
    __device__ float slow(uint64_t raw, int64_t) const { return scaled(exponential_f32(static_cast<uint32_t>(raw)), scale); }
    __device__ bool unit(const uint32_t (&raw)[4], uint4& value) const {
        value = packed(slow(raw[0], 0), slow(raw[1], 0), slow(raw[2], 0), slow(raw[3], 0));
        return false;
    }
};

}  // namespace

cudaError_t launch_exponential(const Fill& fill, const Key* device_key, cudaStream_t stream) {
    if (fill.draw == Draw::exponential64) {
        return launch_derived<Exponential64Op, DerivedPolicy>(fill, device_key, fill.n, Exponential64Op(fill.scale), stream);
    }
    return launch_derived<Exponential32Op, DerivedPolicy>(fill, device_key, fill.n,
                                                          Exponential32Op(static_cast<float>(fill.scale)), stream);
}

}  // namespace tandem::kernels
