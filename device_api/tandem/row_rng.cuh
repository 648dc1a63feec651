#pragma once

/// The generator for long runs of scalar draws: the values of Rng, at one step a block. For hosts and kernels alike.

#include "tandem/core/rng.hpp"

namespace tandem {

/// The same draws as Rng of the same key, position and chunk length, but all eight chunks of the current group stay in registers:
/// about 90 of them in a kernel. A chunk is seeded when its first block is drawn, so short runs cost no more than with Rng; a
/// position in the middle of a chunk of length K costs up to K steps then. Copies are independent and equal; not for use by two
/// threads at once. Positions wrap modulo 2^64.
///
/// Long loops are fastest as repeat(). One draw at a time is as fast where the start is a multiple of 1024 bits that the compiler
/// can see (0, or something shifted left by 10) and the loop is unrolled by a multiple of 32 draws of 32 bits or 16 of 64: which
/// chunk comes next is then known when compiling. Otherwise each block costs a switch. Long chunks (512 and more) seed least.
class RowRng : public Draws<RowRng> {
  public:
    /// The generator of seed 0, at position 0.
    TANDEM_INLINE_FN RowRng() : RowRng(0) {}

    /// The generator of a seed, at position 0. `seed_high` holds the upper half of a 128-bit seed. `chunk_length` must be a power
    /// of two from 1 to 65536; never use one key with two chunk lengths, since their streams share blocks.
    TANDEM_INLINE_FN explicit RowRng(uint64_t seed, uint64_t seed_high = 0, uint32_t chunk_length = DEFAULT_CHUNK_LENGTH)
        : RowRng(key_of_seed(seed, seed_high), 0, chunk_length) {}

    /// The generator of a key at a position in bits.
    TANDEM_INLINE_FN explicit RowRng(const Key& key, uint64_t position = 0, uint32_t chunk_length = DEFAULT_CHUNK_LENGTH)
        : lanes_{}, block_{}, key_(key), normal_key_(sub_key(key, PURPOSE_NORMAL64)), log2_k_(log2_exact(chunk_length)) {
        place(position);
    }

    /// The draws that `rng` would give next.
    TANDEM_INLINE_FN explicit RowRng(const Rng& rng) : RowRng(rng.key(), rng.position(), rng.chunk_length()) {}

    TANDEM_INLINE_FN const Key& key() const { return key_; }
    TANDEM_INLINE_FN uint32_t chunk_length() const { return 1u << log2_k_; }
    TANDEM_INLINE_FN Key normal_key() const { return normal_key_; }

    TANDEM_INLINE_FN uint64_t position() const {
        const uint64_t words = (row_ << 5) - (word_ == 0 ? 0 : 32 - word_);
        return (words << 5) - (part_bits_ == 0 ? 0 : 32 - part_bits_);
    }

    /// Moves to a position in bits. Returns false, and stays, for a position of 2^63 or more.
    TANDEM_INLINE_FN bool set_position(uint64_t position) {
        if (position >= MAX_PLACED_POSITION) return false;
        place(position);
        return true;
    }

    /// Child `i`; this generator stays as it is.
    TANDEM_INLINE_FN RowRng split(uint64_t i) const { return RowRng(split_key(key_, i), 0, chunk_length()); }

    /// The child for a purpose; this generator stays as it is.
    TANDEM_INLINE_FN RowRng sub(uint64_t purpose) const { return RowRng(sub_key(key_, purpose), 0, chunk_length()); }

    /// Writes n children, n <= 2^33, and moves to the start of the next block; as Rng::fork. G is Rng or RowRng.
    template <class G>
    TANDEM_INLINE_FN bool fork(uint64_t n, G* children) {
        const uint64_t b = position() >> 7;
        if (n > (1ull << 33) || b == (~0ull >> 7)) return false;
        for (uint64_t i = 0; i < n; ++i) children[i] = G(fork_key(key_, b, i), 0, chunk_length());
        place((b + 1) << 7);
        return true;
    }

    /// Calls op(next<V>()) n times, for a plain type V of 32 bits or more: whole rows without a look at the place in the row.
    template <class V, class Op>
    TANDEM_INLINE_FN void repeat(uint64_t n, Op op) {
        constexpr uint32_t IN_ROW = 128 / sizeof(V);
        static_assert(sizeof(V) >= 4, "repeat() draws types of 32 bits or more");
        for (; n > 0 && word_ != 0; --n) op(this->template next<V>());
        if (n >= IN_ROW) {
            word_ = 0;  // as it is: now the compiler knows
            for (; n >= IN_ROW; n -= IN_ROW) {
                if (seeded_ == ALL_LANES && !begins_group()) {
                    seeded_ = ALL_LANES;  // as it is, too
                    TANDEM_UNROLL
                    for (uint32_t i = 0; i < IN_ROW; ++i) op(this->template next<V>());
                } else {
                    TANDEM_UNROLL_BY(1)
                    for (uint32_t i = 0; i < IN_ROW; ++i) op(this->template next<V>());
                    word_ = 0;
                }
            }
        }
        TANDEM_UNROLL_BY(1)
        for (; n > 0; --n) op(this->template next<V>());
    }

