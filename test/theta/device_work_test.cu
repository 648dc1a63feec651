// Sets of device memory in graphs and on several streams.

#include "host_api/cuda_streams.hpp"
#include "host_api/gate.cuh"
#include "theta/device_expected.hpp"
#include "theta/device_kinds.hpp"

namespace tandem::test {
namespace {

constexpr uint64_t SEED = DEFAULT_THETA_SEED;
constexpr uint64_t N = 50000;
constexpr uint32_t LG_K = 8;

class DeviceThetaWork : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!gpu_missing().empty()) GTEST_SKIP() << gpu_missing();
    }
};

using Hashes = std::vector<uint64_t>;

/// Keys in device memory that a test rewrites.
class Keys {
  public:
    explicit Keys(uint64_t n) : memory_(n * sizeof(uint64_t)), n_(n) {}
    void set(uint64_t start) {
        const std::vector<uint64_t> keys = mixed_keys(n_, start);
        EXPECT_EQ(cudaMemcpy(memory_.data(), keys.data(), n_ * sizeof(uint64_t), cudaMemcpyHostToDevice), cudaSuccess);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        hashes_ = hashes_of(keys.data(), ThetaKey::u64, n_, SEED);
    }
    const void* data() const { return memory_.data(); }
    const Hashes& hashes() const { return hashes_; }

  private:
    DeviceBytes memory_;
    uint64_t n_;
    Hashes hashes_;
};

void append(Hashes& all, const Hashes& more) { all.insert(all.end(), more.begin(), more.end()); }

TEST_F(DeviceThetaWork, CapturedUpdatesGoOnFromWhatTheSetHolds) {
    for (const bool warm : {false, true}) {
        const TestStream stream;
        api::DeviceThetaSet set({LG_K, SEED, 1.0f}, 0);
        Keys few(20), keys(N);
        few.set(1u << 30);
        keys.set(0);
        Hashes all;
        if (warm) {
            set.update(few.data(), ThetaKey::u64, 20, stream);
            append(all, few.hashes());
        }
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        set.update(keys.data(), ThetaKey::u64, N, stream);
        const Graph graph(stream);
        if (warm) expect_state(set.read(), expected_state(all, LG_K));  // nothing has run yet
        for (uint64_t launch = 0; launch < 3; ++launch) {
            keys.set(launch * N);
            append(all, keys.hashes());
            graph.launch(stream);
            ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
            expect_state(set.read(), expected_state(all, LG_K));
        }
        keys.set(1u << 28);  // and an ordinary update after them
        append(all, keys.hashes());
        set.update(keys.data(), ThetaKey::u64, N, stream);
        expect_state(set.read(), expected_state(all, LG_K));
        set.reset(stream);
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        graph.launch(stream);
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        expect_state(set.read(), expected_state(keys.hashes(), LG_K));
    }
}

TEST_F(DeviceThetaWork, AGraphGoesOnFromWhatWasWritten) {
    const TestStream stream;
    api::DeviceThetaSet set({LG_K, SEED, 1.0f}, 0);
    Keys keys(N);
    keys.set(0);
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    set.update(keys.data(), ThetaKey::u64, 100, stream);
    const Graph graph(stream);
    for (const uint64_t n : {uint64_t{10}, uint64_t{200}, uint64_t{450}, uint64_t{40000}}) {  // up to many more than k
        const api::ThetaState written =
            expected_state({keys.hashes().end() - static_cast<std::ptrdiff_t>(n), keys.hashes().end()}, 26);
        set.write(written, nullptr);
        expect_state(set.read(), written);
        graph.launch(stream);
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        Hashes all = written.hashes;
        all.insert(all.end(), keys.hashes().begin(), keys.hashes().begin() + 100);
        expect_state(set.read(), expected_state(all, LG_K));
    }
}

TEST_F(DeviceThetaWork, AGraphOutlivesItsSet) {
    const TestStream stream;
    Keys keys(N);
    keys.set(0);
    auto set = std::make_unique<api::DeviceThetaSet>(api::ThetaParameters{LG_K, SEED, 1.0f}, 0);
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    set->update(keys.data(), ThetaKey::u64, N, stream);
    const Graph graph(stream);
    set.reset();
    graph.launch(stream);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
}

TEST_F(DeviceThetaWork, CapturedSetOperations) {
    const TestStream stream;
    api::DeviceThetaSet a({LG_K, SEED, 1.0f}, 0), b({LG_K, SEED, 1.0f}, 0), both({LG_K, SEED, 1.0f}, 0);
    Keys keys(100);
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    both.merge(a, stream);
    both.merge(b, stream);
    both.intersect(a, stream);
    const Graph graph(stream);
    keys.set(0);
    a.update(keys.data(), ThetaKey::u64, 100, nullptr);
    const Hashes of_a = keys.hashes();
    a.summary();
    keys.set(1000);
    b.update(keys.data(), ThetaKey::u64, 100, nullptr);
    b.summary();
    graph.launch(stream);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    expect_state(both.read(), expected_state(of_a, LG_K));
}

