// Plain draws of 8 bits and more: integers, uniforms and characters.

#include <cuda_fp16.h>

#include "kernels/families.hpp"
#include "kernels/launch.cuh"
#include "kernels/op.cuh"
#include "tandem/core/mapping.hpp"

namespace tandem::kernels {
namespace {

// Integers of every width are their bytes: one kernel serves them all.
struct BytesOp : OpBase {
    static constexpr int WIDTH = 8;
    using Element = uint8_t;
    __device__ bool unit(const uint32_t (&raw)[4], uint4& value) const {
        value = make_uint4(raw[0], raw[1], raw[2], raw[3]);
        return false;
    }
    __device__ uint8_t slow(uint64_t raw, int64_t) const { return static_cast<uint8_t>(raw); }
};

// A uniform u = raw * 2^-b is u * sign + offset with sign 1 and offset 0, or -1 and 1 for (0, 1]: exact either way.
// Without conversions, as to_f32 and to_f64.
struct F32Op : OpBase {
    static constexpr int WIDTH = 32;
    using Element = float;
    float scale, offset;
    explicit F32Op(bool reflected) : scale(reflected ? -0x1p+125f : 0x1p+125f), offset(reflected ? 1.0f : 0.0f) {}
    __device__ float map(uint32_t raw) const { return __fmaf_ieee_rn(bit_cast<float>(raw >> 8), scale, offset); }
    __device__ bool unit(const uint32_t (&raw)[4], uint4& value) const {
        value = packed(map(raw[0]), map(raw[1]), map(raw[2]), map(raw[3]));
        return false;
    }
    __device__ float slow(uint64_t raw, int64_t) const { return map(static_cast<uint32_t>(raw)); }
};

struct F64Op : OpBase {
    static constexpr int WIDTH = 64;
    using Element = double;
    double scale, offset;
    explicit F64Op(bool reflected) : scale(reflected ? -0x1p+1021 : 0x1p+1021), offset(reflected ? 1.0 : 0.0) {}
    __device__ double map(uint64_t raw) const { return __fma_rn(bit_cast<double>(raw >> 11), scale, offset); }
    __device__ bool unit(const uint32_t (&raw)[4], uint4& value) const {
        value = packed(map(draw64(raw, 0)), map(draw64(raw, 1)));
        return false;
    }
    __device__ double slow(uint64_t raw, int64_t) const { return map(raw); }
};

// The 11 bits v, read as a binary16, are v * 2^-24 exactly (subnormal below 2^10, with exponent field 1 from there on), so one
// multiply-add maps two of them.
struct F16Op : OpBase {
    static constexpr int WIDTH = 16;
    using Element = uint16_t;
    uint32_t scale, offset;
    explicit F16Op(bool reflected) : scale(reflected ? 0xf000f000u : 0x70007000u), offset(reflected ? 0x3c003c00u : 0u) {}
    __device__ uint32_t map(uint32_t raw) const {
        const uint32_t v = (raw >> 5) & 0x07ff07ffu;
        return bit_cast<uint32_t>(__hfma2(bit_cast<__half2>(v), bit_cast<__half2>(scale), bit_cast<__half2>(offset)));
    }
    __device__ bool unit(const uint32_t (&raw)[4], uint4& value) const {
        value = make_uint4(map(raw[0]), map(raw[1]), map(raw[2]), map(raw[3]));
        return false;
    }
    __device__ uint16_t slow(uint64_t raw, int64_t) const { return static_cast<uint16_t>(map(static_cast<uint32_t>(raw))); }
};

struct CharOp : OpBase {
    static constexpr int WIDTH = 64;
    using Element = uint32_t;
    __device__ bool unit(const uint32_t (&raw)[8], uint4& value) const {
        value = make_uint4(to_char(draw64(raw, 0)), to_char(draw64(raw, 1)), to_char(draw64(raw, 2)), to_char(draw64(raw, 3)));
        return false;
    }
    __device__ uint32_t slow(uint64_t raw, int64_t) const { return to_char(raw); }
};

}  // namespace

cudaError_t launch_plain(const Fill& fill, const LaunchOptions& options) {
    const DrawRule rule = rule_of(fill.draw);
    const uint64_t n = fill.n * rule.components;
    switch (fill.draw) {
        case Draw::f16: return launch_fill<F16Op, PlainPolicy>(fill, options, n, F16Op(fill.reflected));
        case Draw::f32:
        case Draw::c32: return launch_fill<F32Op, PlainPolicy>(fill, options, n, F32Op(fill.reflected));
        case Draw::f64:
        case Draw::c64: return launch_fill<F64Op, PlainPolicy>(fill, options, n, F64Op(fill.reflected));
        case Draw::character: return launch_fill<CharOp, PlainPolicy>(fill, options, n, CharOp{});
        default: break;
    }
    Fill bytes = fill;
    bytes.position = align_pos(fill.position, rule.width);
    return launch_fill<BytesOp, PlainPolicy>(bytes, options, n * (rule.width / 8), BytesOp{});
}

}  // namespace tandem::kernels
