#include <Random123/philox.h>

#include <cstring>
#include <random>

#include "benchmark/cpu_rows.hpp"

namespace tandem::bench {

void register_memset() {
    register_row("memset", "bytes", 1, [](uint8_t* out, std::size_t n) { std::memset(out, 0x5a, n); });
}

void register_random123() {
    register_row("random123_philox4x32", "u32", 4, [](uint8_t* out, std::size_t n) {
        r123::Philox4x32 philox;
        r123::Philox4x32::ctr_type counter = {{0, 0, 0, 0}};
        const r123::Philox4x32::key_type key = {{1, 2}};
        for (std::size_t i = 0; i < n; i += 4) {
            const auto block = philox(counter, key);
            std::memcpy(out + 4 * i, &block, 16);
            ++counter[0];
        }
    });
}

namespace {

template <class Distribution>
void register_std_row(const std::string& draw, Distribution distribution) {
    using Element = typename Distribution::result_type;
    register_row("std_mt19937_64", draw, sizeof(Element), [distribution](uint8_t* out, std::size_t n) {
        static std::mt19937_64 engine(1);
        Distribution fresh = distribution;
        for (std::size_t i = 0; i < n; ++i) {
            const Element value = fresh(engine);
            std::memcpy(out + i * sizeof(Element), &value, sizeof(Element));
        }
    });
}

}  // namespace

void register_std() {
    register_std_row("u32", std::uniform_int_distribution<uint32_t>());
    register_std_row("u64", std::uniform_int_distribution<uint64_t>());
    register_std_row("f32", std::uniform_real_distribution<float>());
    register_std_row("f64", std::uniform_real_distribution<double>());
    register_std_row("u32_below", std::uniform_int_distribution<uint32_t>(0, 1000002));
    register_std_row("normal_f64", std::normal_distribution<double>());
    register_std_row("normal_f32", std::normal_distribution<float>());
    register_std_row("lognormal_f64", std::lognormal_distribution<double>());
    register_std_row("exponential_f64", std::exponential_distribution<double>());
    register_std_row("exponential_f32", std::exponential_distribution<float>());
}

}  // namespace tandem::bench