TEST_F(DeviceThetaWork, CallsOnOtherStreamsComeAfterEachOther) {
    const TestStream first, second;
    api::DeviceThetaSet set({LG_K, SEED, 1.0f}, 0), other({LG_K, SEED, 1.0f}, 0);
    Keys keys(N);
    keys.set(0);
    set.update(keys.data(), ThetaKey::u64, N, first);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    Gate gate;
    gate.hold(first);
    set.reset(first);
    set.update(keys.data(), ThetaKey::u64, 10, first);
    other.merge(set, second);  // waits for `first` by itself
    set.reset(first);          // and this for the merge
    gate.open();
    const Hashes ten(keys.hashes().begin(), keys.hashes().begin() + 10);
    expect_state(other.read(), expected_state(ten, LG_K));
    EXPECT_TRUE(set.read().empty);
}

TEST_F(DeviceThetaWork, OtherStreamsGoOn) {
    const TestStream held, free;
    api::DeviceThetaSet a({LG_K, SEED, 1.0f}, 0), b({LG_K, SEED, 1.0f}, 0);
    Keys keys(N);
    keys.set(0);
    for (api::DeviceThetaSet* set : {&a, &b}) set->update(keys.data(), ThetaKey::u64, N, held);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    Gate gate;
    gate.hold(held);
    a.update(keys.data(), ThetaKey::u64, N, held);
    b.update(keys.data(), ThetaKey::u64, N, free);
    EXPECT_EQ(cudaStreamSynchronize(free), cudaSuccess);
    expect_state(b.read(), expected_state(keys.hashes(), LG_K));
    gate.open();
    expect_state(a.read(), expected_state(keys.hashes(), LG_K));
}

TEST_F(DeviceThetaWork, SetsMayGoWhileTheirWorkRuns) {
    const TestStream stream;
    Keys keys(N);
    keys.set(0);
    Gate gate;
    gate.hold(stream);
    for (int i = 0; i < 20; ++i) {
        api::DeviceThetaSet set({LG_K, SEED, 1.0f}, 0);
        set.update(keys.data(), ThetaKey::u64, N, stream);
    }
    gate.open();
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
}

TEST_F(DeviceThetaWork, OperandsMayGoWhileTheyAreRead) {
    const TestStream slow;
    Keys keys(N);
    keys.set(0);
    api::DeviceThetaSet set({LG_K, SEED, 1.0f}, 0);
    auto operand = std::make_unique<api::DeviceThetaSet>(api::ThetaParameters{LG_K, SEED, 1.0f}, 0);
    operand->update(keys.data(), ThetaKey::u64, N, slow);
    ASSERT_EQ(cudaStreamSynchronize(slow), cudaSuccess);
    const api::ThetaState expected = operand->read();
    Gate gate;
    gate.hold(slow);
    set.merge(*operand, slow);
    operand.reset();
    // Others of the same size must not be given its memory yet.
    for (int i = 0; i < 20; ++i) api::DeviceThetaSet({LG_K, SEED, 1.0f}, 0).write({false, MAX_THETA, {1, 2, 3}}, nullptr);
    gate.open();
    const api::ThetaState found = set.read();
    EXPECT_EQ(found.theta, expected.theta);
    EXPECT_EQ(found.hashes, expected.hashes);
}

TEST_F(DeviceThetaWork, ACaptureThatIsNotLaunchedForgetsNothing) {
    const TestStream stream;
    Hashes many(1000);  // more than k, as an image may hold
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = (i + 1) << 40;
    api::DeviceThetaSet set({5, SEED, 1.0f}, 0), same({5, SEED, 1.0f}, 0);
    set.write({false, uint64_t{1} << 62, many}, nullptr);
    same.write({false, uint64_t{1} << 62, many}, nullptr);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    set.reset(stream);
    { const Graph never(stream); }
    set.intersect(same, stream);
    EXPECT_EQ(set.read().hashes, many);
}

TEST_F(DeviceThetaWork, MemoryStaysFlat) {
    const auto free_memory = [] {
        std::size_t free = 0, total = 0;
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
        return free;
    };
    Keys keys(N);
    keys.set(0);
    const auto use = [&] {
        api::DeviceThetaSet set({16, SEED, 1.0f}, 0);
        set.update(keys.data(), ThetaKey::u64, 100, nullptr);
        set.update(keys.data(), ThetaKey::u64, N, nullptr);
        set.summary();
    };
    for (int i = 0; i < 10; ++i) use();
    const std::size_t before = free_memory();
    for (int i = 0; i < 200; ++i) use();
    EXPECT_LE(before, free_memory() + (std::size_t{4} << 20));
}

TEST(DeviceThetaPlan, ScratchIsBoundedAndTablesKeepRoom) {
    const kernels::ThetaPlan plan = kernels::plan_theta(12, 4096, uint64_t{1} << 40, {});
    EXPECT_LT(plan.scratch_bytes * 2, std::size_t{16} << 20);  // the pool rounds up to a power of two
    for (uint32_t lg_k = MIN_LG_K; lg_k <= MAX_LG_K; ++lg_k) {
        const uint64_t k = uint64_t{1} << lg_k;
        for (const uint64_t held : {uint64_t{0}, k - 1, k, k * 15 / 8}) {
            for (const uint64_t offered : {uint64_t{1}, k, uint64_t{1} << 40}) {
                const kernels::ThetaPlan p = kernels::plan_theta(lg_k, held, offered, {});
                EXPECT_LT(p.limit, uint64_t{1} << p.lg_slots);
                EXPECT_GE(p.limit, std::min(held + offered, std::max(k, held) + 256)) << lg_k;
            }
        }
    }
}

}  // namespace
}  // namespace tandem::test
