/// Every call with and without an execution space, every kind of table, and fills large enough to bypass the caches.

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tandem/fill.hpp"
#include "tandem/kokkos.hpp"

namespace tandem::test {
namespace {

using Host = Kokkos::HostSpace;
const Key KEY{{5, 6, 7, 9}};
constexpr uint64_t START = 777;
constexpr std::size_t N = 1000;

template <class T>
using Output = Kokkos::View<T*, Host>;

template <class T>
bool same_bytes(const Output<T>& a, const Output<T>& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// `call(view, rng)` and `call(exec, view, rng)` against `expected(out)`, which fills N elements of host memory and returns the
/// position afterwards.
template <class T, class Call, class Expected>
void expect_both_forms(Call call, Expected expected) {
    const Output<T> reference("reference", N), with("with", N), without("without", N);
    const uint64_t end = expected(reference.data());
    const Kokkos::DefaultHostExecutionSpace exec;
    Rng rng(KEY, START);
    call(exec, with, rng);
    exec.fence();
    EXPECT_EQ(rng.position(), end);
    EXPECT_TRUE(same_bytes(with, reference));
    rng = Rng(KEY, START);
    call(without, rng);
    EXPECT_EQ(rng.position(), end);
    EXPECT_TRUE(same_bytes(without, reference));
}

template <class T>
auto filled(Fill fill) {
    return [fill](T* out) {
        Fill into = fill;
        into.key = KEY;
        into.position = START;
        into.n = N;
        into.out = out;
        return host::fill(into, 1);
    };
}

Fill of(Draw draw) {
    Fill fill;
    fill.draw = draw;
    return fill;
}

TEST(KokkosForms, PlainAndBounded) {
    expect_both_forms<uint32_t>([](auto&&... at) { tandem::fill(at...); }, filled<uint32_t>(of(Draw::u32)));
    expect_both_forms<int16_t>([](auto&&... at) { fill_f16_bits(at...); }, filled<int16_t>(of(Draw::f16)));
    Fill below = of(Draw::below32);
    below.range = 1000;
    below.low = 5;
    expect_both_forms<int>([](auto&&... at) { fill_below(at..., 1000, 5); }, filled<int>(below));
    expect_both_forms<int>([](auto&&... at) { fill_int_range(at..., 5, 1004); }, filled<int>(below));
    below.draw = Draw::below64;
    below.element_bytes = 8;
    below.low = ~uint64_t{0};
    expect_both_forms<int64_t>([](auto&&... at) { fill_below_u64(at..., 1000, -1); }, filled<int64_t>(below));
}

TEST(KokkosForms, Real) {
    Fill normal = of(Draw::normal32);
    normal.mean = 3;
    normal.stddev = 0.5;
    expect_both_forms<float>([](auto&&... at) { fill_normal(at..., 3.0f, 0.5f); }, filled<float>(normal));
    normal.draw = Draw::lognormal64;
    expect_both_forms<double>([](auto&&... at) { fill_lognormal(at..., 3.0, 0.5); }, filled<double>(normal));
    Fill exponential = of(Draw::exponential64);
    exponential.scale = 7;
    expect_both_forms<double>([](auto&&... at) { fill_exponential(at..., 7.0); }, filled<double>(exponential));
}

TEST(KokkosForms, ChoiceFromEveryKindOfTable) {
    const ChoiceTable table = poisson_table(12.0);
    const ChoiceTableOn<Host> copy(table);
    Fill choice = of(Draw::choice);
    choice.choice = table.view();
    const auto expected = filled<uint32_t>(choice);
    expect_both_forms<uint32_t>([&](auto&&... at) { fill_choice(at..., table); }, expected);
    expect_both_forms<uint32_t>([&](auto&&... at) { fill_choice(at..., copy); }, expected);
    expect_both_forms<uint32_t>([&](auto&&... at) { fill_choice(at..., table.view()); }, expected);
}

/// A fill whose stores bypass the caches, from the middle of a row to the middle of another, at both kinds of alignment.
template <class T>
void expect_large(Draw draw, uint32_t chunk_length) {
    const std::size_t n = kokkos_detail::STREAMED_BYTES / sizeof(T) + 4321;
    std::vector<T> expected(n + 1), actual(n + 1);
    for (const std::size_t offset : {std::size_t{0}, std::size_t{1}}) {
        Fill fill = of(draw);
        fill.key = KEY;
        fill.position = START;
        fill.chunk_length = chunk_length;
        fill.n = n;
        fill.out = expected.data() + offset;
        const uint64_t end = host::fill(fill, 1);
        Rng rng(KEY, START, chunk_length);
        tandem::fill(Kokkos::View<T*, Host, Kokkos::MemoryUnmanaged>(actual.data() + offset, n), rng);
        EXPECT_EQ(rng.position(), end);
        EXPECT_EQ(std::memcmp(actual.data() + offset, expected.data() + offset, n * sizeof(T)), 0) << offset;
    }
}

TEST(KokkosForms, LargeOnes) {
    expect_large<uint8_t>(Draw::u8, 32);
    expect_large<uint32_t>(Draw::u32, 1);
    expect_large<float>(Draw::f32, 1024);
    expect_large<double>(Draw::f64, 32);
}

}  // namespace
}  // namespace tandem::test
