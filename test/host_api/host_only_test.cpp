#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

#include "support/reference.hpp"
#include "tandem/core/choice.hpp"
#include "tandem/fill.hpp"
#include "tandem/tandem.hpp"

namespace tandem::test {
namespace {

TEST(Versions, AreThoseOfTheHeaderAndTheProject) {
    int version = -1;
    EXPECT_EQ(tandemGetVersion(&version), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(version, TANDEM_VERSION);
    EXPECT_EQ(tandemGetVersion(nullptr), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_STREQ(tandemGetLastErrorMessage(), "tandemGetVersion: version is null; it must point to memory of the caller's");
    std::string text;
    for (int property = 0; property < 3; ++property) {
        int value = -1;
        EXPECT_EQ(tandemGetProperty(static_cast<tandemProperty_t>(property), &value), TANDEM_STATUS_SUCCESS);
        text += (property ? "." : "") + std::to_string(value);
    }
    EXPECT_EQ(text, TANDEM_TEST_PROJECT_VERSION);
    EXPECT_EQ(tandemGetProperty(TANDEM_PROPERTY_MAJOR_VERSION, nullptr), TANDEM_STATUS_OUT_OF_RANGE);
    int untouched = 5;
    for (int property : {-1, 3, 1000}) {
        EXPECT_EQ(tandemGetProperty(static_cast<tandemProperty_t>(property), &untouched), TANDEM_STATUS_OUT_OF_RANGE);
    }
    EXPECT_EQ(untouched, 5);
}

TEST(Statuses, HaveTheNumbersOfCurandAndNames) {
    const struct {
        int number;
        const char* name;
    } EXPECTED[] = {
        {0, "SUCCESS"},          {100, "VERSION_MISMATCH"},    {101, "NOT_INITIALIZED"},       {102, "ALLOCATION_FAILED"},
        {103, "TYPE_ERROR"},     {104, "OUT_OF_RANGE"},        {105, "LENGTH_NOT_MULTIPLE"},   {106, "DOUBLE_PRECISION_REQUIRED"},
        {201, "LAUNCH_FAILURE"}, {202, "PREEXISTING_FAILURE"}, {203, "INITIALIZATION_FAILED"}, {204, "ARCH_MISMATCH"},
        {999, "INTERNAL_ERROR"}};
    for (const auto& expected : EXPECTED) {
        EXPECT_EQ(std::string("TANDEM_STATUS_") + expected.name,
                  tandemGetStatusString(static_cast<tandemStatus_t>(expected.number)));
    }
    EXPECT_STREQ(tandemGetStatusString(static_cast<tandemStatus_t>(-3)), "not a status of Tandem");
}

TEST(Distributions, RefuseWhatIsNoLaw) {
    const tandemDistribution_t before = reinterpret_cast<tandemDistribution_t>(std::uintptr_t{16});
    tandemDistribution_t made = before;
    const double nan = std::nan(""), inf = HUGE_VAL;
    for (double lambda : {0.0, -1.0, nan, inf, 0x1p31 + 1}) {
        EXPECT_EQ(tandemCreatePoissonDistribution(lambda, &made), TANDEM_STATUS_OUT_OF_RANGE) << lambda;
    }
    for (double p : {-0.1, 1.1, nan, inf}) {
        EXPECT_EQ(tandemCreateBinomialDistribution(10, p, &made), TANDEM_STATUS_OUT_OF_RANGE) << p;
        EXPECT_EQ(tandemCreateGeometricDistribution(p, &made), TANDEM_STATUS_OUT_OF_RANGE) << p;
    }
    EXPECT_EQ(tandemCreateGeometricDistribution(0x1p-21, &made), TANDEM_STATUS_OUT_OF_RANGE);
    const std::vector<std::vector<double>> bad = {{nan}, {inf}, {-1.0}, {0.0, 0.0}, {-0.0}, {1.0, -1e-300}};
    for (const auto& weights : bad) {
        EXPECT_EQ(tandemCreateDiscreteDistribution(weights.data(), weights.size(), 0, &made), TANDEM_STATUS_OUT_OF_RANGE);
    }
    const double one[] = {1.0, 1.0};
    EXPECT_EQ(tandemCreateDiscreteDistribution(one, 0, 0, &made), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(tandemCreateDiscreteDistribution(one, 1ull << 32, 0, &made), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(tandemCreateDiscreteDistribution(one, 2, 0xffffffffu, &made), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(tandemCreateDiscreteDistribution(nullptr, 2, 0, &made), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(made, before);
    EXPECT_EQ(tandemCreatePoissonDistribution(1, nullptr), TANDEM_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(tandemCreateDiscreteDistribution(one, 2, 0, nullptr), TANDEM_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(tandemDestroyDistribution(nullptr), TANDEM_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(tandemDestroyDistribution(before), TANDEM_STATUS_NOT_INITIALIZED);
}

TEST(Distributions, ViewsShowTheTable) {
    // The first table of other.json.
    const double weights[] = {1, 2, 3, 4};
    const Distribution distribution(weights, 4, 100);
    const tandemDistributionView_t view = distribution.host_view();
    EXPECT_EQ(view.m, 4u);
    EXPECT_EQ(view.low, 100u);
    EXPECT_EQ(view.capacity, 0x1400000000000000u);
    const std::vector<uint64_t> cut = {0x0800000000000000, 0x1000000000000000, 0x0c00000000000000, 0x1400000000000000};
    const std::vector<uint32_t> alias = {2, 3, 3, 3};
    EXPECT_EQ(std::vector<uint64_t>(view.cut, view.cut + 4), cut);
    EXPECT_EQ(std::vector<uint32_t>(view.alias, view.alias + 4), alias);
    EXPECT_EQ(tandemGetDistributionViewHost(distribution.get(), nullptr), TANDEM_STATUS_OUT_OF_RANGE);
    tandemDistributionView_t other;
    EXPECT_EQ(tandemGetDistributionViewHost(nullptr, &other), TANDEM_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(tandemGetDistributionView(nullptr, &other), TANDEM_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(tandemGetDistributionView(distribution.get(), nullptr), TANDEM_STATUS_OUT_OF_RANGE);
}

TEST(Wrapper, MovesAndThrows) {
    Generator g = Generator::host();
    g.set_seed(1, 2);
    EXPECT_EQ(g.key(), key_of_seed(1, 2));
    Generator moved = std::move(g);
    unsigned out[8];
    try {
        g.generate(out, 8);  // NOLINT: a moved-from generator must refuse
        ADD_FAILURE() << "an empty generator drew";
    } catch (const error& e) {
        EXPECT_EQ(e.status(), TANDEM_STATUS_NOT_INITIALIZED);
        EXPECT_STREQ(e.what(), tandemGetLastErrorMessage());
    }
    const Generator::SavedState start = moved.save();
    moved.generate(out, 8);
    EXPECT_EQ(moved.position(), 256u);
    moved.restore(start);
    unsigned again[8];
    moved.generate(again, 8);
    EXPECT_EQ(std::memcmp(out, again, sizeof(out)), 0);
    std::vector<Generator> children = moved.fork(3);
    EXPECT_EQ(children[1].key(), fork_key(moved.key(), 2, 1));
    EXPECT_EQ(moved.split(9).key(), split_key(moved.key(), 9));
    EXPECT_EQ(moved.sub(9).key(), sub_key(moved.key(), 9));
    const tandemGenerator_t handle = moved.get();
    children.push_back(std::move(moved));
    children.clear();
    EXPECT_EQ(tandemGenerateSeeds(handle), TANDEM_STATUS_NOT_INITIALIZED);
}

// The typed fills of fill.hpp say the draw and the parameters that their names say.
TEST(HostFills, TypedFillsEqualTheReference) {
    const Key key{{3, 1, 4, 1}};
    constexpr uint64_t N = 100, POS = 45;
    constexpr uint32_t K = 16;
    Fill f;
    f.key = key;
    f.position = POS;
    f.chunk_length = K;
    f.n = N;
    const auto expect = [&](Draw draw, const void* out, uint64_t end) {
        f.draw = draw;
        const std::vector<uint8_t> expected = reference_fill(f);
        EXPECT_EQ(std::memcmp(out, expected.data(), expected.size()), 0) << static_cast<int>(draw);
        EXPECT_EQ(end, fill_span(draw, POS, N).end) << static_cast<int>(draw);
    };
    alignas(16) unsigned char out[N * 16];
    void* const o = out;
    expect(Draw::boolean, out, host::fill_bool(key, POS, K, static_cast<bool*>(o), N));
    expect(Draw::u8, out, host::fill_u8(key, POS, K, static_cast<uint8_t*>(o), N));
    expect(Draw::u8, out, host::fill_i8(key, POS, K, static_cast<int8_t*>(o), N));
    expect(Draw::u16, out, host::fill_u16(key, POS, K, static_cast<uint16_t*>(o), N));
    expect(Draw::u16, out, host::fill_i16(key, POS, K, static_cast<int16_t*>(o), N));
    expect(Draw::u32, out, host::fill_u32(key, POS, K, static_cast<uint32_t*>(o), N));
    expect(Draw::u32, out, host::fill_i32(key, POS, K, static_cast<int32_t*>(o), N, 3));
    expect(Draw::u64, out, host::fill_u64(key, POS, K, static_cast<uint64_t*>(o), N));
    expect(Draw::u64, out, host::fill_i64(key, POS, K, static_cast<int64_t*>(o), N));
    expect(Draw::u128, out, host::fill_u128(key, POS, K, static_cast<U128*>(o), N));
    expect(Draw::u128, out, host::fill_i128(key, POS, K, static_cast<U128*>(o), N));
    expect(Draw::f16, out, host::fill_f16(key, POS, K, static_cast<uint16_t*>(o), N));
    expect(Draw::f32, out, host::fill_f32(key, POS, K, static_cast<float*>(o), N));
    expect(Draw::f64, out, host::fill_f64(key, POS, K, static_cast<double*>(o), N));
    expect(Draw::c32, out, host::fill_c32(key, POS, K, static_cast<std::complex<float>*>(o), N));
    expect(Draw::c64, out, host::fill_c64(key, POS, K, static_cast<std::complex<double>*>(o), N));
    expect(Draw::character, out, host::fill_char(key, POS, K, static_cast<char32_t*>(o), N));
    f.mean = 1.5;
    f.stddev = 2.25;
    expect(Draw::normal64, out, host::fill_normal_f64(key, POS, K, static_cast<double*>(o), N, 1.5, 2.25));
    expect(Draw::normal32, out, host::fill_normal_f32(key, POS, K, static_cast<float*>(o), N, 1.5f, 2.25f));
    expect(Draw::lognormal64, out, host::fill_lognormal_f64(key, POS, K, static_cast<double*>(o), N, 1.5, 2.25));
    expect(Draw::lognormal32, out, host::fill_lognormal_f32(key, POS, K, static_cast<float*>(o), N, 1.5f, 2.25f));
    f.scale = 3.5;
    expect(Draw::exponential64, out, host::fill_exponential_f64(key, POS, K, static_cast<double*>(o), N, 3.5));
    expect(Draw::exponential32, out, host::fill_exponential_f32(key, POS, K, static_cast<float*>(o), N, 3.5f));
    f.range = 3u << 30;
    f.element_bytes = 4;
    f.low = static_cast<uint64_t>(-5);
    expect(Draw::below32, out, host::fill_below_u32(key, POS, K, static_cast<int32_t*>(o), N, 3u << 30, -5));
    f.element_bytes = 2;
    f.range = 60000;
    expect(Draw::below64, out, host::fill_below_u64(key, POS, K, static_cast<int16_t*>(o), N, 60000, -5));
    f.element_bytes = 1;
    f.range = 256;
    f.low = static_cast<uint64_t>(-128);
    expect(Draw::below32, out, host::fill_int_range(key, POS, K, static_cast<int8_t*>(o), N, -128, 127));
    f.element_bytes = 8;
    f.low = static_cast<uint64_t>(INT64_MIN);
    f.range = 0;
    f.full_range = true;
    expect(Draw::below64, out, host::fill_int_range(key, POS, K, static_cast<int64_t*>(o), N, INT64_MIN, INT64_MAX));
    const double weights[] = {1, 2, 3};
    const ChoiceTable table = choice_build(weights, 3, 7);
    f.choice = table.view();
    expect(Draw::choice, out, host::fill_choice(key, POS, K, static_cast<uint32_t*>(o), N, table.view()));
    EXPECT_THROW(host::fill_int_range(key, POS, K, static_cast<int8_t*>(o), N, 1, 0), error);
    EXPECT_THROW(host::fill_below_u32(key, POS, K, static_cast<uint8_t*>(o), N, (1ull << 32) + 1), error);
}

// The parent has drawn with several threads before; the child draws, creates and destroys on its own.
TEST(Fork, HostGeneratorsWorkInTheChild) {
    Generator g = Generator::host();
    constexpr std::size_t N = 1 << 20;
    std::vector<unsigned> before(N);
    g.generate(before.data(), N);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        std::vector<unsigned> drawn(N);
        bool good = g.position() == N * 32;
        g.set_position(0);
        g.generate(drawn.data(), N);
        good = good && drawn == before;
        Generator fresh = Generator::host();
        fresh.generate(drawn.data(), N);
        good = good && drawn == before;
        fresh.poisson(drawn.data(), 100, 4.0);
        _exit(good ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_EQ(g.position(), N * 32);
}

// A child of a process whose other threads were creating and destroying when it was made.
TEST(Fork, TheHandleTableIsNeverLeftLocked) {
    std::atomic<bool> stop{false};
    std::thread busy([&] {
        while (!stop) Generator::host();
    });
    for (int turn = 0; turn < 20; ++turn) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            alarm(20);
            Generator g = Generator::host();
            unsigned out[4];
            g.generate(out, 4);
            _exit(g.position() == 128 ? 0 : 1);
        }
        int status = -1;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << turn;
    }
    stop = true;
    busy.join();
}

}  // namespace
}  // namespace tandem::test
