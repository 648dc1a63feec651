#pragma once

/// The walk over a piece, for every draw and every target: the stream is written into a tile of a few kilobytes and mapped from
/// there, so that heads, tails and starts within a row are plain offsets.

#include <algorithm>
#include <cstring>

#include "host_api/cpu/job.hpp"

namespace tandem::cpu {

constexpr uint64_t ROW_BYTES = 128;
constexpr uint64_t ROW_BITS = 1024;
constexpr uint64_t TILE_ROWS = 64;
constexpr uint64_t TILE_LEAD = 128;  ///< bytes before the rows of a tile: the last ones of the tile before
constexpr uint64_t TILE_TAIL = 16;   ///< bytes behind the rows that maps may read, whatever they hold

/// Whole lines of finished output on their way past the caches.
struct PendingLines {
    const uint8_t* from = nullptr;
    uint8_t* to = nullptr;
    size_t count = 0;
    size_t written = 0;
};

/// Rows of a stream one after another.
class RowSource {
  public:
    virtual ~RowSource() = default;

    /// Lines that may be written between rows and maps, so that the processor and the memory do not wait for each other.
    PendingLines* pending = nullptr;

    /// Writes the next n rows to `out`, which is aligned to 64 bytes.
    virtual void rows(uint8_t* out, uint64_t n) = 0;
};

/// Fills a piece from a source that stands at the row of the piece's first draw.
/// `map(tile, at, count, number, out)` maps draws at, at + 1, ... of the memory at `tile`, which have the stream's numbers
/// `number`, `number + 1`, ..., to `count` outputs. In all calls for a piece but the last, `count` is a multiple of map.unit,
/// which is at most TILE_LEAD bytes of draws. In pairs a last odd draw may read the one after it. A tile has at most `most_rows`
/// rows, a divisor of TILE_ROWS.
template <class Map>
void walk(const Job& job, const Piece& piece, RowSource& source, const Map& map, uint64_t most_rows = TILE_ROWS) {
    alignas(64) uint8_t tile[TILE_LEAD + TILE_ROWS * ROW_BYTES + TILE_TAIL];
    const uint64_t width = job.width;
    const uint64_t read_end = piece.first + piece.draws + (job.in_pairs ? piece.draws & 1 : 0);
    const uint64_t first_row = (piece.first * width) >> 10;
    uint64_t rows_left = (((read_end - 1) * width) >> 10) - first_row + 1;
    // Tiles end at multiples of their size, so that sources find whole groups in them.
    uint64_t tile_rows = most_rows - first_row % most_rows;
    uint64_t begin = TILE_LEAD * 8 + ((piece.first * width) & (ROW_BITS - 1));  // bits before the first draw in the tile
    Piece rest = piece;
    for (;;) {
        const uint64_t rows = std::min(rows_left, tile_rows);
        source.rows(tile + TILE_LEAD, rows);
        rows_left -= rows;
        const uint64_t available = (TILE_LEAD * 8 + rows * ROW_BITS - begin) / width;
        const uint64_t count = rows_left == 0 ? rest.draws : available - available % map.unit;
        map(tile, begin / width, count, rest.first, rest.out);
        if (rows_left == 0) return;
        tile_rows = most_rows;
        rest.first += count;
        rest.draws -= count;
        rest.out += count * job.stride;
        std::memcpy(tile, tile + rows * ROW_BYTES, TILE_LEAD);
        begin += count * width - rows * ROW_BITS;
    }
}

}  // namespace tandem::cpu
