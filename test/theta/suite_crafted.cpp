#include "theta/set_suite.hpp"

#include <random>

#include "support/reference.hpp"
#include "tandem/core/children.hpp"

namespace tandem::test {
namespace {

constexpr uint64_t INVERTIBLE = 8;  // the seed under which theta_key_of_hash() finds keys

ThetaKeys keys_of_hashes(std::vector<uint64_t> hashes) {
    for (uint64_t& hash : hashes) hash = theta_key_of_hash(hash);
    return keys_of(hashes);
}

TEST_P(ThetaSuite, HashesAtTheEdges) {
    const std::vector<std::vector<uint64_t>> lists = {
        {0},
        {MAX_THETA},
        {0, MAX_THETA},
        {1, MAX_THETA - 1},
        {0, 1, MAX_THETA - 1, MAX_THETA},
        {uint64_t{1} << 63, (uint64_t{1} << 63) + 5, 5},  // with the top bit set a second key has the same hash
    };
    for (const auto& hashes : lists) {
        SCOPED_TRACE(hashes.size());
        const auto sketch = make(5, INVERTIBLE);
        ReferenceTheta expected(5, INVERTIBLE, 1.0f);
        offer(*sketch, keys_of_hashes(hashes));
        expected.update(keys_of_hashes(hashes));
        expect_same(*sketch, expected);
    }
}

TEST_P(ThetaSuite, AHashEqualToThetaStaysOut) {
    const auto sketch = make(5, INVERTIBLE);
    ReferenceTheta expected(5, INVERTIBLE, 1.0f);
    std::vector<uint64_t> hashes;
    for (uint64_t i = 1; i <= 40; ++i) hashes.push_back(i * 1000);
    offer(*sketch, keys_of_hashes(hashes));
    EXPECT_EQ(sketch->summary().theta, 33000u);
    expected.update(keys_of_hashes(hashes));
    for (const uint64_t hash : {uint64_t{33000}, uint64_t{33001}, uint64_t{32000}, uint64_t{32999}, uint64_t{1}}) {
        offer(*sketch, keys_of_hashes({hash}));
        expected.update(keys_of_hashes({hash}));
        expect_same(*sketch, expected);
    }
}

/// The inverse of an odd number modulo 2^64; each step of Newton's doubles the right bits.
uint64_t inverse(uint64_t odd) {
    uint64_t x = odd;
    for (int i = 0; i < 5; ++i) x *= 2 - odd * x;
    return x;
}

/// A key that the hash's first two products and the rotation between them turn into `mixed`.
uint64_t key_of_mixed(uint64_t mixed) {
    const uint64_t rotated = mixed * inverse(0x4cf5ad432745937full);
    return (rotated >> 31 | rotated << 33) * inverse(0x87c37b91114253d5ull);
}

// The start of both halves of the hash is added to the mixed key and added again: here nearly always with a carry into the upper
// word, which kernels that look at upper words alone must not miss.
TEST_P(ThetaSuite, KeysWhoseLowerWordsCarry) {
    std::mt19937_64 engine(17);
    for (const uint64_t seed :
         {uint64_t{9001}, uint64_t{0xfff7}, uint64_t{0x10008}, uint64_t{0x80000008}, uint64_t{0x123456789abcdef0}}) {
        SCOPED_TRACE(seed);
        const uint32_t start = static_cast<uint32_t>(seed ^ 8);
        std::vector<uint64_t> values(40000);
        for (uint64_t i = 0; i < values.size(); ++i) {
            const uint32_t low = (0u - static_cast<uint32_t>(1 + i % (2ull * start + 5))) ^ start;
            values[i] = key_of_mixed(engine() << 32 | low);
        }
        const auto sketch = make(5, seed);
        ReferenceTheta expected(5, seed, 1.0f);
        offer(*sketch, keys_of(values));
        expected.update(keys_of(values));
        expect_same(*sketch, expected);
    }
}

/// Hashes that no hash function gives.
std::vector<uint64_t> crafted(const std::string& shape, uint64_t n) {
    std::vector<uint64_t> hashes(n);
    for (uint64_t i = 0; i < n; ++i) {
        if (shape == "dense") hashes[i] = i + 1;
        if (shape == "descending") hashes[i] = (uint64_t{1} << 40) - i;
        if (shape == "falling far") hashes[i] = MAX_THETA - 1 - i * 0x123456789abu;
        if (shape == "equal low bits") hashes[i] = ((i * 0x9e3779b1u) << 31 & MAX_THETA) | 1;
        if (shape == "two high bits") hashes[i] = (i & 1) << 62 | (i + 1);
    }
    return hashes;
}

TEST_P(ThetaSuite, CraftedHashes) {
    for (const std::string shape : {"dense", "descending", "falling far", "equal low bits", "two high bits"}) {
        for (const uint32_t lg_k : {5u, 9u, 12u}) {
            const uint64_t k = uint64_t{1} << lg_k;
            for (const uint64_t n : {k - 1, k, k + 1, 2 * k, 40000ul}) {
                SCOPED_TRACE(shape + ", lg_k " + std::to_string(lg_k) + ", n " + std::to_string(n));
                const auto sketch = make(lg_k, INVERTIBLE);
                ReferenceTheta expected(lg_k, INVERTIBLE, 1.0f);
                const ThetaKeys keys = keys_of_hashes(crafted(shape, n));
                offer(*sketch, keys);
                expected.update(keys);
                expect_same(*sketch, expected);
            }
        }
    }
}

// Falling hashes: every key is accepted at first, and each third of them pushes out all that came before.
TEST_P(ThetaSuite, LargeSets) {
    for (const uint32_t lg_k : {16u, 20u}) {
        SCOPED_TRACE(lg_k);
        const uint64_t k = uint64_t{1} << lg_k;
        const auto sketch = make(lg_k, INVERTIBLE);
        for (uint64_t third = 3; third > 0; --third) {
            std::vector<uint64_t> hashes(k + 1);
            for (uint64_t i = 0; i <= k; ++i) hashes[i] = third * (k + 1) - i;
            offer(*sketch, keys_of_hashes(hashes));
        }
        ReferenceTheta expected(lg_k, INVERTIBLE, 1.0f);
        expected.empty = false;
        expected.theta = k + 1;
        for (uint64_t hash = 1; hash <= k; ++hash) expected.hashes.insert(expected.hashes.end(), hash);
        expect_same(*sketch, expected);
    }
}

TEST_P(ThetaSuite, SizesAroundPowersOfTwo) {
    for (const uint32_t lg_k : {5u, 10u, 13u, 14u, 15u}) {
        const uint64_t k = uint64_t{1} << lg_k;
        for (const uint64_t n : {uint64_t{1}, uint64_t{31}, uint64_t{32}, uint64_t{33}, uint64_t{1023}, uint64_t{1024},
                                 uint64_t{1025}, k - 1, k, k + 1, 2 * k - 1, 2 * k + 3}) {
            SCOPED_TRACE("lg_k " + std::to_string(lg_k) + ", n " + std::to_string(n));
            std::vector<uint64_t> values(n);
            for (uint64_t i = 0; i < n; ++i) values[i] = i * i;
            const auto sketch = make(lg_k);
            ReferenceTheta expected(lg_k, DEFAULT_THETA_SEED, 1.0f);
            offer(*sketch, keys_of(values));
            expected.update(keys_of(values));
            expect_same(*sketch, expected);
        }
    }
}

TEST_P(ThetaSuite, RepeatsHeavyAndLight) {
    constexpr uint64_t N = 60000;
    for (const uint32_t lg_k : {5u, 9u, 12u}) {
        const uint64_t k = uint64_t{1} << lg_k;
        for (const uint64_t distinct : {uint64_t{1}, uint64_t{2}, k - 1, k, k + 1, 2 * k, N / 2}) {
            for (const bool in_runs : {false, true}) {
                SCOPED_TRACE("lg_k " + std::to_string(lg_k) + ", distinct " + std::to_string(distinct));
                std::vector<uint64_t> values(N);
                for (uint64_t i = 0; i < N; ++i) values[i] = in_runs ? i * distinct / N : i % distinct;
                const auto sketch = make(lg_k);
                ReferenceTheta expected(lg_k, DEFAULT_THETA_SEED, 1.0f);
                offer(*sketch, keys_of(values));
                expected.update(keys_of(values));
                expect_same(*sketch, expected);
            }
        }
    }
}

TEST_P(ThetaSuite, SamplingStartsAndStartsAgain) {
    const float p = 0.1f;
    const auto sketch = make(5, DEFAULT_THETA_SEED, p);
    ReferenceTheta expected(5, DEFAULT_THETA_SEED, p);
    expect_same(*sketch, expected);
    for (int turn = 0; turn < 2; ++turn) {
        for (uint64_t n : {uint64_t{1}, uint64_t{20}, uint64_t{1000}}) {
            std::vector<uint64_t> values(n);
            for (uint64_t i = 0; i < n; ++i) values[i] = i;
            offer(*sketch, keys_of(values));
            expected.update(keys_of(values));
            expect_same(*sketch, expected);
        }
        sketch->reset();
        expected.reset();
        expect_same(*sketch, expected);
    }
}

/// Sketches that take random operations, beside what they must be.
class Pairs {
  public:
    Pairs(const SketchKind& kind, std::mt19937_64& random) : random_(random) {
        for (const uint32_t lg_k : {5u, 5u, 7u, 10u}) {
            const float p = random() % 4 == 0 ? 0.5f : 1.0f;
            sketches_.push_back(kind.make(kind, {lg_k, DEFAULT_THETA_SEED, p}));
            expected_.emplace_back(lg_k, DEFAULT_THETA_SEED, p);
        }
    }

