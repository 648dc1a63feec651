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

/// Writes consecutive bytes from `out` on in whole aligned lines: parts of lines past the caches cost as much as many whole ones.
/// Bytes are collected in a tile that stays in the first cache. The lines of a tile that is complete are stored a few at a time
/// while the next one is made, so that neither the processor nor the memory waits for the other.
class LineWriter {
  public:
    static constexpr size_t LINE = 64;
    static constexpr size_t TILE_BYTES =
        TILE_ROWS * ROW_BYTES + 2 * LINE;  ///< a tile of rows and the unit left by the one before

    explicit LineWriter(uint8_t* out) : begin_(out), carried_(reinterpret_cast<uintptr_t>(out) % LINE), line_(out - carried_) {}
    LineWriter(const LineWriter&) = delete;
    LineWriter& operator=(const LineWriter&) = delete;

    /// Where the next bytes belong: room for TILE_BYTES, aligned to a line.
    uint8_t* tile() { return tiles_[now_] + LINE; }

    /// Stores `count` lines of the tile before this one, or none where fewer are left.
    HWY_INLINE void write(size_t count) {
        if (lines_ - written_ < count) return;
        copy(written_, count);
        written_ += count;
    }

    /// The tile is complete with `bytes` bytes.
    void end_tile(size_t bytes) {
        drain();
        const uint8_t* const tile = tiles_[now_];
        from_ = tile + LINE - carried_;
        to_ = line_;
        lines_ = (carried_ + bytes) / LINE;
        written_ = 0;
        carried_ = (carried_ + bytes) % LINE;
        line_ += lines_ * LINE;
        if (lines_ > 0 && to_ < begin_) {  // what is in front of the first byte belongs to others
            const size_t past = static_cast<size_t>(begin_ - to_);
            std::memcpy(begin_, from_ + past, LINE - past);
            written_ = 1;
        }
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
    HWY_INLINE void copy(size_t line, size_t count) {
        const hn::CappedTag<uint8_t, LINE> d;
        const uint8_t* const from = from_ + line * LINE;
        uint8_t* const to = to_ + line * LINE;
        for (size_t i = 0; i < count * LINE; i += hn::Lanes(d)) hn::Stream(hn::LoadU(d, from + i), d, to + i);
    }

    void drain() {
        if (written_ < lines_) copy(written_, lines_ - written_);
        written_ = lines_;
    }

    uint8_t* begin_;
    size_t carried_;  // bytes of a line that is not complete: they lie in front of the tile
    uint8_t* line_;   // where that line belongs
    int now_ = 0;
    const uint8_t* from_ = nullptr;  // the lines of the tile before
    uint8_t* to_ = nullptr;
    size_t lines_ = 0;
    size_t written_ = 0;
    alignas(LINE) uint8_t tiles_[2][LINE + TILE_BYTES];
};

}  // namespace HWY_NAMESPACE
}  // namespace tandem::cpu
HWY_AFTER_NAMESPACE();

#endif
