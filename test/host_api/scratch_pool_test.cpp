#include "host_api/scratch_pool.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>

namespace tandem::test {
namespace {

using api::ScratchMemory;
using api::ScratchPool;

CUstream_st* stream(uintptr_t number) { return reinterpret_cast<CUstream_st*>(number); }

/// A device on which work is done when the test says so.
class FakeDevice final : public ScratchMemory {
  public:
    void* allocate(std::size_t bytes) noexcept override {
        if (held + bytes > limit) return nullptr;
        ++allocations;
        held += bytes;
        void* memory = std::malloc(1);
        sizes[memory] = bytes;
        return memory;
    }
    void free(void* memory) noexcept override {
        held -= sizes.at(memory);
        sizes.erase(memory);
        std::free(memory);
    }
    CUevent_st* make_event() override {
        if (fail_events) throw std::runtime_error("no event");
        auto* event = new Event;
        events.insert(event);
        return reinterpret_cast<CUevent_st*>(event);
    }
    void destroy_event(CUevent_st* event) noexcept override {
        events.erase(reinterpret_cast<Event*>(event));
        delete reinterpret_cast<Event*>(event);
    }
    void record(CUevent_st* event, CUstream_st* on) noexcept override {
        *reinterpret_cast<Event*>(event) = Event{on, enqueued[on]};
    }
    bool done(CUevent_st* event) noexcept override {
        ++queries;
        const Event& e = *reinterpret_cast<Event*>(event);
        return e.ticket <= finished[e.on];
    }

    void enqueue(CUstream_st* on) { ++enqueued[on]; }
    void finish(CUstream_st* on) { finished[on] = enqueued[on]; }

