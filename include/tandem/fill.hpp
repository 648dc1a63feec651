#pragma once

/// Fills as pure functions: (key, position in bits, chunk length K) and the arguments fix every value, bit for bit, on every
/// backend.
///
/// tandem::fill_x writes n elements to memory of the current device: it enqueues on `stream` (null is the default stream) and
/// returns at once, without synchronising and, once two fills like it have run on the stream, without allocating. It may be
/// called while the stream is being captured; each launch of the graph then writes the same numbers. tandem::host::fill_x writes
/// host memory before it returns, shares the work between `threads` threads (0: as many as the size pays for; the values do not
/// depend on it) and never touches CUDA. All may be called by any number of threads at once.
///
/// Each returns the position after the fill, where the next fill of the same stream goes on; n = 0 writes nothing, needs no
/// pointer and may move the position up to a multiple of the draw's width. K is a power of two from 1 to 65536; never use one key
/// with two. `out` is aligned to its element. A refused fill throws tandem::error, writes nothing and launches nothing: with 104
/// for a wrong argument, a null or misaligned pointer or an end at 2^64 or beyond, 203 where there is no usable GPU, 201, 202 or
/// 204 when the GPU refuses.

#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>

#include "tandem/core/children.hpp"
#include "tandem/core/fill.hpp"
#include "tandem/error.hpp"

namespace tandem {

/// Any fill, described by its parameters, on device memory. Throws error with 104 also for parameters that the draw does not
/// allow.
TANDEM_API uint64_t fill(const Fill& fill, CUstream_st* stream = nullptr);

namespace host {

/// Any fill, described by its parameters, on host memory. Throws error with 104 also when the environment variable
/// TANDEM_FORCE_TARGET, which is read once, names no instruction set of this machine.
TANDEM_API uint64_t fill(const Fill& fill, unsigned threads = 0);

/// The instruction set that fills of host memory use, in lower case: "avx3" (AVX-512), "avx2", "sse4", "neon", "sve" ..., or
/// "scalar"; the one named by TANDEM_FORCE_TARGET, otherwise the best of this machine. Throws error with 104 as fills do.
TANDEM_API const char* instruction_set();

}  // namespace host

namespace detail {

inline Fill fill_of(Draw draw, const Key& key, uint64_t pos, uint32_t K, void* out, uint64_t n) {
    Fill f;
    f.draw = draw;
    f.key = key;
    f.chunk_length = K;
    f.position = pos;
    f.n = n;
    f.out = out;
    return f;
}

template <class V>
Fill below_fill(Draw draw, const Key& key, uint64_t pos, uint32_t K, V* out, uint64_t n, uint64_t range, V low) {
    static_assert(std::is_integral_v<V> && !std::is_same_v<V, bool>, "bounded fills write integers");
    Fill f = fill_of(draw, key, pos, K, out, n);
    f.element_bytes = sizeof(V);
    f.full_range = draw == Draw::below32 && range == 1ull << 32;
    f.range = range;
    f.low = static_cast<uint64_t>(low);
    return f;
}

template <class V>
Fill range_fill(const Key& key, uint64_t pos, uint32_t K, V* out, uint64_t n, V low, V high) {
    if (low > high) {
        throw error(TANDEM_STATUS_OUT_OF_RANGE, "fill_int_range: low is " + std::to_string(low) + " and high is " +
                                                    std::to_string(high) + "; low <= high is needed");
    }
    const uint64_t last = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);  // exact, for signed bounds too
    const bool narrow = last <= 0xffffffffu;
    Fill f = below_fill(narrow ? Draw::below32 : Draw::below64, key, pos, K, out, n, last + 1, low);
    f.full_range = narrow ? last == 0xffffffffu : last == ~0ull;
    return f;
}

inline Fill normal_fill(Draw draw, const Key& key, uint64_t pos, uint32_t K, void* out, uint64_t n, double mean, double stddev) {
    Fill f = fill_of(draw, key, pos, K, out, n);
    f.mean = mean;
    f.stddev = stddev;
    return f;
}

inline Fill normal_fill(Draw draw, const Key& key, uint64_t pos, uint32_t K, float* out, uint64_t n, float mean, float stddev,
                        NormalMode mode) {
    Fill f = normal_fill(draw, key, pos, K, out, n, static_cast<double>(mean), static_cast<double>(stddev));
    f.mode = mode;
    return f;
}

inline Fill exponential_fill(Draw draw, const Key& key, uint64_t pos, uint32_t K, void* out, uint64_t n, double scale) {
    Fill f = fill_of(draw, key, pos, K, out, n);
    f.scale = scale;
    return f;
}

inline Fill choice_fill(const Key& key, uint64_t pos, uint32_t K, uint32_t* out, uint64_t n, const ChoiceView& table) {
    Fill f = fill_of(Draw::choice, key, pos, K, out, n);
    f.choice = table;
    return f;
}

}  // namespace detail

