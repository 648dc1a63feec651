#include <cstring>
#include <ostream>

#include "theta/set_suite.hpp"

namespace tandem::test {
namespace {

void succeed(tandemStatus_t status) { EXPECT_EQ(status, TANDEM_STATUS_SUCCESS) << tandemGetLastErrorMessage(); }

Draw draw_of(ThetaKey kind) {
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

/// A set, whose images the library's writer and reader make.
class SetSketch final : public SketchUnderTest {
  public:
    SetSketch(const SketchKind& kind, const api::ThetaParameters& parameters)
        : kind_(kind), parameters_(parameters), set_(kind.make_set(parameters)) {}

    void update(const void* keys, ThetaKey kind, uint64_t n) override {
        if (n == 0) return;
        const PlacedKeys placed = kind_.place(keys, n * theta_key_bytes(kind), theta_key_bytes(kind));
        set_->check_keys(placed.get(), kind, n, kind_.stream);
        set_->update(placed.get(), kind, n, kind_.stream);
        set_->summary();  // the keys are read now
    }
    void update_draws(const Key& key, uint32_t chunk_length, uint64_t position, ThetaKey kind, uint64_t n) override {
        Fill fill;
        fill.draw = draw_of(kind);
        fill.key = key;
        fill.chunk_length = chunk_length;
        fill.position = position;
        fill.n = n;
        api::RunOptions options;
        options.stream = kind_.stream;
        set_->update_draws(fill, kind, options);
    }
    void merge(SketchUnderTest& other) override { set_->merge(*static_cast<SetSketch&>(other).set_, kind_.stream); }
    void intersect(SketchUnderTest& other) override { set_->intersect(*static_cast<SetSketch&>(other).set_, kind_.stream); }
    void a_not_b(SketchUnderTest& other) override { set_->a_not_b(*static_cast<SetSketch&>(other).set_, kind_.stream); }
    void reset() override { set_->reset(kind_.stream); }
    void load(const std::vector<uint8_t>& image) override {
        set_->write(api::read_theta_image(image.data(), image.size(), parameters_.seed), kind_.stream);
    }
    api::ThetaSummary summary() override { return set_->summary(); }
    std::vector<uint8_t> image() override {
        std::vector<uint8_t> image(api::theta_image_bytes(set_->summary()));
        api::write_theta_image(set_->read(), parameters_.seed, image.data());
        return image;
    }

  private:
    SketchKind kind_;
    api::ThetaParameters parameters_;
    std::unique_ptr<api::ThetaSet> set_;
};

/// A handle of the C interface.
class ApiSketch final : public SketchUnderTest {
  public:
    ApiSketch(const SketchKind& kind, const api::ThetaParameters& parameters) : kind_(kind), parameters_(parameters) {
        succeed(kind.create(&handle_, parameters.lg_k, parameters.seed, parameters.p));
    }
    ~ApiSketch() override { tandemThetaDestroy(handle_); }

    void update(const void* keys, ThetaKey kind, uint64_t n) override {
        const PlacedKeys placed = kind_.place(keys, n * theta_key_bytes(kind), theta_key_bytes(kind));
        succeed(tandemThetaUpdate(handle_, placed.get(), n, static_cast<tandemThetaKey_t>(kind), kind_.stream));
        static_cast<void>(summary());  // the keys are read now
    }
    void update_draws(const Key& key, uint32_t chunk_length, uint64_t position, ThetaKey kind, uint64_t n) override {
        tandemGenerator_t generator = nullptr;
        succeed(kind_.create_generator(&generator, TANDEM_RNG_PSEUDO_DEFAULT));
        succeed(tandemSetKey(generator, key.w));
        succeed(tandemSetChunkLength(generator, chunk_length));
        succeed(tandemSetPosition(generator, position));
        succeed(tandemSetStream(generator, kind_.stream));
        succeed(tandemThetaUpdateDraws(handle_, generator, static_cast<tandemThetaKey_t>(kind), n));
        uint64_t end = 0;
        succeed(tandemGetPosition(generator, &end));
        EXPECT_EQ(end, fill_span(draw_of(kind), position, n).end);
        succeed(tandemDestroyGenerator(generator));
    }
    void merge(SketchUnderTest& other) override {
        succeed(tandemThetaMerge(handle_, static_cast<ApiSketch&>(other).handle_, kind_.stream));
    }
    void intersect(SketchUnderTest& other) override {
        succeed(tandemThetaIntersect(handle_, static_cast<ApiSketch&>(other).handle_, kind_.stream));
    }
    void a_not_b(SketchUnderTest& other) override {
        succeed(tandemThetaANotB(handle_, static_cast<ApiSketch&>(other).handle_, kind_.stream));
    }
    void reset() override { succeed(tandemThetaReset(handle_, kind_.stream)); }
    void load(const std::vector<uint8_t>& image) override {
        // Images are read into sketches of their own, on hosts always; a union of p = 1 with an empty sketch would trim.
        tandemTheta_t made = nullptr;
        const bool host = kind_.create == tandemThetaCreateHost;
        succeed((host ? tandemThetaDeserializeHost : tandemThetaDeserialize)(&made, image.data(), image.size(), parameters_.lg_k,
                                                                             parameters_.seed));
        tandemThetaDestroy(handle_);
        handle_ = made;
    }
    api::ThetaSummary summary() override {
        int empty = -1;
        api::ThetaSummary summary;
        succeed(tandemThetaGetEmpty(handle_, &empty));
        succeed(tandemThetaGetTheta(handle_, &summary.theta));
        succeed(tandemThetaGetRetained(handle_, &summary.retained));
        EXPECT_TRUE(empty == 0 || empty == 1);
        summary.empty = empty == 1;
        return summary;
    }
    std::vector<uint8_t> image() override {
        std::size_t bytes = 0;
        succeed(tandemThetaSerialize(handle_, nullptr, &bytes));
        std::vector<uint8_t> image(bytes);
        succeed(tandemThetaSerialize(handle_, image.data(), &bytes));
        EXPECT_EQ(bytes, image.size());
        return image;
    }

  private:
    SketchKind kind_;
    api::ThetaParameters parameters_;
    tandemTheta_t handle_ = nullptr;
};

}  // namespace

std::string sketch_kind_name(const ::testing::TestParamInfo<SketchKind>& info) { return info.param.name; }

void PrintTo(const SketchKind& kind, std::ostream* out) { *out << kind.name; }

std::unique_ptr<SketchUnderTest> make_sketch(const SketchKind& kind, const api::ThetaParameters& parameters) {
    if (kind.make_set != nullptr) return std::make_unique<SetSketch>(kind, parameters);
    return std::make_unique<ApiSketch>(kind, parameters);
}

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
