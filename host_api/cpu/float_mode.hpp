#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace tandem::cpu {

/// For its lifetime the calling thread rounds to nearest and keeps subnormal numbers, whatever mode its owner has set.
class FloatMode {
  public:
    FloatMode() : saved_(get()) {
        if (saved_ != STANDARD) set(STANDARD);
    }
    FloatMode(const FloatMode&) = delete;
    FloatMode& operator=(const FloatMode&) = delete;
    ~FloatMode() {
        if (saved_ != STANDARD) set(saved_);
    }

  private:
#if defined(__SSE2__)
    using Word = unsigned;
    static constexpr Word STANDARD = 0x1f80;  // no exception traps, and none is on record
    static constexpr Word ON_RECORD = 0x3f;
    static Word get() { return _mm_getcsr() & ~ON_RECORD; }
    static void set(Word word) { _mm_setcsr(word | (_mm_getcsr() & ON_RECORD)); }
#elif defined(__aarch64__)
    using Word = uint64_t;
    static constexpr Word STANDARD = 0;
    static Word get() {
        Word word;
        asm volatile("mrs %0, fpcr" : "=r"(word));
        return word;
    }
    static void set(Word word) { asm volatile("msr fpcr, %0" : : "r"(word)); }
#else
    using Word = unsigned;
    static constexpr Word STANDARD = 0;
    static Word get() { return STANDARD; }
    static void set(Word) {}
#endif

    Word saved_;
};

}  // namespace tandem::cpu
