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

/// Elements one after another. Those that their own draw does not settle are listed first: without a branch where they may be
/// many, as it would be mispredicted at each of them.
template <class Op>
void map_misses(const Op& op, const uint8_t* raw, uint64_t at, uint64_t count, uint64_t number, typename Op::Out* out) {
    constexpr uint64_t unit = 8;
    uint16_t missed[TILE_DRAWS<Op> + unit];
    uint64_t misses = 0, i = 0;
    const auto list = [&](uint64_t from, uint64_t to) {
        for (uint64_t j = from; j < to; ++j) {
            const bool hit = op.fast(raw_in_tile<Op>(raw, at + j), out[j]);
            missed[misses] = static_cast<uint16_t>(j);
            misses += !hit;
        }
    };
    for (; i + unit <= count; i += unit) {
        bool all = true;
        for (uint64_t j = i; j < i + unit; ++j) all &= op.fast(raw_in_tile<Op>(raw, at + j), out[j]);
        if (!all) list(i, i + unit);
    }
    list(i, count);
    for (uint64_t m = 0; m < misses; ++m) {
        const uint64_t j = missed[m];
        out[j] = op.finish(raw_in_tile<Op>(raw, at + j), number + j);
    }
}

/// The call of a walk for any op.
template <class Op>
void map_each(const Op& op, const uint8_t* raw, uint64_t at, uint64_t count, uint64_t number, typename Op::Out* out) {
    if constexpr (Op::PAIRS) {
        map_pairs(op, raw, at, count, out);
    } else if constexpr (Op::MISSES) {
        map_misses(op, raw, at, count, number, out);
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
