// Integers below a bound: multiply and reject, rejected elements finished by their warp.

#include "kernels/families.hpp"
#include "kernels/launch.cuh"
#include "kernels/op.cuh"
#include "tandem/core/bounded.hpp"

namespace tandem::kernels {
namespace {

// Puts element i of an output unit into its words, which start as 0.
template <class Out>
__device__ __forceinline__ void put(uint32_t (&words)[4], int i, Out value) {
    if constexpr (sizeof(Out) == 8) {
        words[2 * i] = static_cast<uint32_t>(value);
        words[2 * i + 1] = static_cast<uint32_t>(value >> 32);
    } else {
        words[i * sizeof(Out) / 4] |= static_cast<uint32_t>(value) << (i * sizeof(Out) % 4 * 8);
    }
}

// U is the type of a draw, Out the unsigned type of an element.
template <class U, class Out, bool kRare>
struct BelowOp : OpBase {
    static constexpr int WIDTH = 8 * sizeof(U);
    static constexpr bool MISSES = true;
    static constexpr bool RARE = kRare;
    static constexpr bool LISTED = kRare && sizeof(U) == 4;
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

    __device__ void prepare(const FillArgs& args, const Key& key) {
        if (args.device_key != nullptr) sub = sub_key(key, PURPOSE);
        first_draw = args.first_draw;
    }

    static constexpr int E = 16 / sizeof(Out);
    static constexpr int N = E * sizeof(U) / 4;

    __device__ static U draw(const uint32_t (&raw)[N], int i) {
        if constexpr (sizeof(U) == 4) {
            return raw[i];
        } else {
            return draw64(raw, i);
        }
    }

    __device__ bool unit(const uint32_t (&raw)[N], uint4& value) const {
        bool rejected = false;
        uint32_t words[4] = {0, 0, 0, 0};
#pragma unroll
        for (int i = 0; i < E; ++i) {
            U v;
            if constexpr (sizeof(U) == 4) {
                const uint64_t product = static_cast<uint64_t>(raw[i]) * rule.range;
                rejected |= static_cast<uint32_t>(product) < rule.threshold;
                v = static_cast<U>(product >> 32);
            } else {
                // The high words alone: a few accepted draws pass as rejected, and the slow path accepts them.
                const uint64_t x = draw(raw, i);
                rejected |= static_cast<uint32_t>((x * rule.range) >> 32) <= static_cast<uint32_t>(rule.threshold >> 32);
                v = mul_hi(x, rule.range);
            }
            put<Out>(words, i, above_low<Out>(low, v));
        }
        value = make_uint4(words[0], words[1], words[2], words[3]);
        return rejected;
    }

    __device__ uint32_t missed(const uint32_t (&raw)[N]) const {
        uint32_t mask = 0;
#pragma unroll
        for (int i = 0; i < E; ++i) mask |= static_cast<U>(draw(raw, i) * rule.range) < rule.threshold ? 1u << i : 0u;
        return mask;
    }

    __device__ Out slow(uint64_t raw, int64_t i) const {
        const uint64_t g = first_draw + static_cast<uint64_t>(i);
        if constexpr (sizeof(U) == 4) {
            return above_low<Out>(low, below_u32(static_cast<uint32_t>(raw), rule, sub, chunk_length, g));
        } else {
            return above_low<Out>(low, below_u64(raw, rule, sub, chunk_length, g));
        }
    }

    // A round is a block of the element's own retries.
    __device__ bool attempt(uint64_t raw, int64_t i, uint32_t round, Out& value) const {
        U v;
        if (round == 0 && accepts(static_cast<U>(raw), v)) {
            value = above_low<Out>(low, v);
            return true;
        }
        const BlockPlace place = round < LANES ? BlockPlace{round, 0} : place_of_block(round, log2_exact(chunk_length));
        const Block b = block(split_key(sub, first_draw + static_cast<uint64_t>(i)), place.chunk, place.step);
        bool found = false;
#pragma unroll
        for (int d = 16 / sizeof(U) - 1; d >= 0; --d) {  // the first that is accepted comes last
            if (accepts(draw_of_block(b, d), v)) {
                value = above_low<Out>(low, v);
                found = true;
            }
        }
        return found;
    }

  private:
    __device__ bool accepts(U draw, U& v) const {
        if constexpr (sizeof(U) == 4) {
            return below_u32(draw, rule, v);
        } else {
            return below_u64(draw, rule, v);
        }
    }

    __device__ static U draw_of_block(const Block& b, int d) {
        if constexpr (sizeof(U) == 4) {
            return b.w[d];
        } else {
            return static_cast<uint64_t>(b.w[2 * d + 1]) << 32 | b.w[2 * d];
        }
    }

