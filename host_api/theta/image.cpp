#include "host_api/theta/image.hpp"

#include "host_api/status.hpp"

namespace tandem::api {
namespace {

// Where the fields lie. The first word is there always, the second one with the count when there are two or three words before
// the hashes, theta when there are three.
constexpr std::size_t WORDS_AT = 0, VERSION_AT = 1, FAMILY_AT = 2, FLAGS_AT = 5, SEED_HASH_AT = 6, COUNT_AT = 8, THETA_AT = 16;
constexpr std::size_t WORD = 8;

constexpr uint8_t VERSION = 3;
constexpr uint8_t COMPACT_FAMILY = 3;

enum Flag : uint8_t { BIG_ENDIAN_FLAG = 1, READ_ONLY = 2, EMPTY = 4, COMPACT = 8, ORDERED = 16 };

void store(uint64_t value, std::size_t bytes, uint8_t* to) {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = static_cast<uint8_t>(value >> (8 * i));
}

uint64_t load(const uint8_t* from, std::size_t bytes) {
    uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value |= static_cast<uint64_t>(from[i]) << (8 * i);
    return value;
}

/// Words before the hashes.
std::size_t words_of(const ThetaSummary& summary) {
    if (summary.empty) return 1;
    if (summary.theta != MAX_THETA) return 3;
    return summary.retained == 1 ? 1 : 2;
}

[[noreturn]] void refuse_image(const std::string& what, const std::string& allowed) { refuse("image", what, allowed); }

void check_size(uint64_t bytes, uint64_t needed) {
    if (bytes != needed) refuse_image("of " + text_of(bytes) + " bytes", "its fields say that it has " + text_of(needed));
}

/// What the first eight bytes say by themselves.
void check_kind(const uint8_t* image, std::size_t bytes) {
    if (bytes < WORD) refuse_image("of " + text_of(uint64_t{bytes}) + " bytes", "it must have at least 8");
    const uint64_t family = image[FAMILY_AT], version = image[VERSION_AT], words = image[WORDS_AT];
    if (family != COMPACT_FAMILY) refuse_image("of family " + text_of(family), "it must be 3, a compact Theta sketch");
    if (version == 1 || version == 2 || version == 4) {
        refuse_image("of version " + text_of(version), "which is unsupported; it must be of version 3, uncompressed");
    }
    if (version != VERSION) refuse_image("of version " + text_of(version), "it must be of version 3");
    if (words < 1 || words > 3) refuse_image("one with " + text_of(words) + " words before the hashes", "there must be 1 to 3");
    if (image[FLAGS_AT] & BIG_ENDIAN_FLAG) refuse_image("big-endian", "it must be little-endian");
    if (!(image[FLAGS_AT] & COMPACT)) refuse_image("not compact", "it must be the image of a compact sketch");
}

void check_seed_hash(const uint8_t* image, uint64_t seed) {
    const uint64_t found = load(image + SEED_HASH_AT, 2), expected = theta_seed_hash(seed);
    if (found == expected) return;
    refuse_image("of seed hash " + text_of(found), "that of the seed " + text_of(seed) + " is " + text_of(expected));
}

std::vector<uint64_t> load_hashes(const uint8_t* from, std::size_t n, uint64_t theta) {
    std::vector<uint64_t> hashes(n);
    uint64_t last = 0;
    for (uint64_t& hash : hashes) {
        hash = load(from, WORD);
        from += WORD;
        if (hash <= last || hash >= theta) {
            refuse_image("one with the hash " + text_of(hash) + " after " + text_of(last) + " and theta " + text_of(theta),
                         "hashes must be above 0, below theta and ascending");
        }
        last = hash;
    }
    return hashes;
}

}  // namespace

std::size_t theta_image_bytes(const ThetaSummary& summary) { return WORD * (words_of(summary) + summary.retained); }

void write_theta_image(const ThetaState& state, uint64_t seed, uint8_t* image) {
    const std::size_t words = words_of({state.empty, state.theta, state.hashes.size()});
    store(words | VERSION << 8 | COMPACT_FAMILY << 16, WORD, image);
    image[FLAGS_AT] = static_cast<uint8_t>(READ_ONLY | (state.empty ? EMPTY : 0) | COMPACT | ORDERED);
    store(theta_seed_hash(seed), 2, image + SEED_HASH_AT);
    if (words >= 2) store(state.hashes.size(), WORD, image + COUNT_AT);
    if (words == 3) store(state.theta, WORD, image + THETA_AT);
    image += WORD * words;
    for (uint64_t hash : state.hashes) {
        store(hash, WORD, image);
        image += WORD;
    }
}

ThetaState read_theta_image(const uint8_t* image, std::size_t bytes, uint64_t seed) {
    check_kind(image, bytes);
    const std::size_t words = image[WORDS_AT];
    const uint8_t flags = image[FLAGS_AT];
    if (flags & EMPTY) {
        if (words != 1) refuse_image("an empty one with " + text_of(uint64_t{words}) + " words", "there must be 1");
        check_size(bytes, WORD);
        return {};
    }
    check_seed_hash(image, seed);
    ThetaState state;
    state.empty = false;
    uint64_t count = 1;
    if (words > 1) {
        if (bytes < WORD * words) check_size(bytes, WORD * words);
        count = load(image + COUNT_AT, 4);
    }
    check_size(bytes, WORD * (words + count));
    if (words == 3) {
        state.theta = load(image + THETA_AT, WORD);
        if (state.theta == 0 || state.theta >= MAX_THETA) {
            refuse_image("one with theta " + text_of(state.theta), "it must be above 0 and below 2^63 - 1");
        }
    }
    if (count > 1 && !(flags & ORDERED)) refuse_image("not ordered", "it must be the image of an ordered sketch");
    state.hashes = load_hashes(image + WORD * words, count, state.theta);
    return state;
}

}  // namespace tandem::api
