/// Views of every rank, layout and element type against host fills of the same memory, and what is refused.

#include <gtest/gtest.h>

#include <Kokkos_DynRankView.hpp>

#include <cmath>
#include <cstring>
#include <typeinfo>
#include <vector>

#include "tandem/fill.hpp"
#include "tandem/kokkos.hpp"

namespace tandem::test {
namespace {

using Host = Kokkos::HostSpace;
const Key KEY{{5, 6, 7, 8}};
constexpr uint64_t START = 12345;

/// Fills a View through both forms and expects the doubles of a host fill in memory order.
template <class View>
void expect_filled(const View& view, uint64_t n) {
    std::vector<double> expected(n);
    const uint64_t end = host::fill_f64(KEY, START, 32, expected.data(), n);
    Rng rng(KEY, START);
    tandem::fill(view, rng);
    EXPECT_EQ(rng.position(), end);
    for (uint64_t i = 0; i < n; ++i) ASSERT_EQ(view.data()[i], expected[i]) << i;

    for (uint64_t i = 0; i < n; ++i) view.data()[i] = -1;
    const typename View::execution_space exec;
    rng = Rng(KEY, START);
    tandem::fill(exec, view, rng);
    exec.fence();
    EXPECT_EQ(rng.position(), end);
    for (uint64_t i = 0; i < n; ++i) ASSERT_EQ(view.data()[i], expected[i]) << i;
}

template <class Layout>
void expect_every_rank() {
    expect_filled(Kokkos::View<double, Layout, Host>("0"), 1);
    expect_filled(Kokkos::View<double*, Layout, Host>("1", 101), 101);
    expect_filled(Kokkos::View<double**, Layout, Host>("2", 7, 11), 77);
    expect_filled(Kokkos::View<double* [3], Layout, Host>("2, one fixed", 7), 21);
    expect_filled(Kokkos::View<double***, Layout, Host>("3", 3, 5, 7), 105);
    expect_filled(Kokkos::View<double****, Layout, Host>("4", 2, 3, 4, 5), 120);
    expect_filled(Kokkos::View<double*****, Layout, Host>("5", 2, 3, 1, 4, 5), 120);
    expect_filled(Kokkos::View<double******, Layout, Host>("6", 2, 3, 1, 4, 5, 2), 240);
    expect_filled(Kokkos::View<double*******, Layout, Host>("7", 2, 2, 2, 2, 2, 2, 2), 128);
    expect_filled(Kokkos::View<double********, Layout, Host>("8", 2, 2, 2, 2, 3, 2, 2, 2), 384);
}

TEST(KokkosViews, OfEveryRankFromTheRight) { expect_every_rank<Kokkos::LayoutRight>(); }
TEST(KokkosViews, OfEveryRankFromTheLeft) { expect_every_rank<Kokkos::LayoutLeft>(); }

TEST(KokkosViews, OfRankKnownAtRunTime) {
    expect_filled(Kokkos::DynRankView<double, Kokkos::LayoutRight, Host>("0"), 1);
    expect_filled(Kokkos::DynRankView<double, Kokkos::LayoutRight, Host>("2", 7, 11), 77);
    expect_filled(Kokkos::DynRankView<double, Kokkos::LayoutLeft, Host>("3", 3, 5, 7), 105);
    expect_filled(Kokkos::DynRankView<double, Kokkos::LayoutRight, Host>("7", 2, 2, 2, 2, 2, 2, 2), 128);
}

TEST(KokkosViews, StridedButWithoutGaps) {
    std::vector<double> memory(24);
    const Kokkos::LayoutStride layout(2, 4, 3, 8, 4, 1);
    expect_filled(Kokkos::View<double***, Kokkos::LayoutStride, Host>(memory.data(), layout), 24);
}

TEST(KokkosViews, ContiguousSubviews) {
    const Kokkos::View<double***, Kokkos::LayoutRight, Host> all("all", 4, 5, 6);
    expect_filled(Kokkos::subview(all, 1, Kokkos::ALL(), Kokkos::ALL()), 30);
    expect_filled(Kokkos::subview(all, 1, 2, Kokkos::make_pair(1, 5)), 4);
    expect_filled(Kokkos::subview(all, Kokkos::make_pair(1, 3), Kokkos::ALL(), Kokkos::ALL()), 60);
}

/// Fills a View of T and expects the bytes of a host fill.
template <class T>
void expect_draw(Draw draw) {
    constexpr std::size_t n = 1001;
    std::vector<unsigned char> expected(n * sizeof(T));
    Fill fill;
    fill.draw = draw;
    fill.key = KEY;
    fill.position = START;
    fill.n = n;
    fill.out = expected.data();
    host::fill(fill, 1);
    const Kokkos::View<T*, Host> view("view", n);
    Rng rng(KEY, START, fill.chunk_length);
    tandem::fill(view, rng);
    EXPECT_EQ(std::memcmp(view.data(), expected.data(), expected.size()), 0) << typeid(T).name();
    EXPECT_EQ(rng.position(), fill_span(draw, START, n).end) << typeid(T).name();
}

TEST(KokkosViews, OfEveryElementType) {
    expect_draw<bool>(Draw::boolean);
    expect_draw<char>(Draw::u8);
    expect_draw<signed char>(Draw::u8);
    expect_draw<unsigned char>(Draw::u8);
    expect_draw<short>(Draw::u16);
    expect_draw<unsigned short>(Draw::u16);
    expect_draw<int>(Draw::u32);
    expect_draw<unsigned>(Draw::u32);
    expect_draw<long>(sizeof(long) == 8 ? Draw::u64 : Draw::u32);
    expect_draw<unsigned long>(sizeof(long) == 8 ? Draw::u64 : Draw::u32);
    expect_draw<long long>(Draw::u64);
    expect_draw<unsigned long long>(Draw::u64);
    expect_draw<U128>(Draw::u128);
    expect_draw<char32_t>(Draw::character);
    expect_draw<float>(Draw::f32);
    expect_draw<double>(Draw::f64);
    expect_draw<Kokkos::complex<float>>(Draw::c32);
    expect_draw<Kokkos::complex<double>>(Draw::c64);
    using Half = Kokkos::Experimental::half_t;  // float where Kokkos has none
    expect_draw<Half>(std::is_same_v<Half, float> ? Draw::f32 : Draw::f16);
}

template <class Call>
std::string refusal(Call call) {
    Rng rng(KEY, START);
    std::string text;
    try {
        call(rng);
    } catch (const std::logic_error& e) {
        text = e.what();
    }
    EXPECT_EQ(rng.position(), START);
    EXPECT_EQ(rng.key(), KEY);
    return text;
}

TEST(KokkosViews, WithGapsAreRefusedWithTheirShape) {
    const Kokkos::View<double**, Kokkos::LayoutRight, Host> all("all", 4, 6);
    Kokkos::deep_copy(all, 3.0);
    const auto column = Kokkos::subview(all, Kokkos::ALL(), 2);
    const auto window = Kokkos::subview(all, Kokkos::make_pair(1, 3), Kokkos::make_pair(1, 4));
    const std::string first = refusal([&](Rng& rng) { tandem::fill(column, rng); });
    EXPECT_NE(first.find("extents (4) and strides (6)"), std::string::npos) << first;
    const std::string second = refusal([&](Rng& rng) { fill_normal(Kokkos::DefaultHostExecutionSpace(), window, rng); });
    EXPECT_NE(second.find("extents (2, 3) and strides (6, 1)"), std::string::npos) << second;
    // As many elements as its memory spans, but not the same ones.
    const Kokkos::View<double**, Kokkos::LayoutStride, Host> overlapping(all.data(), Kokkos::LayoutStride(2, 3, 2, 0));
    EXPECT_NE(refusal([&](Rng& rng) { tandem::fill(overlapping, rng); }), "");
    EXPECT_THROW(tandem::fill(column, *std::make_unique<Rng>(KEY)), std::invalid_argument);
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all.data()[i], 3.0);
}

TEST(KokkosViews, ParametersThatAreNotAllowed) {
    const Kokkos::View<double*, Host> values("values", 3);
    const Kokkos::View<float*, Host> floats("floats", 3);
    const Kokkos::View<int*, Host> integers("integers", 3);
    const Kokkos::View<uint32_t*, Host> indices("indices", 3);
    for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        EXPECT_NE(refusal([&](Rng& rng) { fill_normal(values, rng, bad); }).find("mean is"), std::string::npos);
        EXPECT_NE(refusal([&](Rng& rng) { fill_lognormal(values, rng, 0.0, bad); }).find("stddev is"), std::string::npos);
        EXPECT_NE(refusal([&](Rng& rng) { fill_exponential(floats, rng, static_cast<float>(bad)); }).find("scale is"),
                  std::string::npos);
    }
    EXPECT_NE(refusal([&](Rng& rng) { fill_normal(floats, rng, 0.0f, -1.0f); }).find("stddev is -1"), std::string::npos);
    EXPECT_NE(refusal([&](Rng& rng) { fill_exponential(values, rng, 0.0); }).find("scale is 0"), std::string::npos);
    EXPECT_NE(refusal([&](Rng& rng) { fill_int_range(integers, rng, 3, 2); }).find("low is 3 and high is 2"), std::string::npos);
    EXPECT_NE(refusal([&](Rng& rng) { fill_choice(indices, rng, ChoiceView{}); }).find("table"), std::string::npos);
    for (int i = 0; i < 3; ++i) ASSERT_EQ(values(i), 0.0);
}

