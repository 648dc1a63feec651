// Integers below a bound: multiply and reject, rejected elements finished by their warp.

#include "kernels/families.hpp"
#include "kernels/launch.cuh"
#include "kernels/op.cuh"
#include "tandem/core/bounded.hpp"

namespace tandem::kernels {
namespace {

// U is the type of a draw, Out the unsigned type of an element.
template <class U, class Out>
struct BelowOp : OpBase {
    static constexpr int WIDTH = 8 * sizeof(U);
    static constexpr bool MISSES = true;
    using Element = Out;

    BelowRule<U> rule;
    uint64_t low;
    Key sub;
    uint64_t first_draw;
    uint32_t chunk_length;

    explicit BelowOp(const Fill& fill)
        : rule(below_rule(static_cast<U>(fill.range), fill.full_range)),
          low(fill.low),
          sub(sub_key(fill.key, PURPOSE)),
          first_draw(0),
          chunk_length(fill.chunk_length) {}

    __device__ void prepare(const FillArgs& args, const Key& key, char*) {
        if (args.device_key != nullptr) sub = sub_key(key, PURPOSE);
        first_draw = args.first_draw;
    }

    __device__ uint32_t unit(const uint32_t (&raw)[16 / sizeof(Out) * sizeof(U) / 4], uint4& value) const {
        constexpr int E = 16 / sizeof(Out);
        uint32_t missed = 0;
        uint32_t words[4] = {0, 0, 0, 0};
#pragma unroll
        for (int i = 0; i < E; ++i) {
            U v;
            bool accepted;
            if constexpr (sizeof(U) == 4) {
                accepted = below_u32(raw[i], rule, v);
            } else {
                accepted = below_u64(draw64(raw, i), rule, v);
            }
            if (!accepted) missed |= 1u << i;
            const Out out = above_low<Out>(low, v);
            if constexpr (sizeof(Out) == 8) {
                words[2 * i] = static_cast<uint32_t>(out);
                words[2 * i + 1] = static_cast<uint32_t>(out >> 32);
            } else {
                words[i * sizeof(Out) / 4] |= static_cast<uint32_t>(out) << (i * sizeof(Out) % 4 * 8);
            }
        }
        value = make_uint4(words[0], words[1], words[2], words[3]);
        return missed;
    }

    __device__ Out slow(uint64_t raw, int64_t i) const {
        const uint64_t g = first_draw + static_cast<uint64_t>(i);
        if constexpr (sizeof(U) == 4) {
            return above_low<Out>(low, below_u32(static_cast<uint32_t>(raw), rule, sub, chunk_length, g));
        } else {
            return above_low<Out>(low, below_u64(raw, rule, sub, chunk_length, g));
        }
    }

  private:
    static constexpr uint64_t PURPOSE = sizeof(U) == 4 ? PURPOSE_BELOW32 : PURPOSE_BELOW64;
};

template <class U, class Out>
cudaError_t launch_below(const Fill& fill, const Key* device_key, cudaStream_t stream) {
    return launch_fill<BelowOp<U, Out>, DerivedPolicy>(fill, device_key, fill.n, BelowOp<U, Out>(fill), stream);
}

}  // namespace

cudaError_t launch_bounded(const Fill& fill, const Key* device_key, cudaStream_t stream) {
    if (fill.draw == Draw::below32) {
        switch (fill.element_bytes) {
            case 1: return launch_below<uint32_t, uint8_t>(fill, device_key, stream);
            case 2: return launch_below<uint32_t, uint16_t>(fill, device_key, stream);
            case 4: return launch_below<uint32_t, uint32_t>(fill, device_key, stream);
            case 8: return launch_below<uint32_t, uint64_t>(fill, device_key, stream);
            default: return cudaErrorInvalidValue;
        }
    }
    switch (fill.element_bytes) {
        case 4: return launch_below<uint64_t, uint32_t>(fill, device_key, stream);
        case 8: return launch_below<uint64_t, uint64_t>(fill, device_key, stream);
        default: return cudaErrorInvalidValue;
    }
}

}  // namespace tandem::kernels
