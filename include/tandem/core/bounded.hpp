#pragma once

/// Integers below a bound, unbiased, by multiply and reject (contract, section 5).

#include "tandem/core/fallback.hpp"
#include "tandem/core/fill_rules.hpp"

namespace tandem {

/// What a bounded draw needs of its range, computed once. U is uint32_t or uint64_t, the type of a draw.
template <class U>
struct BelowRule {
    U range;      ///< values 0 .. range - 1; 0 gives 0
    U threshold;  ///< a draw is rejected when the low half of draw * range is below this
    bool full;    ///< the range is 2^width: the draw itself; `range` is not read
};

/// The rule of a range below 2^width, or of 2^width itself when `full`.
template <class U>
TANDEM_FN BelowRule<U> below_rule(U range, bool full = false) {
    if (full) return {0, 0, true};
    return {range, range == 0 ? static_cast<U>(0) : static_cast<U>(static_cast<U>(0) - range) % range, false};
}

/// Maps a 32-bit draw. Returns false when it is rejected, and `value` is then of no use.
TANDEM_FN bool below_u32(uint32_t draw, const BelowRule<uint32_t>& rule, uint32_t& value) {
    const uint64_t product = static_cast<uint64_t>(draw) * rule.range;
    value = rule.full ? draw : static_cast<uint32_t>(product >> 32);
    return static_cast<uint32_t>(product) >= rule.threshold;
}

/// Maps a 64-bit draw. Returns false when it is rejected, and `value` is then of no use.
TANDEM_FN bool below_u64(uint64_t draw, const BelowRule<uint64_t>& rule, uint64_t& value) {
    value = rule.full ? draw : mul_hi(draw, rule.range);
    return draw * rule.range >= rule.threshold;
}

/// The value of an element of a fill whose draw was rejected. `sub` is sub_key(key, PURPOSE_BELOW32), `g` the index of the
/// element's draw in the whole stream, position / 32.
TANDEM_FN uint32_t below_u32_fallback(const BelowRule<uint32_t>& rule, const Key& sub, uint32_t chunk_length, uint64_t g) {
    FallbackStream retries(sub, chunk_length, g);
    uint32_t value;
    while (!below_u32(retries.next_32(), rule, value)) {
    }
    return value;
}

/// The value of an element of a fill whose draw was rejected. `sub` is sub_key(key, PURPOSE_BELOW64), `g` the index of the
/// element's draw in the whole stream, position / 64.
TANDEM_FN uint64_t below_u64_fallback(const BelowRule<uint64_t>& rule, const Key& sub, uint32_t chunk_length, uint64_t g) {
    FallbackStream retries(sub, chunk_length, g);
    uint64_t value;
    while (!below_u64(retries.next_64(), rule, value)) {
    }
    return value;
}

/// An element of a bounded fill from its own 32-bit draw; parameters as for below_u32_fallback.
TANDEM_FN uint32_t below_u32(uint32_t draw, const BelowRule<uint32_t>& rule, const Key& sub, uint32_t chunk_length, uint64_t g) {
    uint32_t value;
    return below_u32(draw, rule, value) ? value : below_u32_fallback(rule, sub, chunk_length, g);
}

/// An element of a bounded fill from its own 64-bit draw; parameters as for below_u64_fallback.
TANDEM_FN uint64_t below_u64(uint64_t draw, const BelowRule<uint64_t>& rule, const Key& sub, uint32_t chunk_length, uint64_t g) {
    uint64_t value;
    return below_u64(draw, rule, value) ? value : below_u64_fallback(rule, sub, chunk_length, g);
}

/// low + value in an integer type of up to 64 bits, signed or unsigned, wrapping. `low` may be given as any 64-bit pattern.
template <class Out>
TANDEM_FN Out above_low(uint64_t low, uint64_t value) {
    return static_cast<Out>(low + value);
}

/// How a bounded fill named by its bounds draws.
struct BoundedRange {
    Draw draw;       ///< below32 when the range is at most 2^32, otherwise below64
    bool full;       ///< the range is 2^width
    uint64_t range;  ///< the range, 0 when full
};

/// The bounded draw on [low, high], both ends included, given as 64-bit patterns (signed bounds sign-extended). low <= high in
/// the caller's type.
TANDEM_FN BoundedRange bounded_range(uint64_t low, uint64_t high) {
    const uint64_t last = high - low;
    if (last < 0xffffffffu) return {Draw::below32, false, last + 1};
    if (last == 0xffffffffu) return {Draw::below32, true, 0};
    if (last == ~0ull) return {Draw::below64, true, 0};
    return {Draw::below64, false, last + 1};
}

}  // namespace tandem
