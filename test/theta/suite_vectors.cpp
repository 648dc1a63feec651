#include "theta/set_suite.hpp"

#include <algorithm>
#include <random>

#include "theta/theta_reference.hpp"

namespace tandem::test {
namespace {

/// The keys in another order.
ThetaKeys shuffled(const ThetaKeys& keys, std::mt19937_64& random) {
    const uint32_t size = theta_key_bytes(keys.kind);
    ThetaKeys other = keys;
    const auto at = [&](uint64_t i) { return other.bytes.begin() + static_cast<std::ptrdiff_t>(i * size); };
    for (uint64_t i = keys.n; i > 1; --i) {
        const uint64_t j = random() % i;
        if (j != i - 1) std::swap_ranges(at(i - 1), at(i), at(j));
    }
    return other;
}

/// Offers keys in calls of random sizes, empty ones among them.
void offer_in_pieces(SketchUnderTest& sketch, const ThetaKeys& keys, std::mt19937_64& random) {
    const uint32_t size = theta_key_bytes(keys.kind);
    for (uint64_t done = 0; done < keys.n;) {
        const uint64_t most = uint64_t{1} << (random() % 18);
        const uint64_t n = std::min(keys.n - done, random() % (most + 1));
        sketch.update(keys.bytes.data() + done * size, keys.kind, n);
        done += n;
    }
}

TEST_P(ThetaSuite, SketchVectors) {
    for (const ThetaSketchCase& c : load_theta_sketches()) {
        SCOPED_TRACE(c.name);
        const auto sketch = make(c.lg_k, c.seed, c.p);
        offer(*sketch, c.rule.keys());
        expect_result(*sketch, c.result);
    }
}

TEST_P(ThetaSuite, NeitherOrderNorCutsNorRepeatsMatter) {
    std::mt19937_64 random(20261130);
    for (const ThetaSketchCase& c : load_theta_sketches()) {
        if (c.rule.n > 200000 || c.rule.n == 0) continue;
        SCOPED_TRACE(c.name);
        const ThetaKeys keys = c.rule.keys();
        const auto sketch = make(c.lg_k, c.seed, c.p);
        offer_in_pieces(*sketch, shuffled(keys, random), random);
        expect_result(*sketch, c.result);
        offer(*sketch, keys);
        expect_result(*sketch, c.result);
    }
}

std::unique_ptr<SketchUnderTest> sketch_of(const SketchKind& kind, const ThetaOperand& operand) {
    auto sketch = kind.make(kind, {operand.lg_k, operand.seed, operand.p});
    if (operand.trimmed) {
        offer(*sketch, operand.rule.keys());
    } else {
        ReferenceTheta untrimmed(operand.lg_k, operand.seed, operand.p);
        untrimmed.update_untrimmed(operand.rule.keys());
        sketch->load(untrimmed.image());
    }
    return sketch;
}

TEST_P(ThetaSuite, OperationVectors) {
    for (const ThetaOperations& c : load_theta_operations()) {
        if (c.united.refused) continue;  // whether seeds fit is not a set's to know
        SCOPED_TRACE(c.name);
        std::vector<std::unique_ptr<SketchUnderTest>> operands;
        for (const ThetaOperand& operand : c.operands) operands.push_back(sketch_of(GetParam(), operand));
        // Operands of another seed are empty here.
        const auto united = make(c.union_lg_k, c.union_seed, c.union_p);
        for (const auto& operand : operands) united->merge(*operand);
        expect_result(*united, c.united);

        const auto difference = sketch_of(GetParam(), c.operands[0]);
        difference->a_not_b(*operands[1]);
        expect_result(*difference, c.difference);

        const auto intersection = sketch_of(GetParam(), c.operands[0]);
        for (std::size_t i = 1; i < operands.size(); ++i) intersection->intersect(*operands[i]);
        expect_result(*intersection, c.intersection);

        for (std::size_t i = 0; i < operands.size(); ++i) {  // operands stay as they are
            EXPECT_EQ(operands[i]->image(), sketch_of(GetParam(), c.operands[i])->image());
        }
    }
}

TEST_P(ThetaSuite, ImageVectors) {
    for (const ThetaImageCase& c : load_theta_images()) {
        if (!c.accepted) continue;
        SCOPED_TRACE(c.name);
        const auto sketch = make(5, c.seed);
        sketch->load(c.image);
        const api::ThetaSummary summary = sketch->summary();
        EXPECT_EQ(summary.empty, c.empty);
        EXPECT_EQ(summary.retained, c.retained);
        EXPECT_EQ(summary.theta, c.theta);
        // An empty image of another seed hash is written with the sketch's own.
        if (c.empty) continue;
        EXPECT_EQ(sketch->image() == c.image, c.unchanged);
    }
}

TEST_P(ThetaSuite, MoreThanKHashesStayUntilTheNextUpdateOrUnion) {
    ReferenceTheta big(5, DEFAULT_THETA_SEED, 1.0f);
    std::vector<uint64_t> values(50);
    for (uint64_t i = 0; i < values.size(); ++i) values[i] = i;
    big.update_untrimmed(keys_of(values));
    ASSERT_EQ(big.hashes.size(), 50u);

    const auto updated = make(5), united = make(5), met = make(5), other = make(5);
    for (SketchUnderTest* sketch : {updated.get(), united.get(), met.get()}) {
        sketch->load(big.image());
        EXPECT_EQ(sketch->image(), big.image());
    }
    ReferenceTheta expected = big;
    expected.update(keys_of({3}));  // nothing new, and yet it trims
    updated->update(values.data() + 3, ThetaKey::u64, 1);
    expect_same(*updated, expected);

    ReferenceTheta small(5, DEFAULT_THETA_SEED, 1.0f);
    small.update(keys_of({7}));
    offer(*other, keys_of({7}));
    expected = big;
    expected.merge(small);
    united->merge(*other);
    expect_same(*united, expected);

    other->load(big.image());
    met->intersect(*other);
    expect_same(*met, big);
}

}  // namespace
}  // namespace tandem::test
