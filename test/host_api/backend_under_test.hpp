#pragma once

/// The backend that a test program runs its suites on: backend_host.cpp or backend_device.cpp, one of which it links.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tandem/fill.hpp"
#include "tandem/tandem.h"

namespace tandem::test {

/// Memory that the backend fills, between two strips of poison.
class Room {
  public:
    virtual ~Room() = default;
    virtual void* data() = 0;
    /// The bytes, after everything enqueued has run.
    virtual std::vector<uint8_t> read() = 0;
    /// True when nothing outside was written.
    virtual bool intact() = 0;
    /// True when nothing at all was written.
    virtual bool untouched() = 0;
};

/// Why the backend cannot run here; empty when it can.
std::string backend_missing();

tandemStatus_t create_generator(tandemGenerator_t* generator, tandemRngType_t type);

/// `size` bytes, `offset` bytes beyond a multiple of 256.
std::unique_ptr<Room> make_room(std::size_t size, std::size_t offset = 0);

/// The C++ fill of the backend.
uint64_t pure_fill(const Fill& fill);

/// A distribution's table where the backend reads it.
tandemStatus_t view_of(tandemDistribution_t distribution, tandemDistributionView_t* view);

/// A generator of the backend, destroyed at the end of its scope.
class TestGenerator {
  public:
    TestGenerator() { EXPECT_EQ(create_generator(&handle_, TANDEM_RNG_PSEUDO_DEFAULT), TANDEM_STATUS_SUCCESS); }
    explicit TestGenerator(tandemGenerator_t handle) : handle_(handle) {}
    TestGenerator(const TestGenerator&) = delete;
    TestGenerator& operator=(const TestGenerator&) = delete;
    ~TestGenerator() { tandemDestroyGenerator(handle_); }

    operator tandemGenerator_t() const { return handle_; }

    uint64_t position() const {
        uint64_t bits = ~0ull;
        EXPECT_EQ(tandemGetPosition(handle_, &bits), TANDEM_STATUS_SUCCESS);
        return bits;
    }
    Key key() const {
        Key key{};
        EXPECT_EQ(tandemGetKey(handle_, key.w), TANDEM_STATUS_SUCCESS);
        return key;
    }
    /// Goes to any position, also one that only drawing reaches.
    void restore(const Key& key, uint32_t chunk_length, uint64_t position) const {
        const uint32_t words[8] = {1,
                                   chunk_length,
                                   key.w[0],
                                   key.w[1],
                                   key.w[2],
                                   key.w[3],
                                   static_cast<uint32_t>(position),
                                   static_cast<uint32_t>(position >> 32)};
        EXPECT_EQ(tandemRestoreState(handle_, words), TANDEM_STATUS_SUCCESS);
    }

  private:
    tandemGenerator_t handle_ = nullptr;
};

/// Skips its tests where the backend cannot run.
class BackendTest : public ::testing::Test {
  protected:
    void SetUp() override {
        const std::string reason = backend_missing();
        if (!reason.empty()) GTEST_SKIP() << reason;
    }
};

}  // namespace tandem::test
