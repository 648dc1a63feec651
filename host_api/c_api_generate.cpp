#include "host_api/api_handles.hpp"
#include "tandem/tandem.h"

namespace tandem::api {
namespace {

void describe(Fill& fill, Draw draw, void* out, uint64_t n) {
    fill.draw = draw;
    fill.out = out;
    fill.n = n;
}

tandemStatus_t plain(const char* function, tandemGenerator_t generator, Draw draw, void* out, size_t n) noexcept {
    return with_generator(function, generator,
                          [=](Generator& g) { g.generate([=](Fill& fill) { describe(fill, draw, out, n); }); });
}

// Integers from `low` on, `last` + 1 of them: 2^32 and 2^64 values are full ranges, which no count in the draw's width can say.
void describe_inclusive(Fill& fill, void* out, size_t n, uint32_t element_bytes, uint64_t low, uint64_t last) {
    const bool narrow = last <= 0xffffffffu;
    describe(fill, narrow ? Draw::below32 : Draw::below64, out, n);
    fill.element_bytes = element_bytes;
    fill.full_range = last == (narrow ? 0xffffffffu : ~0ull);
    fill.range = fill.full_range ? 0 : last + 1;
    fill.low = low;
}

template <class Int>
tandemStatus_t inclusive(const char* function, tandemGenerator_t generator, Int* out, size_t n, Int low, Int high) noexcept {
    return with_generator(function, generator, [=](Generator& g) {
        if (low > high) refuse("low", text_of(int64_t{low}), "it must be at most high, which is " + text_of(int64_t{high}));
        const uint64_t from = static_cast<uint64_t>(low);
        g.generate([=](Fill& fill) { describe_inclusive(fill, out, n, sizeof(Int), from, static_cast<uint64_t>(high) - from); });
    });
}

tandemStatus_t normal(const char* function, tandemGenerator_t generator, Draw draw, void* out, size_t n, double mean,
                      double stddev) noexcept {
    return with_generator(function, generator, [=](Generator& g) {
        g.generate([=](Fill& fill) {
            describe(fill, draw, out, n);
            fill.mean = mean;
            fill.stddev = stddev;
        });
    });
}

tandemStatus_t exponential(const char* function, tandemGenerator_t generator, Draw draw, void* out, size_t n,
                           double scale) noexcept {
    return with_generator(function, generator, [=](Generator& g) {
        g.generate([=](Fill& fill) {
            describe(fill, draw, out, n);
            fill.scale = scale;
        });
    });
}

}  // namespace
}  // namespace tandem::api

using namespace tandem::api;
using tandem::Draw;
using tandem::Fill;

extern "C" {

tandemStatus_t tandemGenerate(tandemGenerator_t generator, unsigned int* out, size_t n) {
    return plain(__func__, generator, Draw::u32, out, n);
}

tandemStatus_t tandemGenerateLongLong(tandemGenerator_t generator, unsigned long long* out, size_t n) {
    return plain(__func__, generator, Draw::u64, out, n);
}

tandemStatus_t tandemGenerateShort(tandemGenerator_t generator, unsigned short* out, size_t n) {
    return plain(__func__, generator, Draw::u16, out, n);
}

tandemStatus_t tandemGenerateChar(tandemGenerator_t generator, unsigned char* out, size_t n) {
    return plain(__func__, generator, Draw::u8, out, n);
}

tandemStatus_t tandemGenerateBool(tandemGenerator_t generator, unsigned char* out, size_t n) {
    return plain(__func__, generator, Draw::boolean, out, n);
}

tandemStatus_t tandemGenerateUniform(tandemGenerator_t generator, float* out, size_t n) {
    return plain(__func__, generator, Draw::f32, out, n);
}

tandemStatus_t tandemGenerateUniformDouble(tandemGenerator_t generator, double* out, size_t n) {
    return plain(__func__, generator, Draw::f64, out, n);
}

tandemStatus_t tandemGenerateUniformHalf(tandemGenerator_t generator, uint16_t* out, size_t n) {
    return plain(__func__, generator, Draw::f16, out, n);
}

tandemStatus_t tandemGenerateBelow(tandemGenerator_t generator, unsigned int* out, size_t n, uint64_t range) {
    return with_generator(__func__, generator, [=](Generator& g) {
        g.generate([=](Fill& fill) {
            describe(fill, Draw::below32, out, n);
            fill.full_range = range == 1ull << 32;
            fill.range = fill.full_range ? 0 : range;
        });
    });
}

tandemStatus_t tandemGenerateBelowLongLong(tandemGenerator_t generator, unsigned long long* out, size_t n, uint64_t range) {
    return with_generator(__func__, generator, [=](Generator& g) {
        g.generate([=](Fill& fill) {
            describe(fill, Draw::below64, out, n);
            fill.element_bytes = 8;
            fill.range = range;
        });
    });
}

tandemStatus_t tandemGenerateIntRange(tandemGenerator_t generator, int* out, size_t n, int low, int high) {
    return inclusive(__func__, generator, out, n, low, high);
}

tandemStatus_t tandemGenerateLongLongRange(tandemGenerator_t generator, long long* out, size_t n, long long low, long long high) {
    return inclusive(__func__, generator, out, n, low, high);
}

tandemStatus_t tandemGenerateNormal(tandemGenerator_t generator, float* out, size_t n, float mean, float stddev) {
    return normal(__func__, generator, Draw::normal32, out, n, static_cast<double>(mean), static_cast<double>(stddev));
}

tandemStatus_t tandemGenerateNormalDouble(tandemGenerator_t generator, double* out, size_t n, double mean, double stddev) {
    return normal(__func__, generator, Draw::normal64, out, n, mean, stddev);
}

tandemStatus_t tandemGenerateLogNormal(tandemGenerator_t generator, float* out, size_t n, float mean, float stddev) {
    return normal(__func__, generator, Draw::lognormal32, out, n, static_cast<double>(mean), static_cast<double>(stddev));
}

tandemStatus_t tandemGenerateLogNormalDouble(tandemGenerator_t generator, double* out, size_t n, double mean, double stddev) {
    return normal(__func__, generator, Draw::lognormal64, out, n, mean, stddev);
}

tandemStatus_t tandemGenerateExponential(tandemGenerator_t generator, float* out, size_t n, float scale) {
    return exponential(__func__, generator, Draw::exponential32, out, n, static_cast<double>(scale));
}

tandemStatus_t tandemGenerateExponentialDouble(tandemGenerator_t generator, double* out, size_t n, double scale) {
    return exponential(__func__, generator, Draw::exponential64, out, n, scale);
}

}  // extern "C"