/// Bits.
inline uint64_t fill_bool(const Key& key, uint64_t pos, uint32_t K, bool* out, uint64_t n, CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::boolean, key, pos, K, out, n), stream);
}
/// Uniform integers of 8 bits.
inline uint64_t fill_u8(const Key& key, uint64_t pos, uint32_t K, uint8_t* out, uint64_t n, CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::u8, key, pos, K, out, n), stream);
}
inline uint64_t fill_i8(const Key& key, uint64_t pos, uint32_t K, int8_t* out, uint64_t n, CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::u8, key, pos, K, out, n), stream);
}
/// Uniform integers of 16 bits.
inline uint64_t fill_u16(const Key& key, uint64_t pos, uint32_t K, uint16_t* out, uint64_t n, CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::u16, key, pos, K, out, n), stream);
}
inline uint64_t fill_i16(const Key& key, uint64_t pos, uint32_t K, int16_t* out, uint64_t n, CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::u16, key, pos, K, out, n), stream);
}
/// Uniform integers of 32 bits.
inline uint64_t fill_u32(const Key& key, uint64_t pos, uint32_t K, uint32_t* out, uint64_t n, CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::u32, key, pos, K, out, n), stream);
}
inline uint64_t fill_i32(const Key& key, uint64_t pos, uint32_t K, int32_t* out, uint64_t n, CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::u32, key, pos, K, out, n), stream);
}
/// Uniform integers of 64 bits.
inline uint64_t fill_u64(const Key& key, uint64_t pos, uint32_t K, uint64_t* out, uint64_t n, CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::u64, key, pos, K, out, n), stream);
}
inline uint64_t fill_i64(const Key& key, uint64_t pos, uint32_t K, int64_t* out, uint64_t n, CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::u64, key, pos, K, out, n), stream);
}
/// Uniform integers of 128 bits, as their halves.
inline uint64_t fill_u128(const Key& key, uint64_t pos, uint32_t K, U128* out, uint64_t n, CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::u128, key, pos, K, out, n), stream);
}
/// The same bits, read as two's complement.
inline uint64_t fill_i128(const Key& key, uint64_t pos, uint32_t K, U128* out, uint64_t n, CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::u128, key, pos, K, out, n), stream);
}
/// The bits of binary16 numbers in [0, 1), multiples of 2^-11.
inline uint64_t fill_f16(const Key& key, uint64_t pos, uint32_t K, uint16_t* out, uint64_t n, CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::f16, key, pos, K, out, n), stream);
}
/// Floats in [0, 1), multiples of 2^-24.
inline uint64_t fill_f32(const Key& key, uint64_t pos, uint32_t K, float* out, uint64_t n, CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::f32, key, pos, K, out, n), stream);
}
/// Doubles in [0, 1), multiples of 2^-53.
inline uint64_t fill_f64(const Key& key, uint64_t pos, uint32_t K, double* out, uint64_t n, CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::f64, key, pos, K, out, n), stream);
}
/// Complex numbers whose components are f32 draws, real first; n counts complex numbers.
inline uint64_t fill_c32(const Key& key, uint64_t pos, uint32_t K, std::complex<float>* out, uint64_t n,
                         CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::c32, key, pos, K, out, n), stream);
}
/// The same of f64 draws.
inline uint64_t fill_c64(const Key& key, uint64_t pos, uint32_t K, std::complex<double>* out, uint64_t n,
                         CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::c64, key, pos, K, out, n), stream);
}
/// Unicode scalar values; 64-bit draws.
inline uint64_t fill_char(const Key& key, uint64_t pos, uint32_t K, char32_t* out, uint64_t n, CUstream_st* stream = nullptr) {
    return fill(detail::fill_of(Draw::character, key, pos, K, out, n), stream);
}

/// Integers low + [0, range), wrapping in V, from 32-bit draws; range <= 2^32, and range 0 gives low. n = 0 leaves the position.
template <class V>
uint64_t fill_below_u32(const Key& key, uint64_t pos, uint32_t K, V* out, uint64_t n, uint64_t range,
                        std::common_type_t<V> low = 0, CUstream_st* stream = nullptr) {
    return fill(detail::below_fill(Draw::below32, key, pos, K, out, n, range, low), stream);
}
/// The same for any range of 64 bits, from 64-bit draws.
template <class V>
uint64_t fill_below_u64(const Key& key, uint64_t pos, uint32_t K, V* out, uint64_t n, uint64_t range,
                        std::common_type_t<V> low = 0, CUstream_st* stream = nullptr) {
    return fill(detail::below_fill(Draw::below64, key, pos, K, out, n, range, low), stream);
}
/// Integers in [low, high], both included, from 32-bit draws when there are at most 2^32 values and from 64-bit draws otherwise.
template <class V>
uint64_t fill_int_range(const Key& key, uint64_t pos, uint32_t K, V* out, uint64_t n, std::common_type_t<V> low,
                        std::common_type_t<V> high, CUstream_st* stream = nullptr) {
    return fill(detail::range_fill(key, pos, K, out, n, low, high), stream);
}

