#pragma once

/// The published vectors of Theta sketches, test/data/theta/vectors.json.

#include <cstdint>
#include <string>
#include <vector>

#include "tandem/core/theta.hpp"

namespace tandem::test {

/// The file as text, for tests that read single records.
std::string theta_vectors_text();

/// Keys one after another, as an update takes them.
struct ThetaKeys {
    ThetaKey kind = ThetaKey::u64;
    uint64_t n = 0;
    std::vector<uint8_t> bytes;
};

/// How the keys of a record are made. Values that a shape does not have are left as here.
struct ThetaKeyRule {
    enum class Shape : uint8_t { seq, mod, div, mix, inverse, list };
    Shape shape = Shape::seq;
    ThetaKey kind = ThetaKey::u64;
    uint64_t n = 0;
    uint64_t start = 0;
    uint64_t m = 1;
    std::vector<uint64_t> list;

    ThetaKeys keys() const;
};

/// The name of a kind in the file, such as "u64", as the kind.
ThetaKey theta_kind(const std::string& name);

/// A key of type u64 whose hash under seed 8 is `hash` modulo 2^63.
uint64_t theta_key_of_hash(uint64_t hash);

/// What a sketch must be. Values that the file does not give are left as here.
struct ThetaResult {
    bool refused = false;  ///< the operands do not go together
    bool empty = true;
    uint64_t retained = 0;
    uint64_t theta = MAX_THETA;
    double estimate = 0;
    std::vector<double> bounds;  ///< lower and upper at 1, 2 and 3 standard deviations; empty when not given
    uint64_t bytes = 0;          ///< of the image
    std::vector<uint8_t> image;  ///< empty when only the digest is given
    std::string sha256;          ///< of the image; empty when the image is given
};

/// What differs between an image and the one that a result gives; empty when nothing does.
std::string image_difference(const ThetaResult& expected, const std::vector<uint8_t>& image);

/// A sketch of `sketches`.
struct ThetaSketchCase {
    std::string name;
    uint32_t lg_k = 0;
    uint64_t seed = 0;
    float p = 1;
    ThetaKeyRule rule;
    ThetaResult result;
};
std::vector<ThetaSketchCase> load_theta_sketches();

/// A group of operations of `setops`.
struct ThetaOperand {
    uint32_t lg_k = 0;
    uint64_t seed = 0;
    float p = 1;
    bool trimmed = true;  ///< false: as the reference holds it, with more than k hashes
    ThetaKeyRule rule;
};
struct ThetaOperations {
    std::string name;
    std::vector<ThetaOperand> operands;
    uint32_t union_lg_k = 0;
    uint64_t union_seed = 0;
    float union_p = 1;
    ThetaResult united;        ///< of all operands, in a sketch made with the three values above
    ThetaResult intersection;  ///< of all operands
    ThetaResult difference;    ///< the first without the second
};
std::vector<ThetaOperations> load_theta_operations();

/// An image of `images`.
struct ThetaImageCase {
    std::string name;
    uint64_t seed = 0;
    std::vector<uint8_t> image;
    bool accepted = false;   ///< the verdict of the contract
    bool unchanged = false;  ///< for accepted ones: writing it again gives the same bytes
    bool empty = true;
    uint64_t retained = 0;
    uint64_t theta = MAX_THETA;
};
std::vector<ThetaImageCase> load_theta_images();

/// An estimate and bounds of `bounds`.
struct ThetaBoundsCase {
    uint64_t retained = 0;
    uint64_t theta = MAX_THETA;
    double estimate = 0;
    std::vector<double> bounds;  ///< as in ThetaResult
};
std::vector<ThetaBoundsCase> load_theta_bounds();

}  // namespace tandem::test
