#include "host_api/theta/image.hpp"
#include "theta/set_suite.hpp"

namespace tandem::test {
namespace {

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
        fill.draw = draw_of_keys(kind);
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

}  // namespace

std::unique_ptr<SketchUnderTest> make_set_sketch(const SketchKind& kind, const api::ThetaParameters& parameters) {
    return std::make_unique<SetSketch>(kind, parameters);
}

}  // namespace tandem::test
