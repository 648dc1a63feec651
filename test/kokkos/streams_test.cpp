/// One generator through fills of any mix on any space, with draws of the host between them, against the same on the host alone.

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "kokkos/backends.hpp"
#include "support/guarded.hpp"
#include "support/reference.hpp"
#include "support/samples.hpp"
#include "tandem/kokkos.hpp"

namespace tandem::test {
namespace {

/// Draws that may be cut anywhere.
bool cuttable(const Fill& fill) { return !rule_of(fill.draw).in_pairs; }

TEST(KokkosStreams, FillsCutAnywhereAreTheWholeFill) {
    std::mt19937_64 random(11);
    for (const auto* samples : {&plain_samples(), &derived_samples()}) {
        for (const DrawSample& sample : *samples) {
            if (sample.fill.reflected) continue;
            Fill fill = sample.fill;
            fill.key = Key{{1, 2, 3, static_cast<uint32_t>(random())}};
            fill.position = random() >> 20;
            fill.chunk_length = 8;
            fill.n = 4000;
            const std::vector<uint8_t> whole = reference_fill(fill);
            const uint64_t end = fill_span(fill.draw, fill.position, fill.n).end;
            const std::size_t bytes = element_size(fill);
            GuardedBuffer cut(whole.size());
            uint64_t done = 0, position = fill.position;
            while (done < fill.n) {
                const Backend& backend = backends()[random() % backends().size()];
                Fill piece = fill;
                piece.n = std::min<uint64_t>(fill.n - done, 1 + random() % 900);
                if (!cuttable(fill) && piece.n < fill.n - done) piece.n += piece.n & 1;
                if (backend.call && fill.draw == Draw::below64 && fill.full_range) continue;
                piece.position = position;
                piece.out = static_cast<uint8_t*>(cut.data()) + done * bytes;
                position = backend.fill(piece);
                done += piece.n;
            }
            ASSERT_EQ(position, end) << sample.name;
            ASSERT_TRUE(cut.intact() && cut.equals(whole)) << sample.name;
        }
    }
}

/// The calls on a default space with draws of the host between, and the scalar draws of a second generator.
TEST(KokkosStreams, DrawsOfTheHostGoOnBetweenFills) {
    std::mt19937_64 random(12);
    Rng rng(2026, 7, 16), scalar(2026, 7, 16);
    for (int round = 0; round < 200; ++round) {
        const std::size_t n = random() % 700;
        switch (random() % 6) {
            case 0: {
                const Kokkos::View<double*, Kokkos::HostSpace> view("view", n);
                tandem::fill(view, rng);
                if (n == 0) scalar = Rng(scalar.key(), align_pos(scalar.position(), 64), 16);
                for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(view(i), scalar.drand());
                break;
            }
            case 1: {
                const Kokkos::View<double*, Kokkos::HostSpace> view("view", n + 1);
                fill_normal(view, rng, 1.0, 2.0);
                for (std::size_t i = 0; i <= n; ++i) ASSERT_EQ(view(i), scalar.normal(1.0, 2.0));
                break;
            }
            case 2: {
                const Kokkos::View<bool*, Kokkos::HostSpace> view("view", n);
                tandem::fill(view, rng);
                for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(view(i), scalar.bit());
                break;
            }
            case 3: ASSERT_EQ(rng.bit(), scalar.bit()); break;
            case 4: ASSERT_EQ(rng.urand(1000u), scalar.urand(1000u)); break;
            default: ASSERT_EQ(rng.next<uint8_t>(), scalar.next<uint8_t>()); break;
        }
        ASSERT_EQ(rng.position(), scalar.position());
    }
}

}  // namespace
}  // namespace tandem::test
