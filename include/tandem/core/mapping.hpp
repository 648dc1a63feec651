#pragma once

/// Raw bits to values (contract, section 3). Every map truncates and is exact, so no value ever rounds onto an excluded end.

#include "tandem/core/config.hpp"

namespace tandem {

// An integer below 2^24 is, as the bits of a float, itself times 2^-149, and one below 2^53 as those of a double itself times
// 2^-1074 (also where they reach the exponent's lowest bit). GPUs multiply such numbers at full speed and convert integers
// slowly.

/// A 32-bit draw as a float in [0, 1), a multiple of 2^-24.
TANDEM_FN float to_f32(uint32_t raw) {
#if defined(__CUDA_ARCH__)
    // Not flushed to zero whatever the flags, and free to fuse with a sum that follows: the product is exact.
    float u;
    asm("mul.f32 %0, %1, 0f7E000000;" : "=f"(u) : "f"(bit_cast<float>(raw >> 8)));  // 2^125
    return u;
#else
    return static_cast<float>(raw >> 8) * 0x1p-24f;
#endif
}

/// A 64-bit draw as a double in [0, 1), a multiple of 2^-53.
TANDEM_FN double to_f64(uint64_t raw) {
#if defined(__CUDA_ARCH__)
    return bit_cast<double>(raw >> 11) * 0x1p+1021;
#else
    return static_cast<double>(raw >> 11) * 0x1p-53;
#endif
}

/// A 16-bit draw as the bits of a binary16 in [0, 1), a multiple of 2^-11.
TANDEM_FN uint16_t to_f16_bits(uint16_t raw) {
    const uint32_t v = static_cast<uint32_t>(raw) >> 5;  // below 2^11, so both conversions are exact
    if (v == 0) return 0;
    const uint32_t wide = bit_cast<uint32_t>(static_cast<float>(v));
    return static_cast<uint16_t>((wide >> 13) - ((127u - 15u + 11u) << 10));
}

/// A 64-bit draw as a Unicode scalar value: uniform on [0, 0x10ffff] without the surrogates.
TANDEM_FN uint32_t to_char(uint64_t raw) {
    const uint32_t u = static_cast<uint32_t>(mul_hi(raw, 1112064u));
    return u >= 0xd800u ? u + 0x800u : u;
}

/// A float in [0, 1) as its reflection in (0, 1], which is exact.
TANDEM_FN float reflect(float u) { return 1.0f - u; }

/// A double in [0, 1) as its reflection in (0, 1], which is exact.
TANDEM_FN double reflect(double u) { return 1.0 - u; }

/// The bits of a binary16 of to_f16_bits as those of its reflection in (0, 1], which is exact.
TANDEM_FN uint16_t reflect_f16_bits(uint16_t raw) {
    const uint32_t v = 2048u - (static_cast<uint32_t>(raw) >> 5);  // 1 to 2^11
    const uint32_t wide = bit_cast<uint32_t>(static_cast<float>(v));
    return static_cast<uint16_t>((wide >> 13) - ((127u - 15u + 11u) << 10));
}

}  // namespace tandem
