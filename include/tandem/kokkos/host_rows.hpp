#pragma once

/// The stream on host spaces: rows one after another, and the walk that maps them from a tile of a few kilobytes, so that heads,
/// tails and starts within a row are plain offsets.

#include "tandem/core/row.hpp"
#include "tandem/kokkos/job.hpp"

namespace tandem {
namespace kokkos_detail {

constexpr uint64_t ROW_BYTES = 128;
constexpr uint64_t ROW_BITS = 1024;
constexpr uint64_t TILE_ROWS = 64;
constexpr uint64_t TILE_LEAD = 16;  ///< bytes before the rows of a tile: the last ones of the tile before
constexpr uint64_t TILE_TAIL = 16;  ///< bytes behind the rows that maps may read, whatever they hold

/// The draws of a tile at most.
template <class Op>
constexpr uint64_t TILE_DRAWS = (TILE_LEAD + TILE_ROWS * ROW_BYTES) * 8 / Op::WIDTH;

/// The rows of a stream in order.
class HostRows {
  public:
    /// Stands at row number `row` (position / 1024).
    HostRows(const Key& key, uint32_t log2_k, uint64_t row)
        : key_(key), group_(row >> log2_k), k_(1u << log2_k), step_(static_cast<uint32_t>(row) & (k_ - 1)) {
        if (step_ == 0) return;
        row_.seed(key_, group_);
        for (uint32_t i = 0; i < step_; ++i) row_.step();
    }

    /// The rows that are left of the group under way, or of the next one.
    uint64_t rows_of_group() const { return k_ - step_; }

    /// Writes the next n rows.
    void rows(uint64_t n, Block* out) {
        for (uint64_t from = 0; from < n;) {
            const uint64_t count = enter(n - from);
            row_.rows(count, out + from * LANES);
            leave(count);
            from += count;
        }
    }

#if TANDEM_ROW_VECTORS
    /// Hands the blocks of the next n rows to `sink(block number, words)`, the first one being number 0; not in order.
    template <class Sink>
    TANDEM_VECTOR_FN void run(uint64_t n, const Sink& sink) {
        for (uint64_t from = 0; from < n;) {
            const uint64_t count = enter(n - from);
            row_.run(count, [&](uint64_t row, int lane, const vectors::Words& words)
                                TANDEM_VECTOR_LAMBDA { sink((from + row) * LANES + static_cast<uint64_t>(lane), words); });
            leave(count);
            from += count;
        }
    }
#endif

  private:
    /// Prepares for rows of one group; returns how many of the next n are in it.
    uint64_t enter(uint64_t n) {
        if (step_ == 0) row_.seed(key_, group_);
        return n < rows_of_group() ? n : rows_of_group();
    }

    void leave(uint64_t count) {
        step_ = (step_ + static_cast<uint32_t>(count)) & (k_ - 1);
        if (step_ == 0) ++group_;
    }

    Row row_;
    Key key_;
    uint64_t group_;
    uint32_t k_;
    uint32_t step_;  // rows of the group that were written; its states are seeded when this is not 0
};

/// Consecutive draws of a job.
template <class Out>
struct Piece {
    uint64_t first;
    uint64_t draws;
    Out* out;
};

/// Fills a piece from rows that stand at the row of its first draw. `map(raw, at, count, number, out)` maps draws at, at + 1, ...
/// of the memory at `raw`, whose numbers in the stream are `number`, `number + 1`, ..., to `count` elements. In pairs only the
/// last call of a piece may have an odd count; it may read one draw more.
template <class Op, class Map>
void walk(const Piece<typename Op::Out>& piece, HostRows& source, const Map& map) {
    constexpr uint64_t WIDTH = Op::WIDTH, unit = Op::PAIRS ? 2 : 1;
    alignas(64) uint8_t tile[TILE_LEAD + TILE_ROWS * ROW_BYTES + TILE_TAIL];
    Piece<typename Op::Out> rest = piece;
    const uint64_t last = piece.first + piece.draws - 1 + (Op::PAIRS ? piece.draws & 1 : 0);
    const uint64_t row = (piece.first * WIDTH) >> 10;
    uint64_t rows_left = ((last * WIDTH) >> 10) - row + 1;
    // Tiles end at multiples of their size, so that they hold whole groups where K is small.
    uint64_t tile_rows = TILE_ROWS - row % TILE_ROWS;
    uint64_t begin = TILE_LEAD * 8 + ((piece.first * WIDTH) & (ROW_BITS - 1));  // bits before the first draw in the tile
    for (;;) {
        const uint64_t rows = rows_left < tile_rows ? rows_left : tile_rows;
        source.rows(rows, reinterpret_cast<Block*>(tile + TILE_LEAD));
        rows_left -= rows;
        const uint64_t available = (TILE_LEAD * 8 + rows * ROW_BITS - begin) / WIDTH;
        const uint64_t count = rows_left == 0 ? rest.draws : available - available % unit;
        map(tile, begin / WIDTH, count, rest.first, rest.out);
        if (rows_left == 0) return;
        tile_rows = TILE_ROWS;
        rest.first += count;
        rest.draws -= count;
        rest.out += count;
        std::memcpy(tile, tile + rows * ROW_BYTES, TILE_LEAD);
        begin += count * WIDTH - rows * ROW_BITS;
    }
}

}  // namespace kokkos_detail
}  // namespace tandem
