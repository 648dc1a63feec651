// Booleans: each bit of the stream becomes a byte.

#include "kernels/families.hpp"
#include "kernels/launch.cuh"
#include "kernels/op.cuh"

namespace tandem::kernels {
namespace {

struct BitsOp : OpBase {
    static constexpr int WIDTH = 1;
    using Element = uint8_t;
    // Four bits to four bytes: copies of the bits at distances of 7 leave bit i at the lowest bit of byte i.
    __device__ static uint32_t spread(uint32_t four) { return (four * 0x00204081u) & 0x01010101u; }
    __device__ bool unit(const uint32_t (&raw)[1], uint4& value) const {
        const uint32_t r = raw[0];
        value = make_uint4(spread(r & 15), spread((r >> 4) & 15), spread((r >> 8) & 15), spread((r >> 12) & 15));
        return false;
    }
    __device__ uint8_t slow(uint64_t raw, int64_t) const { return static_cast<uint8_t>(raw); }
};

}  // namespace

cudaError_t launch_bits(const Fill& fill, const LaunchOptions& options) {
    return launch_fill<BitsOp, BitsPolicy>(fill, options, fill.n, BitsOp{});
}

}  // namespace tandem::kernels
