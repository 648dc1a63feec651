/// Sources and the walk over chunks, on the host: every thread of a walk in turn, against the reference fills.

#include <gtest/gtest.h>

#include <cstring>

#include "device_api/source_cases.hpp"
#include "tandem/core/laws.hpp"
#include "tandem/walk.cuh"

namespace tandem::test {
namespace {

const Key KEY{{0xdeadbeefu, 0x00c0ffeeu, 0x12345678u, 0x9abcdef0u}};

const ChoiceTable& table() {
    static const ChoiceTable made = poisson_table(3.5);
    return made;
}

/// The elements of a fill straight from the contract, as values.
template <class V>
std::vector<V> expected_values(Fill fill, uint64_t n) {
    fill.n = n;
    const std::vector<uint8_t> bytes = n == 0 ? std::vector<uint8_t>() : reference_fill(fill);
    EXPECT_EQ(bytes.size(), n * sizeof(V));
    std::vector<V> values(n);
    if (n > 0) std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
    return values;
}

template <class V>
bool same_bits(const V& a, const V& b) {
    return std::memcmp(&a, &b, sizeof(V)) == 0;
}

/// Keeps what a walk visits, and demands edges one by one until it has had one element, as a reduction does.
template <class V>
struct Collector {
    std::vector<V>& values;
    std::vector<int>& visits;
    bool lazy;
    uint64_t had = 0;

    bool settled() const { return !lazy || had > 0; }
    void checked(const V& value, uint64_t i) {
        ASSERT_LT(i, values.size());
        values[i] = value;
        ++visits[i];
        ++had;
    }
    template <uint32_t kCount>
    void block(const V (&elements)[kCount], uint64_t i) {
        ASSERT_TRUE(settled());
        for (uint32_t e = 0; e < kCount; ++e) checked(elements[e], i + e);
    }
};

template <class S>
void expect_walk(const S& source, const Fill& fill, uint64_t n, uint64_t most_blocks, bool lazy) {
    using V = typename S::value_type;
    const auto expected = [&] {
        if constexpr (std::is_same_v<V, bool>) {
            return expected_values<uint8_t>(fill, n);
        } else {
            return expected_values<V>(fill, n);
        }
    }();
    std::remove_const_t<decltype(expected)> values(n);
    std::vector<int> visits(n, 0);
    const detail::WalkPlan plan = detail::plan_walk(source, n, most_blocks);
    ASSERT_LE(plan.blocks, most_blocks);
    for (uint64_t thread = 0; thread < plan.blocks * detail::WALK_THREADS; ++thread) {
        Collector<typename decltype(values)::value_type> collector{values, visits, lazy};
        if constexpr (std::is_same_v<V, bool>) {
            struct Bools {
                decltype(collector)& to;
                bool settled() const { return to.settled(); }
                void checked(bool value, uint64_t i) { to.checked(value ? 1 : 0, i); }
                void block(const bool (&elements)[128], uint64_t i) {
                    for (uint32_t e = 0; e < 128; ++e) checked(elements[e], i + e);
                }
            } bools{collector};
            detail::walk(source, plan.args, thread, bools);
        } else {
            detail::walk(source, plan.args, thread, collector);
        }
    }
    for (uint64_t i = 0; i < n; ++i) {
        ASSERT_EQ(visits[i], 1) << "element " << i << " of " << n;
        ASSERT_TRUE(same_bits(values[i], expected[i])) << "draw " << static_cast<int>(fill.draw) << " K " << fill.chunk_length
                                                       << " position " << fill.position << " element " << i << " of " << n;
    }
}

TEST(Sources, ElementsAreThoseOfTheFill) {
    for (const uint32_t k : {1u, 8u, 32u, 4096u}) {
        for (const uint64_t position : {0ull, 77ull, 32ull * 8 * 128 - 64, (1ull << 40) + 96}) {
            for_each_source({KEY, position, k}, table().view(), table().view(), [&](const auto& source, const Fill& fill) {
                using V = typename std::decay_t<decltype(source)>::value_type;
                constexpr uint64_t N = 300;
                using Stored = std::conditional_t<std::is_same_v<V, bool>, uint8_t, V>;
                const std::vector<Stored> expected = expected_values<Stored>(fill, N);
                for (uint64_t i = 0; i < N; ++i) {
                    const Stored value = static_cast<Stored>(source(i));
                    ASSERT_TRUE(same_bits(value, expected[i]))
                        << static_cast<int>(fill.draw) << " " << k << " " << position << " " << i;
                }
                EXPECT_EQ(source.refusal(), nullptr);
            });
        }
    }
}

TEST(Walk, VisitsEachElementOnceWithItsValue) {
    const uint64_t positions[] = {0, 1, 32, 64, 96, 127, 992, 32 * 1024 - 32, 12345, (1ull << 40) + 32};
    for (const uint32_t k : {1u, 2u, 8u, 32u, 256u}) {
        for (const uint64_t position : positions) {
            for_each_source({KEY, position, k}, table().view(), table().view(), [&](const auto& source, const Fill& fill) {
                for (const uint64_t n : {1ull, 2ull, 3ull, 33ull, 500ull}) expect_walk(source, fill, n, 1u << 20, (n & 1) != 0);
            });
        }
    }
}

TEST(Walk, CoversManyChunksInFewBlocks) {
    for (const uint32_t k : {1u, 16u, 32u, 128u}) {
        for (const uint64_t position : {64ull, 999ull, 1024ull * k - 32}) {
            for_each_source({KEY, position, k}, table().view(), table().view(), [&](const auto& source, const Fill& fill) {
                expect_walk(source, fill, 70001, 1, true);
                expect_walk(source, fill, 70000, 3, false);
            });
        }
    }
}

TEST(Walk, WorksAtTheEndOfTheStream) {
    for (const uint32_t k : {1u, 32u, 256u}) {
        for_each_source({KEY, ~0ull - 64 * 1000 + 1 - 128, k}, table().view(), table().view(),
                        [&](const auto& source, const Fill& fill) {
                            const uint64_t n = source.WIDTH == 128 ? 400 : 1000;
                            ASSERT_TRUE(fill_span(fill.draw, fill.position, n).ok);
                            expect_walk(source, fill, n, 1u << 20, false);
                        });
    }
}

TEST(Sources, WrongParametersAreNamed) {
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_NE(normal<double>(KEY, 0, 32, inf, 1.0).refusal(), nullptr);
    EXPECT_NE(normal<double>(KEY, 0, 32, 0.0, -1.0).refusal(), nullptr);
    EXPECT_NE(normal<double>(KEY, 0, 32, 0.0, inf - inf).refusal(), nullptr);
    EXPECT_NE(normal<float>(KEY, 0, 32, 0.0f, -1.0f).refusal(), nullptr);
    EXPECT_NE(exponential<float>(KEY, 0, 32, 0.0f).refusal(), nullptr);
    EXPECT_NE(exponential<double>(KEY, 0, 32, -inf).refusal(), nullptr);
    EXPECT_NE(below<uint32_t>((1ull << 32) + 1, KEY).refusal(), nullptr);
    EXPECT_NE(choice(ChoiceView{}, KEY).refusal(), nullptr);
}

}  // namespace
}  // namespace tandem::test
