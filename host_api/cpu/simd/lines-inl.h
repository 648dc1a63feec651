/// Output that bypasses the caches although it starts anywhere in a line. Included once a target.

#if defined(TANDEM_CPU_SIMD_LINES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_CPU_SIMD_LINES_INL_H_
#undef TANDEM_CPU_SIMD_LINES_INL_H_
#else
#define TANDEM_CPU_SIMD_LINES_INL_H_
#endif

#include <algorithm>
#include <cstring>

#include "host_api/cpu/walk.hpp"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t LINE = 64;

/// Writes the next `count` of the lines, or none where fewer are left.
HWY_INLINE void write_lines(PendingLines& lines, size_t count) {
    if (lines.count - lines.written < count) return;
    const hn::CappedTag<uint8_t, LINE> d;
    const uint8_t* const from = lines.from + lines.written * LINE;
    uint8_t* const to = lines.to + lines.written * LINE;
    for (size_t i = 0; i < count * LINE; i += hn::Lanes(d)) hn::Stream(hn::LoadU(d, from + i), d, to + i);
    lines.written += count;
}

/// Writes consecutive bytes from `out` on in whole aligned lines: parts of lines past the caches cost as much as many whole ones.
/// Bytes are collected in a tile that stays in the first cache. When it is complete its lines are pending, and others write them
/// a few at a time while the next tile is made.
class LineWriter {
  public:
    static constexpr size_t TILE_BYTES =
        TILE_ROWS * ROW_BYTES + 2 * LINE;  ///< a tile of rows and the unit left by the one before

    explicit LineWriter(uint8_t* out) : begin_(out), carried_(reinterpret_cast<uintptr_t>(out) % LINE), line_(out - carried_) {}
    LineWriter(const LineWriter&) = delete;
    LineWriter& operator=(const LineWriter&) = delete;

    PendingLines* pending() { return &pending_; }

    /// Where the next bytes belong: room for TILE_BYTES, aligned to a line.
    uint8_t* tile() { return tiles_[now_] + LINE; }

    /// The tile is complete with `bytes` bytes.
    void end_tile(size_t bytes) {
        drain();
        const uint8_t* const tile = tiles_[now_];
        const size_t count = (carried_ + bytes) / LINE;
        pending_ = PendingLines{tile + LINE - carried_, line_, count, 0};
        if (count > 0 && line_ < begin_) {  // what is in front of the first byte belongs to others
            const size_t past = static_cast<size_t>(begin_ - line_);
            std::memcpy(begin_, pending_.from + past, LINE - past);
            pending_.written = 1;
        }
        line_ += count * LINE;
        carried_ = (carried_ + bytes) % LINE;
        now_ ^= 1;
        std::memcpy(tiles_[now_], tile + bytes, LINE);
    }

    /// Writes all that is left.
    void finish() {
        drain();
        uint8_t* const first = std::max(line_, begin_);
        const size_t left = static_cast<size_t>(line_ + carried_ - first);
        std::memcpy(first, tile() - left, left);
    }

  private:
    void drain() { write_lines(pending_, pending_.count - pending_.written); }

    uint8_t* begin_;
    size_t carried_;  // bytes of a line that is not complete: they lie in front of the tile
    uint8_t* line_;   // where that line belongs
    int now_ = 0;
    PendingLines pending_;
    alignas(LINE) uint8_t tiles_[2][LINE + TILE_BYTES];
};

}  // namespace HWY_NAMESPACE
}  // namespace tandem::cpu
HWY_AFTER_NAMESPACE();

#endif
