#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "host_api/cpu/targets.hpp"
#include "host_api/cpu/walk.hpp"
#include "support/reference.hpp"
#include "tandem/core/children.hpp"

// The vector forms of draws against the core's, over every f32 draw and over 10^8 f64 ones.

namespace tandem::test {
namespace {

/// Rows made of chosen 32-bit draws.
template <class WordAt>
class ChosenRows final : public cpu::RowSource {
  public:
    explicit ChosenRows(WordAt word_at) : word_at_(word_at) {}

    void rows(uint8_t* out, uint64_t n) override {
        for (uint64_t i = 0; i < n * 32; ++i) {
            const uint32_t word = word_at_(next_++);
            std::memcpy(out + i * 4, &word, 4);
        }
    }

  private:
    WordAt word_at_;
    uint64_t next_ = 0;
};

template <class WordAt>
std::vector<uint8_t> mapped(const cpu::Target& target, Fill fill, WordAt word_at) {
    std::vector<uint8_t> out(fill.n * element_size(fill));
    fill.out = out.data();
    const cpu::Job job = cpu::make_job(fill);
    ChosenRows<WordAt> rows(word_at);
    target.map(job, cpu::piece_of(job, job.first, job.first + job.draws), rows);
    return out;
}

constexpr uint64_t PATTERNS = uint64_t{1} << 24;  // of the 24 bits that f32 draws read
constexpr uint64_t AT_ONCE = uint64_t{1} << 20;

/// Compares all targets with the portable one over fills of 32-bit draws word_at(first + i), a part at a time.
template <class WordAt>
void compare_words(Fill fill, uint64_t words, WordAt word_at) {
    for (uint64_t first = 0; first < words; first += AT_ONCE) {
        fill.n = AT_ONCE;
        const auto from_first = [&](uint64_t i) { return word_at(first + i); };
        const std::vector<uint8_t> expected = mapped(cpu::targets().back(), fill, from_first);
        for (const cpu::Target& target : cpu::targets()) {
            ASSERT_TRUE(mapped(target, fill, from_first) == expected) << target.name << ", words from " << first;
        }
    }
}

uint32_t low_bits_of(uint64_t i) { return static_cast<uint32_t>(i * 0x9e3779b97f4a7c15u >> 56); }

TEST(CpuLanes, EveryF32Exponential) {
    for (const double scale : {1.0, 0.3}) {
        Fill fill;
        fill.draw = Draw::exponential32;
        fill.scale = static_cast<float>(scale);
        compare_words(fill, PATTERNS, [](uint64_t i) { return static_cast<uint32_t>(i << 8) | low_bits_of(i); });
    }
}

TEST(CpuLanes, EveryF32Uniform) {
    for (const bool reflected : {false, true}) {
        Fill fill;
        fill.draw = Draw::f32;
        fill.reflected = reflected;
        compare_words(fill, PATTERNS, [](uint64_t i) { return static_cast<uint32_t>(i << 8) | low_bits_of(i); });
    }
}

TEST(CpuLanes, F64UniformsOfExtremeWords) {
    std::vector<uint64_t> draws = {0, ~uint64_t{0}};
    for (int bit = 0; bit < 64; ++bit) {
        const uint64_t power = uint64_t{1} << bit;
        draws.insert(draws.end(), {power, power - 1, power + 1, ~power, ~uint64_t{0} - power});
    }
    for (const bool reflected : {false, true}) {
        Fill fill;
        fill.draw = Draw::f64;
        fill.reflected = reflected;
        fill.n = draws.size();
        std::vector<uint8_t> expected(draws.size() * 8);
        for (std::size_t i = 0; i < draws.size(); ++i) {
            // The rule in the contract's own words: the upper 53 bits, times 2^-53.
            const double u = static_cast<double>(draws[i] >> 11) * 0x1p-53, value = reflected ? 1.0 - u : u;
            std::memcpy(expected.data() + i * 8, &value, 8);
        }
        const auto word = [&](uint64_t i) {
            return i / 2 < draws.size() ? static_cast<uint32_t>(draws[i / 2] >> (i % 2 * 32)) : 0;
        };
        for (const cpu::Target& target : cpu::targets()) EXPECT_TRUE(mapped(target, fill, word) == expected) << target.name;
    }
}

TEST(CpuLanes, EveryRadiusAndEveryAngle) {
    Fill fill;
    fill.draw = Draw::normal32;
    // Each draw appears once as a radius and once as an angle, with ever other partners.
    compare_words(fill, 2 * PATTERNS, [](uint64_t i) {
        const uint64_t pair = i / 2, partner = pair * 0x9e3779b1u + 12345;
        return static_cast<uint32_t>((i % 2 == 0 ? pair : partner) << 8) | low_bits_of(i);
    });
}

TEST(CpuLanes, EveryHalf) {
    for (const bool reflected : {false, true}) {
        Fill fill;
        fill.draw = Draw::f16;
        fill.reflected = reflected;
        const auto words = [](uint64_t i) { return static_cast<uint32_t>(i) << 16 | static_cast<uint32_t>(65535 - i % 65536); };
        fill.n = 131072;
        const std::vector<uint8_t> expected = mapped(cpu::targets().back(), fill, words);
        for (const cpu::Target& target : cpu::targets()) EXPECT_TRUE(mapped(target, fill, words) == expected) << target.name;
    }
}

/// 10^8 elements of a draw from its own stream.
void compare_stream(Fill fill) {
    constexpr uint64_t PART = 1 << 20;
    std::vector<uint8_t> expected(PART * element_size(fill)), actual(expected.size());
    fill.key = key_of_seed(2026, 7);
    for (uint64_t done = 0; done < 100000000; done += PART) {
        fill.n = PART;
        fill.out = expected.data();
        const cpu::Target& portable = cpu::targets().back();
        cpu::Job job = cpu::make_job(fill);
        portable.run(job, cpu::piece_of(job, job.first, job.first + job.draws));
        fill.out = actual.data();
        for (const cpu::Target& target : cpu::targets()) {
            if (&target == &portable) continue;
            job = cpu::make_job(fill);
            target.run(job, cpu::piece_of(job, job.first, job.first + job.draws));
            ASSERT_TRUE(actual == expected) << target.name << " at " << fill.position;
        }
        fill.position = fill_span(fill.draw, fill.position, fill.n).end;
    }
}

TEST(CpuLanes, F64Normals) {
    Fill fill;
    fill.draw = Draw::normal64;
    compare_stream(fill);
}

TEST(CpuLanes, F64Exponentials) {
    Fill fill;
    fill.draw = Draw::exponential64;
    compare_stream(fill);
}

TEST(CpuLanes, F64LogNormalsOverTheWholeRange) {
    Fill fill;
    fill.draw = Draw::lognormal64;
    fill.stddev = 250;  // beyond the clamps on both sides
    compare_stream(fill);
}

TEST(CpuLanes, F32LogNormalsOverTheWholeRange) {
    Fill fill;
    fill.draw = Draw::lognormal32;
    fill.mean = -6;
    fill.stddev = 35;
    compare_stream(fill);
}

}  // namespace
}  // namespace tandem::test
