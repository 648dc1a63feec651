#pragma once

/// One description of a fill, shared by every backend.

#include "tandem/core/fill_rules.hpp"

namespace tandem {

/// How f32 normals are computed: `exact` gives the same bits everywhere, `fast` (devices only) is within
/// 16*2^-23*|x| + 2.1e-6 of them.
enum class NormalMode : uint8_t { exact, fast };

/// A table of a weighted choice in the memory of whoever reads it (contract, section 10): values low .. low + m - 1.
struct ChoiceView {
    const uint64_t* cut = nullptr;    ///< m cuts, each at most `capacity`
    const uint32_t* alias = nullptr;  ///< m indices below m
    uint64_t capacity = 0;
    uint32_t m = 0;
    uint32_t low = 0;
};

/// What to fill and from where. The stream is (key, position, chunk length); `out` holds n elements. Parameters that a draw does
/// not have are ignored; f32 draws hold theirs as doubles, exactly.
struct Fill {
    Draw draw = Draw::u32;
    Key key{};
    uint32_t chunk_length = DEFAULT_CHUNK_LENGTH;
    uint64_t position = 0;  ///< in bits; the fill aligns it to the draw's width
    uint64_t n = 0;         ///< elements
    void* out = nullptr;    ///< aligned to its element

    bool reflected = false;  ///< uniforms f16, f32, f64 as 1 - u, in (0, 1]

    uint32_t element_bytes = 4;  ///< bounded: size of an output integer, 1, 2, 4 or 8
    bool full_range = false;     ///< bounded: range is 2^width, and `range` is not read
    uint64_t range = 0;          ///< bounded: values low .. low + range - 1, wrapping; at most 2^32 - 1 for below32
    uint64_t low = 0;            ///< bounded: added in the output type, wrapping

    double mean = 0.0;  ///< normals and log-normals
    double stddev = 1.0;
    NormalMode mode = NormalMode::exact;

    double scale = 1.0;  ///< exponentials: the mean

    ChoiceView choice{};  ///< choice and discrete laws
};

/// Bytes of an element of a fill, and the alignment that `out` needs; of complex numbers those of a component.
TANDEM_FN uint32_t component_bytes(const Fill& fill) {
    switch (fill.draw) {
        case Draw::boolean:
        case Draw::u8: return 1;
        case Draw::u16:
        case Draw::f16: return 2;
        case Draw::u32:
        case Draw::f32:
        case Draw::c32:
        case Draw::character:
        case Draw::normal32:
        case Draw::exponential32:
        case Draw::lognormal32:
        case Draw::choice: return 4;
        case Draw::u64:
        case Draw::f64:
        case Draw::c64:
        case Draw::normal64:
        case Draw::exponential64:
        case Draw::lognormal64: return 8;
        case Draw::u128: return 16;
        case Draw::below32:
        case Draw::below64: break;
    }
    return fill.element_bytes;
}

}  // namespace tandem
