#pragma once

/// What the functors of the kernel families share.

#include <cstddef>

#include "kernels/fill_args.hpp"

namespace tandem::kernels {

/// A functor without table, pairs or slow path; others override what differs.
struct OpBase {
    static constexpr bool PAIRS = false;
    static constexpr bool MISSES = false;
    static constexpr bool RARE = false;  ///< so few elements miss that lanes queue what they find without a vote
    static constexpr int BATCH = 4;      ///< units of a lane whose loads overlap
    /// Misses can be left to a second kernel: of staged tiles where RARE, else in registers.
    static constexpr bool LISTED = false;
    static constexpr bool UNIT_MASK = false;  ///< unit(raw, value) returns missed(raw), not only whether it is 0
    /// For short fills: elements are looked up in a table of SMALL_TABLE_BYTES, which begin_table(thread, threads) begins to copy
    /// to the start of shared memory. small_values<kCopied>(raw, values) makes the two elements of a block by the copy and
    /// returns missed(raw); where MISSES also by the table where it lies, and slow_small<kCopied, kByTwo>(raw, i) is slow(), by
    /// two lanes at once or by one.
    static constexpr bool SMALL_TABLE = false;
    static constexpr uint32_t SHORT = 1;   ///< a fill is short up to so many times the policy's steps
    static constexpr bool HALVED = false;  ///< 64-bit draws become 4-byte elements, by pair(raw) of a block's two
    static constexpr std::size_t TABLE_BYTES = 0;
    __device__ void prepare(const FillArgs&, const Key&) {}
    __device__ void load_table() const {}
};

/// What becomes of a standard normal or exponential: nothing, its parameters, or exp of either (normals only). A form is a kernel
/// of its own, so that none pays for the others.
enum class Form { standard, scaled, log_standard, log };
__host__ __device__ constexpr bool is_log(Form form) { return form == Form::log_standard || form == Form::log; }
__host__ __device__ constexpr bool has_parameters(Form form) { return form == Form::scaled || form == Form::log; }

/// The thread block's shared memory; a functor's table lies at its start.
__device__ __forceinline__ char* block_memory() {
    extern __shared__ uint4 tandem_block_memory[];
    return reinterpret_cast<char*>(tandem_block_memory);
}

/// The raw 64-bit draw in words 2i and 2i + 1.
template <int N>
__device__ __forceinline__ uint64_t draw64(const uint32_t (&raw)[N], int i) {
    return static_cast<uint64_t>(raw[2 * i + 1]) << 32 | raw[2 * i];
}

__device__ __forceinline__ uint4 packed(double a, double b) {
    const uint64_t x = bit_cast<uint64_t>(a), y = bit_cast<uint64_t>(b);
    return make_uint4(static_cast<uint32_t>(x), static_cast<uint32_t>(x >> 32), static_cast<uint32_t>(y),
                      static_cast<uint32_t>(y >> 32));
}

__device__ __forceinline__ uint4 packed(float a, float b, float c, float d) {
    return make_uint4(__float_as_uint(a), __float_as_uint(b), __float_as_uint(c), __float_as_uint(d));
}

}  // namespace tandem::kernels
