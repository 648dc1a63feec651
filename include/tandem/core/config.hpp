#pragma once

/// What every core header needs: the function qualifier, the integer types and the refusal of value-changing compiler modes.
///
/// The core is plain C++17. It compiles as host code (g++, clang++), as host and device code (nvcc, hipcc), in Kokkos kernels,
/// and under NVRTC, where no system header exists.

#if defined(__FAST_MATH__) && !defined(__CUDA_ARCH__)
#error "tandem: -ffast-math changes the values of draws; compile without it (or without -Ofast)"
#endif

#if defined(KOKKOS_INLINE_FUNCTION)
#define TANDEM_FN KOKKOS_INLINE_FUNCTION
#elif defined(__CUDACC__) || defined(__HIPCC__)
#define TANDEM_FN __host__ __device__ inline
#else
#define TANDEM_FN inline
#endif

/// For members of generators: a call that is not inlined would put the generator's registers into local memory on GPUs.
#if defined(__CUDACC__)
#define TANDEM_INLINE_FN __host__ __device__ __forceinline__
#else
#define TANDEM_INLINE_FN TANDEM_FN
#endif

/// Before loops: on GPUs they are unrolled whole, as they must be where the index selects registers, or by a number, 1 for not at
/// all.
#if defined(__CUDA_ARCH__)
#define TANDEM_PRAGMA(text) _Pragma(#text)
#define TANDEM_UNROLL TANDEM_PRAGMA(unroll)
#define TANDEM_UNROLL_BY(number) TANDEM_PRAGMA(unroll number)
#else
#define TANDEM_UNROLL
#define TANDEM_UNROLL_BY(number)
#endif

#if !defined(__CUDACC_RTC__)
#include <cstdint>
#include <cstring>
#endif

namespace tandem {

#if defined(__CUDACC_RTC__)
using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long long;
using uint64_t = unsigned long long;
#else
using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::int8_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;
#endif

/// A 128-bit integer as its two halves; 16 bytes, little-endian in memory on every supported machine.
struct alignas(16) U128 {
    uint64_t lo;
    uint64_t hi;
};

TANDEM_FN bool operator==(const U128& a, const U128& b) { return a.lo == b.lo && a.hi == b.hi; }
TANDEM_FN bool operator!=(const U128& a, const U128& b) { return !(a == b); }

/// The high 64 bits of a 64x64-bit product.
TANDEM_FN uint64_t mul_hi(uint64_t a, uint64_t b) {
#if defined(__CUDA_ARCH__)
    return __umul64hi(a, b);
#elif defined(__SIZEOF_INT128__)
    __extension__ using Wide = unsigned __int128;
    return static_cast<uint64_t>((static_cast<Wide>(a) * b) >> 64);
#else
    const uint64_t a0 = static_cast<uint32_t>(a), a1 = a >> 32, b0 = static_cast<uint32_t>(b), b1 = b >> 32;
    const uint64_t mid = a1 * b0 + ((a0 * b0) >> 32);
    return a1 * b1 + (mid >> 32) + ((a0 * b1 + static_cast<uint32_t>(mid)) >> 32);
#endif
}

/// The object of type To with the bits of `from`; both have one size.
template <class To, class From>
TANDEM_FN To bit_cast(const From& from) {
    static_assert(sizeof(To) == sizeof(From), "bit_cast needs two types of one size");
    To to;
#if defined(__CUDACC_RTC__)
    memcpy(&to, &from, sizeof(To));
#else
    std::memcpy(&to, &from, sizeof(To));
#endif
    return to;
}

}  // namespace tandem