    struct Event {
        CUstream_st* on = nullptr;
        int ticket = 0;
    };
    std::map<void*, std::size_t> sizes;
    std::map<CUstream_st*, int> enqueued, finished;
    std::set<Event*> events;
    std::size_t held = 0, limit = SIZE_MAX;
    int allocations = 0, queries = 0;
    bool fail_events = false;
};

/// Runs a fill that needs `bytes` on a stream and returns the memory that it used.
void* use(FakeDevice& device, ScratchPool& pool, std::size_t bytes, uintptr_t on) {
    const ScratchPool::Lease lease = pool.lease(bytes, stream(on), on);
    device.enqueue(stream(on));
    return lease.memory();
}

TEST(ScratchPool, SizesArePowersOfTwo) {
    FakeDevice device;
    ScratchPool pool(device);
    void* const small = use(device, pool, 1, 1);
    EXPECT_EQ(device.sizes.at(small), ScratchPool::MIN_BYTES);
    void* const large = use(device, pool, 3 * ScratchPool::MIN_BYTES, 1);
    EXPECT_EQ(device.sizes.at(large), 4 * ScratchPool::MIN_BYTES);
    EXPECT_EQ(use(device, pool, 4 * ScratchPool::MIN_BYTES, 1), large);
    EXPECT_EQ(pool.bytes(), 5 * ScratchPool::MIN_BYTES);
    EXPECT_EQ(pool.lease(SIZE_MAX, stream(1), 1).memory(), nullptr);
}

TEST(ScratchPool, OneStreamReusesInItsOrderAndAsksNothing) {
    FakeDevice device;
    ScratchPool pool(device);
    void* const first = use(device, pool, 100, 1);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(use(device, pool, 100, 1), first);
    EXPECT_EQ(device.allocations, 1);
    EXPECT_EQ(device.queries, 0);
}

TEST(ScratchPool, AnotherStreamWaitsForTheEvent) {
    FakeDevice device;
    ScratchPool pool(device);
    void* const first = use(device, pool, 100, 1);
    void* const second = use(device, pool, 100, 2);
    EXPECT_NE(first, second);
    device.finish(stream(1));
    EXPECT_EQ(use(device, pool, 100, 3), first);
    // Now stream 3 has it, and its use is not done.
    EXPECT_NE(use(device, pool, 100, 1), first);
    EXPECT_EQ(device.allocations, 3);
}

TEST(ScratchPool, AnotherStreamOfTheSameHandleIsAnotherStream) {
    FakeDevice device;
    ScratchPool pool(device);
    void* first;
    {
        const ScratchPool::Lease lease = pool.lease(100, stream(1), 11);
        device.enqueue(stream(1));
        first = lease.memory();
    }
    const ScratchPool::Lease lease = pool.lease(100, stream(1), 12);
    EXPECT_NE(lease.memory(), first);
}

TEST(ScratchPool, ALeasedBlockIsNobodyElses) {
    FakeDevice device;
    ScratchPool pool(device);
    const ScratchPool::Lease held = pool.lease(100, stream(1), 1);
    const ScratchPool::Lease other = pool.lease(100, stream(1), 1);
    EXPECT_NE(held.memory(), other.memory());
    pool.release_idle();
    EXPECT_EQ(pool.bytes(), 2 * ScratchPool::MIN_BYTES);
}

TEST(ScratchPool, TheSmallestFittingBlockIsTaken) {
    FakeDevice device;
    ScratchPool pool(device);
    void* const large = use(device, pool, 8 * ScratchPool::MIN_BYTES, 1);
    EXPECT_EQ(use(device, pool, 100, 1), large);
    {
        const ScratchPool::Lease lease = pool.lease(8 * ScratchPool::MIN_BYTES, stream(1), 1);
        EXPECT_NE(use(device, pool, 100, 1), large);
    }
    EXPECT_NE(use(device, pool, 100, 1), large);
}

TEST(ScratchPool, ReleaseFreesWhatIsDone) {
    FakeDevice device;
    ScratchPool pool(device);
    use(device, pool, 100, 1);
    use(device, pool, 100, 2);
    pool.release_idle();
    EXPECT_EQ(pool.bytes(), 2 * ScratchPool::MIN_BYTES);
    device.finish(stream(1));
    pool.release_idle();
    EXPECT_EQ(pool.bytes(), ScratchPool::MIN_BYTES);
    EXPECT_EQ(device.held, pool.bytes());
    EXPECT_EQ(device.events.size(), 1u);
    device.finish(stream(2));
    pool.release_idle();
    EXPECT_EQ(device.held, 0u);
    EXPECT_TRUE(device.events.empty());
}

TEST(ScratchPool, ShortMemoryReleasesIdleBlocksFirstAndThenAnswersNull) {
    FakeDevice device;
    device.limit = 2 * ScratchPool::MIN_BYTES;
    ScratchPool pool(device);
    use(device, pool, 100, 1);
    EXPECT_EQ(pool.lease(2 * ScratchPool::MIN_BYTES, stream(2), 2).memory(), nullptr);
    device.finish(stream(1));
    EXPECT_NE(pool.lease(2 * ScratchPool::MIN_BYTES, stream(2), 2).memory(), nullptr);
    EXPECT_EQ(pool.bytes(), 2 * ScratchPool::MIN_BYTES);
}

TEST(ScratchPool, AFailedGrowthLeavesNothingBehind) {
    FakeDevice device;
    ScratchPool pool(device);
    device.fail_events = true;
    EXPECT_THROW(pool.lease(100, stream(1), 1), std::runtime_error);
    EXPECT_EQ(device.held, 0u);
    EXPECT_EQ(pool.bytes(), 0u);
}

TEST(ScratchPool, ThePoolFreesEverythingAtItsEnd) {
    FakeDevice device;
    {
        ScratchPool pool(device);
        use(device, pool, 100, 1);
        use(device, pool, 1 << 20, 2);
    }
    EXPECT_EQ(device.held, 0u);
    EXPECT_TRUE(device.events.empty());
}

TEST(ScratchPool, ThreadsShareIt) {
    FakeDevice device;
    ScratchPool pool(device);
    std::vector<std::thread> threads;
    for (uintptr_t t = 1; t <= 4; ++t) {
        threads.emplace_back([&pool, t] {
            for (int i = 0; i < 1000; ++i) {
                const ScratchPool::Lease lease = pool.lease(100, stream(t), t);
                *static_cast<char*>(lease.memory()) = static_cast<char>(t);  // a race when two hold one block
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_LE(pool.bytes(), 4 * ScratchPool::MIN_BYTES);
}

}  // namespace
}  // namespace tandem::test
