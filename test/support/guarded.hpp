#pragma once

/// Memory for the output of a fill between two strips of poison, at any alignment.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tandem::test {

/// `size` bytes whose address is `offset` bytes beyond a multiple of 256, poisoned, with 256 bytes or more of poison on each
/// side.
class GuardedBuffer {
  public:
    explicit GuardedBuffer(std::size_t size, std::size_t offset = 0, uint8_t poison = 0xa5)
        : memory_(size + offset + 3 * STRIP, poison), size_(size), poison_(poison) {
        const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
        begin_ = STRIP + (STRIP - address % STRIP) % STRIP + offset % STRIP;
    }

    void* data() { return memory_.data() + begin_; }
    const uint8_t* bytes() const { return memory_.data() + begin_; }
    std::size_t size() const { return size_; }

    /// True while nothing outside [data, data + size) was written.
    bool intact() const { return all_poison(0, begin_) && all_poison(begin_ + size_, memory_.size()); }

    /// True while nothing at all was written.
    bool untouched() const { return all_poison(0, memory_.size()); }

    bool equals(const std::vector<uint8_t>& expected) const {
        return expected.size() == size_ && (size_ == 0 || std::memcmp(bytes(), expected.data(), size_) == 0);
    }

  private:
    static constexpr std::size_t STRIP = 256;

    bool all_poison(std::size_t from, std::size_t to) const {
        for (std::size_t i = from; i < to; ++i) {
            if (memory_[i] != poison_) return false;
        }
        return true;
    }

    std::vector<uint8_t> memory_;
    std::size_t size_;
    std::size_t begin_ = 0;
    uint8_t poison_;
};

}  // namespace tandem::test
