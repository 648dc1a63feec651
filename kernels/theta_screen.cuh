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

/// x * c of 64 bits, in three operations. In one piece, because the compiler would turn the last one into additions.
__device__ __forceinline__ Halves product(Halves x, uint64_t c) {
#if defined(__CUDA_ARCH__)
    Halves p;
    asm("{\n\t"
        ".reg .b64 p;\n\t"
        "mul.wide.u32 p, %2, %4;\n\t"
        "mov.b64 {%0, %1}, p;\n\t"
        "mad.lo.u32 %1, %2, %5, %1;\n\t"
        "mad.lo.u32 %1, %3, %4, %1;\n\t"
        "}"
        : "=&r"(p.low), "=&r"(p.high)
        : "r"(x.low), "r"(x.high), "r"(static_cast<uint32_t>(c)), "r"(static_cast<uint32_t>(c >> 32)));
    return p;
#else
    const uint64_t p = (static_cast<uint64_t>(x.high) << 32 | x.low) * c;
    return {static_cast<uint32_t>(p), static_cast<uint32_t>(p >> 32)};
#endif
}

/// The first two products of the hash of a canonical key.
__device__ __forceinline__ Halves mixed_key(uint64_t key) {
    const Halves k = product({static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)}, 0x87c37b91114253d5ull);
    return product({__funnelshift_l(k.high, k.low, 31), __funnelshift_l(k.low, k.high, 31)}, 0x4cf5ad432745937full);
}

constexpr uint64_t LAST_FACTOR = 0xc4ceb9fe1a85ec53ull;

/// The upper half of x times the lower half of LAST_FACTOR is nearly (x >> ESTIMATE_SHIFT) * ESTIMATE_FACTOR, which may be too
/// low and too high by so much.
constexpr uint32_t ESTIMATE_SHIFT = 15, ESTIMATE_FACTOR = 3395;
constexpr uint32_t MOST_BELOW = 3395, MOST_ABOVE = 5038;

/// The upper half of twice the hash, from its halves before their last two steps, and at most SCREEN_MARGIN more. They end in
/// products by one constant, so that their sum takes one product, but for a carry and for a shift that leaves the upper halves
/// alone: 1 more or less. Of the product of the lower halves the estimate is enough.
constexpr uint32_t SCREEN_MARGIN = MOST_BELOW + MOST_ABOVE + 2;
__device__ __forceinline__ uint32_t joined_upper(Halves a, Halves b) {
#if defined(__CUDA_ARCH__)
    uint32_t upper;
    asm("{\n\t"
        ".reg .b32 l, h;\n\t"
        "add.cc.u32 l, %1, %2;\n\t"
        "addc.u32 h, %3, %4;\n\t"
        "mad.lo.u32 %0, h, %6, %8;\n\t"
        "mad.lo.u32 %0, l, %5, %0;\n\t"
        "shr.u32 l, l, %9;\n\t"
        "mad.lo.u32 %0, l, %7, %0;\n\t"
        "}"
        : "=&r"(upper)
        : "r"(a.low ^ (a.high >> 1)), "r"(b.low ^ (b.high >> 1)), "r"(a.high), "r"(b.high),
          "r"(static_cast<uint32_t>(LAST_FACTOR >> 32)), "r"(static_cast<uint32_t>(LAST_FACTOR)), "r"(ESTIMATE_FACTOR),
          "r"(MOST_BELOW + 1), "n"(ESTIMATE_SHIFT));
    return upper;
#else
    const uint64_t sum = (static_cast<uint64_t>(a.high) << 32) + (static_cast<uint64_t>(b.high) << 32) + (a.low ^ (a.high >> 1)) +
                         (b.low ^ (b.high >> 1));
    const uint32_t low = static_cast<uint32_t>(sum), high = static_cast<uint32_t>(sum >> 32);
    return high * static_cast<uint32_t>(LAST_FACTOR) + low * static_cast<uint32_t>(LAST_FACTOR >> 32) +
           (low >> ESTIMATE_SHIFT) * ESTIMATE_FACTOR + MOST_BELOW + 1;
#endif
}

constexpr uint64_t FIRST_FACTOR = 0xff51afd7ed558ccdull;

/// Nearly the upper half of twice the hash of a canonical key, as joined_upper() says: enough to reject nearly all keys.
__device__ __forceinline__ uint32_t upper_half_nearly(uint64_t key, uint64_t start) {
    const Halves k = mixed_key(key);
    const uint64_t a = (start ^ (static_cast<uint64_t>(k.high) << 32 | k.low)) + start, b = start + a;
    const auto mixed = [](uint64_t x) {
        const uint32_t high = static_cast<uint32_t>(x >> 32);
        return product({static_cast<uint32_t>(x) ^ (high >> 1), high}, FIRST_FACTOR);
    };
    return joined_upper(mixed(a), mixed(b));
}