    static constexpr uint64_t PURPOSE = sizeof(U) == 4 ? PURPOSE_BELOW32 : PURPOSE_BELOW64;
};

// The range 2^width: the draw itself.
template <class U, class Out>
struct FullOp : OpBase {
    static constexpr int WIDTH = 8 * sizeof(U);
    static constexpr int E = 16 / sizeof(Out);
    using Element = Out;
    uint64_t low;
    explicit FullOp(const Fill& fill) : low(fill.low) {}
    __device__ bool unit(const uint32_t (&raw)[E * sizeof(U) / 4], uint4& value) const {
        uint32_t words[4] = {0, 0, 0, 0};
#pragma unroll
        for (int i = 0; i < E; ++i) put<Out>(words, i, slow(sizeof(U) == 4 ? raw[i] : draw64(raw, sizeof(U) == 4 ? 0 : i), 0));
        value = make_uint4(words[0], words[1], words[2], words[3]);
        return false;
    }
    __device__ Out slow(uint64_t raw, int64_t) const { return above_low<Out>(low, raw); }
};

// A tile of 4096 draws should expect a quarter of a rejection for a list to be better than finishing in place.
constexpr uint32_t LOG2_LISTED = 18;

// One draw in 256 or more: a tile has enough rejections to fill rounds of a warp.
template <class U>
bool rejects_many(const BelowRule<U>& rule) {
    return rule.threshold >> (8 * sizeof(U) - 8) != 0;
}

template <class U, class Out>
cudaError_t launch_below(const Fill& fill, const LaunchOptions& options) {
    if (fill.full_range) return launch_fill<FullOp<U, Out>, BoundedPolicy>(fill, options, fill.n, FullOp<U, Out>(fill));
    const BelowOp<U, Out, true> op(fill);
    cudaError_t result;
    if (launch_small(fill, options, fill.n, op, result)) return result;
    if constexpr (sizeof(U) == 8 && sizeof(Out) == 8) {
        // The products of 64-bit draws bind, so they are mapped in registers where whole lines agree with the stream; where more
        // than a draw in 128 is rejected, staged tiles finish them as they come.
        const uint64_t origin = reinterpret_cast<uintptr_t>(fill.out) - align_pos(fill.position, 64) / 8;
        if (op.rule.threshold >> 57 == 0 && origin % 32 == 0 && fill.chunk_length <= LONGEST_LISTED_CHUNK) {
            return launch_direct<BelowOp<U, Out, true>, BoundedPolicy, false>(fill, options, fill.n, op);
        }
    }
    if (!rejects_many(op.rule)) return launch_staged<BelowOp<U, Out, true>, BoundedPolicy>(fill, options, fill.n, op);
    return launch_staged<BelowOp<U, Out, false>, RejectingPolicy>(fill, options, fill.n, BelowOp<U, Out, false>(fill));
}

}  // namespace

std::size_t bounded_scratch(const Fill& fill, Path path, const Architecture& architecture) {
    // Where elements are wider than their draws, stores bind and rejections in place cost nothing more.
    if (fill.draw != Draw::below32 || fill.full_range || (fill.element_bytes > 4 && path == Path::best)) return 0;
    const BelowRule<uint32_t> rule = below_rule(static_cast<uint32_t>(fill.range));
    if (rejects_many(rule) || (path == Path::best && rule.threshold >> LOG2_LISTED == 0)) return 0;
    return staged_scratch<BelowOp<uint32_t, uint32_t, true>, BoundedPolicy>(fill, path, architecture);
}

cudaError_t launch_bounded(const Fill& fill, const LaunchOptions& options) {
    if (fill.draw == Draw::below32) {
        switch (fill.element_bytes) {
            case 1: return launch_below<uint32_t, uint8_t>(fill, options);
            case 2: return launch_below<uint32_t, uint16_t>(fill, options);
            case 4: return launch_below<uint32_t, uint32_t>(fill, options);
            case 8: return launch_below<uint32_t, uint64_t>(fill, options);
            default: return cudaErrorInvalidValue;
        }
    }
    switch (fill.element_bytes) {
        case 1: return launch_below<uint64_t, uint8_t>(fill, options);
        case 2: return launch_below<uint64_t, uint16_t>(fill, options);
        case 4: return launch_below<uint64_t, uint32_t>(fill, options);
        case 8: return launch_below<uint64_t, uint64_t>(fill, options);
        default: return cudaErrorInvalidValue;
    }
}

}  // namespace tandem::kernels