TEST(KokkosViews, PointersThatCannotHoldElements) {
    using Unmanaged = Kokkos::View<double*, Host, Kokkos::MemoryUnmanaged>;
    EXPECT_NE(refusal([](Rng& rng) { tandem::fill(Unmanaged(nullptr, 3), rng); }).find("address 0"), std::string::npos);
    std::vector<double> memory(4);
    auto* const odd = reinterpret_cast<double*>(reinterpret_cast<char*>(memory.data()) + 3);
    EXPECT_NE(refusal([&](Rng& rng) { tandem::fill(Unmanaged(odd, 3), rng); }).find("multiples of 8"), std::string::npos);
}

TEST(KokkosViews, TheEndOfTheStreamIsRefused) {
    const Kokkos::View<double*, Host> values("values", 2);
    Rng rng(KEY, ~0ull - 127);
    EXPECT_THROW(tandem::fill(values, rng), std::out_of_range);
    EXPECT_EQ(rng.position(), ~0ull - 127);
    EXPECT_EQ(values(0), 0.0);
    const Kokkos::View<double*, Host> one("one", 1);
    EXPECT_NO_THROW(tandem::fill(one, rng));
    EXPECT_EQ(rng.position(), ~0ull - 63);
}

/// An empty fill moves the generator as the contract says: plain draws, f64 normals and choice up to their width.
TEST(KokkosViews, EmptyOnesMoveTheGeneratorAsTheContractSays) {
    const auto end_of = [](auto call) {
        Rng rng(KEY, 77);
        call(rng);
        return rng.position();
    };
    const Kokkos::View<double*, Host> doubles("doubles", 0);
    const Kokkos::View<float**, Host> floats("floats", 5, 0);
    const Kokkos::View<uint32_t*, Host, Kokkos::MemoryUnmanaged> indices(nullptr, 0);
    const ChoiceTable table = poisson_table(3.0);
    EXPECT_EQ(end_of([&](Rng& rng) { tandem::fill(doubles, rng); }), 128u);
    EXPECT_EQ(end_of([&](Rng& rng) { tandem::fill(floats, rng); }), 96u);
    EXPECT_EQ(end_of([&](Rng& rng) { tandem::fill(Kokkos::View<bool*, Host>("b", 0), rng); }), 77u);
    EXPECT_EQ(end_of([&](Rng& rng) { tandem::fill(Kokkos::View<Kokkos::complex<float>*, Host>("c", 0), rng); }), 96u);
    EXPECT_EQ(end_of([&](Rng& rng) { fill_normal(doubles, rng); }), 128u);
    EXPECT_EQ(end_of([&](Rng& rng) { fill_choice(indices, rng, table); }), 128u);
    EXPECT_EQ(end_of([&](Rng& rng) { fill_normal(floats, rng); }), 77u);
    EXPECT_EQ(end_of([&](Rng& rng) { fill_below(indices, rng, 10); }), 77u);
    EXPECT_EQ(end_of([&](Rng& rng) { fill_exponential(doubles, rng); }), 77u);
}

}  // namespace
}  // namespace tandem::test
