/// Draws in kernels, Kokkos::rand over tandem::Rng, and the bounds of its draws.

#include <gtest/gtest.h>

#include <Kokkos_Random.hpp>

#include <cmath>
#include <limits>

#include "tandem/kokkos.hpp"

namespace tandem::test {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

TEST(KokkosDraws, AChildForEachItemOfAKernel) {
    constexpr int n = 1000;
    const Rng rng(99);
    const Kokkos::View<double* [4], Kokkos::HostSpace> out("out", n);
    const ChoiceTable weights = binomial_table(20, 0.25);
    const ChoiceTableOn<Kokkos::HostSpace> table(weights);
    const ChoiceView view = table.view();
    Kokkos::parallel_for(
        Kokkos::RangePolicy<Exec>(0, n), KOKKOS_LAMBDA(int i) {
            Rng mine = rng.split(static_cast<uint64_t>(i));
            out(i, 0) = mine.normal();
            out(i, 1) = static_cast<double>(mine.exponentialf());
            out(i, 2) = static_cast<double>(mine.choice(view));
            Rng here = rng;
            out(i, 3) = here.at_drand(static_cast<uint64_t>(i));
        });
    Exec().fence();
    Rng whole(99);
    for (int i = 0; i < n; ++i) {
        Rng mine = rng.split(static_cast<uint64_t>(i));
        ASSERT_EQ(out(i, 0), mine.normal());
        ASSERT_EQ(out(i, 1), static_cast<double>(mine.exponentialf()));
        ASSERT_EQ(out(i, 2), static_cast<double>(mine.choice(weights.view())));
        ASSERT_EQ(out(i, 3), whole.drand());
    }
}

template <class T>
T drawn(Rng& rng) {
    return static_cast<T>(Kokkos::rand<Rng, T>::draw(rng));
}
template <class T>
T drawn(Rng& rng, T range) {
    return static_cast<T>(Kokkos::rand<Rng, T>::draw(rng, range));
}
template <class T>
T drawn(Rng& rng, T start, T end) {
    return static_cast<T>(Kokkos::rand<Rng, T>::draw(rng, start, end));
}

TEST(KokkosDraws, KokkosRandDrawsWhatTheGeneratorDraws) {
    Rng rng(1), same(1);
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(drawn<int>(rng), static_cast<int>(same.urand() >> 1));
        EXPECT_EQ(drawn<unsigned>(rng), same.urand());
        EXPECT_EQ(drawn<long long>(rng), static_cast<long long>(same.urand64() >> 1));
        EXPECT_EQ(drawn<unsigned long long>(rng), same.urand64());
        EXPECT_EQ(drawn<float>(rng), same.frand());
        EXPECT_EQ(drawn<double>(rng), same.drand());
        EXPECT_EQ(drawn<unsigned>(rng, 1000u), same.urand(1000u));
        EXPECT_EQ(drawn<int>(rng, -5, 1000), static_cast<int>(same.urand(1005u)) - 5);
        EXPECT_EQ(drawn<unsigned long>(rng, 10ul, 1000000000000ul), 10 + same.urand64(999999999990u));
        EXPECT_EQ(drawn<long>(rng, -7l, 8l), static_cast<long>(same.urand64(15)) - 7);
        EXPECT_EQ(drawn<short>(rng, short{100}), static_cast<short>(same.urand(100u)));
        EXPECT_EQ(drawn<char>(rng, char{1}, char{101}), static_cast<char>(1 + same.urand(100u)));
        // Ranges of powers of two are scaled exactly.
        EXPECT_EQ(drawn<float>(rng, 4.0f), 4 * same.frand());
        EXPECT_EQ(drawn<float>(rng, -2.0f, 2.0f), 4 * same.frand() - 2);
        EXPECT_EQ(drawn<double>(rng, 8.0), 8 * same.drand());
        EXPECT_EQ(drawn<double>(rng, -4.0, 4.0), 8 * same.drand() - 4);
        const Kokkos::complex<double> z = Kokkos::rand<Rng, Kokkos::complex<double>>::draw(rng, {0.0, 0.0}, {2.0, 4.0});
        EXPECT_EQ(z.real(), 2 * same.drand());
        EXPECT_EQ(z.imag(), 4 * same.drand());
        const Kokkos::complex<float> c = Kokkos::rand<Rng, Kokkos::complex<float>>::draw(rng);
        EXPECT_EQ(c.real(), same.frand());
        EXPECT_EQ(c.imag(), same.frand());
        EXPECT_EQ(rng.position(), same.position());
    }
    EXPECT_EQ((Kokkos::rand<Rng, unsigned>::max()), 0xffffffffu);
    EXPECT_EQ((Kokkos::rand<Rng, int>::max()), std::numeric_limits<int>::max());
    EXPECT_EQ((Kokkos::rand<Rng, long long>::max()), std::numeric_limits<long long>::max());
    EXPECT_EQ((Kokkos::rand<Rng, unsigned long long>::max()), std::numeric_limits<unsigned long long>::max());
    EXPECT_EQ((Kokkos::rand<Rng, float>::max()), 1.0f);
    EXPECT_EQ(rng.normal(3.0), same.normal(3.0, 1.0));
}

/// A draw of almost 1 must not round onto the end.
TEST(KokkosDraws, NeverReachTheEndOfARange) {
    const float u32 = 1.0f - 0x1p-24f;
    const double u64 = 1.0 - 0x1p-53;
    for (const float end : {1.0f, 3.0f, 16777216.0f, -1.0f, 1e30f, 0x1p-126f}) {
        for (const float below : {1.0f, 0.5f, 3.7f, 1e-3f}) {
            const float start = end - std::fabs(end) * below;
            EXPECT_LT(detail::between(start, end, u32), end) << start << " " << end;
            EXPECT_GE(detail::between(start, end, 0.0f), start);
        }
    }
    for (const double end : {1.0, 3.0, 0x1p53, -1.0, 1e300}) {
        for (const double below : {1.0, 0.5, 3.7, 1e-9}) {
            const double start = end - std::fabs(end) * below;
            EXPECT_LT(detail::between(start, end, u64), end) << start << " " << end;
            EXPECT_GE(detail::between(start, end, 0.0), start);
        }
    }
    EXPECT_LT(detail::between(-3.0f, 0.0f, u32), 0.0f);
    EXPECT_EQ(detail::between(2.0, 2.0, u64), 2.0);
}

}  // namespace
}  // namespace tandem::test
