#include <gtest/gtest.h>

#include "host_api/cpu/engine.hpp"
#include "host_api/cpu/targets.hpp"
#include "support/reference.hpp"
#include "support/reference_draws.hpp"
#include "tandem/core/children.hpp"

namespace tandem::test {
namespace {

/// A table of two columns whose cut in the column of one draw is that draw's level, or just above it. No table of weights would
/// come so close in a test, and engines that compare leading bits first must get these right too.
struct CloseTable {
    static constexpr uint64_t CAPACITY = (uint64_t{0x3456789a} << 29) | 12345;
    uint64_t cut[2] = {CAPACITY / 3, CAPACITY / 2};
    uint32_t alias[2] = {1, 0};

    CloseTable(uint64_t raw, bool above) {
        __extension__ using Wide = unsigned __int128;
        const Wide product = Wide{raw} * 2;
        const auto level = static_cast<uint64_t>(Wide{static_cast<uint64_t>(product)} * CAPACITY >> 64);
        cut[static_cast<unsigned>(product >> 64)] = level + (above ? 1 : 0);
    }
    ChoiceView view() const { return ChoiceView{cut, alias, CAPACITY, 2, 70}; }
};

TEST(CpuChoice, LevelsAtTheCut) {
    Fill fill;
    fill.draw = Draw::choice;
    fill.key = key_of_seed(3, 0);
    fill.n = 200;
    ReferenceStream stream(fill.key, fill.chunk_length);
    for (const cpu::Target& target : cpu::targets()) {
        cpu::force_target(target.name);
        for (uint64_t i = 0; i < fill.n; ++i) {
            for (const bool above : {false, true}) {
                const uint64_t raw = stream.raw(64 * i, 64).lo;
                const CloseTable table(raw, above);
                fill.choice = table.view();
                const uint32_t own = static_cast<uint32_t>(raw >> 63);
                ASSERT_EQ(reference_choice(fill.choice, raw), above ? own : 1 - own);
                std::vector<uint8_t> out(fill.n * 4);
                fill.out = out.data();
                cpu::fill(fill);
                ASSERT_EQ(out, reference_fill(fill)) << target.name << ", draw " << i;
            }
        }
    }
    cpu::force_target("");
}

}  // namespace
}  // namespace tandem::test
