#pragma once

/// The screen of the kernel of theta_kernel.cuh: which keys of a step have hashes nearly below theta, by fewer operations than
/// the hash takes. It chooses every key that is wanted, and seldom another one.

#include "kernels/theta_set.cuh"

namespace tandem::kernels {

/// The halves of a 64-bit number.
struct Halves {
    uint32_t low;
    uint32_t high;
};

/// x * c of 64 bits; `partial` is x.high * the low half of c. Behind a multiply-add the compiler ends in a plain addition, left
/// alone in one made of a multiplication.
__device__ __forceinline__ Halves product(Halves x, uint64_t c, uint32_t partial) {
    const uint64_t p = static_cast<uint64_t>(x.low) * static_cast<uint32_t>(c);
    uint32_t high = static_cast<uint32_t>(p >> 32);
    asm("mad.lo.u32 %0, %1, %2, %0;" : "+r"(high) : "r"(x.low), "r"(static_cast<uint32_t>(c >> 32)));
    return {static_cast<uint32_t>(p), high + partial};
}
__device__ __forceinline__ Halves product(Halves x, uint64_t c) { return product(x, c, x.high * static_cast<uint32_t>(c)); }

/// The first two products of the hash of a canonical key.
__device__ __forceinline__ Halves mixed_key(uint64_t key) {
    const Halves k = product({static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)}, 0x87c37b91114253d5ull);
    return product({__funnelshift_l(k.high, k.low, 31), __funnelshift_l(k.low, k.high, 31)}, 0x4cf5ad432745937full);
}

/// The upper half of twice the hash, from its halves before their last two steps, but for 1. They end in products by one
/// constant, so that their sum takes one product, but for a carry and for a shift that leaves the upper halves alone.
__device__ __forceinline__ uint32_t joined_upper(Halves a, Halves b) {
    const uint64_t sum = (static_cast<uint64_t>(a.high) << 32 | (a.low ^ (a.high >> 1))) +
                         (static_cast<uint64_t>(b.high) << 32 | (b.low ^ (b.high >> 1)));
    return product({static_cast<uint32_t>(sum), static_cast<uint32_t>(sum >> 32)}, 0xc4ceb9fe1a85ec53ull).high;
}

constexpr uint64_t FIRST_FACTOR = 0xff51afd7ed558ccdull;

/// Nearly the upper half of twice the hash of a canonical key, at most 1 away from it: enough to reject nearly all keys.
__device__ __forceinline__ uint32_t upper_half_nearly(uint64_t key, uint64_t start) {
    const Halves k = mixed_key(key);
    const uint64_t a = (start ^ (static_cast<uint64_t>(k.high) << 32 | k.low)) + start, b = start + a;
    const auto mixed = [](uint64_t x) {
        const uint32_t high = static_cast<uint32_t>(x >> 32);
        return product({static_cast<uint32_t>(x) ^ (high >> 1), high}, FIRST_FACTOR);
    };
    return joined_upper(mixed(a), mixed(b));
}

/// The same for a small `start`: both halves of the hash then have the key's upper half, unless an addition of `start` carries.
/// That is so where `sum` is above CARRIES - 2 * start.
__device__ __forceinline__ uint32_t upper_half_nearly(uint64_t key, uint32_t start, uint32_t& sum) {
    const Halves k = mixed_key(key);
    sum = k.low ^ start;
    const uint32_t shifted = k.high >> 1, partial = k.high * static_cast<uint32_t>(FIRST_FACTOR);
    return joined_upper(product({(sum + start) ^ shifted, k.high}, FIRST_FACTOR, partial),
                        product({(sum + 2 * start) ^ shifted, k.high}, FIRST_FACTOR, partial));
}
constexpr uint32_t CARRIES = 0xffffffffu;

/// From here on so many keys carry, and are chosen for that, that the screen would turn away too few.
constexpr uint64_t SMALL_STARTS = 1u << 16;

/// The most that such a value, or the upper half itself, can be after 1 is added when the hash is below theta.
__device__ __forceinline__ uint32_t most_upper_half(uint64_t theta) {
    const uint64_t most = (theta >> 31) + 2;
    return most > 0xffffffffu ? 0xffffffffu : static_cast<uint32_t>(most);
}

/// The keys of a step that may be wanted: those that are nearly below theta.
template <bool kSmallStart, class Source>
__device__ __forceinline__ uint32_t screen(Source& source, uint64_t start, uint32_t most) {
    uint32_t nearly[Source::KEYS], least = ~0u;
    [[maybe_unused]] uint32_t greatest_sum = 0;
#pragma unroll
    for (uint32_t j = 0; j < Source::KEYS; ++j) {
        if constexpr (Source::HASHED) {
            nearly[j] = static_cast<uint32_t>(source.take(j) >> 31) + 1;
        } else if constexpr (kSmallStart) {
            uint32_t sum;
            nearly[j] = upper_half_nearly(source.take(j), static_cast<uint32_t>(start), sum) + 1;
            greatest_sum = max(greatest_sum, sum);
        } else {
            nearly[j] = upper_half_nearly(source.take(j), start) + 1;
        }
        least = min(least, nearly[j]);
    }
    const bool carries = kSmallStart && greatest_sum > CARRIES - 2 * static_cast<uint32_t>(start);
    if (least > most && !carries) return 0;
    uint32_t chosen = 0;
#pragma unroll
    for (uint32_t j = 0; j < Source::KEYS; ++j) chosen |= nearly[j] <= most ? 1u << j : 0u;
    return (carries ? ~0u : chosen) & source.held();
}

}  // namespace tandem::kernels
