#include "host_api/cuda_scratch.hpp"

#include <memory>

#include "host_api/gate.cuh"

namespace tandem::test {
namespace {

class CudaScratchPool : public ::testing::Test {
  protected:
    void SetUp() override {
        const std::string missing = gpus_missing(1);
        if (!missing.empty()) GTEST_SKIP() << missing;
    }

    // Runs something in a block of the pool on a stream; returns the block.
    void* use(cudaStream_t stream, std::size_t bytes = 1000) {
        const api::ScratchPool::Lease lease = pool_.lease(bytes, stream, api::id_of(stream));
        EXPECT_EQ(cudaMemsetAsync(lease.memory(), 1, bytes, stream), cudaSuccess);
        return lease.memory();
    }

    api::CudaScratch memory_;
    api::ScratchPool pool_{memory_};
};

TEST_F(CudaScratchPool, AHeldStreamKeepsItsBlockUntilItsWorkIsDone) {
    const TestStream slow, other;
    void* const first = use(slow);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    Gate gate;
    gate.hold(slow);
    EXPECT_EQ(use(slow), first);  // in the stream's order, without waiting
    void* const second = use(other);
    EXPECT_NE(second, first);
    pool_.release_idle();  // at most the other stream's
    EXPECT_GE(pool_.bytes(), api::ScratchPool::MIN_BYTES);
    gate.open();
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    pool_.release_idle();
    EXPECT_EQ(pool_.bytes(), 0u);
}

TEST_F(CudaScratchPool, ABlockWhoseUseIsDoneGoesToAnyStream) {
    const TestStream a, b;
    void* const first = use(a);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(use(b), first);
    EXPECT_EQ(pool_.bytes(), api::ScratchPool::MIN_BYTES);
}

TEST_F(CudaScratchPool, StreamsAreToldApartForEver) {
    auto stream = std::make_unique<TestStream>();
    const uint64_t first = api::id_of(*stream);
    EXPECT_EQ(api::id_of(*stream), first);
    stream.reset();
    stream = std::make_unique<TestStream>();
    EXPECT_NE(api::id_of(*stream), first);
    EXPECT_NE(api::id_of(nullptr), first);
    EXPECT_NE(api::id_of(nullptr), api::id_of(cudaStreamPerThread));
}

TEST_F(CudaScratchPool, MoreThanTheDeviceHasIsNull) {
    const TestStream stream;
    const api::ScratchPool::Lease lease = pool_.lease(std::size_t{1} << 50, stream, api::id_of(stream));
    EXPECT_EQ(lease.memory(), nullptr);
}

TEST_F(CudaScratchPool, ContextsAreToldApart) {
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    const uint64_t first = api::current_context_id(0);
    EXPECT_EQ(api::current_context_id(0), first);
    ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_NE(api::current_context_id(0), first);
}

}  // namespace
}  // namespace tandem::test
