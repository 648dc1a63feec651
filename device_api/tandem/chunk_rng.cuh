#pragma once

/// Chunk order (contract, section 4): one long private run a thread, at one step a block. For hosts and kernels alike.

#include "tandem/core/children.hpp"
#include "tandem/core/draws.hpp"
#include "tandem/core/stream.hpp"

namespace tandem {

/// What all runs of a key share. Made once, on the host, and passed to the kernel by value: threads then derive no key.
struct ChunkStream {
    Key key;         ///< of the generator that the runs read: sub_key(parent, PURPOSE_CHUNK)
    Key normal_key;  ///< sub_key(key, PURPOSE_NORMAL64)

    TANDEM_FN explicit ChunkStream(const Key& parent)
        : key(sub_key(parent, PURPOSE_CHUNK)), normal_key(sub_key(key, PURPOSE_NORMAL64)) {}
};

/// Run c of a key, c < 2^32: the fastest generator of many draws, with draws only (derive the key first). Runs of one key share
/// no words; a run has 2^27 words of 32 bits (512 MiB) and then starts again. Draws of up to 32 bits use one word, its low bits;
/// 64-bit draws the next two from an even one; 128-bit draws the next four from a multiple of four. Word i is the stream word at
/// position_of(i) of the generator (key of ChunkStream, chunk length 65536), so a host can reproduce any of them. Copies are
/// independent and equal; not for use by two threads at once.
///
/// Unroll loops by a multiple of four 32-bit or two 64-bit draws (#pragma unroll 16): which word of the block comes next is then
/// known when compiling, and a draw costs its share of a step and nothing else.
class ChunkRng : public Draws<ChunkRng> {
  public:
    static constexpr uint32_t WORDS = 1u << 27;  ///< of a run

    TANDEM_INLINE_FN ChunkRng(const ChunkStream& stream, uint32_t c)
        : state_{}, key_(stream.key), normal_key_(stream.normal_key), chunk_(c), blocks_(0), at_(0) {}

    /// The same, deriving the keys itself: at the cost of two seedings a thread.
    TANDEM_INLINE_FN ChunkRng(const Key& parent, uint32_t c) : ChunkRng(ChunkStream(parent), c) {}

    /// The key of the generator that is read, not of its parent.
    TANDEM_INLINE_FN const Key& key() const { return key_; }
    TANDEM_INLINE_FN uint32_t chunk_length() const { return MAX_CHUNK_LENGTH; }
    TANDEM_INLINE_FN Key normal_key() const { return normal_key_; }

    /// The run's number.
    TANDEM_INLINE_FN uint32_t chunk() const { return chunk_; }

    /// The index of the next unused word, modulo WORDS.
    TANDEM_INLINE_FN uint32_t word() const { return (4 * blocks_ - (at_ == 0 ? 0 : 4 - at_)) & (WORDS - 1); }

    /// Where word i lies in the generator of key() and chunk length 65536, in bits.
    TANDEM_INLINE_FN uint64_t position_of(uint64_t i) const {
        const uint64_t b = block_of_place(chunk_of(static_cast<uint32_t>(i >> 18)), (i >> 2) & 0xffff, LOG2_LENGTH);
        return (b << 7) + ((i & 3) << 5);
    }

    /// Passes over the next `words` words. Costs a step for every four of them within a chunk of 2^18 words; whole chunks cost
    /// nothing.
    TANDEM_INLINE_FN void skip(uint64_t words) {
        const uint32_t to = (word() + static_cast<uint32_t>(words)) & (WORDS - 1);
        const uint32_t from = blocks_ & (WORDS / 4 - 1);
        const uint32_t end = (to + 3) >> 2;  // blocks stepped over by then
        at_ = to & 3;
        const bool begun = (from & (MAX_CHUNK_LENGTH - 1)) != 0;  // at a chunk's end its state may not be there
        if (begun && end >= from && from >> LOG2_LENGTH == (end - 1) >> LOG2_LENGTH) {
            blocks_ = from;
        } else if (at_ == 0 && (end & (MAX_CHUNK_LENGTH - 1)) == 0) {
            blocks_ = end;  // seeded by the next draw
        } else {
            blocks_ = (end - 1) & ~(MAX_CHUNK_LENGTH - 1);
        }
        while (blocks_ != end) step();
    }

    TANDEM_INLINE_FN uint32_t next_bits(uint32_t width) {
        if (at_ == 0) step();
        const uint32_t low = (at_ & 1) != 0 ? state_.o[1] : state_.o[0];
        const uint32_t high = (at_ & 1) != 0 ? state_.o[3] : state_.o[2];
        const uint32_t word = (at_ & 2) != 0 ? high : low;
        at_ = (at_ + 1) & 3;
        return width == 32 ? word : word & ((1u << width) - 1);
    }
    TANDEM_INLINE_FN uint64_t next_64() {
        at_ = (at_ + 1) & 2;
        if (at_ == 0) step();
        const uint32_t low = at_ != 0 ? state_.o[2] : state_.o[0];
        const uint32_t high = at_ != 0 ? state_.o[3] : state_.o[1];
        at_ ^= 2;
        return static_cast<uint64_t>(high) << 32 | low;
    }
    TANDEM_INLINE_FN U128 next_128() {
        step();
        at_ = 0;
        return U128{static_cast<uint64_t>(state_.o[1]) << 32 | state_.o[0],
                    static_cast<uint64_t>(state_.o[3]) << 32 | state_.o[2]};
    }

    /// Where the last draw, of 32, 64 or 128 bits, lies in the generator that is read; or the one `back` before it, when all of
    /// them had this width.
    TANDEM_INLINE_FN uint64_t drawn_position(uint32_t width, uint32_t back = 0) const {
        return position_of((word() - (width >> 5) * (back + 1)) & (WORDS - 1));
    }

  private:
    static constexpr uint32_t LOG2_LENGTH = 16;

    /// The chunk that holds the 2^18 words numbered `turn`.
    TANDEM_INLINE_FN uint64_t chunk_of(uint32_t turn) const { return static_cast<uint64_t>(turn & 511) << 32 | chunk_; }

    TANDEM_INLINE_FN void step() {
        if ((blocks_ & (MAX_CHUNK_LENGTH - 1)) == 0) state_ = walk_start(key_, chunk_of(blocks_ >> LOG2_LENGTH));
        T(state_);
        ++blocks_;
    }

    ChunkState state_;
    Key key_, normal_key_;
    uint32_t chunk_;
    uint32_t blocks_;  // stepped over; only its value modulo WORDS / 4 counts
    uint32_t at_;      // words used of the block in state_; 0 when the next one needs a step
};
static_assert(sizeof(ChunkRng) == 76, "ChunkRng is part of the device interface");

}  // namespace tandem
