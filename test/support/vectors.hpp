#pragma once

/// The published vectors of test/data as fills with expected outputs.

#include <cstdint>
#include <string>
#include <vector>

#include "tandem/core/fill.hpp"

namespace tandem::test {

/// One step from a generator to a child.
struct ChildStep {
    bool split;      ///< split(value), otherwise sub(value)
    uint64_t value;  ///< index or purpose
};

/// A discrete law or the weights of a choice.
struct TableSpec {
    enum class Kind { none, weights, poisson, binomial, geometric };
    Kind kind = Kind::none;
    std::vector<double> weights;
    double lambda = 0.0;
    uint64_t trials = 0;
    double p = 0.0;
    bool has_expectations = false;  ///< `capacity` is given
    uint64_t capacity = 0;
    uint64_t low = 0;
    uint64_t entries = 0;  ///< 0 when not given
};

/// A case of short.json or long.json.
struct VectorCase {
    std::string name;  ///< file, number and draw, for messages
    std::string draw;  ///< as in the files: also the name on the command line, but for the _affine ones
    Fill fill;         ///< complete but for `out`, and `choice` where `table` is not none; `key` is that of the child
    Key root{};        ///< the key before the child steps
    bool has_seed = false;
    uint64_t seed_low = 0;  ///< the 128-bit seed of `root`
    uint64_t seed_high = 0;
    std::vector<ChildStep> child;
    bool int_range = false;  ///< an inclusive range
    int64_t range_low = 0;
    int64_t range_high = 0;
    TableSpec table;

    std::size_t output_bytes = 0;
    std::vector<uint8_t> bytes;    ///< the whole output; empty when only a digest is published
    std::string sha256;            ///< of the output; empty when the output is published
    uint64_t end = 0;              ///< position afterwards
    int64_t rejected = -1;         ///< bounded: elements rejected at first; -1 when not published
    std::vector<uint64_t> missed;  ///< f64 normals: the first elements that take the fallback
};

/// All cases of short.json and long.json, in order. Throws std::runtime_error when a file is missing or has an unknown draw.
std::vector<VectorCase> load_vectors();

/// The cases whose draws are plain: no tables, no parameters.
std::vector<VectorCase> load_plain_vectors();

/// Compares an output with what a case publishes; an empty string when they agree, otherwise what differs.
std::string difference(const VectorCase& expected, const void* output);

/// For the names of GoogleTest's value-parameterised tests and for messages.
std::ostream& operator<<(std::ostream& out, const VectorCase& value);

}  // namespace tandem::test
