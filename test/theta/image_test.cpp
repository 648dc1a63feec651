#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "tandem/theta.h"
#include "theta/theta_reference.hpp"

namespace tandem::test {
namespace {

using Image = std::vector<uint8_t>;

uint64_t word_of(const Image& image, std::size_t at, std::size_t bytes) {
    uint64_t word = 0;
    for (std::size_t i = bytes; i > 0; --i) word = word << 8 | image.at(at + i - 1);
    return word;
}

/// The contract's verdict on an image: section 8, rule by rule.
bool legal(const Image& image, uint64_t seed) {
    if (image.size() < 8 || image[2] != 3 || image[1] != 3) return false;
    const uint64_t words = image[0];
    const uint8_t flags = image[5];
    if (words < 1 || words > 3 || (flags & 1) != 0 || (flags & 8) == 0) return false;
    if ((flags & 4) != 0) return words == 1 && image.size() == 8;
    if (word_of(image, 6, 2) != reference_seed_hash(seed)) return false;
    if (image.size() < 8 * words) return false;
    const uint64_t count = words == 1 ? 1 : word_of(image, 8, 4);
    if (image.size() != 8 * (words + count)) return false;
    const uint64_t theta = words == 3 ? word_of(image, 16, 8) : MAX_THETA;
    if (words == 3 && (theta == 0 || theta >= MAX_THETA)) return false;
    if (count > 1 && (flags & 16) == 0) return false;
    uint64_t last = 0;
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t hash = word_of(image, 8 * (words + i), 8);
        if (hash <= last || hash >= theta) return false;
        last = hash;
    }
    return true;
}

/// Reads an image from memory of just its size; true when it is accepted, and what is written then is a legal image again.
bool accepted(const Image& image, uint64_t seed) {
    const std::unique_ptr<uint8_t[]> exact(new uint8_t[image.size()]);
    std::copy(image.begin(), image.end(), exact.get());
    const tandemTheta_t before = reinterpret_cast<tandemTheta_t>(uintptr_t{16});
    tandemTheta_t sketch = before;
    const tandemStatus_t status = tandemThetaDeserializeHost(&sketch, exact.get(), image.size(), 5, seed);
    if (status != TANDEM_STATUS_SUCCESS) {
        EXPECT_EQ(status, TANDEM_STATUS_OUT_OF_RANGE);
        EXPECT_EQ(std::string(tandemGetLastErrorMessage()).rfind("tandemThetaDeserializeHost: image is ", 0), 0u);
        EXPECT_EQ(sketch, before);
        return false;
    }
    std::size_t bytes = 0;
    EXPECT_EQ(tandemThetaSerialize(sketch, nullptr, &bytes), TANDEM_STATUS_SUCCESS);
    Image again(bytes);
    EXPECT_EQ(tandemThetaSerialize(sketch, again.data(), &bytes), TANDEM_STATUS_SUCCESS);
    EXPECT_TRUE(legal(again, seed));
    EXPECT_EQ(tandemThetaDestroy(sketch), TANDEM_STATUS_SUCCESS);
    return true;
}

/// Images of every layout: empty, one hash, none, exact, estimating, more than k.
std::vector<ThetaImageCase> sound_images() {
    std::vector<ThetaImageCase> sound;
    for (ThetaImageCase& c : load_theta_images()) {
        if (c.accepted && legal(c.image, c.seed)) sound.push_back(std::move(c));
    }
    return sound;
}

TEST(ThetaImage, Vectors) {
    const std::vector<ThetaImageCase> cases = load_theta_images();
    EXPECT_EQ(cases.size(), 60u);
    for (const ThetaImageCase& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(legal(c.image, c.seed), c.accepted);
        EXPECT_EQ(accepted(c.image, c.seed), c.accepted);
    }
}

TEST(ThetaImage, UnsupportedVersionsAreCalledSo) {
    for (const uint8_t version : {uint8_t{1}, uint8_t{2}, uint8_t{4}}) {
        Image image = sound_images()[0].image;
        image[1] = version;
        ASSERT_FALSE(accepted(image, DEFAULT_THETA_SEED));
        EXPECT_NE(std::string(tandemGetLastErrorMessage()).find("unsupported"), std::string::npos);
    }
}

TEST(ThetaImage, EveryTruncationAndExtensionIsRefused) {
    EXPECT_GE(sound_images().size(), 10u);
    for (const ThetaImageCase& c : sound_images()) {
        SCOPED_TRACE(c.name);
        for (std::size_t size = 0; size < c.image.size(); ++size) {
            const Image part(c.image.begin(), c.image.begin() + static_cast<std::ptrdiff_t>(size));
            EXPECT_FALSE(accepted(part, c.seed)) << size;
        }
        for (std::size_t more = 1; more <= 16; ++more) {
            Image longer = c.image;
            longer.resize(longer.size() + more, 1);
            EXPECT_FALSE(accepted(longer, c.seed)) << more;
        }
    }
}

TEST(ThetaImage, EverySingleBitFlipIsJudgedByTheContract) {
    uint64_t refused = 0;
    for (const ThetaImageCase& c : sound_images()) {
        SCOPED_TRACE(c.name);
        for (std::size_t bit = 0; bit < 8 * c.image.size(); ++bit) {
            Image flipped = c.image;
            flipped[bit / 8] = static_cast<uint8_t>(flipped[bit / 8] ^ (1u << (bit % 8)));
            const bool expected = legal(flipped, c.seed);
            refused += !expected;
            ASSERT_EQ(accepted(flipped, c.seed), expected) << "bit " << bit;
        }
    }
    EXPECT_GT(refused, 1000u);
}

TEST(ThetaImage, RandomDamageIsJudgedByTheContract) {
    std::mt19937_64 random(8);
    const std::vector<ThetaImageCase> cases = sound_images();
    for (int turn = 0; turn < 100000; ++turn) {
        const ThetaImageCase& c = cases[random() % cases.size()];
        Image image = c.image;
        for (uint64_t n = random() % 4; n > 0; --n) image[random() % image.size()] = static_cast<uint8_t>(random());
        if (random() % 4 == 0) image.resize(random() % (2 * image.size()));
        ASSERT_EQ(accepted(image, c.seed), legal(image, c.seed)) << "turn " << turn;
    }
}

TEST(ThetaImage, NoiseIsRefused) {
    std::mt19937_64 random(9);
    for (int turn = 0; turn < 20000; ++turn) {
        Image image(random() % 64);
        for (uint8_t& byte : image) byte = static_cast<uint8_t>(random());
        ASSERT_EQ(accepted(image, DEFAULT_THETA_SEED), legal(image, DEFAULT_THETA_SEED));
    }
}

// A count near 2^32 must not lead to memory for so many hashes, nor wrap into the size of the image.
TEST(ThetaImage, CountsThatDoNotFitAllocateNothing) {
    const Image sound = sound_images()[2].image;
    for (const uint32_t count : {0xffffffffu, 0x80000000u, 0x20000000u, 0x1fffffffu}) {
        Image image = sound;
        for (std::size_t i = 0; i < 4; ++i) image[8 + i] = static_cast<uint8_t>(count >> (8 * i));
        EXPECT_FALSE(accepted(image, DEFAULT_THETA_SEED)) << count;
    }
}

}  // namespace
}  // namespace tandem::test