/// x + y, y in a register of the lanes, apart from the pipe of the multiplications, which is the busiest: there an addition goes.
__device__ __forceinline__ uint32_t sum_aside(uint32_t x, uint32_t y) {
#if defined(__CUDA_ARCH__)
    uint32_t sum;
    asm("sad.u32 %0, %1, 0, %2;" : "=r"(sum) : "r"(y), "r"(x));
    return sum;
#else
    return x + y;
#endif
}

/// The same for a small `start`: both halves of the hash then have the key's upper half, unless an addition of `start` carries.
/// That is so where `sum` is above CARRIES - 2 * start.
__device__ __forceinline__ uint32_t upper_half_nearly(uint64_t key, uint32_t start, uint32_t& sum) {
    const Halves k = mixed_key(key);
    sum = k.low ^ start;
    const uint32_t shifted = k.high >> 1, once = sum_aside(sum, start), twice = sum_aside(once, start);
    return joined_upper(product({once ^ shifted, k.high}, FIRST_FACTOR), product({twice ^ shifted, k.high}, FIRST_FACTOR));
}
constexpr uint32_t CARRIES = 0xffffffffu;

/// From here on so many keys carry, and are chosen for that, that the screen would turn away too few.
constexpr uint64_t SMALL_STARTS = 1u << 16;

/// The most that such a value, or the upper half itself, can be when the hash is below theta.
__device__ __forceinline__ uint32_t most_upper_half(uint64_t theta) {
    const uint64_t most = (theta >> 31) + SCREEN_MARGIN;
    return most > 0xffffffffu ? 0xffffffffu : static_cast<uint32_t>(most);
}

/// 2 * bits, and 1 more when x > most: by the carry of x + ~most, in two operations.
__device__ __forceinline__ uint32_t shifted_in(uint32_t bits, uint32_t x, uint32_t most) {
#if defined(__CUDA_ARCH__)
    asm("{\n\t"
        ".reg .b32 sum;\n\t"
        "add.cc.u32 sum, %1, %2;\n\t"
        "addc.u32 %0, %0, %0;\n\t"
        "}"
        : "+r"(bits)
        : "r"(x), "r"(~most));
    return bits;
#else
    return 2 * bits + (x > most ? 1 : 0);
#endif
}

/// When a source has its next keys on their way; see theta_kernel.cuh.
enum class Ahead { never, sometimes, always };

/// Of some keys of a step those that may be wanted, because they are nearly below theta: bit j for key first + j. The least and
/// greatest of three numbers take one operation, so keys go in pairs.
template <bool kSmallStart, bool kAhead, class Source>
__device__ __forceinline__ uint32_t screen_some(Source& source, uint32_t first, uint64_t start, uint32_t most) {
    static_assert(Source::AT_ONCE % 2 == 0, "keys go in pairs");
    uint32_t nearly[Source::AT_ONCE], least = ~0u;
    [[maybe_unused]] uint32_t sums[Source::AT_ONCE], greatest_sum = 0;
    uint64_t keys[Source::AT_ONCE];
    source.template take<kAhead>(first, 0, keys);
#pragma unroll
    for (uint32_t j = 0; j < Source::AT_ONCE; ++j) {
        const uint64_t key = keys[j];
        if constexpr (Source::HASHED) {
            nearly[j] = static_cast<uint32_t>(key >> 31);
        } else if constexpr (kSmallStart) {
            nearly[j] = upper_half_nearly(key, static_cast<uint32_t>(start), sums[j]);
        } else {
            nearly[j] = upper_half_nearly(key, start);
        }
        if (j % 2 == 0) continue;
        least = __vimin3_u32(least, nearly[j - 1], nearly[j]);
        if constexpr (kSmallStart && !Source::HASHED) greatest_sum = __vimax3_u32(greatest_sum, sums[j - 1], sums[j]);
    }
    const bool carries = kSmallStart && greatest_sum > CARRIES - 2 * static_cast<uint32_t>(start);
    if (least > most && !carries) return 0;
    uint32_t turned_away = 0;
#pragma unroll
    for (uint32_t j = Source::AT_ONCE; j-- > 0;) turned_away = shifted_in(turned_away, nearly[j], most);
    return ~(carries ? 0u : turned_away) & ((1u << Source::AT_ONCE) - 1);
}

/// The keys of a step that may be wanted.
template <bool kSmallStart, bool kAhead, class Source>
__device__ __forceinline__ uint32_t screen(Source& source, uint64_t start, uint32_t most) {
    uint32_t chosen = 0;
#pragma unroll
    for (uint32_t first = 0; first < Source::KEYS; first += Source::AT_ONCE) {
        chosen |= screen_some<kSmallStart, kAhead>(source, first, start, most) << first;
    }
    if constexpr (kAhead && Source::AHEAD == Ahead::sometimes) return chosen;  // no key is lacking
    return chosen != 0 ? chosen & source.held() : 0;
}

}  // namespace tandem::kernels
