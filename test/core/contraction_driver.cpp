/// Run by contraction_check.py, which compiles it with one compiler and set of flags after another. Without an argument: adds to
/// the results of draws in the places where a compiler would like to fuse, and compares with sums of results that went through
/// memory. With "fills": reads lines "draw seed K start n mean stddev" and writes each fill, raw, to standard output.

#include <cstdio>
#include <iostream>
#include <string>

#include "core/core_fill.hpp"

namespace tandem::test {
namespace {

int failures = 0;

/// x after a trip through memory. Results take it so that the operation that made them cannot join the next one; operands take it
/// so that no compiler sees two computations as one, since a product that is needed by itself is not fused.
template <class V>
V stored(V x) {
    volatile V memory = x;
    return memory;
}

template <class V>
void expect_same(const char* what, V got, V expected) {
    if (got == expected) return;
    if (failures++ < 10) std::printf("fused: %s: %a instead of %a\n", what, double{got}, double{expected});
}

/// How many of the plain sums a * b + c were fused: what these flags do where nothing prevents it.
int plain_sums_fused(Rng& rng) {
    int fused = 0;
    for (int i = 0; i < 1000; ++i) {
        const double a = rng.drand() + 1, b = rng.drand() + 1, c = rng.drand() - 3;
        const double rounded = stored(stored(a) * stored(b));
        fused += a * b + c != rounded + c;
    }
    return fused;
}

/// Holds sums of what `make` makes against the same sums of its stored result.
template <class Make, class V>
void check_sums(const char* what, Make make, V c) {
    const V result = stored(make());
    expect_same(what, make() + c, result + c);
    expect_same(what, c - make(), c - result);
}

void check_draws(Rng& rng) {
    const ZigguratTables tables = ziggurat_tables();
    for (int i = 0; i < 200000; ++i) {
        const uint64_t raw = rng.urand64();
        const uint32_t a = rng.urand(), b = rng.urand();
        const double c = rng.drand() - 0.5;
        const float f = rng.frand() - 0.5f;
        check_sums(
            "mul f64", [&] { return ieee::mul(stored(c), 1.1); }, 0.3);
        check_sums(
            "mul f32", [&] { return ieee::mul(stored(f), 1.1f); }, 0.3f);
        const double slope = stored(0.9 - c), step = stored(stored(to_f64(raw)) * slope);
        expect_same("line", ieee::add(0.7, ieee::mul(to_f64(stored(raw)), ieee::sub(0.9, stored(c)))), 0.7 + step);
        const auto value = [&] {
            const ZigguratSplit split = ziggurat_split(stored(raw));
            return ziggurat_value(split, tables.w[split.layer]);
        };
        check_sums("ziggurat_value", value, c);
        check_sums(
            "exponential_f64", [&] { return exponential_f64(stored(raw)); }, c);
        check_sums(
            "exponential_f32", [&] { return exponential_f32(stored(a)); }, f);
        check_sums(
            "scaled f64", [&] { return scaled(exponential_f64(stored(raw)), 1.1); }, c);
        check_sums(
            "scaled f32", [&] { return scaled(exponential_f32(stored(a)), 1.1f); }, f);
        check_sums(
            "cosine half", [&] { return box_muller2_f32(stored(a), stored(b)).x; }, f);
        check_sums(
            "sine half", [&] { return box_muller2_f32(stored(a), stored(b)).y; }, f);
        check_sums(
            "exp64", [&] { return exp64(stored(c)); }, c);
        check_sums(
            "exp32", [&] { return exp32(stored(f)); }, f);
    }
}

Draw draw_named(const std::string& name) {
    if (name == "normal_f64") return Draw::normal64;
    if (name == "normal_f32") return Draw::normal32;
    if (name == "exponential_f64") return Draw::exponential64;
    if (name == "exponential_f32") return Draw::exponential32;
    if (name == "lognormal_f64") return Draw::lognormal64;
    return Draw::lognormal32;
}

void write_fills() {
    std::string name;
    uint64_t seed = 0;
    Fill fill;
    while (std::cin >> name >> seed >> fill.chunk_length >> fill.position >> fill.n >> fill.mean >> fill.stddev) {
        fill.key = key_of_seed(seed, 0);
        fill.draw = draw_named(name);
        const std::vector<uint8_t> bytes = core_fill(fill);
        std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    }
}

}  // namespace
}  // namespace tandem::test

int main(int count, char** arguments) {
    using namespace tandem::test;
    if (count > 1 && std::string(arguments[1]) == "fills") {
        write_fills();
        return 0;
    }
    tandem::Rng rng(2026);
    std::printf("plain sums fused: %d of 1000\n", plain_sums_fused(rng));
    check_draws(rng);
    std::printf("failures: %d\n", failures);
    return failures == 0 ? 0 : 1;
}
