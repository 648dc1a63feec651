#include "support/samples.hpp"

#include "tandem/core/choice.hpp"

namespace tandem::test {
namespace {

Fill of(Draw draw) {
    Fill fill;
    fill.draw = draw;
    return fill;
}

Fill reflected(Draw draw) {
    Fill fill = of(draw);
    fill.reflected = true;
    return fill;
}

Fill below(Draw draw, uint64_t range, uint32_t element_bytes, uint64_t low = 0) {
    Fill fill = of(draw);
    fill.range = range;
    fill.element_bytes = element_bytes;
    fill.low = low;
    return fill;
}

Fill full(Draw draw, uint32_t element_bytes, uint64_t low = 0) {
    Fill fill = below(draw, 0, element_bytes, low);
    fill.full_range = true;
    return fill;
}

Fill normal(Draw draw, double mean, double stddev) {
    Fill fill = of(draw);
    fill.mean = mean;
    fill.stddev = stddev;
    return fill;
}

Fill exponential(Draw draw, double scale) {
    Fill fill = of(draw);
    fill.scale = scale;
    return fill;
}

Fill choice(const std::vector<double>& weights, uint32_t low) {
    // Kept for good: samples are views.
    static std::vector<ChoiceTable>* tables = new std::vector<ChoiceTable>();
    tables->reserve(16);
    tables->push_back(choice_build(weights.data(), weights.size(), low));
    Fill fill = of(Draw::choice);
    fill.choice = tables->back().view();
    return fill;
}

void add_bounded(std::vector<DrawSample>& samples) {
    const Draw a = Draw::below32, b = Draw::below64;
    samples.insert(samples.end(), {{"below32_0", below(a, 0, 4)},
                                   {"below32_1", below(a, 1, 4, 7)},
                                   {"below32_6", below(a, 6, 4)},
                                   {"below32_2_16", below(a, 65536, 4)},
                                   {"below32_2_31_plus_1", below(a, 0x80000001u, 4)},
                                   {"below32_3_2_30", below(a, 0xc0000000u, 4)},
                                   {"below32_almost_all", below(a, 0xfffffffeu, 4)},
                                   {"below32_full", full(a, 4, 5)},
                                   {"below32_to_8_bits", below(a, 200, 1, 100)},
                                   {"below32_to_16_bits", below(a, 0xc000u, 2, 0xffffu)},
                                   {"below32_to_64_bits", below(a, 0xc0000000u, 8, ~uint64_t{0} - 2)},
                                   {"below32_full_to_64_bits", full(a, 8, uint64_t{0} - 3)},
                                   {"below64_0", below(b, 0, 8)},
                                   {"below64_6", below(b, 6, 8)},
                                   {"below64_2_63_plus_1", below(b, (uint64_t{1} << 63) + 1, 8)},
                                   {"below64_3_2_62", below(b, uint64_t{3} << 62, 8, 1)},
                                   {"below64_full", full(b, 8, 9)},
                                   {"below64_to_32_bits", below(b, (uint64_t{3} << 30) + 5, 4, 11)},
                                   {"below64_to_8_bits", below(b, 77, 1, 250)},
                                   {"below64_to_16_bits", below(b, 60000, 2, 9)}});
}

std::vector<DrawSample> make_derived() {
    std::vector<DrawSample> samples;
    add_bounded(samples);
    std::vector<double> many(1000);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>((i * 7919) % 1009) / 16;
    samples.insert(samples.end(), {{"normal64", of(Draw::normal64)},
                                   {"normal64_affine", normal(Draw::normal64, 80, 4)},
                                   {"normal64_constant", normal(Draw::normal64, 7, 0)},
                                   {"normal32", of(Draw::normal32)},
                                   {"normal32_affine", normal(Draw::normal32, -2.5, 1.0 / 3)},
                                   {"normal32_mean_0", normal(Draw::normal32, 0, 1e-38)},
                                   {"lognormal64", of(Draw::lognormal64)},
                                   {"lognormal64_subnormal", normal(Draw::lognormal64, -740, 5)},
                                   {"lognormal64_large", normal(Draw::lognormal64, 705, 5)},
                                   {"lognormal32", of(Draw::lognormal32)},
                                   {"lognormal32_subnormal", normal(Draw::lognormal32, -95, 6)},
                                   {"lognormal32_large", normal(Draw::lognormal32, 86, 3)},
                                   {"exponential64", of(Draw::exponential64)},
                                   {"exponential64_scaled", exponential(Draw::exponential64, 0.3)},
                                   {"exponential64_subnormal", exponential(Draw::exponential64, 1e-308)},
                                   {"exponential32", of(Draw::exponential32)},
                                   {"exponential32_scaled", exponential(Draw::exponential32, 2.5f)},
                                   {"exponential32_subnormal", exponential(Draw::exponential32, 1e-38f)},
                                   {"choice_1", choice({3.0}, 5)},
                                   {"choice_4", choice({1, 2, 3, 4}, 0)},
                                   {"choice_1000", choice(many, 0xfffff000u)}});
    for (DrawSample& sample : samples) {
        if (sample.fill.draw != Draw::normal32) continue;
        // f32 parameters are doubles that hold floats.
        sample.fill.mean = static_cast<float>(sample.fill.mean);
        sample.fill.stddev = static_cast<float>(sample.fill.stddev);
    }
    return samples;
}

}  // namespace

const std::vector<DrawSample>& plain_samples() {
    static const std::vector<DrawSample> samples = {{"bool", of(Draw::boolean)},
                                                    {"u8", of(Draw::u8)},
                                                    {"u16", of(Draw::u16)},
                                                    {"u32", of(Draw::u32)},
                                                    {"u64", of(Draw::u64)},
                                                    {"u128", of(Draw::u128)},
                                                    {"f16", of(Draw::f16)},
                                                    {"f32", of(Draw::f32)},
                                                    {"f64", of(Draw::f64)},
                                                    {"c32", of(Draw::c32)},
                                                    {"c64", of(Draw::c64)},
                                                    {"char", of(Draw::character)},
                                                    {"f16_reflected", reflected(Draw::f16)},
                                                    {"f32_reflected", reflected(Draw::f32)},
                                                    {"f64_reflected", reflected(Draw::f64)},
                                                    {"c32_reflected", reflected(Draw::c32)},
                                                    {"c64_reflected", reflected(Draw::c64)}};
    return samples;
}

const std::vector<DrawSample>& derived_samples() {
    static const std::vector<DrawSample> samples = make_derived();
    return samples;
}

}  // namespace tandem::test
