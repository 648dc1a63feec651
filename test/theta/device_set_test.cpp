// Sets of device memory where launches have their edges: sizes, tables that fill up, kinds, draws.

#include "host_api/backend.hpp"
#include "theta/device_expected.hpp"
#include "theta/device_kinds.hpp"

namespace tandem::test {
namespace {

constexpr uint64_t SEED = DEFAULT_THETA_SEED;

class DeviceTheta : public ::testing::TestWithParam<kernels::ThetaTuning> {
  protected:
    void SetUp() override {
        if (!gpu_missing().empty()) GTEST_SKIP() << gpu_missing();
    }
    static std::unique_ptr<api::DeviceThetaSet> make(uint32_t lg_k, uint64_t seed = SEED) {
        return std::make_unique<api::DeviceThetaSet>(api::ThetaParameters{lg_k, seed, 1.0f}, 0, GetParam());
    }
};

void offer(api::ThetaSet& set, const void* keys, ThetaKey kind, uint64_t n) {
    const PlacedKeys placed = place_on_device(keys, n * theta_key_bytes(kind), theta_key_bytes(kind));
    set.update(placed.get(), kind, n, nullptr);
    set.summary();
}

void offer(api::ThetaSet& set, const std::vector<uint64_t>& keys) { offer(set, keys.data(), ThetaKey::u64, keys.size()); }

TEST_P(DeviceTheta, EverySize) {
    for (const uint32_t lg_k : {5u, 10u}) {
        const uint64_t k = uint64_t{1} << lg_k;
        for (const uint64_t n : {uint64_t{1}, uint64_t{31}, uint64_t{32}, uint64_t{33}, uint64_t{255}, uint64_t{256},
                                 uint64_t{257}, uint64_t{639}, uint64_t{640}, uint64_t{641}, uint64_t{1023}, uint64_t{1024},
                                 uint64_t{1025}, k - 1, k, k + 1, uint64_t{4097}, uint64_t{70001}}) {
            SCOPED_TRACE(testing::Message() << "lg_k " << lg_k << ", n " << n);
            const std::vector<uint64_t> keys = mixed_keys(n);
            const auto set = make(lg_k);
            offer(*set, keys);
            const api::ThetaState expected = expected_state(hashes_of(keys.data(), ThetaKey::u64, n, SEED), lg_k);
            expect_state(set->read(), expected);
            const api::ThetaSummary summary = set->summary();
            EXPECT_EQ(summary.theta, expected.theta);
            EXPECT_EQ(summary.retained, expected.hashes.size());
            offer(*set, keys);  // the same once more changes nothing
            expect_state(set->read(), expected);
        }
    }
}

TEST_P(DeviceTheta, ManyBatches) {
    const uint32_t lg_k = 7;
    const auto set = make(lg_k);
    std::vector<uint64_t> all;
    for (uint64_t batch = 0, n = 1; batch < 14; ++batch, n = n * 2 + batch) {
        const std::vector<uint64_t> keys = mixed_keys(n, all.size() - std::min<uint64_t>(all.size(), n / 3));
        all.insert(all.end(), keys.begin(), keys.end());
        offer(*set, keys);
        expect_state(set->read(), expected_state(hashes_of(all.data(), ThetaKey::u64, all.size(), SEED), lg_k));
    }
}

TEST_P(DeviceTheta, EveryKind) {
    const std::vector<uint64_t> bits = mixed_keys(5003);
    for (const ThetaKey kind : {ThetaKey::u64, ThetaKey::i64, ThetaKey::u32, ThetaKey::i32, ThetaKey::u16, ThetaKey::i16,
                                ThetaKey::u8, ThetaKey::i8, ThetaKey::f64, ThetaKey::f32}) {
        const uint64_t n = bits.size() * sizeof(uint64_t) / theta_key_bytes(kind);
        const auto set = make(9);
        offer(*set, bits.data(), kind, n);
        expect_state(set->read(), expected_state(hashes_of(bits.data(), kind, n, SEED), 9));
    }
}

// Each key has the smallest hash so far, so that all are accepted and the table is cut as often as can be.
TEST_P(DeviceTheta, DescendingHashes) {
    std::vector<uint64_t> hashes, keys;
    for (uint64_t i = 40000; i > 0; --i) {
        hashes.push_back(i * 3 + 1);
        keys.push_back(theta_key_of_hash(hashes.back()));
    }
    const auto set = make(5, 8);
    offer(*set, keys);
    expect_state(set->read(), expected_state(hashes, 5));
}

TEST_P(DeviceTheta, FewDistinctKeys) {
    for (const uint64_t distinct : {1u, 20u, 600u, 5000u}) {
        std::vector<uint64_t> keys(200003);
        for (uint64_t i = 0; i < keys.size(); ++i) keys[i] = i * 7919 % distinct;
        const auto set = make(8);
        offer(*set, keys);
        expect_state(set->read(), expected_state(hashes_of(keys.data(), ThetaKey::u64, keys.size(), SEED), 8));
    }
}

struct DrawnKind {
    Draw draw;
    ThetaKey kind;
};

TEST_P(DeviceTheta, DrawsAreThoseOfFills) {
    const Key key{{0x12345678u, 0x9abcdef0u, 0x0fedcba9u, 0x87654321u}};
    for (const DrawnKind drawn :
         {DrawnKind{Draw::u64, ThetaKey::u64}, DrawnKind{Draw::u64, ThetaKey::i64}, DrawnKind{Draw::u32, ThetaKey::u32},
          DrawnKind{Draw::u16, ThetaKey::i16}, DrawnKind{Draw::u8, ThetaKey::u8}, DrawnKind{Draw::f64, ThetaKey::f64},
          DrawnKind{Draw::f32, ThetaKey::f32}}) {
        for (const uint32_t chunk_length : {1u, 2u, 4u, 32u, 1024u}) {
            for (const uint64_t position : {uint64_t{0}, uint64_t{1} << 12 | 3, (uint64_t{1} << 40) + 777}) {
                for (const uint64_t n : {1u, 7u, 1000u, 60001u}) {
                    std::vector<uint64_t> room(n);
                    Fill fill;
                    fill.draw = drawn.draw;
                    fill.key = key;
                    fill.chunk_length = chunk_length;
                    fill.position = position;
                    fill.n = n;
                    fill.out = room.data();
                    api::host_backend().run(fill, {});
                    fill.out = nullptr;
                    const auto set = make(6);
                    set->update_draws(fill, drawn.kind, {});
                    SCOPED_TRACE(testing::Message() << "draw " << static_cast<int>(drawn.draw) << ", K " << chunk_length
                                                    << ", position " << position << ", n " << n);
                    expect_state(set->read(), expected_state(hashes_of(room.data(), drawn.kind, n, SEED), 6));
                }
            }
        }
    }
}

TEST_P(DeviceTheta, ReflectedDraws) {
    std::vector<float> room(3001);
    Fill fill;
    fill.draw = Draw::f32;
    fill.n = room.size();
    fill.out = room.data();
    fill.reflected = true;
    api::host_backend().run(fill, {});
    const auto set = make(6);
    set->update_draws(fill, ThetaKey::f32, {});
    expect_state(set->read(), expected_state(hashes_of(room.data(), ThetaKey::f32, room.size(), SEED), 6));
}

std::string tuning_name(const ::testing::TestParamInfo<kernels::ThetaTuning>& tuning) {
    return "blocks" + std::to_string(tuning.param.blocks) + "slots" + std::to_string(tuning.param.lg_slots);
}

INSTANTIATE_TEST_SUITE_P(Tunings, DeviceTheta, ::testing::ValuesIn(THETA_TUNINGS), tuning_name);

// Little of everything, for tools that make kernels slow.
TEST(DeviceThetaSanitizer, EveryKernel) {
    if (!gpu_missing().empty()) GTEST_SKIP() << gpu_missing();
    const std::vector<uint64_t> keys = mixed_keys(6001);
    const std::vector<uint64_t> hashes = hashes_of(keys.data(), ThetaKey::u64, keys.size(), SEED);
    const api::ThetaState of_a = expected_state(hashes, 6);
    std::vector<uint64_t> all = hashes_of(keys.data(), ThetaKey::u16, 3000, SEED);
    all.insert(all.end(), hashes.begin(), hashes.end());
    const api::ThetaState of_both = expected_state(all, 6);
    api::ThetaState common{false, of_both.theta, {}}, only{false, of_both.theta, {}};  // all of both's are below its theta
    for (const uint64_t hash : of_both.hashes) {
        const bool in_a = std::binary_search(of_a.hashes.begin(), of_a.hashes.end(), hash);
        (in_a ? common : only).hashes.push_back(hash);
    }
    ASSERT_LE(of_both.theta, of_a.theta);
    for (const kernels::ThetaTuning& tuning : {THETA_TUNINGS[0], THETA_TUNINGS[2]}) {
        const api::ThetaParameters parameters{6, SEED, 1.0f};
        api::DeviceThetaSet a(parameters, 0, tuning), b(parameters, 0, tuning), c(parameters, 0, tuning);
        offer(a, keys);
        expect_state(a.read(), of_a);
        offer(b, keys.data(), ThetaKey::u64, 3000);
        offer(b, keys.data(), ThetaKey::u16, 3000);
        b.merge(a, nullptr);
        expect_state(b.read(), of_both);
        c.merge(b, nullptr);
        b.intersect(a, nullptr);
        expect_state(b.read(), common);
        c.a_not_b(a, nullptr);
        expect_state(c.read(), only);
        Fill fill;
        fill.draw = Draw::u64;
        fill.n = 5000;
        a.update_draws(fill, ThetaKey::u64, {});
        EXPECT_EQ(a.summary().retained, 64u);
    }
}

class DeviceThetaLarge : public ::testing::TestWithParam<uint32_t> {};

TEST_P(DeviceThetaLarge, ColdAndWarm) {
    if (!gpu_missing().empty()) GTEST_SKIP() << gpu_missing();
    const uint32_t lg_k = GetParam();
    const uint64_t n = uint64_t{3} << 20;
    const std::vector<uint64_t> keys = mixed_keys(2 * n);
    const std::vector<uint64_t> hashes = hashes_of(keys.data(), ThetaKey::u64, 2 * n, SEED);
    api::DeviceThetaSet set({lg_k, SEED, 1.0f}, 0);
    offer(set, keys.data(), ThetaKey::u64, n);
    expect_state(set.read(), expected_state({hashes.begin(), hashes.begin() + n}, lg_k));
    offer(set, keys.data() + n, ThetaKey::u64, n);
    expect_state(set.read(), expected_state(hashes, lg_k));
}

std::string lg_k_name(const ::testing::TestParamInfo<uint32_t>& lg_k) { return "lg_k" + std::to_string(lg_k.param); }

INSTANTIATE_TEST_SUITE_P(Sizes, DeviceThetaLarge, ::testing::Values(5u, 12u, 13u, 14u, 15u, 20u, 26u), lg_k_name);

}  // namespace
}  // namespace tandem::test
