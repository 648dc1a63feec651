#pragma once

/// Four chunks side by side in the 128-bit vectors of gcc and clang, for host code. Nothing here exists where TANDEM_ROW_VECTORS
/// is 0: under TANDEM_NO_SIMD, older compilers, nvcc and hipcc, and on big-endian machines.

#include "tandem/core/stream.hpp"

#if !defined(TANDEM_NO_SIMD) && !defined(__CUDACC__) && !defined(__HIPCC__) && !defined(__NVCOMPILER) && \
    (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define TANDEM_ROW_VECTORS 1
#else
#define TANDEM_ROW_VECTORS 0
#endif

#if TANDEM_ROW_VECTORS

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// A call in the middle of a row would spill all of its registers.
#define TANDEM_VECTOR_FN inline __attribute__((always_inline))
/// Between the parameters and the body of a lambda that must not become a call.
#define TANDEM_VECTOR_LAMBDA __attribute__((always_inline))

namespace tandem {
namespace vectors {

using Bytes = uint8_t __attribute__((vector_size(16)));
using Words = uint32_t __attribute__((vector_size(16)));
using Longs = uint64_t __attribute__((vector_size(16)));

/// The words at any address.
TANDEM_VECTOR_FN Words load(const void* from) {
    Words v;
    std::memcpy(&v, from, sizeof(v));
    return v;
}
TANDEM_VECTOR_FN void store(Words v, void* to) { std::memcpy(to, &v, sizeof(v)); }

TANDEM_VECTOR_FN Words set(uint32_t word) { return Words{word, word, word, word}; }

/// The products of words 0 and 2.
TANDEM_VECTOR_FN Longs even_products(Words a, Words b) {
#if defined(__SSE2__)
    return reinterpret_cast<Longs>(_mm_mul_epu32(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
    return Longs{static_cast<uint64_t>(a[0]) * b[0], static_cast<uint64_t>(a[2]) * b[2]};
#endif
}

/// The 64-bit products of words, as their halves.
TANDEM_VECTOR_FN void wide_products(Words a, Words b, Words& low, Words& high) {
    const Words even = reinterpret_cast<Words>(even_products(a, b));
    const Words odd = reinterpret_cast<Words>(even_products(reinterpret_cast<Words>(reinterpret_cast<Longs>(a) >> 32),
                                                            reinterpret_cast<Words>(reinterpret_cast<Longs>(b) >> 32)));
#if defined(__SSE4_1__)
    low = a * b;
    high = __builtin_shufflevector(reinterpret_cast<Words>(reinterpret_cast<Longs>(even) >> 32), odd, 0, 5, 2, 7);
#else
    const Words evens = __builtin_shufflevector(even, odd, 0, 2, 4, 6), odds = __builtin_shufflevector(even, odd, 1, 3, 5, 7);
    low = __builtin_shufflevector(evens, evens, 0, 2, 1, 3);
    high = __builtin_shufflevector(odds, odds, 0, 2, 1, 3);
#endif
}

template <int BY>
TANDEM_VECTOR_FN Words rotl(Words v) {
    return v << BY | v >> (32 - BY);
}

/// The step T in each of four chunks: o[i] and h[i] hold word i of their states.
TANDEM_VECTOR_FN void step(Words (&o)[4], Words (&h)[4]) {
    Words low0, high0, low1, high1;
    wide_products(o[0], h[0] | set(1), low0, high0);
    wide_products(o[2], h[1] | set(1), low1, high1);
    o[0] = o[1] ^ high1 ^ low1;
    o[2] = o[3] ^ high0 ^ low0;
    o[1] = rotl<16>(low1) ^ h[2];
    o[3] = rotl<16>(low0) ^ h[3];
    h[0] ^= rotl<7>(h[1]);
    h[1] ^= rotl<13>(h[2]);
    h[2] ^= rotl<22>(h[3]);
    h[3] ^= rotl<3>(h[0]);
    h[0] = (h[0] + set(0x9e3779b9u)) ^ o[0];
}

/// The seeding function F in each of four states.
TANDEM_VECTOR_FN void seed(Words (&o)[4], Words (&h)[4]) {
    constexpr uint32_t RC[8] = {0xd17cc1b7u, 0xa7220a94u, 0xfe13abe8u, 0xfa9a6ee0u,
                                0xedb14accu, 0x9e21c820u, 0xff28b1d5u, 0xef5de2b0u};
    // Every second exchange of the halves undoes the one before, so that two rounds need none.
    for (int r = 0; r < 8; r += 2) {
        step(o, h);
        o[0] ^= set(RC[r]);
        step(h, o);
        h[0] ^= set(RC[r + 1]);
    }
}

/// The states before the first blocks of chunks first to first + 3; first is a multiple of four.
TANDEM_VECTOR_FN void seed_chunks(const Key& key, uint64_t first, Words (&o)[4], Words (&h)[4]) {
    o[0] = set(static_cast<uint32_t>(first)) + Words{0, 1, 2, 3};
    o[1] = set(static_cast<uint32_t>(first >> 32));
    o[2] = set(DOMAIN_STREAM);
    o[3] = set(AUX_STREAM);
    for (int i = 0; i < 4; ++i) h[i] = set(key.w[i]);
    seed(o, h);
}

/// Words 0 to 3 of four chunks as the blocks of those chunks.
TANDEM_VECTOR_FN void transpose(const Words (&o)[4], Words (&block)[4]) {
    const Words a = __builtin_shufflevector(o[0], o[1], 0, 4, 1, 5), b = __builtin_shufflevector(o[0], o[1], 2, 6, 3, 7);
    const Words c = __builtin_shufflevector(o[2], o[3], 0, 4, 1, 5), d = __builtin_shufflevector(o[2], o[3], 2, 6, 3, 7);
    block[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    block[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    block[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    block[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

}  // namespace vectors
}  // namespace tandem

#endif