    void step() {
        const std::size_t a = random_() % sketches_.size();
        const std::size_t b = (a + 1 + random_() % (sketches_.size() - 1)) % sketches_.size();
        SketchUnderTest& sketch = *sketches_[a];
        ReferenceTheta& expected = expected_[a];
        switch (random_() % 12) {
            case 0: sketch.reset(), expected.reset(); break;
            case 1: sketch.merge(*sketches_[b]), expected.merge(expected_[b]); break;
            case 2: sketch.intersect(*sketches_[b]), expected.intersect(expected_[b]); break;
            case 3: sketch.a_not_b(*sketches_[b]), expected.a_not_b(expected_[b]); break;
            default: {
                std::vector<uint64_t> values(random_() % 300);
                for (uint64_t& value : values) value = random_() % 2000;
                offer(sketch, keys_of(values));
                expected.update(keys_of(values));
            }
        }
        expect_same(sketch, expected);
    }

  private:
    std::mt19937_64& random_;
    std::vector<std::unique_ptr<SketchUnderTest>> sketches_;
    std::vector<ReferenceTheta> expected_;
};

TEST_P(ThetaSuite, RandomOperations) {
    std::mt19937_64 random(6);
    for (int turn = 0; turn < 60; ++turn) {
        Pairs pairs(GetParam(), random);
        for (int step = 0; step < 60; ++step) {
            pairs.step();
            if (HasFailure()) FAIL() << "turn " << turn << ", step " << step;
        }
    }
}

TEST_P(ThetaSuite, DrawsCountLikeTheFillThatStoresThem) {
    const std::vector<std::pair<ThetaKey, Draw>> kinds = {
        {ThetaKey::u64, Draw::u64}, {ThetaKey::i64, Draw::u64}, {ThetaKey::u32, Draw::u32}, {ThetaKey::i32, Draw::u32},
        {ThetaKey::u16, Draw::u16}, {ThetaKey::i16, Draw::u16}, {ThetaKey::u8, Draw::u8},   {ThetaKey::i8, Draw::u8},
        {ThetaKey::f64, Draw::f64}, {ThetaKey::f32, Draw::f32}};
    const Key key = key_of_seed(31, 4);
    for (const auto& [kind, draw] : kinds) {
        for (const uint64_t n : {uint64_t{1}, uint64_t{33}, uint64_t{5000}, uint64_t{140001}}) {
            for (const uint64_t position : {uint64_t{97}, uint64_t{0}, (uint64_t{1} << 40) + 1024 * 7}) {
                if (n > 5000 && position != 97) continue;  // many draws test the cuts, which depend on no position
                SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)) + ", n " + std::to_string(n) + ", position " +
                             std::to_string(position));
                Fill fill;
                fill.draw = draw;
                fill.key = key;
                fill.chunk_length = 16;
                fill.position = position;
                fill.n = n;
                const std::vector<uint8_t> drawn = reference_fill(fill);
                const auto sketch = make(8);
                ReferenceTheta expected(8, DEFAULT_THETA_SEED, 1.0f);
                sketch->update_draws(key, 16, position, kind, n);
                expected.update(drawn.data(), kind, n);
                expect_same(*sketch, expected);
            }
        }
    }
}

}  // namespace
}  // namespace tandem::test
