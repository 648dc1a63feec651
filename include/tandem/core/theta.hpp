#pragma once

/// Keys, hashes and thresholds of Theta sketches, equal bit for bit to those of Apache DataSketches.
///
/// A sketch hashes each key to 63 bits and keeps hashes in [1, theta - 1]. Keys are handled as bits, so that no compiler flag for
/// floating-point arithmetic (fast math, flushing of subnormals) can change a hash.

#include "tandem/core/config.hpp"

namespace tandem {

/// The types of keys.
enum class ThetaKey : uint8_t { u64, i64, u32, i32, u16, i16, u8, i8, f64, f32 };

constexpr uint64_t MAX_THETA = 0x7fffffffffffffffull;  ///< theta of a sketch that has rejected nothing
constexpr uint64_t DEFAULT_THETA_SEED = 9001;
constexpr uint32_t MIN_LG_K = 5;
constexpr uint32_t MAX_LG_K = 26;
constexpr uint32_t DEFAULT_LG_K = 12;

/// Bytes of a key, and the alignment that keys in memory have.
TANDEM_FN constexpr uint32_t theta_key_bytes(ThetaKey kind) {
    switch (kind) {
        case ThetaKey::u32:
        case ThetaKey::i32:
        case ThetaKey::f32: return 4;
        case ThetaKey::u16:
        case ThetaKey::i16: return 2;
        case ThetaKey::u8:
        case ThetaKey::i8: return 1;
        case ThetaKey::u64:
        case ThetaKey::i64:
        case ThetaKey::f64: break;
    }
    return 8;
}

/// The signed type for an unsigned one, which hashes the same bits alike: six kinds are left, i64, i32, i16, i8, f64 and f32.
TANDEM_FN constexpr ThetaKey theta_signed(ThetaKey kind) {
    switch (kind) {
        case ThetaKey::u64: return ThetaKey::i64;
        case ThetaKey::u32: return ThetaKey::i32;
        case ThetaKey::u16: return ThetaKey::i16;
        case ThetaKey::u8: return ThetaKey::i8;
        default: break;
    }
    return kind;
}

/// The bits of a double as they are hashed: both zeros are one key, and so are all NaNs.
TANDEM_FN uint64_t theta_canonical_f64(uint64_t bits) {
    constexpr uint64_t infinity = 0x7ff0000000000000ull;
    const uint64_t magnitude = bits << 1;
    if (magnitude == 0) return 0;
    return magnitude > infinity << 1 ? 0x7ff8000000000000ull : bits;
}

/// The bits of a float as those of the double that is hashed for it, subnormals included.
TANDEM_FN uint64_t theta_canonical_f32(uint32_t bits) {
    const uint64_t sign = static_cast<uint64_t>(bits >> 31) << 63;
    const uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return 0x7ff8000000000000ull;
    if (magnitude == 0x7f800000u) return sign | 0x7ff0000000000000ull;
    if (magnitude >= 0x00800000u) return sign | ((static_cast<uint64_t>(magnitude) << 29) + (896ull << 52));
    if (magnitude == 0) return 0;
    // An integer below 2^23 becomes a double exactly, whatever the flags; the exponent then takes its factor 2^-149.
    return sign | (bit_cast<uint64_t>(static_cast<double>(magnitude)) - (149ull << 52));
}

/// The 64-bit value that is hashed for a key, given the key's own bits, zero extended to 64.
template <ThetaKey KIND>
TANDEM_FN uint64_t theta_canonical(uint64_t bits) {
    constexpr ThetaKey kind = theta_signed(KIND);
    if constexpr (kind == ThetaKey::f64) return theta_canonical_f64(bits);
    if constexpr (kind == ThetaKey::f32) return theta_canonical_f32(static_cast<uint32_t>(bits));
    if constexpr (kind == ThetaKey::i32) return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(bits)));
    if constexpr (kind == ThetaKey::i16) return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int16_t>(bits)));
    if constexpr (kind == ThetaKey::i8) return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int8_t>(bits)));
    return bits;
}

/// The same for a kind that is known at run time only.
TANDEM_FN uint64_t theta_canonical(ThetaKey kind, uint64_t bits) {
    switch (theta_signed(kind)) {
        case ThetaKey::f64: return theta_canonical<ThetaKey::f64>(bits);
        case ThetaKey::f32: return theta_canonical<ThetaKey::f32>(bits);
        case ThetaKey::i32: return theta_canonical<ThetaKey::i32>(bits);
        case ThetaKey::i16: return theta_canonical<ThetaKey::i16>(bits);
        case ThetaKey::i8: return theta_canonical<ThetaKey::i8>(bits);
        default: break;
    }
    return bits;
}

namespace detail {

TANDEM_FN uint64_t murmur_mix(uint64_t x) {
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdull;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ull;
    return x ^ (x >> 33);
}

/// The first word of MurmurHash3_x64_128, taken with a 64-bit seed, of 8 bytes.
TANDEM_FN uint64_t murmur_of_8_bytes(uint64_t value, uint64_t seed) {
    uint64_t k = value * 0x87c37b91114253d5ull;
    k = (k << 31 | k >> 33) * 0x4cf5ad432745937full;
    const uint64_t b = seed ^ 8;
    const uint64_t a = (b ^ k) + b;
    return murmur_mix(a) + murmur_mix(b + a);
}

}  // namespace detail

/// The hash of a canonical value under a seed, in [0, MAX_THETA]. Both ends are rejected by every sketch, so 0 and all values
/// above MAX_THETA are free to mark what is no hash.
TANDEM_FN uint64_t theta_hash(uint64_t canonical, uint64_t seed) { return detail::murmur_of_8_bytes(canonical, seed) >> 1; }

/// What stands for a seed in images: sketches whose seed hashes differ do not combine.
TANDEM_FN uint16_t theta_seed_hash(uint64_t seed) { return static_cast<uint16_t>(detail::murmur_of_8_bytes(seed, 0)); }

/// True for sampling probabilities that sketches take: from 2^-63 to 1, so that the starting theta is not 0.
TANDEM_FN bool valid_theta_p(float p) { return p >= 0x1p-63f && p <= 1.0f; }

/// The theta that a sketch with a valid sampling probability starts from.
TANDEM_FN uint64_t theta_start(float p) {
    if (p == 1.0f) return MAX_THETA;
    return static_cast<uint64_t>(static_cast<double>(p) * 0x1p63);  // exact before it is truncated
}

}  // namespace tandem
