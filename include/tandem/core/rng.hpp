#pragma once

/// The scalar generator: any key, any position, any chunk length, random access; for hosts and kernels alike.

#include "tandem/core/children.hpp"
#include "tandem/core/range_draws.hpp"
#include "tandem/core/stream.hpp"

namespace tandem {

/// A generator's state and the block it last read. Everything observable is key, position and chunk length; the block is a cache
/// that those three determine.
struct GenState {
    Key key;
    uint32_t log2_k;
    uint32_t reserved;
    uint64_t position;      ///< in bits
    uint64_t block_number;  ///< which block `block` holds; NO_BLOCK when none
    Block block;

    static constexpr uint64_t NO_BLOCK = ~0ull;
};
static_assert(sizeof(GenState) == 64, "GenState is part of the device interface");

/// Draws one after another from a position of a stream, or at any index. Copies are independent and equal; not for use by two
/// threads at once. Positions wrap modulo 2^64 (the fills of fill.hpp and of the C interface refuse instead).
class Rng : public RangeDraws<Rng> {
  public:
    /// The generator of seed 0, at position 0.
    TANDEM_FN Rng() : Rng(0) {}

    /// The generator of a seed, at position 0. `seed_high` holds the upper half of a 128-bit seed. `chunk_length` must be a power
    /// of two from 1 to 65536; never use one key with two chunk lengths, since their streams share blocks.
    TANDEM_FN explicit Rng(uint64_t seed, uint64_t seed_high = 0, uint32_t chunk_length = DEFAULT_CHUNK_LENGTH)
        : Rng(key_of_seed(seed, seed_high), 0, chunk_length) {}

    /// The generator of a key at a position in bits.
    TANDEM_FN explicit Rng(const Key& key, uint64_t position = 0, uint32_t chunk_length = DEFAULT_CHUNK_LENGTH)
        : state_{key, log2_exact(chunk_length), 0, position, GenState::NO_BLOCK, {}} {}

    TANDEM_FN const Key& key() const { return state_.key; }
    TANDEM_FN uint64_t position() const { return state_.position; }
    TANDEM_FN uint32_t chunk_length() const { return 1u << state_.log2_k; }

    /// Moves to a position in bits. Returns false, and stays, for a position of 2^63 or more.
    TANDEM_FN bool set_position(uint64_t position) {
        if (position >= MAX_PLACED_POSITION) return false;
        state_.position = position;
        return true;
    }

    /// Child `i`; this generator stays as it is.
    TANDEM_FN Rng split(uint64_t i) const { return Rng(split_key(state_.key, i), 0, chunk_length()); }

    /// The child for a purpose; this generator stays as it is.
    TANDEM_FN Rng sub(uint64_t purpose) const { return Rng(sub_key(state_.key, purpose), 0, chunk_length()); }

    /// Writes n children, n <= 2^33, and moves to the start of the next block, also when n = 0. The children depend on the block
    /// that the position lies in, not on the position within it. Returns false, writes nothing and stays when n is larger or the
    /// next block would start at 2^64.
    TANDEM_FN bool fork(uint64_t n, Rng* children) {
        const uint64_t b = state_.position >> 7;
        if (n > (1ull << 33) || b == (~0ull >> 7)) return false;
        for (uint64_t i = 0; i < n; ++i) children[i] = Rng(fork_key(state_.key, b, i), 0, chunk_length());
        state_.position = (b + 1) << 7;
        return true;
    }

    /// Element `i` of the fill of 32-bit integers that would start here. The position stays.
    TANDEM_FN uint32_t at_urand(uint64_t i) { return word_at(align_pos(state_.position, 32) + 32 * i); }
    /// Element `i` of the fill of 64-bit integers that would start here.
    TANDEM_FN uint64_t at_urand64(uint64_t i) { return pair_at(align_pos(state_.position, 64) + 64 * i); }
    /// Element `i` of the fill of floats in [0, 1) that would start here.
    TANDEM_FN float at_frand(uint64_t i) { return to_f32(at_urand(i)); }
    /// Element `i` of the fill of doubles in [0, 1) that would start here.
    TANDEM_FN double at_drand(uint64_t i) { return to_f64(at_urand64(i)); }

    TANDEM_FN uint32_t next_bits(uint32_t width) {
        const uint64_t p = advance(width);
        const uint32_t word = word_at(p) >> (p & 31);
        return width == 32 ? word : word & ((1u << width) - 1);
    }
    TANDEM_FN uint64_t next_64() { return pair_at(advance(64)); }
    TANDEM_FN U128 next_128() {
        const uint64_t p = advance(128);
        return U128{pair_at(p), pair_at(p + 64)};
    }

    /// Where the draw just taken, of this width, lies, in bits; or the one `back` before it, when all of them had this width.
    TANDEM_FN uint64_t drawn_position(uint32_t width, uint32_t back = 0) const {
        return state_.position - static_cast<uint64_t>(width) * (back + 1);
    }

  private:
    TANDEM_FN uint64_t advance(uint32_t width) {
        const uint64_t p = align_pos(state_.position, width);
        state_.position = p + width;
        return p;
    }

    TANDEM_FN void load(uint64_t block_number) {
        if (block_number == state_.block_number) return;
        const BlockPlace place = place_of_block(block_number, state_.log2_k);
        state_.block = tandem::block(state_.key, place.chunk, place.step);
        state_.block_number = block_number;
    }

    // Selection without indexing: an array index known only at run time would put the block into local memory on GPUs.
    TANDEM_FN uint32_t word_at(uint64_t p) {
        load(p >> 7);
        const Block& b = state_.block;
        const uint32_t low = (p & 32) ? b.w[1] : b.w[0];
        const uint32_t high = (p & 32) ? b.w[3] : b.w[2];
        return (p & 64) ? high : low;
    }

    TANDEM_FN uint64_t pair_at(uint64_t p) {
        load(p >> 7);
        const Block& b = state_.block;
        const uint32_t low = (p & 64) ? b.w[2] : b.w[0];
        const uint32_t high = (p & 64) ? b.w[3] : b.w[1];
        return static_cast<uint64_t>(high) << 32 | low;
    }

    GenState state_;
};
static_assert(sizeof(Rng) == sizeof(GenState), "Rng holds its state and nothing else");

}  // namespace tandem
