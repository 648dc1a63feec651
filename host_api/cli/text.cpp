#include "host_api/cli/text.hpp"

#include <charconv>
#include <cstdint>
#include <cstring>

#include "host_api/cli/numbers.hpp"

namespace tandem::cli {
namespace {

constexpr std::size_t LONGEST = 64;  // characters of a number; the longest are negative 128-bit integers, 40

template <class T>
T load(const char* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <class T>
void append_number(std::string& text, T value) {
    char digits[LONGEST];
    const auto [end, error] = std::to_chars(digits, digits + LONGEST, value);
    static_cast<void>(error);  // every number fits
    text.append(digits, end);
}

float value_of_half(uint16_t bits) {
    const float sign = (bits >> 15) ? -1.0f : 1.0f;
    const uint32_t exponent = (bits >> 10) & 31u;
    const auto fraction = static_cast<float>(bits & 1023u);
    // Halves in [0, 1) only: neither infinities nor NaN occur.
    return sign * (exponent == 0 ? fraction * 0x1p-24f : (1.0f + fraction * 0x1p-10f) * bit_cast<float>((exponent + 112u) << 23));
}

void append_wide(std::string& text, U128 value, bool is_signed) {
    Wide wide = static_cast<Wide>(value.hi) << 64 | value.lo;
    if (is_signed && (value.hi >> 63)) {
        text += '-';
        wide = -wide;
    }
    text += to_decimal(wide);
}

template <class T>
void append_lines(std::string& text, const char* at, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i, at += sizeof(T)) {
        append_number(text, load<T>(at));
        text += '\n';
    }
}

void append_half_lines(std::string& text, const char* at, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i, at += 2) {
        append_number(text, value_of_half(load<uint16_t>(at)));
        text += '\n';
    }
}

void append_wide_lines(std::string& text, const char* at, std::size_t n, bool is_signed) {
    for (std::size_t i = 0; i < n; ++i, at += 16) {
        append_wide(text, load<U128>(at), is_signed);
        text += '\n';
    }
}

template <class T>
void append_complex_lines(std::string& text, const char* at, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i, at += 2 * sizeof(T)) {
        append_number(text, load<T>(at));
        text += ' ';
        append_number(text, load<T>(at + sizeof(T)));
        text += '\n';
    }
}

}  // namespace

void append_text(std::string& text, Element element, const void* elements, std::size_t n) {
    const char* const at = static_cast<const char*>(elements);
    switch (element) {
        case Element::boolean:
        case Element::u8: return append_lines<uint8_t>(text, at, n);
        case Element::i8: return append_lines<int8_t>(text, at, n);
        case Element::u16: return append_lines<uint16_t>(text, at, n);
        case Element::i16: return append_lines<int16_t>(text, at, n);
        case Element::u32: return append_lines<uint32_t>(text, at, n);
        case Element::i32: return append_lines<int32_t>(text, at, n);
        case Element::u64: return append_lines<uint64_t>(text, at, n);
        case Element::i64: return append_lines<int64_t>(text, at, n);
        case Element::u128: return append_wide_lines(text, at, n, false);
        case Element::i128: return append_wide_lines(text, at, n, true);
        case Element::f16: return append_half_lines(text, at, n);
        case Element::f32: return append_lines<float>(text, at, n);
        case Element::f64: return append_lines<double>(text, at, n);
        case Element::c32: return append_complex_lines<float>(text, at, n);
        case Element::c64: return append_complex_lines<double>(text, at, n);
    }
}

}  // namespace tandem::cli
