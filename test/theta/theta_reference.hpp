#pragma once

/// A Theta sketch straight from its definition, on a set of numbers: what sketches are held against. Uses nothing of the library
/// but the names of the key types.

#include <cstdint>
#include <set>
#include <vector>

#include "theta/theta_vectors.hpp"

namespace tandem::test {

/// The hash of a key, given its own bits in the low bytes.
uint64_t reference_theta_hash(ThetaKey kind, uint64_t bits, uint64_t seed);

/// The first 16 bits of what images hold for a seed.
uint16_t reference_seed_hash(uint64_t seed);

struct ReferenceTheta {
    ReferenceTheta(uint32_t lg_k, uint64_t seed_of_hashes, float p);

    void update(const ThetaKeys& keys);
    void update(const void* keys, ThetaKey kind, uint64_t n);
    void merge(const ReferenceTheta& other);
    void intersect(const ReferenceTheta& other);
    void a_not_b(const ReferenceTheta& other);
    void reset();

    /// Offers keys one after another as the reference implementation does, which lets its table grow to 15/8 k hashes before it
    /// cuts it to k.
    void update_untrimmed(const ThetaKeys& keys);

    /// The compact image.
    std::vector<uint8_t> image() const;

    uint64_t k;
    uint64_t seed;
    uint64_t start;
    bool empty = true;
    uint64_t theta;  ///< also while empty, where it is `start`
    std::set<uint64_t> hashes;

  private:
    void cut();
};

}  // namespace tandem::test
