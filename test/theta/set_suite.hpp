#pragma once

/// The suite that every kind of sketch passes: a set of a backend, or a sketch of the C interface. A program links the files
/// suite_*.cpp, sketch_support.cpp and theta_*.cpp of this folder, with set_sketches.cpp for sets or api_sketches.cpp for
/// handles, and instantiates it for its kinds:
///
///   INSTANTIATE_TEST_SUITE_P(Host, ThetaSuite, ::testing::Values(SketchKind{"set", ...}), sketch_kind_name);

#include <gtest/gtest.h>

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "host_api/theta/set.hpp"
#include "tandem/theta.h"
#include "theta/theta_reference.hpp"

namespace tandem::test {

/// A sketch as the suite sees it. Keys and images are host memory, free again when a call returns.
class SketchUnderTest {
  public:
    virtual ~SketchUnderTest() = default;
    virtual void update(const void* keys, ThetaKey kind, uint64_t n) = 0;
    /// Offers n > 0 draws of the stream of a key and chunk length from a position on.
    virtual void update_draws(const Key& key, uint32_t chunk_length, uint64_t position, ThetaKey kind, uint64_t n) = 0;
    virtual void merge(SketchUnderTest& other) = 0;
    virtual void intersect(SketchUnderTest& other) = 0;
    virtual void a_not_b(SketchUnderTest& other) = 0;
    virtual void reset() = 0;
    /// Takes the state of an image of the sketch's seed.
    virtual void load(const std::vector<uint8_t>& image) = 0;
    virtual api::ThetaSummary summary() = 0;
    virtual std::vector<uint8_t> image() = 0;
};

/// Keys in the memory that a kind of sketch reads, until the last copy is gone.
using PlacedKeys = std::shared_ptr<const void>;

/// A kind of sketches. Sets need `make_set`, handles of the C interface `create` and `create_generator`.
struct SketchKind {
    const char* name;
    std::string (*missing)();  ///< why it cannot run here; empty when it can
    std::unique_ptr<SketchUnderTest> (*make)(const SketchKind& kind, const api::ThetaParameters& parameters);
    /// Copies keys, aligned to `bytes_a_key` and no further, to where the sketches read them.
    PlacedKeys (*place)(const void* keys, std::size_t bytes, uint32_t bytes_a_key);
    std::unique_ptr<api::ThetaSet> (*make_set)(const api::ThetaParameters& parameters) = nullptr;
    tandemStatus_t (*create)(tandemTheta_t* sketch, uint32_t lg_k, uint64_t seed, float p) = nullptr;
    tandemStatus_t (*create_generator)(tandemGenerator_t* generator, tandemRngType_t type) = nullptr;
    CUstream_st* stream = nullptr;
};

/// For SketchKind::make.
std::unique_ptr<SketchUnderTest> make_set_sketch(const SketchKind& kind, const api::ThetaParameters& parameters);
std::unique_ptr<SketchUnderTest> make_api_sketch(const SketchKind& kind, const api::ThetaParameters& parameters);

/// The draw whose elements are keys of a type.
Draw draw_of_keys(ThetaKey kind);

std::string sketch_kind_name(const ::testing::TestParamInfo<SketchKind>& info);
void PrintTo(const SketchKind& kind, std::ostream* out);

void offer(SketchUnderTest& sketch, const ThetaKeys& keys);

/// Keys of type u64.
ThetaKeys keys_of(const std::vector<uint64_t>& values);

/// Compares all that a sketch shows.
void expect_same(SketchUnderTest& sketch, const ReferenceTheta& expected);
void expect_result(SketchUnderTest& sketch, const ThetaResult& expected);

/// Skips its tests where the kind cannot run.
class ThetaSuite : public ::testing::TestWithParam<SketchKind> {
  protected:
    void SetUp() override {
        const std::string reason = GetParam().missing();
        if (!reason.empty()) GTEST_SKIP() << reason;
    }

    std::unique_ptr<SketchUnderTest> make(uint32_t lg_k, uint64_t seed = DEFAULT_THETA_SEED, float p = 1.0f) const {
        return GetParam().make(GetParam(), {lg_k, seed, p});
    }
};

/// The same for handles alone, in suite_api*.cpp: statuses, and what no set has.
class ThetaApiSuite : public ThetaSuite {};

}  // namespace tandem::test
