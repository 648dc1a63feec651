#pragma once

/// Draws of a tile to elements, one after another: every op has this form; host_vector_maps.hpp has others for some.

#include "tandem/kokkos/host_rows.hpp"
#include "tandem/kokkos/ops.hpp"

namespace tandem {
namespace kokkos_detail {

/// Draw number i of the memory at `raw`.
template <class Op>
typename Op::Raw raw_in_tile(const uint8_t* raw, uint64_t i) {
    if constexpr (Op::WIDTH == 1) {
        return static_cast<typename Op::Raw>((raw[i >> 3] >> (i & 7)) & 1);
    } else {
        typename Op::Raw draw;
        std::memcpy(&draw, raw + i * sizeof(draw), sizeof(draw));
        return draw;
    }
}

template <class Op>
void map_pairs(const Op& op, const uint8_t* raw, uint64_t at, uint64_t count, typename Op::Out* out) {
    for (uint64_t i = 0; i < count; i += 2) {
        typename Op::Out x, y;
        op.pair(raw_in_tile<Op>(raw, at + i), raw_in_tile<Op>(raw, at + i + 1), x, y);
        out[i] = x;
        if (i + 1 < count) out[i + 1] = y;
    }
}

/// The call of a walk for any op.
template <class Op>
void map_each(const Op& op, const uint8_t* raw, uint64_t at, uint64_t count, uint64_t number, typename Op::Out* out) {
    if constexpr (Op::PAIRS) {
        map_pairs(op, raw, at, count, out);
    } else if constexpr (Op::MISSES) {
        // Missed elements are listed without a branch, which would be mispredicted at each of them.
        uint16_t missed[TILE_DRAWS<Op>];
        uint64_t misses = 0;
        for (uint64_t i = 0; i < count; ++i) {
            typename Op::Out value;
            const bool hit = op.fast(raw_in_tile<Op>(raw, at + i), value);
            out[i] = value;
            missed[misses] = static_cast<uint16_t>(i);
            misses += !hit;
        }
        for (uint64_t m = 0; m < misses; ++m) {
            const uint64_t i = missed[m];
            out[i] = op.finish(raw_in_tile<Op>(raw, at + i), number + i);
        }
    } else {
        for (uint64_t i = 0; i < count; ++i) {
            typename Op::Out value;
            op.fast(raw_in_tile<Op>(raw, at + i), value);
            out[i] = value;
        }
    }
}

}  // namespace kokkos_detail
}  // namespace tandem