/// f64 normals, n draws of 64 bits; mean finite, stddev finite and >= 0.
inline uint64_t fill_normal_f64(const Key& key, uint64_t pos, uint32_t K, double* out, uint64_t n, double mean = 0.0,
                                double stddev = 1.0, CUstream_st* stream = nullptr) {
    return fill(detail::normal_fill(Draw::normal64, key, pos, K, out, n, mean, stddev), stream);
}
/// f32 normals, n draws of 32 bits, n + 1 for odd n: calls join after even numbers of elements. n = 0 leaves the position. Hosts
/// compute the exact mode always.
inline uint64_t fill_normal_f32(const Key& key, uint64_t pos, uint32_t K, float* out, uint64_t n, float mean = 0.0f,
                                float stddev = 1.0f, NormalMode mode = NormalMode::exact, CUstream_st* stream = nullptr) {
    return fill(detail::normal_fill(Draw::normal32, key, pos, K, out, n, mean, stddev, mode), stream);
}

/// Log-normals: exp of the normals of mean `mean` and deviation `stddev`, with the draws and cuts of those.
inline uint64_t fill_lognormal_f64(const Key& key, uint64_t pos, uint32_t K, double* out, uint64_t n, double mean = 0.0,
                                   double stddev = 1.0, CUstream_st* stream = nullptr) {
    return fill(detail::normal_fill(Draw::lognormal64, key, pos, K, out, n, mean, stddev), stream);
}
inline uint64_t fill_lognormal_f32(const Key& key, uint64_t pos, uint32_t K, float* out, uint64_t n, float mean = 0.0f,
                                   float stddev = 1.0f, NormalMode mode = NormalMode::exact, CUstream_st* stream = nullptr) {
    return fill(detail::normal_fill(Draw::lognormal32, key, pos, K, out, n, mean, stddev, mode), stream);
}

/// f64 exponentials of the mean `scale`, finite and > 0; n draws of 64 bits. n = 0 leaves the position.
inline uint64_t fill_exponential_f64(const Key& key, uint64_t pos, uint32_t K, double* out, uint64_t n, double scale = 1.0,
                                     CUstream_st* stream = nullptr) {
    return fill(detail::exponential_fill(Draw::exponential64, key, pos, K, out, n, scale), stream);
}
/// f32 exponentials; n draws of 32 bits.
inline uint64_t fill_exponential_f32(const Key& key, uint64_t pos, uint32_t K, float* out, uint64_t n, float scale = 1.0f,
                                     CUstream_st* stream = nullptr) {
    return fill(detail::exponential_fill(Draw::exponential32, key, pos, K, out, n, static_cast<double>(scale)), stream);
}

/// Indices from low on by the weights of a table, which the filling processor can read until the fill has run; n draws of 64
/// bits.
inline uint64_t fill_choice(const Key& key, uint64_t pos, uint32_t K, uint32_t* out, uint64_t n, const ChoiceView& table,
                            CUstream_st* stream = nullptr) {
    return fill(detail::choice_fill(key, pos, K, out, n, table), stream);
}

