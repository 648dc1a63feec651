#include <gtest/gtest.h>

#include <cfenv>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "host_api/cpu/engine.hpp"
#include "host_api/cpu/targets.hpp"
#include "support/reference.hpp"
#include "support/samples.hpp"

namespace tandem::test {
namespace {

/// Fills in a mode that the caller has set, and leaves that mode in place.
template <class Enter, class Leave>
void check_all(Enter enter, Leave leave) {
    for (const DrawSample& sample : derived_samples()) {
        Fill fill = sample.fill;
        fill.n = 3000;
        fill.key = Key{{5, 6, 7, 8}};
        const std::vector<uint8_t> expected = reference_fill(fill);
        for (const cpu::Target& target : cpu::targets()) {
            cpu::force_target(target.name);
            for (const unsigned threads : {1u, 3u}) {
                std::vector<uint8_t> out(expected.size());
                fill.out = out.data();
                enter();
                cpu::fill(fill, threads);
                const bool kept = leave();
                EXPECT_TRUE(kept) << sample.name << " changed the caller's mode";
                EXPECT_TRUE(out == expected) << sample.name << " on " << target.name << ", " << threads << " threads";
            }
        }
    }
    cpu::force_target("");
}

TEST(CpuFloatMode, AnotherRoundingChangesNothing) {
    for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        check_all([=] { std::fesetround(rounding); },
                  [=] {
                      const bool kept = std::fegetround() == rounding;
                      std::fesetround(FE_TONEAREST);
                      return kept;
                  });
    }
}

#if defined(__SSE2__)

TEST(CpuFloatMode, FlushingSubnormalsChangesNothing) {
    constexpr unsigned FLUSH = 0x8040;  // results and operands
    check_all([] { _mm_setcsr(_mm_getcsr() | FLUSH); },
              [] {
                  const bool kept = (_mm_getcsr() & FLUSH) == FLUSH;
                  _mm_setcsr(_mm_getcsr() & ~FLUSH);
                  return kept;
              });
}

#endif

}  // namespace
}  // namespace tandem::test
