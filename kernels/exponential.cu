// Exponentials of both precisions.

#include "kernels/families.hpp"
#include "kernels/launch.cuh"
#include "kernels/op.cuh"
#include "tandem/core/exponential.hpp"

namespace tandem::kernels {
namespace {

template <Form kForm>
struct Exponential64Op : OpBase {
    static constexpr int WIDTH = 64;
    using Element = double;
    double scale;
    explicit Exponential64Op(double s) : scale(s) {}
    __device__ double slow(uint64_t raw, int64_t) const {
        const double x = exponential_f64(raw);
        return kForm == Form::standard ? x : scaled(x, scale);
    }
    __device__ bool unit(const uint32_t (&raw)[4], uint4& value) const {
        value = packed(slow(draw64(raw, 0), 0), slow(draw64(raw, 1), 0));
        return false;
    }
};

template <Form kForm>
struct Exponential32Op : OpBase {
    static constexpr int WIDTH = 32;
    using Element = float;
    float scale;
    explicit Exponential32Op(double s) : scale(static_cast<float>(s)) {}
    __device__ float slow(uint64_t raw, int64_t) const {
        const float x = exponential_f32(static_cast<uint32_t>(raw));
        return kForm == Form::standard ? x : scaled(x, scale);
    }
    __device__ bool unit(const uint32_t (&raw)[4], uint4& value) const {
        value = packed(slow(raw[0], 0), slow(raw[1], 0), slow(raw[2], 0), slow(raw[3], 0));
        return false;
    }
};

template <template <Form> class Op>
cudaError_t launch_form(const Fill& fill, const LaunchOptions& options) {
    if (fill.scale == 1.0) {
        return launch_derived<Op<Form::standard>, DerivedPolicy>(fill, options, fill.n, Op<Form::standard>(1.0));
    }
    return launch_derived<Op<Form::scaled>, DerivedPolicy>(fill, options, fill.n, Op<Form::scaled>(fill.scale));
}

}  // namespace

cudaError_t launch_exponential(const Fill& fill, const LaunchOptions& options) {
    if (fill.draw == Draw::exponential64) return launch_form<Exponential64Op>(fill, options);
    return launch_form<Exponential32Op>(fill, options);
}

}  // namespace tandem::kernels
