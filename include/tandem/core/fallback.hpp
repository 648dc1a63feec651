#pragma once

/// The draws of a fill's element that could not use its own draw alone (contract, sections 5 and 8).

#include "tandem/core/children.hpp"
#include "tandem/core/stream.hpp"

namespace tandem {

/// Reads the generator split(g) of a fill's sub key from position 0, draw after draw of one width.
class FallbackStream {
  public:
    /// `sub` is the key of sub(purpose) of the fill's key; g the index of the element's draw in the whole stream.
    TANDEM_FN FallbackStream(const Key& sub, uint32_t chunk_length, uint64_t g)
        : key_(split_key(sub, g)), block_{}, chunk_length_(chunk_length), words_(0), loaded_(0) {}

    TANDEM_FN uint32_t next_32() {
        if (words_ == loaded_) load();
        const uint64_t word = words_++;
        const uint32_t low = (word & 1) ? block_.w[1] : block_.w[0];
        const uint32_t high = (word & 1) ? block_.w[3] : block_.w[2];
        return (word & 2) ? high : low;
    }

    TANDEM_FN uint64_t next_64() {
        if (words_ == loaded_) load();
        const bool upper = (words_ & 2) != 0;
        words_ += 2;
        const uint32_t low = upper ? block_.w[2] : block_.w[0];
        const uint32_t high = upper ? block_.w[3] : block_.w[1];
        return static_cast<uint64_t>(high) << 32 | low;
    }

  private:
    TANDEM_FN void load() {
        const uint64_t b = words_ >> 2;
        BlockPlace place{b, 0};  // the first row, at every chunk length: nearly always enough
        if (b >= LANES) place = place_of_block(b, log2_exact(chunk_length_));
        block_ = block(key_, place.chunk, place.step);
        loaded_ += 4;
    }

    Key key_;
    Block block_;
    uint32_t chunk_length_;
    uint64_t words_;   // read so far
    uint64_t loaded_;  // of these, and the rest of block_
};

}  // namespace tandem
