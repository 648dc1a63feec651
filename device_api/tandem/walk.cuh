#pragma once

/// The walk over the chunks of a fill that the fused algorithms share: each thread steps through chunks of its own and hands the
/// elements of each block to a visitor, in registers.

#include "tandem/sources.cuh"

namespace tandem {
namespace detail {

constexpr uint32_t WALK_THREADS = 128;
constexpr uint32_t WALK_WARP = 32;

/// What a walk covers. Every warp walks `passes` times 32 neighbouring chunks, a thread each.
struct WalkArgs {
    uint64_t n;           ///< elements
    uint64_t first_draw;  ///< of element 0, in the whole stream
    uint64_t first_row;   ///< rows of 1024 bits that hold draws of the fill
    uint64_t last_row;
    uint64_t first_chunk;  ///< of the first warp
    uint32_t passes;
};

/// One element a visitor call, at the edges of a fill: only elements below n.
template <class S, class Visitor>
TANDEM_INLINE_FN void visit_checked(const S& source, const Block& block, uint32_t next_word, uint64_t draw, const WalkArgs& args,
                                    Visitor& visitor) {
    constexpr uint32_t IN_BLOCK = 128 / S::WIDTH;
    if constexpr (S::PAIRS) {
        const bool odd = (args.first_draw & 1) != 0;
        TANDEM_UNROLL
        for (uint32_t e = 0; e < 2; ++e) {
            const uint32_t a = odd ? block.w[2 * e + 1] : block.w[2 * e];
            const uint32_t b = odd ? (e == 0 ? block.w[2] : next_word) : block.w[2 * e + 1];
            const uint64_t i = draw + 2 * e + (odd ? 1 : 0) - args.first_draw;
            const Pair<float> z = source.pair(a, b);
            if (i < args.n) visitor.checked(z.x, i);
            if (i < args.n && i + 1 < args.n) visitor.checked(z.y, i + 1);
        }
    } else {
        TANDEM_UNROLL_BY(1)
        for (uint32_t e = 0; e < IN_BLOCK; ++e) {
            const uint64_t i = draw + e - args.first_draw;
            if (i < args.n) visitor.checked(source.value(raw_of<S::WIDTH>(block, e), draw + e), i);
        }
    }
}

/// Puts the right values where quick() had none: one copy of the slow path, which a warp enters as often as its unluckiest
/// thread.
template <class S, class V, uint32_t kCount>
TANDEM_INLINE_FN void finish_missed(const S& source, const Block& block, uint64_t draw, uint32_t missed, V (&values)[kCount]) {
    static_assert(kCount <= 4, "draws with a slow path have 32 or 64 bits");
    TANDEM_UNROLL_BY(1)
    for (; missed != 0; missed &= missed - 1) {
        const uint32_t which = (missed & 1) != 0 ? 0 : (missed & 2) != 0 ? 1 : (missed & 4) != 0 ? 2 : 3;
        const V value = source.value(raw_of<S::WIDTH>(block, which), draw + which);
        TANDEM_UNROLL
        for (uint32_t e = 0; e < kCount; ++e) {
            if (e == which) values[e] = value;
        }
    }
}

/// All elements of a block at once, in index order.
template <class S, class Visitor>
TANDEM_INLINE_FN void visit_block(const S& source, const Block& block, uint32_t next_word, uint64_t draw, const WalkArgs& args,
                                  Visitor& visitor) {
    constexpr uint32_t IN_BLOCK = 128 / S::WIDTH;
    typename S::value_type values[IN_BLOCK];
    uint64_t i = draw - args.first_draw;
    if constexpr (S::PAIRS) {
        const bool odd = (args.first_draw & 1) != 0;
        const Pair<float> y = odd ? source.pair(block.w[1], block.w[2]) : source.pair(block.w[0], block.w[1]);
        const Pair<float> z = odd ? source.pair(block.w[3], next_word) : source.pair(block.w[2], block.w[3]);
        values[0] = y.x;
        values[1] = y.y;
        values[2] = z.x;
        values[3] = z.y;
        i += odd ? 1 : 0;
    } else {
        TANDEM_UNROLL
        for (uint32_t e = 0; e < IN_BLOCK; ++e) values[e] = source.value(raw_of<S::WIDTH>(block, e), draw + e);
    }
    visitor.block(values, i);
}

/// A block of a source with a slow path, at an edge or not, so that one copy of the path serves both.
template <class S, class Visitor>
TANDEM_INLINE_FN void visit_with_misses(const S& source, const Block& block, uint64_t draw, bool edge, const WalkArgs& args,
                                        Visitor& visitor) {
    constexpr uint32_t IN_BLOCK = 128 / S::WIDTH;
    typename S::value_type values[IN_BLOCK];
    uint32_t missed = 0;
    TANDEM_UNROLL
    for (uint32_t e = 0; e < IN_BLOCK; ++e) {
        missed |= source.quick(raw_of<S::WIDTH>(block, e), values[e]) ? 0u : 1u << e;
    }
    finish_missed(source, block, draw, missed, values);
    const uint64_t i = draw - args.first_draw;
    if (!edge) return visitor.block(values, i);
    TANDEM_UNROLL
    for (uint32_t e = 0; e < IN_BLOCK; ++e) {
        if (i + e < args.n) visitor.checked(values[e], i + e);
    }
}

/// A chunk under way and, for pairs that straddle blocks, the chunk of the block that follows in the stream.
template <class S>
class ChunkWalk {
  public:
    static constexpr uint32_t IN_BLOCK = 128 / S::WIDTH;

