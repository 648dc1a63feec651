#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tandem/fill.hpp"
#include "tandem/tandem.h"

#if TANDEM_TEST_CUDA
#include "host_api/cuda_memory.hpp"
#endif

namespace tandem::test {
namespace {

// Whether this machine has a GPU that the library could use.
bool gpu_present() {
#if TANDEM_TEST_CUDA
    return gpu_count() > 0;
#else
    return false;
#endif
}

TEST(WithoutGpu, WhatNeedsOneSaysSo) {
    if (gpu_present()) GTEST_SKIP() << "this machine has a GPU";
    const tandemGenerator_t before = reinterpret_cast<tandemGenerator_t>(std::uintptr_t{16});
    tandemGenerator_t g = before;
    EXPECT_EQ(tandemCreateGenerator(&g, TANDEM_RNG_PSEUDO_DEFAULT), TANDEM_STATUS_INITIALIZATION_FAILED);
    EXPECT_EQ(g, before);
    EXPECT_NE(std::string(tandemGetLastErrorMessage()).find("host generators and fills work"), std::string::npos);
    EXPECT_EQ(tandemCreateGenerator(&g, static_cast<tandemRngType_t>(1)), TANDEM_STATUS_TYPE_ERROR);
    EXPECT_EQ(tandemCreateGenerator(nullptr, TANDEM_RNG_PSEUDO_DEFAULT), TANDEM_STATUS_NOT_INITIALIZED);
    uint32_t out[4];
    try {
        fill_u32(key_of_seed(0, 0), 0, 32, out, 4);
        ADD_FAILURE() << "a device fill ran";
    } catch (const error& e) {
        EXPECT_EQ(e.status(), TANDEM_STATUS_INITIALIZATION_FAILED);
    }
    tandemDistribution_t distribution = nullptr;
    ASSERT_EQ(tandemCreatePoissonDistribution(2, &distribution), TANDEM_STATUS_SUCCESS);
    tandemDistributionView_t view;
    EXPECT_EQ(tandemGetDistributionView(distribution, &view), TANDEM_STATUS_INITIALIZATION_FAILED);
    EXPECT_EQ(tandemGetDistributionViewHost(distribution, &view), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(tandemDestroyDistribution(distribution), TANDEM_STATUS_SUCCESS);
}

}  // namespace
}  // namespace tandem::test
