#include "theta/set_suite.hpp"

namespace tandem::test {
namespace {

void succeed(tandemStatus_t status) { EXPECT_EQ(status, TANDEM_STATUS_SUCCESS) << tandemGetLastErrorMessage(); }

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
        EXPECT_EQ(end, fill_span(draw_of_keys(kind), position, n).end);
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

std::unique_ptr<SketchUnderTest> make_api_sketch(const SketchKind& kind, const api::ThetaParameters& parameters) {
    return std::make_unique<ApiSketch>(kind, parameters);
}

}  // namespace tandem::test