    TANDEM_INLINE_FN ChunkWalk(const S& source, uint64_t chunk, const WalkArgs& args)
        : state_(walk_start(source.key(), chunk)), draw_(block_of_place(chunk, 0, source.log2_k()) * IN_BLOCK), chunk_(chunk) {
        straddles_ = S::PAIRS && (args.first_draw & 1) != 0;
        if constexpr (S::PAIRS) {
            if (straddles_) {
                next_ = walk_start(source.key(), last_of_row() ? chunk - 7 : chunk + 1);
                if (last_of_row()) T(next_);
            }
        }
    }

    /// Steps over a block that holds nothing of the fill.
    TANDEM_INLINE_FN void pass() {
        T(state_);
        if constexpr (S::PAIRS) {
            if (straddles_) T(next_);
        }
        draw_ += LANES * IN_BLOCK;
    }

    /// The next block. kEdge: not all of its elements need be elements of the fill, or the visitor is not settled.
    template <bool kEdge, class Visitor>
    TANDEM_INLINE_FN void visit(const S& source, const WalkArgs& args, Visitor& visitor, bool last_of_chunk) {
        const uint64_t draw = draw_;
        pass();
        uint32_t next_word = 0;
        if constexpr (S::PAIRS) {
            next_word = next_.o[0];
            if (straddles_ && last_of_chunk && last_of_row()) next_word = block(source.key(), chunk_ + 1, 0).w[0];
        }
        const Block now{{state_.o[0], state_.o[1], state_.o[2], state_.o[3]}};
        if constexpr (kEdge) {
            visit_checked(source, now, next_word, draw, args, visitor);
        } else {
            visit_block(source, now, next_word, draw, args, visitor);
        }
    }

    /// The next block of a source with a slow path.
    template <class Visitor>
    TANDEM_INLINE_FN void visit_slow(const S& source, const WalkArgs& args, Visitor& visitor, bool edge) {
        const uint64_t draw = draw_;
        pass();
        visit_with_misses(source, Block{{state_.o[0], state_.o[1], state_.o[2], state_.o[3]}}, draw, edge, args, visitor);
    }

  private:
    TANDEM_INLINE_FN bool last_of_row() const { return (chunk_ & 7) == 7; }

