#pragma once

/// The step T and the seeding function F of Tandem8x32 (contract, section 1).

#include "tandem/core/config.hpp"

namespace tandem {

constexpr uint32_t DOMAIN_STREAM = 0x9e3779b9u;  ///< chunks of the stream, with aux AUX_STREAM
constexpr uint32_t DOMAIN_SPLIT = 0xbb67ae85u;   ///< children by index
constexpr uint32_t DOMAIN_FORK = 0xd2511f53u;    ///< children by block
constexpr uint32_t DOMAIN_FOLD = 0xcd9e8d57u;    ///< children by purpose
constexpr uint32_t DOMAIN_SEED = 0xa54ff53au;    ///< turning a seed into a key
constexpr uint32_t AUX_STREAM = 0x94d049bbu;

/// A generator's key: 128 bits as four words.
struct Key {
    uint32_t w[4];
};

TANDEM_FN bool operator==(const Key& a, const Key& b) {
    return a.w[0] == b.w[0] && a.w[1] == b.w[1] && a.w[2] == b.w[2] && a.w[3] == b.w[3];
}
TANDEM_FN bool operator!=(const Key& a, const Key& b) { return !(a == b); }

/// 128 bits of the stream: four words, the first lowest in memory.
struct alignas(16) Block {
    uint32_t w[4];
};

/// The state of one chunk: four exposed words, which are the output, and four hidden ones.
struct State {
    uint32_t o[4];
    uint32_t h[4];
};

TANDEM_FN uint32_t rotl(uint32_t x, int by) { return (x << by) | (x >> (32 - by)); }

/// One step: the exposed words become the next block of the chunk.
TANDEM_FN void T(State& s) {
    const uint64_t p0 = static_cast<uint64_t>(s.o[0]) * (s.h[0] | 1u);
    const uint64_t p1 = static_cast<uint64_t>(s.o[2]) * (s.h[1] | 1u);
    const uint32_t lo0 = static_cast<uint32_t>(p0), hi0 = static_cast<uint32_t>(p0 >> 32);
    const uint32_t lo1 = static_cast<uint32_t>(p1), hi1 = static_cast<uint32_t>(p1 >> 32);
    const uint32_t n0 = s.o[1] ^ hi1 ^ lo1;
    const uint32_t n2 = s.o[3] ^ hi0 ^ lo0;
    s.o[1] = rotl(lo1, 16) ^ s.h[2];
    s.o[3] = rotl(lo0, 16) ^ s.h[3];
    s.o[0] = n0;
    s.o[2] = n2;
    s.h[0] ^= rotl(s.h[1], 7);
    s.h[1] ^= rotl(s.h[2], 13);
    s.h[2] ^= rotl(s.h[3], 22);
    s.h[3] ^= rotl(s.h[0], 3);
    s.h[0] = (s.h[0] + 0x9e3779b9u) ^ n0;
}

/// A chunk on its way from block to block: a State whose h[0] holds the hidden word xored with o[0]. The step needs that word
/// only in sums of three, which GPUs and wide CPU vectors form in one operation, so a walk saves one operation a step.
struct ChunkState {
    uint32_t o[4];
    uint32_t h[4];
};

TANDEM_FN ChunkState walk_from(const State& s) {
    return ChunkState{{s.o[0], s.o[1], s.o[2], s.o[3]}, {s.h[0] ^ s.o[0], s.h[1], s.h[2], s.h[3]}};
}

namespace detail {

/// (a ^ b) | 1 and a ^ b ^ c. On NVIDIA GPUs each is said to be one instruction: left alone, the compiler shares a ^ b instead.
TANDEM_FN uint32_t odd_xor(uint32_t a, uint32_t b) {
#if defined(__CUDA_ARCH__)
    uint32_t x;
    asm("lop3.b32 %0, %1, %2, 1, 0xBE;" : "=r"(x) : "r"(a), "r"(b));
    return x;
#else
    return (a ^ b) | 1u;
#endif
}
TANDEM_FN uint32_t xor3(uint32_t a, uint32_t b, uint32_t c) {
#if defined(__CUDA_ARCH__)
    uint32_t x;
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    return x;
#else
    return a ^ b ^ c;
#endif
}

}  // namespace detail

/// The same step of a chunk on its way.
TANDEM_FN void T(ChunkState& s) {
    const uint64_t p0 = static_cast<uint64_t>(s.o[0]) * detail::odd_xor(s.h[0], s.o[0]);
    const uint64_t p1 = static_cast<uint64_t>(s.o[2]) * (s.h[1] | 1u);
    const uint32_t lo0 = static_cast<uint32_t>(p0), hi0 = static_cast<uint32_t>(p0 >> 32);
    const uint32_t lo1 = static_cast<uint32_t>(p1), hi1 = static_cast<uint32_t>(p1 >> 32);
    const uint32_t hidden = detail::xor3(s.h[0], s.o[0], rotl(s.h[1], 7));
    s.o[0] = s.o[1] ^ hi1 ^ lo1;
    s.o[2] = s.o[3] ^ hi0 ^ lo0;
    s.o[1] = rotl(lo1, 16) ^ s.h[2];
    s.o[3] = rotl(lo0, 16) ^ s.h[3];
    s.h[1] ^= rotl(s.h[2], 13);
    s.h[2] ^= rotl(s.h[3], 22);
    s.h[3] ^= rotl(hidden, 3);
    s.h[0] = hidden + 0x9e3779b9u;
}

/// A round of the seeding function: step, round constant and exchange of the halves.
TANDEM_FN void F_round(State& s, uint32_t constant) {
    T(s);
    s.o[0] ^= constant;
    for (int i = 0; i < 4; ++i) {
        const uint32_t exposed = s.o[i];
        s.o[i] = s.h[i];
        s.h[i] = exposed;
    }
}

/// The seeding function: eight rounds.
TANDEM_FN void F(State& s) {
    constexpr uint32_t RC[8] = {0xd17cc1b7u, 0xa7220a94u, 0xfe13abe8u, 0xfa9a6ee0u,
                                0xedb14accu, 0x9e21c820u, 0xff28b1d5u, 0xef5de2b0u};
    TANDEM_UNROLL
    for (int r = 0; r < 8; ++r) F_round(s, RC[r]);
}

/// The same in half the code, for places that seed seldom and are copied often.
TANDEM_FN void F_compact(State& s) {
    TANDEM_UNROLL_BY(1)
    for (int half = 0; half < 2; ++half) {
        F_round(s, half == 0 ? 0xd17cc1b7u : 0xedb14accu);
        F_round(s, half == 0 ? 0xa7220a94u : 0x9e21c820u);
        F_round(s, half == 0 ? 0xfe13abe8u : 0xff28b1d5u);
        F_round(s, half == 0 ? 0xfa9a6ee0u : 0xef5de2b0u);
    }
}

/// What F_keyed applies F to. All 64 bits of the counter count.
TANDEM_FN State F_input(const Key& key, uint64_t counter, uint32_t domain, uint32_t aux) {
    return State{{static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), domain, aux},
                 {key.w[0], key.w[1], key.w[2], key.w[3]}};
}

