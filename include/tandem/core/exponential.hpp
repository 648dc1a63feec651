#pragma once

/// Exponentially distributed draws (contract, section 7).

#include "tandem/core/logarithm.hpp"

namespace tandem {

/// A 64-bit draw as an exponential of mean 1, -ln(1 - u): finite, from +0 to 53 ln 2.
TANDEM_FN double exponential_f64(uint64_t raw) { return N64_of(reflected64(raw), 64); }

/// A 32-bit draw as an exponential of mean 1, -ln(1 - u): finite, from +0 to 24 ln 2.
TANDEM_FN float exponential_f32(uint32_t raw) { return N32_of(log_split_reflected32(raw)); }

/// x * scale with one rounding, subnormal results kept; x itself when the scale is 1.
template <class V>
TANDEM_FN V scaled(V x, V scale) {
    return scale == static_cast<V>(1) ? x : ieee::mul_gradual(x, scale);
}

}  // namespace tandem
