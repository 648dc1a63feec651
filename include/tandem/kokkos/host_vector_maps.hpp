#pragma once

/// The draws that have a form on host vectors, and what fills a piece: vectors where an op has them, otherwise one draw after
/// another.

#include <type_traits>

#include "tandem/kokkos/host_maps.hpp"
#include "tandem/kokkos/host_math.hpp"

namespace tandem {
namespace kokkos_detail {

/// Bytes of output from which stores bypass the caches: reading memory that is only overwritten costs more than it can save.
constexpr uint64_t STREAMED_BYTES = uint64_t{32} << 20;

/// Whether the draws of an op are mostly fused multiply-adds.
template <class Op>
constexpr bool IS_FUSED = false;
template <>
inline constexpr bool IS_FUSED<Exponential64Op> = true;
template <>
inline constexpr bool IS_FUSED<Exponential32Op> = true;
template <bool LOGNORMAL>
constexpr bool IS_FUSED<Normal64Op<LOGNORMAL>> = true;
template <bool LOGNORMAL>
constexpr bool IS_FUSED<Normal32Op<LOGNORMAL>> = true;

#if TANDEM_ROW_VECTORS && defined(__x86_64__) && !defined(__FMA__)

/// map_each with the instruction, for programs that are compiled for processors without it: a call of the mathematical library
/// for each costs several times as much. The bits are the same.
template <class Op>
__attribute__((target("fma"), flatten)) void map_each_fused(const Op& op, const uint8_t* raw, uint64_t at, uint64_t count,
                                                            uint64_t number, typename Op::Out* out) {
    map_each(op, raw, at, count, number, out);
}

inline bool processor_has_fma() { return __builtin_cpu_supports("fma") != 0; }

#else

template <class Op>
void map_each_fused(const Op& op, const uint8_t* raw, uint64_t at, uint64_t count, uint64_t number, typename Op::Out* out) {
    map_each(op, raw, at, count, number, out);
}

inline bool processor_has_fma() { return false; }

#endif

/// The call of a walk; more special forms follow.
template <class Op>
void map_tile(const Op& op, const uint8_t* raw, uint64_t at, uint64_t count, uint64_t number, typename Op::Out* out) {
    if (IS_FUSED<Op> && processor_has_fma()) return map_each_fused(op, raw, at, count, number, out);
    map_each(op, raw, at, count, number, out);
}

#if defined(__SIZEOF_INT128__)

/// Bounded integers of eight bytes: one product for the value and for what is left, and nothing that the range decides in the
/// loop.
template <class T, std::enable_if_t<sizeof(T) == 8, int> = 0>
void map_tile(const BelowOp<uint64_t, T>& op, const uint8_t* raw, uint64_t at, uint64_t count, uint64_t number, T* out) {
    __extension__ using Wide = unsigned __int128;
    constexpr uint64_t unit = 8;
    const uint64_t range = op.rule.range, threshold = op.rule.threshold, low = op.low;
    if (op.rule.full) return map_each(op, raw, at, count, number, out);
    uint64_t i = 0;
    for (; i + unit <= count; i += unit) {
        bool all = true;
        for (uint64_t j = i; j < i + unit; ++j) {
            const Wide product = static_cast<Wide>(raw_in_tile<BelowOp<uint64_t, T>>(raw, at + j)) * range;
            out[j] = above_low<T>(low, static_cast<uint64_t>(product >> 64));
            all &= static_cast<uint64_t>(product) >= threshold;
        }
        if (!all) map_misses(op, raw, at + i, unit, number + i, out + i);
    }
    map_each(op, raw, at + i, count - i, number + i, out + i);
}

#endif

/// Whether `post(op, words)` turns raw words into elements of the same size.
template <class Op>
constexpr bool HAS_POST = false;

#if TANDEM_ROW_VECTORS

template <class Raw, class T>
constexpr bool HAS_POST<CopyOp<Raw, T>> = true;
template <class T>
constexpr bool HAS_POST<F16Op<T>> = true;
template <>
inline constexpr bool HAS_POST<F32Op> = true;
template <>
inline constexpr bool HAS_POST<F64Op> = true;

template <class Raw, class T>
TANDEM_VECTOR_FN vectors::Words post(const CopyOp<Raw, T>&, vectors::Words raw) {
    return raw;
}

template <class T>
TANDEM_VECTOR_FN vectors::Words post(const F16Op<T>&, vectors::Words raw) {
    // Scaled by 2^-112 beyond the draw's 2^-11, the exponent of the binary32 is that of the binary16.
    const auto half = [](vectors::Words v) TANDEM_VECTOR_LAMBDA {
        return reinterpret_cast<vectors::Words>(vectors::to_floats(v) * vectors::set(0x1p-123f));
    };
    return half((raw >> 5) & vectors::set(0x7ffu)) >> 13 | half(raw >> 21) << 3;
}

TANDEM_VECTOR_FN vectors::Words post(const F32Op&, vectors::Words raw) {
    return reinterpret_cast<vectors::Words>(vectors::to_floats(raw >> 8) * vectors::set(0x1p-24f));
}

TANDEM_VECTOR_FN vectors::Words post(const F64Op&, vectors::Words raw) {
    // 1 + the upper 52 bits * 2^-52, less 1 or, for the last bit, less 1 - 2^-53: exact.
    const auto longs = reinterpret_cast<vectors::Longs>(raw);
    const vectors::Longs one = {0x3ff0000000000000u, 0x3ff0000000000000u}, lowest = {1, 1};
    const auto above = reinterpret_cast<vectors::Doubles>(longs >> 12 | one);
    const auto below = reinterpret_cast<vectors::Doubles>(one - (longs >> 11 & lowest));
    return reinterpret_cast<vectors::Words>(above - below);
}

/// Elements of the size of their draws.
template <class Op>
void map_same_size(const Op& op, const uint8_t* raw, uint64_t at, uint64_t count, uint64_t number, typename Op::Out* out) {
    constexpr uint64_t unit = 16 / sizeof(typename Op::Out);
    uint64_t i = 0;
    for (; i + unit <= count; i += unit) {
        vectors::store(post(op, vectors::load(raw + (at + i) * sizeof(typename Op::Out))), out + i);
    }
    map_each(op, raw, at + i, count - i, number + i, out + i);
}

constexpr uint64_t PAGE = 4096;

/// Whole rows straight from the registers.
template <class Op>
void fill_same_size(const Op& op, uint64_t rows, typename Op::Out* out, HostRows& source, bool streamed) {
    auto* const body = reinterpret_cast<uint8_t*>(out);
#if defined(__SSE2__)
    if (streamed && reinterpret_cast<std::uintptr_t>(body) % 16 == 0) {
        for (uint64_t from = 0; from < rows;) {
            const uint64_t left = source.rows_of_group(), count = rows - from < left ? rows - from : left;
            uint8_t* const to = body + from * ROW_BYTES;
            // A store that waits for its page to be translated holds up all those behind it.
            const std::uintptr_t soon = reinterpret_cast<std::uintptr_t>(to) + 2 * count * ROW_BYTES;
            for (uint64_t at = 0; at < count * ROW_BYTES && at < 4 * PAGE; at += PAGE) {
                __builtin_prefetch(reinterpret_cast<const void*>(soon + at));
            }
            source.run(count, [&](uint64_t block, const vectors::Words& words) TANDEM_VECTOR_LAMBDA {
                _mm_stream_si128(reinterpret_cast<__m128i*>(to + block * 16), reinterpret_cast<__m128i>(post(op, words)));
            });
            from += count;
        }
        return _mm_sfence();
    }
#endif
    (void)streamed;
    source.run(rows, [&](uint64_t block, const vectors::Words& words)
                         TANDEM_VECTOR_LAMBDA { vectors::store(post(op, words), body + block * 16); });
}

/// Whole rows of bounded integers, of which the first draw has the number `number`. The vectors of a step and the products of
/// the one before wait for different parts of the processor, so each block is mapped as soon as it is there; those with a
/// rejected draw are listed and mapped again.
template <class T>
void fill_products(BelowOp<uint64_t, T> op, uint64_t number, uint64_t rows, T* out, HostRows& source) {
    using Op = BelowOp<uint64_t, T>;
    op.rule.full = false;  // known to the compiler, it is not looked at in the loop
    alignas(64) uint8_t tile[TILE_ROWS * ROW_BYTES];
    uint16_t missed[TILE_ROWS * LANES];
    while (rows > 0) {
        const uint64_t count = rows < TILE_ROWS ? rows : TILE_ROWS;
        uint64_t misses = 0;
        source.run(count, [&](uint64_t block, const vectors::Words& words) TANDEM_VECTOR_LAMBDA {
            vectors::store(words, tile + block * 16);
            const bool first = op.fast(raw_in_tile<Op>(tile, 2 * block), out[2 * block]);
            const bool second = op.fast(raw_in_tile<Op>(tile, 2 * block + 1), out[2 * block + 1]);
            if (!(first & second)) missed[misses++] = static_cast<uint16_t>(block);
        });
        for (uint64_t m = 0; m < misses; ++m) {
            const uint64_t at = 2 * uint64_t{missed[m]};
            map_misses(op, tile, at, 2, number + at, out + at);
        }
        rows -= count;
        number += count * 2 * LANES;
        out += count * 2 * LANES;
    }
}

/// Bits to bytes.
template <class T>
void map_tile(const BoolOp<T>& op, const uint8_t* raw, uint64_t at, uint64_t count, uint64_t number, T* out) {
    static_assert(sizeof(T) == 1, "a bool is a byte");
    uint64_t i = (8 - (at & 7)) & 7;
    if (i > count) i = count;
    map_each(op, raw, at, i, number, out);
    for (; i + 8 <= count; i += 8) {
        // The byte eight times over, of which byte k keeps bit k; adding 127 carries any bit into the highest.
        const uint64_t spread = (raw[(at + i) >> 3] * 0x0101010101010101u) & 0x8040201008040201u;
        const uint64_t bytes = (((spread & 0x7f7f7f7f7f7f7f7fu) + 0x7f7f7f7f7f7f7f7fu) | spread) >> 7 & 0x0101010101010101u;
        std::memcpy(out + i, &bytes, 8);
    }
    map_each(op, raw, at + i, count - i, number + i, out + i);
}

/// Standard normals of floats, which as_stored leaves as they are.
inline void map_tile(const Normal32Op<false>& op, const uint8_t* raw, uint64_t at, uint64_t count, uint64_t number, float* out) {
    uint64_t i = 0;
    if (is_zero(op.as_stored.mean) && op.as_stored.stddev == 1.0f) {
        for (; i + 8 <= count; i += 8) vectors::box_muller8_f32(raw + (at + i) * 4, out + i);
    }
    if (processor_has_fma()) return map_each_fused(op, raw, at + i, count - i, number + i, out + i);
    map_each(op, raw, at + i, count - i, number + i, out + i);
}

/// Bounded integers of four bytes.
template <class T, std::enable_if_t<sizeof(T) == 4, int> = 0>
void map_tile(const BelowOp<uint32_t, T>& op, const uint8_t* raw, uint64_t at, uint64_t count, uint64_t number, T* out) {
    if (op.rule.full) return map_each(op, raw, at, count, number, out);
    const vectors::Words range = vectors::set(op.rule.range), threshold = vectors::set(op.rule.threshold);
    const vectors::Words base = vectors::set(static_cast<uint32_t>(op.low));
    uint16_t missed[TILE_DRAWS<BelowOp<uint32_t, T>> + 4];
    uint64_t misses = 0, i = 0;
    for (; i + 4 <= count; i += 4) {
        vectors::Words low, high;
        vectors::wide_products(vectors::load(raw + (at + i) * 4), range, low, high);
        vectors::store(high + base, out + i);
        const auto rejected = reinterpret_cast<vectors::Longs>(low < threshold);
        if ((rejected[0] | rejected[1]) == 0) continue;
        for (uint64_t j = 0; j < 4; ++j) {
            missed[misses] = static_cast<uint16_t>(i + j);
            misses += low[j] < op.rule.threshold;
        }
    }
    map_each(op, raw, at + i, count - i, number + i, out + i);
    for (uint64_t m = 0; m < misses; ++m) out[missed[m]] = op.finish(0, number + missed[m]);
}

/// Parts a piece at whole rows: `body(number, rows, out)` fills those from the draw `number` on, `ends`, the call of a walk, maps
/// what is left at both ends.
template <class Op, class Ends, class Body>
void fill_by_rows(const Piece<typename Op::Out>& piece, HostRows& source, const Ends& ends, const Body& body) {
    constexpr uint64_t per_row = ROW_BITS / Op::WIDTH;
    const uint64_t past = piece.first % per_row, to_row = past == 0 ? 0 : per_row - past;
    const uint64_t head = to_row < piece.draws ? to_row : piece.draws;
    const uint64_t rows = (piece.draws - head) / per_row, tail = piece.draws - head - rows * per_row;
    if (head > 0) walk<Op>({piece.first, head, piece.out}, source, ends);
    body(piece.first + head, rows, piece.out + head);
    if (tail > 0) walk<Op>({piece.first + head + rows * per_row, tail, piece.out + head + rows * per_row}, source, ends);
}

/// Ops that fill whole rows in a way of their own; returns false where this fill has none.
template <class Op>
bool fill_rows_of(const Op& op, const Piece<typename Op::Out>& piece, HostRows& source, bool streamed) {
    using Out = typename Op::Out;
    if constexpr (HAS_POST<Op>) {
        fill_by_rows<Op>(
            piece, source,
            [&](const uint8_t* raw, uint64_t at, uint64_t count, uint64_t number, Out* out) {
                map_same_size(op, raw, at, count, number, out);
            },
            [&](uint64_t, uint64_t rows, Out* out) { fill_same_size(op, rows, out, source, streamed); });
        return true;
    } else if constexpr (std::is_same_v<Op, BelowOp<uint64_t, Out>>) {
        if (op.rule.full) return false;
        fill_by_rows<Op>(
            piece, source,
            [&](const uint8_t* raw, uint64_t at, uint64_t count, uint64_t number, Out* out) {
                map_tile(op, raw, at, count, number, out);
            },
            [&](uint64_t number, uint64_t rows, Out* out) { fill_products(op, number, rows, out, source); });
        return true;
    }
    return false;
}

#endif

/// Fills a piece from rows that stand at the row of its first draw.
template <class Op>
void fill_piece(const Op& op, const Piece<typename Op::Out>& piece, HostRows& source, bool streamed) {
#if TANDEM_ROW_VECTORS
    if (fill_rows_of(op, piece, source, streamed)) return;
#endif
    (void)streamed;
    walk<Op>(piece, source, [&](const uint8_t* raw, uint64_t at, uint64_t count, uint64_t number, typename Op::Out* out) {
        map_tile(op, raw, at, count, number, out);
    });
}

}  // namespace kokkos_detail
}  // namespace tandem