namespace host {

inline uint64_t fill_bool(const Key& key, uint64_t pos, uint32_t K, bool* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::boolean, key, pos, K, out, n), threads);
}
inline uint64_t fill_u8(const Key& key, uint64_t pos, uint32_t K, uint8_t* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::u8, key, pos, K, out, n), threads);
}
inline uint64_t fill_i8(const Key& key, uint64_t pos, uint32_t K, int8_t* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::u8, key, pos, K, out, n), threads);
}
inline uint64_t fill_u16(const Key& key, uint64_t pos, uint32_t K, uint16_t* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::u16, key, pos, K, out, n), threads);
}
inline uint64_t fill_i16(const Key& key, uint64_t pos, uint32_t K, int16_t* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::u16, key, pos, K, out, n), threads);
}
inline uint64_t fill_u32(const Key& key, uint64_t pos, uint32_t K, uint32_t* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::u32, key, pos, K, out, n), threads);
}
inline uint64_t fill_i32(const Key& key, uint64_t pos, uint32_t K, int32_t* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::u32, key, pos, K, out, n), threads);
}
inline uint64_t fill_u64(const Key& key, uint64_t pos, uint32_t K, uint64_t* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::u64, key, pos, K, out, n), threads);
}
inline uint64_t fill_i64(const Key& key, uint64_t pos, uint32_t K, int64_t* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::u64, key, pos, K, out, n), threads);
}
inline uint64_t fill_u128(const Key& key, uint64_t pos, uint32_t K, U128* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::u128, key, pos, K, out, n), threads);
}
inline uint64_t fill_i128(const Key& key, uint64_t pos, uint32_t K, U128* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::u128, key, pos, K, out, n), threads);
}
inline uint64_t fill_f16(const Key& key, uint64_t pos, uint32_t K, uint16_t* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::f16, key, pos, K, out, n), threads);
}
inline uint64_t fill_f32(const Key& key, uint64_t pos, uint32_t K, float* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::f32, key, pos, K, out, n), threads);
}
inline uint64_t fill_f64(const Key& key, uint64_t pos, uint32_t K, double* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::f64, key, pos, K, out, n), threads);
}
inline uint64_t fill_c32(const Key& key, uint64_t pos, uint32_t K, std::complex<float>* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::c32, key, pos, K, out, n), threads);
}
inline uint64_t fill_c64(const Key& key, uint64_t pos, uint32_t K, std::complex<double>* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::c64, key, pos, K, out, n), threads);
}
inline uint64_t fill_char(const Key& key, uint64_t pos, uint32_t K, char32_t* out, uint64_t n, unsigned threads = 0) {
    return fill(detail::fill_of(Draw::character, key, pos, K, out, n), threads);
}

template <class V>
uint64_t fill_below_u32(const Key& key, uint64_t pos, uint32_t K, V* out, uint64_t n, uint64_t range,
                        std::common_type_t<V> low = 0, unsigned threads = 0) {
    return fill(detail::below_fill(Draw::below32, key, pos, K, out, n, range, low), threads);
}
template <class V>
uint64_t fill_below_u64(const Key& key, uint64_t pos, uint32_t K, V* out, uint64_t n, uint64_t range,
                        std::common_type_t<V> low = 0, unsigned threads = 0) {
    return fill(detail::below_fill(Draw::below64, key, pos, K, out, n, range, low), threads);
}
template <class V>
uint64_t fill_int_range(const Key& key, uint64_t pos, uint32_t K, V* out, uint64_t n, std::common_type_t<V> low,
                        std::common_type_t<V> high, unsigned threads = 0) {
    return fill(detail::range_fill(key, pos, K, out, n, low, high), threads);
}

inline uint64_t fill_normal_f64(const Key& key, uint64_t pos, uint32_t K, double* out, uint64_t n, double mean = 0.0,
                                double stddev = 1.0, unsigned threads = 0) {
    return fill(detail::normal_fill(Draw::normal64, key, pos, K, out, n, mean, stddev), threads);
}
inline uint64_t fill_normal_f32(const Key& key, uint64_t pos, uint32_t K, float* out, uint64_t n, float mean = 0.0f,
                                float stddev = 1.0f, NormalMode mode = NormalMode::exact, unsigned threads = 0) {
    return fill(detail::normal_fill(Draw::normal32, key, pos, K, out, n, mean, stddev, mode), threads);
}

inline uint64_t fill_lognormal_f64(const Key& key, uint64_t pos, uint32_t K, double* out, uint64_t n, double mean = 0.0,
                                   double stddev = 1.0, unsigned threads = 0) {
    return fill(detail::normal_fill(Draw::lognormal64, key, pos, K, out, n, mean, stddev), threads);
}
inline uint64_t fill_lognormal_f32(const Key& key, uint64_t pos, uint32_t K, float* out, uint64_t n, float mean = 0.0f,
                                   float stddev = 1.0f, NormalMode mode = NormalMode::exact, unsigned threads = 0) {
    return fill(detail::normal_fill(Draw::lognormal32, key, pos, K, out, n, mean, stddev, mode), threads);
}

inline uint64_t fill_exponential_f64(const Key& key, uint64_t pos, uint32_t K, double* out, uint64_t n, double scale = 1.0,
                                     unsigned threads = 0) {
    return fill(detail::exponential_fill(Draw::exponential64, key, pos, K, out, n, scale), threads);
}
inline uint64_t fill_exponential_f32(const Key& key, uint64_t pos, uint32_t K, float* out, uint64_t n, float scale = 1.0f,
                                     unsigned threads = 0) {
    return fill(detail::exponential_fill(Draw::exponential32, key, pos, K, out, n, static_cast<double>(scale)), threads);
}

inline uint64_t fill_choice(const Key& key, uint64_t pos, uint32_t K, uint32_t* out, uint64_t n, const ChoiceView& table,
                            unsigned threads = 0) {
    return fill(detail::choice_fill(key, pos, K, out, n, table), threads);
}

}  // namespace host

}  // namespace tandem
