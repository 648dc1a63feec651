#include "theta/theta_reference.hpp"

#include <cmath>
#include <cstring>

namespace tandem::test {
namespace {

uint64_t mixed(uint64_t x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53u;
    x ^= x >> 33;
    return x;
}

uint64_t murmur(uint64_t value, uint64_t seed) {
    uint64_t k = value * 0x87c37b91114253d5u;
    k = k << 31 | k >> 33;
    k *= 0x4cf5ad432745937fu;
    uint64_t a = seed ^ k ^ 8, b = seed ^ 8;
    a += b;
    b += a;
    return mixed(a) + mixed(b);
}

template <class T>
T from_bits(uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}

uint64_t of_double(double value) {
    if (value == 0) return 0;
    if (std::isnan(value)) return 0x7ff8000000000000u;
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}

template <class Signed>
uint64_t of_integer(uint64_t bits) {
    return static_cast<uint64_t>(static_cast<int64_t>(from_bits<Signed>(bits)));
}

uint64_t canonical(ThetaKey kind, uint64_t bits) {
    switch (kind) {
        case ThetaKey::f64: return of_double(from_bits<double>(bits));
        case ThetaKey::f32: return of_double(static_cast<double>(from_bits<float>(bits)));
        case ThetaKey::u32:
        case ThetaKey::i32: return of_integer<int32_t>(bits);
        case ThetaKey::u16:
        case ThetaKey::i16: return of_integer<int16_t>(bits);
        case ThetaKey::u8:
        case ThetaKey::i8: return of_integer<int8_t>(bits);
        default: return bits;
    }
}

std::size_t size_of(ThetaKey kind) {
    switch (kind) {
        case ThetaKey::u8:
        case ThetaKey::i8: return 1;
        case ThetaKey::u16:
        case ThetaKey::i16: return 2;
        case ThetaKey::u32:
        case ThetaKey::i32:
        case ThetaKey::f32: return 4;
        default: return 8;
    }
}

void append(std::vector<uint8_t>& image, uint64_t word) {
    for (int i = 0; i < 8; ++i) image.push_back(static_cast<uint8_t>(word >> (8 * i)));
}

}  // namespace

uint64_t reference_theta_hash(ThetaKey kind, uint64_t bits, uint64_t seed) { return murmur(canonical(kind, bits), seed) / 2; }

uint16_t reference_seed_hash(uint64_t seed) { return static_cast<uint16_t>(murmur(seed, 0) % 65536); }

ReferenceTheta::ReferenceTheta(uint32_t lg_k, uint64_t seed_of_hashes, float p)
    : k(uint64_t{1} << lg_k),
      seed(seed_of_hashes),
      start(p < 1 ? static_cast<uint64_t>(std::ldexp(static_cast<double>(p), 63)) : 0x7fffffffffffffffu),
      theta(start) {}

void ReferenceTheta::cut() {
    hashes.erase(hashes.lower_bound(theta), hashes.end());
    if (hashes.size() <= k) return;
    auto next = hashes.begin();
    std::advance(next, static_cast<std::ptrdiff_t>(k));
    theta = *next;
    hashes.erase(next, hashes.end());
}

void ReferenceTheta::update(const void* keys, ThetaKey kind, uint64_t n) {
    if (n == 0) return;
    empty = false;
    const std::size_t size = size_of(kind);
    for (uint64_t i = 0; i < n; ++i) {
        uint64_t bits = 0;
        std::memcpy(&bits, static_cast<const uint8_t*>(keys) + i * size, size);
        const uint64_t hash = reference_theta_hash(kind, bits, seed);
        if (hash != 0 && hash < theta) hashes.insert(hash);
    }
    cut();
}

void ReferenceTheta::update(const ThetaKeys& keys) { update(keys.bytes.data(), keys.kind, keys.n); }

void ReferenceTheta::update_untrimmed(const ThetaKeys& keys) {
    const std::size_t size = size_of(keys.kind);
    for (uint64_t i = 0; i < keys.n; ++i) {
        empty = false;
        uint64_t bits = 0;
        std::memcpy(&bits, keys.bytes.data() + i * size, size);
        const uint64_t hash = reference_theta_hash(keys.kind, bits, seed);
        if (hash != 0 && hash < theta) hashes.insert(hash);
        if (hashes.size() > 2 * k * 15 / 16) cut();
    }
}

void ReferenceTheta::merge(const ReferenceTheta& other) {
    if (other.empty) return;
    empty = false;
    theta = std::min(theta, other.theta);
    hashes.insert(other.hashes.begin(), other.hashes.end());
    cut();
}

void ReferenceTheta::intersect(const ReferenceTheta& other) {
    if (empty) return;
    if (other.empty) return reset();
    const bool both_had_some = !hashes.empty() && !other.hashes.empty();
    theta = std::min(theta, other.theta);
    std::set<uint64_t> both;
    for (uint64_t hash : hashes) {
        if (hash < theta && other.hashes.count(hash) > 0) both.insert(hash);
    }
    hashes = both;
    if (hashes.empty() && theta == MAX_THETA && both_had_some) reset();
}

void ReferenceTheta::a_not_b(const ReferenceTheta& other) {
    if (empty || (!hashes.empty() && other.empty)) return;
    if (!other.empty) theta = std::min(theta, other.theta);
    std::set<uint64_t> rest;
    for (uint64_t hash : hashes) {
        if (hash < theta && other.hashes.count(hash) == 0) rest.insert(hash);
    }
    hashes = rest;
    if (hashes.empty() && theta == MAX_THETA) reset();
}

void ReferenceTheta::reset() {
    empty = true;
    theta = start;
    hashes.clear();
}

std::vector<uint8_t> ReferenceTheta::image() const {
    const bool estimating = !empty && theta < MAX_THETA;
    const uint64_t words = empty ? 1 : estimating ? 3 : hashes.size() == 1 ? 1 : 2;
    std::vector<uint8_t> image;
    append(image, words | 0x030300u | (empty ? 0x1eull : 0x1aull) << 40 | static_cast<uint64_t>(reference_seed_hash(seed)) << 48);
    if (words > 1) append(image, hashes.size());
    if (words > 2) append(image, theta);
    for (uint64_t hash : hashes) append(image, hash);
    return image;
}

}  // namespace tandem::test
