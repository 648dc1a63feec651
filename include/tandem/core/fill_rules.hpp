#pragma once

/// How each kind of fill reads the stream: width of a draw, size of an element, and how the position moves (contract, section 3).

#include "tandem/core/stream.hpp"

namespace tandem {

/// The kinds of fills. Signed and unsigned integers of one width are one kind.
enum class Draw : uint8_t {
    boolean,
    u8,
    u16,
    u32,
    u64,
    u128,
    f16,
    f32,
    f64,
    c32,
    c64,
    character,
    below32,
    below64,
    normal64,
    normal32,
    exponential64,
    exponential32,
    choice,
    lognormal64,
    lognormal32,
};

/// The facts of a kind of fill.
struct DrawRule {
    uint32_t width;       ///< bits of one draw
    uint32_t components;  ///< draws an element: 2 for complex numbers, otherwise 1
    bool empty_aligns;    ///< an empty fill still moves the position up to a multiple of the width
    bool in_pairs;        ///< draws are used in pairs: an odd n uses n + 1
};

TANDEM_FN DrawRule rule_of(Draw draw) {
    switch (draw) {
        case Draw::boolean: return {1, 1, true, false};
        case Draw::u8: return {8, 1, true, false};
        case Draw::u16:
        case Draw::f16: return {16, 1, true, false};
        case Draw::u32:
        case Draw::f32: return {32, 1, true, false};
        case Draw::c32: return {32, 2, true, false};
        case Draw::c64: return {64, 2, true, false};
        case Draw::u128: return {128, 1, true, false};
        case Draw::below32:
        case Draw::exponential32: return {32, 1, false, false};
        case Draw::below64:
        case Draw::exponential64: return {64, 1, false, false};
        case Draw::normal32:
        case Draw::lognormal32: return {32, 1, false, true};
        case Draw::u64:
        case Draw::f64:
        case Draw::character:
        case Draw::normal64:
        case Draw::lognormal64:
        case Draw::choice: break;
    }
    return {64, 1, true, false};
}

/// The span of a fill of n elements from position p: where it reads, where it leaves the position, and whether it fits below 2^64
/// (exact arithmetic, n = 0 included).
TANDEM_FN Span fill_span(Draw draw, uint64_t p, uint64_t n) {
    const DrawRule rule = rule_of(draw);
    if (n == 0 && !rule.empty_aligns) return Span{true, p, p};
    if (rule.in_pairs) {
        if (n == ~0ull) return Span{false, p, p};
        return span_of(p, rule.width, n + (n & 1));
    }
    if (rule.components == 2 && n > (~0ull >> 1)) return Span{false, p, p};
    return span_of(p, rule.width, n * rule.components);
}

}  // namespace tandem