    TANDEM_INLINE_FN uint32_t next_bits(uint32_t width) {
        if (width == 32) {
            part_bits_ = 0;
            return next_word();
        }
        const uint32_t from = (part_bits_ + (width - 1)) & ~(width - 1) & 31;
        if (from == 0) part_ = next_word();
        part_bits_ = (from + width) & 31;
        return (part_ >> from) & ((1u << width) - 1);
    }
    TANDEM_INLINE_FN uint64_t next_64() {
        part_bits_ = 0;
        word_ = (word_ + 1) & 30;
        if ((word_ & 3) == 0) load();
        const uint32_t low = (word_ & 2) != 0 ? block_.w[2] : block_.w[0];
        const uint32_t high = (word_ & 2) != 0 ? block_.w[3] : block_.w[1];
        word_ = (word_ + 2) & 30;
        return static_cast<uint64_t>(high) << 32 | low;
    }
    TANDEM_INLINE_FN U128 next_128() {
        part_bits_ = 0;
        word_ = (word_ + 3) & 28;
        load();
        word_ = (word_ + 4) & 28;
        return U128{static_cast<uint64_t>(block_.w[1]) << 32 | block_.w[0],
                    static_cast<uint64_t>(block_.w[3]) << 32 | block_.w[2]};
    }

    /// Where the draw just taken, of this width, lies, in bits; or the one `back` before it, when all of them had this width.
    TANDEM_INLINE_FN uint64_t drawn_position(uint32_t width, uint32_t back = 0) const {
        return position() - static_cast<uint64_t>(width) * (back + 1);
    }

  private:
    static constexpr uint64_t ROWS = 1ull << 54;  // of the whole stream
    static constexpr uint32_t ALL_LANES = 255;

    /// True when the next row to begin is the first of other chunks.
    TANDEM_INLINE_FN bool begins_group() const { return (static_cast<uint32_t>(row_) & (chunk_length() - 1)) == 0; }

    TANDEM_INLINE_FN void place(uint64_t position) {
        seeded_ = 0;
        row_ = position >> 10;
        word_ = static_cast<uint32_t>(position >> 5) & 31;
        part_bits_ = static_cast<uint32_t>(position) & 31;
        part_ = 0;
        if ((position & 1023) == 0) return;
        // Inside a row: what was begun is loaded now, so that draws need to look at nothing but the place in the row.
        ++row_;
        if ((word_ & 3) != 0 || part_bits_ != 0) load_begun(word_ >> 2);
        if (part_bits_ != 0) {
            part_ = word_of_block();
            word_ = (word_ + 1) & 31;
        }
    }

    TANDEM_INLINE_FN uint32_t word_of_block() const {
        const uint32_t low = (word_ & 1) != 0 ? block_.w[1] : block_.w[0];
        const uint32_t high = (word_ & 1) != 0 ? block_.w[3] : block_.w[2];
        return (word_ & 2) != 0 ? high : low;
    }

    TANDEM_INLINE_FN uint32_t next_word() {
        if ((word_ & 3) == 0) load();
        const uint32_t word = word_of_block();
        word_ = (word_ + 1) & 31;
        return word;
    }

    /// Loads the block that word_ begins.
    TANDEM_INLINE_FN void load() {
        const uint32_t lane = word_ >> 2;
        if (lane == 0) {
            if (begins_group()) seeded_ = 0;
            ++row_;
        }
        load_begun(lane);
    }

    /// Loads the lane's block of the row that was begun, which is the one before row_.
    TANDEM_INLINE_FN void load_begun(uint32_t lane) {
        if (((seeded_ >> lane) & 1) == 0) seed(lane);
        switch (lane) {
            case 0: return step(lanes_[0]);
            case 1: return step(lanes_[1]);
            case 2: return step(lanes_[2]);
            case 3: return step(lanes_[3]);
            case 4: return step(lanes_[4]);
            case 5: return step(lanes_[5]);
            case 6: return step(lanes_[6]);
            default: return step(lanes_[7]);
        }
    }

    TANDEM_INLINE_FN void step(ChunkState& lane) {
        T(lane);
        TANDEM_UNROLL
        for (int i = 0; i < 4; ++i) block_.w[i] = lane.o[i];
    }

    TANDEM_INLINE_FN void seed(uint32_t lane) {
        uint64_t row = (row_ - 1) & (ROWS - 1);
#if defined(__CUDA_ARCH__)
        asm volatile("" : "+l"(row));  // keeps what follows from being computed before each draw, to be ready
#endif
        ChunkState s = walk_start_compact(key_, (row >> log2_k_) << 3 | lane);
        TANDEM_UNROLL_BY(1)
        for (uint32_t i = static_cast<uint32_t>(row) & (chunk_length() - 1); i > 0; --i) T(s);
        seeded_ |= 1u << lane;
        TANDEM_UNROLL
        for (uint32_t i = 0; i < LANES; ++i) {
            if (i == lane) lanes_[i] = s;
        }
    }

    ChunkState lanes_[LANES];  // each after its last block
    Block block_;              // the block that holds the last word
    Key key_, normal_key_;
    uint32_t log2_k_;
    uint32_t seeded_;     // which lanes hold the current group's chunks, a bit each
    uint64_t row_;        // the next row to begin
    uint32_t word_;       // the next word of the row; 0 when a row must begin
    uint32_t part_;       // the word that draws of less than 32 bits come from
    uint32_t part_bits_;  // bits used of it; 0 when there is none
};

}  // namespace tandem
