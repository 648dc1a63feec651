#pragma once

/// Where the bits of a stream lie (contract, section 2) and how positions move (section 3).

#include "tandem/core/step.hpp"

namespace tandem {

constexpr uint32_t DEFAULT_CHUNK_LENGTH = 32;
constexpr uint32_t MAX_CHUNK_LENGTH = 65536;
constexpr uint64_t MAX_PLACED_POSITION = 1ull << 63;  ///< a generator may be placed below this; only drawing goes on to 2^64
constexpr int LANES = 8;                              ///< chunks of a group, side by side in each row

/// True for the legal chunk lengths: powers of two from 1 to 65536.
TANDEM_FN bool valid_chunk_length(uint64_t k) { return k >= 1 && k <= MAX_CHUNK_LENGTH && (k & (k - 1)) == 0; }

/// The base-2 logarithm of a power of two.
TANDEM_FN uint32_t log2_exact(uint32_t k) {
    uint32_t l = 0;
    while (k > 1) {
        k >>= 1;
        ++l;
    }
    return l;
}

/// Position p rounded up to a multiple of w bits, a power of two; wraps modulo 2^64.
TANDEM_FN uint64_t align_pos(uint64_t p, uint64_t w) { return (p + (w - 1)) & ~(w - 1); }

/// Where the block of 128 bits numbered `b` (position / 128) lies: its chunk and its step within the chunk.
struct BlockPlace {
    uint64_t chunk;
    uint32_t step;
};

TANDEM_FN BlockPlace place_of_block(uint64_t b, uint32_t log2_k) {
    const uint64_t row = b >> 3;
    return BlockPlace{((row >> log2_k) << 3) | (b & 7), static_cast<uint32_t>(row) & ((1u << log2_k) - 1)};
}

/// The number (position / 128) of the block at a step of a chunk.
TANDEM_FN uint64_t block_of_place(uint64_t chunk, uint64_t step, uint32_t log2_k) {
    return ((((chunk >> 3) << log2_k) + step) << 3) | (chunk & 7);
}

/// Block j of a chunk, B(c, j): costs F and j + 1 steps.
TANDEM_FN Block block(const Key& key, uint64_t chunk, uint32_t j) {
    ChunkState s = walk_start(key, chunk);
    for (uint32_t i = 0; i <= j; ++i) T(s);
    return Block{{s.o[0], s.o[1], s.o[2], s.o[3]}};
}

/// Where a fill reads and where it leaves the position. `ok` is false when its end, in exact arithmetic, would reach 2^64.
struct Span {
    bool ok;
    uint64_t start;  ///< the first bit read: the position aligned to the width
    uint64_t end;    ///< the position afterwards
};

/// The span of n draws of w bits from position p, w a power of two up to 128.
TANDEM_FN Span span_of(uint64_t p, uint32_t w, uint64_t n) {
    const uint64_t start = align_pos(p, w);
    if (start < p) return Span{false, p, p};
    const uint64_t room = ~0ull - start;  // the last position that may be reached, relative to the start
    if (n > room / w) return Span{false, p, p};
    return Span{true, start, start + w * n};
}

}  // namespace tandem
