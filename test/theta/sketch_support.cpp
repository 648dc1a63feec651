#include <cstring>
#include <ostream>

#include "theta/set_suite.hpp"

namespace tandem::test {

Draw draw_of_keys(ThetaKey kind) {
    switch (kind) {
        case ThetaKey::u32:
        case ThetaKey::i32: return Draw::u32;
        case ThetaKey::u16:
        case ThetaKey::i16: return Draw::u16;
        case ThetaKey::u8:
        case ThetaKey::i8: return Draw::u8;
        case ThetaKey::f64: return Draw::f64;
        case ThetaKey::f32: return Draw::f32;
        default: return Draw::u64;
    }
}

std::string sketch_kind_name(const ::testing::TestParamInfo<SketchKind>& info) { return info.param.name; }

void PrintTo(const SketchKind& kind, std::ostream* out) { *out << kind.name; }

void offer(SketchUnderTest& sketch, const ThetaKeys& keys) { sketch.update(keys.bytes.data(), keys.kind, keys.n); }

ThetaKeys keys_of(const std::vector<uint64_t>& values) {
    ThetaKeys keys;
    keys.n = values.size();
    keys.bytes.resize(values.size() * 8);
    if (!values.empty()) std::memcpy(keys.bytes.data(), values.data(), keys.bytes.size());
    return keys;
}

void expect_same(SketchUnderTest& sketch, const ReferenceTheta& expected) {
    const api::ThetaSummary summary = sketch.summary();
    EXPECT_EQ(summary.empty, expected.empty);
    EXPECT_EQ(summary.retained, expected.hashes.size());
    EXPECT_EQ(summary.theta, expected.empty ? MAX_THETA : expected.theta);
    EXPECT_EQ(sketch.image(), expected.image());
}

void expect_result(SketchUnderTest& sketch, const ThetaResult& expected) {
    const api::ThetaSummary summary = sketch.summary();
    EXPECT_EQ(summary.empty, expected.empty);
    EXPECT_EQ(summary.retained, expected.retained);
    EXPECT_EQ(summary.theta, expected.theta);
    EXPECT_EQ(image_difference(expected, sketch.image()), "");
}

}  // namespace tandem::test