/// F on the counter, domain and aux words under a key.
TANDEM_FN State F_keyed(const Key& key, uint64_t counter, uint32_t domain, uint32_t aux) {
    State s = F_input(key, counter, domain, aux);
    F(s);
    return s;
}

/// The state before the first block of chunk c: step, then read the exposed words, once a block.
TANDEM_FN State chunk_start(const Key& key, uint64_t chunk) { return F_keyed(key, chunk, DOMAIN_STREAM, AUX_STREAM); }

/// The same as the start of a walk.
TANDEM_FN ChunkState walk_start(const Key& key, uint64_t chunk) { return walk_from(chunk_start(key, chunk)); }

/// The same, by F_compact.
TANDEM_FN ChunkState walk_start_compact(const Key& key, uint64_t chunk) {
    State s = F_input(key, chunk, DOMAIN_STREAM, AUX_STREAM);
    F_compact(s);
    return walk_from(s);
}

/// The exposed half of a state, as a key.
TANDEM_FN Key exposed_half(const State& s) { return Key{{s.o[0], s.o[1], s.o[2], s.o[3]}}; }

/// The hidden half of a state, as a key.
TANDEM_FN Key hidden_half(const State& s) { return Key{{s.h[0], s.h[1], s.h[2], s.h[3]}}; }

}  // namespace tandem