    ChunkState state_, next_{};
    uint64_t draw_;  // of the next block
    uint64_t chunk_;
    bool straddles_;
};

/// Visits a chunk whose rows all lie inside the fill, many rows at once: with nothing to check, a step costs little more than T.
template <class S, class Visitor>
TANDEM_INLINE_FN void walk_inside(const S& source, const WalkArgs& args, uint64_t chunk, uint32_t k, Visitor& visitor) {
    constexpr uint32_t ROWS_AT_ONCE = S::PAIRS || S::WIDTH < 32 ? 2 : 8;
    ChunkWalk<S> chunk_walk(source, chunk, args);
    uint32_t j = 0;
    TANDEM_UNROLL_BY(1)
    for (; j < k && !visitor.settled(); ++j) chunk_walk.template visit<true>(source, args, visitor, j + 1 == k);
    TANDEM_UNROLL_BY(1)
    for (; j < k && j % ROWS_AT_ONCE != 0; ++j) chunk_walk.template visit<false>(source, args, visitor, j + 1 == k);
    TANDEM_UNROLL_BY(1)
    for (; j + ROWS_AT_ONCE <= k; j += ROWS_AT_ONCE) {
        TANDEM_UNROLL
        for (uint32_t i = 1; i <= ROWS_AT_ONCE; ++i) chunk_walk.template visit<false>(source, args, visitor, j + i == k);
    }
    TANDEM_UNROLL_BY(1)
    for (; j < k; ++j) chunk_walk.template visit<false>(source, args, visitor, j + 1 == k);
}

/// Visits what thread `thread` of the walk has of the fill. Blocks come in stream order within a chunk; the visitor has
///   checked(value, i)       an element of a block at an edge
///   block(values, i)        all elements of a block, the first of index i
///   settled()               whether block() may be called: while false, every element comes through checked()
template <class S, class Visitor>
TANDEM_INLINE_FN void walk(const S& source, const WalkArgs& args, uint64_t thread, Visitor& visitor) {
    const uint32_t k = source.chunk_length();
    const uint64_t first = args.first_chunk + thread / WALK_WARP * args.passes * WALK_WARP + thread % WALK_WARP;
    TANDEM_UNROLL_BY(1)
    for (uint32_t pass = 0; pass < args.passes; ++pass) {
        const uint64_t chunk = first + pass * WALK_WARP;
        const uint64_t row = chunk / LANES << source.log2_k();  // of the chunk's first block
        if (row > args.last_row || row + (k - 1) < args.first_row) continue;
        if constexpr (!S::MISSES) {
            if (row > args.first_row && row + k <= args.last_row) {
                walk_inside(source, args, chunk, k, visitor);
                continue;
            }
        }
        uint32_t j = row < args.first_row ? static_cast<uint32_t>(args.first_row - row) : 0;
        const bool has_last = args.last_row - row < k;
        const uint32_t end = has_last ? static_cast<uint32_t>(args.last_row - row) : k;  // of the rows before the last
        ChunkWalk<S> chunk_walk(source, chunk, args);
        TANDEM_UNROLL_BY(1)
        for (uint32_t i = 0; i < j; ++i) chunk_walk.pass();
        if constexpr (S::MISSES) {
            const uint32_t all = has_last ? end + 1 : end;
            TANDEM_UNROLL_BY(1)
            for (; j < all; ++j) {
                const bool edge = row + j == args.first_row || j == end || !visitor.settled();
                chunk_walk.visit_slow(source, args, visitor, edge);
            }
        } else {
            TANDEM_UNROLL_BY(1)
            for (; j < end && (row + j == args.first_row || !visitor.settled()); ++j) {
                chunk_walk.template visit<true>(source, args, visitor, j + 1 == k);
            }
            TANDEM_UNROLL_BY(1)
            for (; j < end; ++j) chunk_walk.template visit<false>(source, args, visitor, j + 1 == k);
            if (has_last) chunk_walk.template visit<true>(source, args, visitor, j + 1 == k);
        }
    }
}

/// The walk of n > 0 elements: its arguments and its number of thread blocks. Passes grow with n so that a reduction has few
/// partials; they depend on nothing else.
struct WalkPlan {
    WalkArgs args;
    uint64_t blocks;
};

template <class S>
TANDEM_FN WalkPlan plan_walk(const S& source, uint64_t n, uint64_t most_blocks) {
    constexpr uint64_t IN_ROW = 1024 / S::WIDTH;
    WalkPlan plan{};
    WalkArgs& args = plan.args;
    args.n = n;
    args.first_draw = source.first_draw();
    args.first_row = args.first_draw / IN_ROW;
    args.last_row = (args.first_draw + (S::PAIRS ? (n - 1) & ~1ull : n - 1)) / IN_ROW;
    args.first_chunk = (args.first_row >> source.log2_k()) * LANES;
    const uint64_t chunks = (args.last_row >> source.log2_k()) * LANES + LANES - args.first_chunk;
    const auto blocks_of = [chunks](uint64_t passes) { return (chunks + WALK_THREADS * passes - 1) / (WALK_THREADS * passes); };
    args.passes = source.chunk_length() < 32 ? 32 / source.chunk_length() : 1;
    while (blocks_of(args.passes) > most_blocks) args.passes *= 2;
    plan.blocks = blocks_of(args.passes);
    return plan;
}

}  // namespace detail
}  // namespace tandem
