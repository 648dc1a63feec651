#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "support/guarded.hpp"
#include "support/reference.hpp"
#include "support/sha256.hpp"
#include "support/vectors.hpp"
#include "tandem/core/children.hpp"

namespace tandem::test {
namespace {

TEST(Sha256, KnownAnswers) {
    const auto digest = [](const std::string& text) { return sha256_hex(text.data(), text.size()); };
    EXPECT_EQ(digest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(digest(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(GuardedBuffer, SeesWritesOnBothSides) {
    for (std::size_t offset = 0; offset < 256; ++offset) {
        GuardedBuffer buffer(10, offset);
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256, offset);
        auto* bytes = static_cast<uint8_t*>(buffer.data());
        EXPECT_TRUE(buffer.untouched());
        std::memset(bytes, 0, 10);
        EXPECT_TRUE(buffer.intact());
        EXPECT_FALSE(buffer.untouched());
        for (const int at : {-256, -1, 10, 265}) {
            bytes[at] = 0;
            EXPECT_FALSE(buffer.intact());
            bytes[at] = 0xa5;
        }
    }
}

TEST(Vectors, CoverTheContract) {
    const std::vector<VectorCase> cases = load_vectors();
    EXPECT_EQ(cases.size(), 371u);
    for (const VectorCase& c : cases) EXPECT_EQ(fill_span(c.fill.draw, c.fill.position, c.fill.n).end, c.end) << c;
}

// The reference must itself agree with what is published, or it proves nothing.
TEST(Reference, AgreesWithTheVectorsOfPlainDraws) {
    for (const VectorCase& c : load_plain_vectors()) {
        const std::vector<uint8_t> output = reference_fill(c.fill);
        ASSERT_EQ(output.size(), c.output_bytes) << c;
        EXPECT_EQ(difference(c, output.data()), "") << c;
    }
}

TEST(Reference, StreamWalksBackAndForth) {
    ReferenceStream stream(key_of_seed(1, 0), 64);
    const uint64_t far = stream.raw(40 * 1024 + 128, 64).lo, near = stream.raw(3 * 1024 + 128, 64).lo;
    const Block b = block(key_of_seed(1, 0), 1, 3), c = block(key_of_seed(1, 0), 1, 40);
    EXPECT_EQ(near, b.w[0] | uint64_t{b.w[1]} << 32);
    EXPECT_EQ(far, c.w[0] | uint64_t{c.w[1]} << 32);
    EXPECT_EQ(stream.raw(3 * 1024 + 128, 64).lo, near);
}

}  // namespace
}  // namespace tandem::test
