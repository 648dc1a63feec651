#include "host_api/api_calls.hpp"
#include "host_api/backend_under_test.hpp"
#include "support/reference.hpp"
#include "support/samples.hpp"

namespace tandem::test {
namespace {

class Values : public BackendTest {};

void walk_to_child(const VectorCase& c, tandemGenerator_t* generator) {
    for (const ChildStep& step : c.child) {
        tandemGenerator_t child = nullptr;
        const tandemStatus_t status = step.split ? tandemSplitGenerator(*generator, step.value, &child)
                                                 : tandemSubGenerator(*generator, step.value, &child);
        ASSERT_EQ(status, TANDEM_STATUS_SUCCESS) << c;
        ASSERT_EQ(tandemDestroyGenerator(*generator), TANDEM_STATUS_SUCCESS);
        *generator = child;
    }
}

// From a new generator to the start of a case, by the public functions only.
void prepare(const VectorCase& c, tandemGenerator_t* generator) {
    ASSERT_EQ(create_generator(generator, TANDEM_RNG_PSEUDO_TANDEM8X32), TANDEM_STATUS_SUCCESS);
    ASSERT_EQ(tandemSetChunkLength(*generator, c.fill.chunk_length), TANDEM_STATUS_SUCCESS);
    if (!c.has_seed) {
        ASSERT_EQ(tandemSetKey(*generator, c.root.w), TANDEM_STATUS_SUCCESS);
    } else if (c.seed_high != 0) {
        ASSERT_EQ(tandemSetSeed128(*generator, c.seed_low, c.seed_high), TANDEM_STATUS_SUCCESS);
    } else {
        ASSERT_EQ(tandemSetPseudoRandomGeneratorSeed(*generator, c.seed_low), TANDEM_STATUS_SUCCESS);
    }
    walk_to_child(c, generator);
    if (c.fill.position < MAX_PLACED_POSITION) {
        ASSERT_EQ(tandemSetPosition(*generator, c.fill.position), TANDEM_STATUS_SUCCESS);
    } else {
        const Key& k = c.fill.key;
        const uint64_t p = c.fill.position;
        const uint32_t words[8] = {
            1, c.fill.chunk_length, k.w[0], k.w[1], k.w[2], k.w[3], static_cast<uint32_t>(p), static_cast<uint32_t>(p >> 32)};
        ASSERT_EQ(tandemRestoreState(*generator, words), TANDEM_STATUS_SUCCESS);
    }
}

tandemStatus_t generate_law(tandemGenerator_t g, unsigned* out, std::size_t n, const TableSpec& spec) {
    switch (spec.kind) {
        case TableSpec::Kind::poisson: return tandemGeneratePoisson(g, out, n, spec.lambda);
        case TableSpec::Kind::binomial: return tandemGenerateBinomial(g, out, n, static_cast<uint32_t>(spec.trials), spec.p);
        default: return tandemGenerateGeometric(g, out, n, spec.p);
    }
}

tandemStatus_t call_int_range(tandemGenerator_t g, const VectorCase& c, void* out) {
    return tandemGenerateLongLongRange(g, static_cast<long long*>(out), c.fill.n, c.range_low, c.range_high);
}

TEST_F(Values, EqualTheVectorsThroughTheCInterface) {
    std::size_t checked = 0;
    for (const VectorCase& c : load_vectors()) {
        if (c.table.kind != TableSpec::Kind::none || !(c.int_range || in_c_api(c.fill))) continue;
        tandemGenerator_t handle = nullptr;
        ASSERT_NO_FATAL_FAILURE(prepare(c, &handle));
        const TestGenerator g(handle);
        const auto room = make_room(c.output_bytes, element_alignment(c.fill));
        Fill fill = c.fill;
        fill.out = room->data();
        ASSERT_EQ(c.int_range ? call_int_range(g, c, fill.out) : call_c_api(g, fill), TANDEM_STATUS_SUCCESS)
            << c << ": " << tandemGetLastErrorMessage();
        EXPECT_EQ(difference(c, room->read().data()), "") << c;
        EXPECT_TRUE(room->intact()) << c;
        EXPECT_EQ(g.position(), c.end) << c;
        ++checked;
    }
    EXPECT_GT(checked, 100u);
}

TEST_F(Values, EqualTheVectorsThroughDistributions) {
    std::size_t checked = 0;
    for (const VectorCase& c : load_vectors()) {
        if (c.table.kind == TableSpec::Kind::none) continue;
        tandemDistribution_t distribution = nullptr;
        ASSERT_EQ(create_distribution(c.table, &distribution), TANDEM_STATUS_SUCCESS) << c << tandemGetLastErrorMessage();
        tandemGenerator_t handle = nullptr;
        ASSERT_NO_FATAL_FAILURE(prepare(c, &handle));
        const TestGenerator g(handle);
        const auto room = make_room(c.output_bytes);
        ASSERT_EQ(tandemGenerateDiscrete(g, static_cast<unsigned*>(room->data()), c.fill.n, distribution), TANDEM_STATUS_SUCCESS);
        EXPECT_EQ(tandemDestroyDistribution(distribution), TANDEM_STATUS_SUCCESS);
        EXPECT_EQ(difference(c, room->read().data()), "") << c;
        EXPECT_EQ(g.position(), c.end) << c;
        ++checked;
    }
    EXPECT_GT(checked, 5u);
}

TEST_F(Values, EqualTheVectorsThroughTheLaws) {
    std::size_t checked = 0;
    for (const VectorCase& c : load_vectors()) {
        if (c.table.kind == TableSpec::Kind::none || c.table.kind == TableSpec::Kind::weights) continue;
        tandemGenerator_t handle = nullptr;
        ASSERT_NO_FATAL_FAILURE(prepare(c, &handle));
        const TestGenerator g(handle);
        const auto room = make_room(c.output_bytes);
        ASSERT_EQ(generate_law(g, static_cast<unsigned*>(room->data()), c.fill.n, c.table), TANDEM_STATUS_SUCCESS);
        EXPECT_EQ(difference(c, room->read().data()), "") << c;
        EXPECT_EQ(g.position(), c.end) << c;
        ++checked;
    }
    EXPECT_GT(checked, 3u);
}

TEST_F(Values, EqualTheVectorsThroughPureFills) {
    for (const VectorCase& c : load_vectors()) {
        Fill fill = c.fill;
        tandemDistribution_t distribution = nullptr;
        if (c.table.kind != TableSpec::Kind::none) {
            tandemDistributionView_t view{};
            ASSERT_EQ(create_distribution(c.table, &distribution), TANDEM_STATUS_SUCCESS) << c;
            ASSERT_EQ(view_of(distribution, &view), TANDEM_STATUS_SUCCESS) << c;
            fill.choice = ChoiceView{view.cut, view.alias, view.capacity, view.m, view.low};
        }
        const auto room = make_room(c.output_bytes);
        fill.out = room->data();
        EXPECT_EQ(pure_fill(fill), c.end) << c;
        EXPECT_EQ(difference(c, room->read().data()), "") << c;
        if (distribution != nullptr) {
            EXPECT_EQ(tandemDestroyDistribution(distribution), TANDEM_STATUS_SUCCESS);
        }
    }
}

// Reference values at odd starts, in pieces whose sizes run through small numbers: pieces join to the whole.
TEST_F(Values, PiecesJoinToTheWhole) {
    for (const auto& samples : {plain_samples(), derived_samples()}) {
        for (const DrawSample& sample : samples) {
            if (!in_c_api(sample.fill) || sample.fill.draw == Draw::choice) continue;
            Fill fill = sample.fill;
            fill.key = key_of_seed(2026, 7);
            fill.chunk_length = 8;
            fill.position = 1003;
            fill.n = 700;
            const std::size_t size = element_size(fill);
            const bool pairs = rule_of(fill.draw).in_pairs;
            const auto room = make_room(700 * size, size);
            const TestGenerator g;
            g.restore(fill.key, fill.chunk_length, fill.position);
            uint64_t done = 0;
            for (uint64_t piece = 0; done < fill.n; ++piece) {
                Fill part = fill;
                part.n = std::min(fill.n - done, pairs ? piece * 2 : piece);
                part.out = static_cast<uint8_t*>(room->data()) + done * size;
                ASSERT_EQ(call_c_api(g, part), TANDEM_STATUS_SUCCESS) << sample.name << tandemGetLastErrorMessage();
                done += part.n;
            }
            EXPECT_EQ(room->read(), reference_fill(fill)) << sample.name;
            EXPECT_TRUE(room->intact()) << sample.name;
            EXPECT_EQ(g.position(), fill_span(fill.draw, fill.position, fill.n).end) << sample.name;
        }
    }
}

TEST_F(Values, IntRangesReachBothEndsAndWrapNothing) {
    const TestGenerator g;
    constexpr std::size_t N = 1000;
    const auto room = make_room(N * sizeof(int));
    const auto draw = [&](int low, int high) {
        EXPECT_EQ(tandemGenerateIntRange(g, static_cast<int*>(room->data()), N, low, high), TANDEM_STATUS_SUCCESS);
        std::vector<int> values(N);
        std::memcpy(values.data(), room->read().data(), N * sizeof(int));
        return values;
    };
    for (int value : draw(-7, -7)) EXPECT_EQ(value, -7);
    bool low_seen = false, high_seen = false;
    for (int value : draw(-2, 3)) {
        EXPECT_GE(value, -2);
        EXPECT_LE(value, 3);
        low_seen |= value == -2;
        high_seen |= value == 3;
    }
    EXPECT_TRUE(low_seen && high_seen);
    // The full range is the plain draws, shifted by the low bound.
    const uint64_t start = g.position();
    const std::vector<int> whole = draw(INT32_MIN, INT32_MAX);
    Fill plain;
    plain.key = g.key();
    plain.position = start;
    plain.n = N;
    const std::vector<uint8_t> words = reference_fill(plain);
    for (std::size_t i = 0; i < N; ++i) {
        uint32_t word;
        std::memcpy(&word, words.data() + 4 * i, 4);
        EXPECT_EQ(static_cast<uint32_t>(whole[i]), word + 0x80000000u);
    }
}

TEST_F(Values, NormalsOfNoDeviationAreTheMean) {
    const TestGenerator g;
    const auto room = make_room(100 * sizeof(double));
    ASSERT_EQ(tandemGenerateNormalDouble(g, static_cast<double*>(room->data()), 100, 7.0, 0.0), TANDEM_STATUS_SUCCESS);
    std::vector<double> values(100);
    std::memcpy(values.data(), room->read().data(), 800);
    for (double value : values) EXPECT_EQ(value, 7.0);
}

}  // namespace
}  // namespace tandem::test
