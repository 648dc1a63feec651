/// The published values on the GPU: every vector, and the three digests over millions of draws.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "kernels/device_table.hpp"
#include "kernels/fill.hpp"
#include "support/reference.hpp"
#include "support/sha256.hpp"
#include "support/tables.hpp"
#include "support/vectors.hpp"
#include "tandem/core/children.hpp"

namespace tandem::test {
namespace {

constexpr kernels::Path PATHS[] = {kernels::Path::best, kernels::Path::tiles, kernels::Path::lists};

class KernelVectors : public testing::Test {
  protected:
    void SetUp() override {
        if (const std::string missing = gpus_missing(1); !missing.empty()) GTEST_SKIP() << missing;
    }

    /// The output of a fill, whose table lies in device memory.
    static std::vector<uint8_t> output_of(Fill fill, kernels::Path path) {
        const DeviceBytes out(element_size(fill) * fill.n);
        fill.out = out.data();
        const DeviceBytes scratch(kernels::scratch_bytes(fill, path));
        EXPECT_EQ(kernels::launch(fill, {nullptr, scratch.data(), nullptr, path}), cudaSuccess);
        return out.read();
    }
};

TEST_F(KernelVectors, All) {
    for (const VectorCase& c : load_vectors()) {
        if (c.fill.n == 0) continue;
        Fill fill = c.fill;
        std::unique_ptr<DeviceTable> table;
        if (c.table.kind != TableSpec::Kind::none) {
            table = std::make_unique<DeviceTable>(table_of(c.table).view());
            fill.choice = table->view();
        }
        for (const kernels::Path path : PATHS) {
            EXPECT_EQ(difference(c, output_of(fill, path).data()), "") << c << ", path " << static_cast<int>(path);
        }
    }
}

constexpr uint64_t STARTS[] = {0, 1, 77, 12345, 1ull << 30};

Fill fill_at(Draw draw, uint64_t start, uint64_t n) {
    Fill fill;
    fill.draw = draw;
    fill.key = key_of_seed(2026, 7);
    fill.position = start;
    fill.n = n;
    return fill;
}

void append(std::vector<uint8_t>& to, const std::vector<uint8_t>& more) { to.insert(to.end(), more.begin(), more.end()); }

using PublishedDigests = KernelVectors;

TEST_F(PublishedDigests, Normals64) {
    for (const kernels::Path path : PATHS) {
        std::vector<uint8_t> all;
        for (const uint64_t start : STARTS) append(all, output_of(fill_at(Draw::normal64, start, 1000000), path));
        EXPECT_EQ(sha256_hex(all), "700ec4d2f4d6b82aaa56c6eff18a4e5919585fdbd093988773383d580ea610d1");
    }
}

TEST_F(PublishedDigests, Exponentials) {
    std::vector<uint8_t> all;
    for (const uint64_t start : STARTS) {
        const Fill first = fill_at(Draw::exponential64, start, 1000000);
        append(all, output_of(first, kernels::Path::best));
        append(all,
               output_of(fill_at(Draw::exponential32, fill_span(first.draw, start, first.n).end, 1000000), kernels::Path::best));
    }
    EXPECT_EQ(sha256_hex(all), "7b12b7c36baf14ab42f7736a5a67925c3c7b1bfafc8d50f078ba1af927044dd5");
}

TEST_F(PublishedDigests, Normals32) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (const uint64_t start : STARTS) {
        for (const uint8_t byte : output_of(fill_at(Draw::normal32, start, 1999999), kernels::Path::best))
            hash = (hash ^ byte) * 0x100000001b3u;
    }
    EXPECT_EQ(hash, 0xaa1ea656ce73a4fbu);
}

}  // namespace
}  // namespace tandem::test
