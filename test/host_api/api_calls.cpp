#include "host_api/api_calls.hpp"

#include <stdexcept>

namespace tandem::test {
namespace {

bool inclusive_in_c_api(const Fill& fill, uint64_t last) {
    const auto low = static_cast<int64_t>(fill.low);
    if (fill.element_bytes == 8) return static_cast<uint64_t>(low) + last >= fill.low || fill.low >> 63;
    return false;
}

tandemStatus_t call_bounded(tandemGenerator_t g, const Fill& f) {
    const uint64_t whole = 1ull << 32;
    if (f.draw == Draw::below32 && f.element_bytes == 4 && f.low == 0) {
        return tandemGenerateBelow(g, static_cast<unsigned*>(f.out), f.n, f.full_range ? whole : f.range);
    }
    if (f.draw == Draw::below64 && f.low == 0 && !f.full_range) {
        return tandemGenerateBelowLongLong(g, static_cast<unsigned long long*>(f.out), f.n, f.range);
    }
    const uint64_t last = f.full_range ? (f.draw == Draw::below32 ? whole - 1 : ~0ull) : f.range - 1;
    const auto low = static_cast<long long>(f.low);
    const auto high = static_cast<long long>(f.low + last);
    return tandemGenerateLongLongRange(g, static_cast<long long*>(f.out), f.n, low, high);
}

}  // namespace

bool in_c_api(const Fill& fill) {
    switch (fill.draw) {
        case Draw::u128:
        case Draw::c32:
        case Draw::c64:
        case Draw::character: return false;
        case Draw::below32:
        case Draw::below64: {
            if (fill.low == 0 && !fill.full_range) return fill.element_bytes == (fill.draw == Draw::below32 ? 4u : 8u);
            if (fill.low == 0 && fill.draw == Draw::below32 && fill.element_bytes == 4) return true;
            if (!fill.full_range && fill.range == 0) return false;
            const uint64_t last = fill.full_range ? (fill.draw == Draw::below32 ? 0xffffffffu : ~0ull) : fill.range - 1;
            if (fill.draw == Draw::below64 && last <= 0xffffffffu) return false;
            return inclusive_in_c_api(fill, last) && static_cast<int64_t>(fill.low + last) >= static_cast<int64_t>(fill.low);
        }
        default: return true;
    }
}

tandemStatus_t call_c_api(tandemGenerator_t g, const Fill& f) {
    tandemSetUniformInterval(g, f.reflected ? TANDEM_UNIFORM_OPEN_CLOSED : TANDEM_UNIFORM_CLOSED_OPEN);
    tandemSetNormalMode(g, f.mode == NormalMode::fast ? TANDEM_NORMAL_FAST : TANDEM_NORMAL_EXACT);
    const auto mean = static_cast<float>(f.mean), stddev = static_cast<float>(f.stddev);
    switch (f.draw) {
        case Draw::boolean: return tandemGenerateBool(g, static_cast<unsigned char*>(f.out), f.n);
        case Draw::u8: return tandemGenerateChar(g, static_cast<unsigned char*>(f.out), f.n);
        case Draw::u16: return tandemGenerateShort(g, static_cast<unsigned short*>(f.out), f.n);
        case Draw::u32: return tandemGenerate(g, static_cast<unsigned*>(f.out), f.n);
        case Draw::u64: return tandemGenerateLongLong(g, static_cast<unsigned long long*>(f.out), f.n);
        case Draw::f16: return tandemGenerateUniformHalf(g, static_cast<uint16_t*>(f.out), f.n);
        case Draw::f32: return tandemGenerateUniform(g, static_cast<float*>(f.out), f.n);
        case Draw::f64: return tandemGenerateUniformDouble(g, static_cast<double*>(f.out), f.n);
        case Draw::below32:
        case Draw::below64: return call_bounded(g, f);
        case Draw::normal32: return tandemGenerateNormal(g, static_cast<float*>(f.out), f.n, mean, stddev);
        case Draw::normal64: return tandemGenerateNormalDouble(g, static_cast<double*>(f.out), f.n, f.mean, f.stddev);
        case Draw::lognormal32: return tandemGenerateLogNormal(g, static_cast<float*>(f.out), f.n, mean, stddev);
        case Draw::lognormal64: return tandemGenerateLogNormalDouble(g, static_cast<double*>(f.out), f.n, f.mean, f.stddev);
        case Draw::exponential32:
            return tandemGenerateExponential(g, static_cast<float*>(f.out), f.n, static_cast<float>(f.scale));
        case Draw::exponential64: return tandemGenerateExponentialDouble(g, static_cast<double*>(f.out), f.n, f.scale);
        default: break;
    }
    throw std::logic_error("the C interface has no function for the draw alone");
}

tandemStatus_t create_distribution(const TableSpec& spec, tandemDistribution_t* distribution) {
    const auto trials = static_cast<uint32_t>(spec.trials);
    switch (spec.kind) {
        case TableSpec::Kind::weights:
            return tandemCreateDiscreteDistribution(spec.weights.data(), spec.weights.size(), 0, distribution);
        case TableSpec::Kind::poisson: return tandemCreatePoissonDistribution(spec.lambda, distribution);
        case TableSpec::Kind::binomial: return tandemCreateBinomialDistribution(trials, spec.p, distribution);
        case TableSpec::Kind::geometric: return tandemCreateGeometricDistribution(spec.p, distribution);
        case TableSpec::Kind::none: break;
    }
    throw std::logic_error("the case needs no table");
}

}  // namespace tandem::test
