#include "host_api/cli/numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include "host_api/cli/errors.hpp"

namespace tandem::cli {
namespace {

[[noreturn]] void refuse(const std::string& option, std::string_view text, const std::string& why) {
    constexpr std::size_t longest = 60;  // the message stays one readable line whatever was typed
    std::string shown(text.substr(0, longest));
    for (char& c : shown) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    }
    throw OptionError(option + ": '" + shown + (text.size() > longest ? "...' " : "' ") + why);
}

int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 16;
}

bool has_hex_prefix(std::string_view text) { return text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'); }

enum class Parsed { ok, malformed, out_of_range };

Parsed read_unsigned(std::string_view digits, unsigned base, Wide highest, Wide& value) {
    if (digits.empty()) return Parsed::malformed;
    value = 0;
    Parsed result = Parsed::ok;
    for (char c : digits) {
        const auto digit = static_cast<unsigned>(digit_of(c));
        if (digit >= base) return Parsed::malformed;
        if (digit > highest || value > (highest - digit) / base) {
            result = Parsed::out_of_range;
            value = 0;
        } else {
            value = value * base + digit;
        }
    }
    return result;
}

template <class T>
Parsed read_real(std::string_view text, T& value) {
    std::string_view magnitude = text;
    const bool negative = !magnitude.empty() && magnitude[0] == '-';
    if (!magnitude.empty() && (magnitude[0] == '-' || magnitude[0] == '+')) magnitude.remove_prefix(1);
    const bool hex = has_hex_prefix(magnitude);
    if (hex) magnitude.remove_prefix(2);
    if (magnitude.empty() || magnitude[0] == '-') return Parsed::malformed;
    const char* const end = magnitude.data() + magnitude.size();
    const auto format = hex ? std::chars_format::hex : std::chars_format::general;
    const auto [stop, error] = std::from_chars(magnitude.data(), end, value, format);
    if (stop != end || error == std::errc::invalid_argument) return Parsed::malformed;
    if (error == std::errc::result_out_of_range || !std::isfinite(value)) return Parsed::out_of_range;
    if (negative) value = -value;
    return Parsed::ok;
}

template <class T>
[[noreturn]] void refuse_real(const std::string& option, std::string_view text, Parsed parsed) {
    if (parsed == Parsed::malformed) refuse(option, text, "is not a number");
    refuse(option, text, std::string("is not finite, or too large or too small for f") + (sizeof(T) == 4 ? "32" : "64"));
}

std::optional<std::vector<double>> list_of_weights(const std::string& option, std::string_view text) {
    std::vector<double> weights;
    const auto parts = split_at(text, ',');
    weights.reserve(parts.size());
    Parsed worst = Parsed::ok;
    for (std::string_view part : parts) {
        double weight = 0;
        const Parsed parsed = read_real(part, weight);
        if (parsed == Parsed::malformed) return std::nullopt;
        if (parsed == Parsed::out_of_range) worst = parsed;
        weights.push_back(weight);
    }
    if (worst != Parsed::ok) refuse_real<double>(option, text, worst);
    return weights;
}

}  // namespace

std::vector<std::string_view> split_at(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

std::string to_decimal(Wide value) {
    std::string digits;
    do {
        digits.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
        value /= 10;
    } while (value != 0);
    std::reverse(digits.begin(), digits.end());
    return digits;
}

Wide parse_unsigned(const std::string& option, std::string_view text, Wide lowest, Wide highest) {
    const bool hex = has_hex_prefix(text);
    Wide value = 0;
    const Parsed parsed = read_unsigned(hex ? text.substr(2) : text, hex ? 16 : 10, highest, value);
    const std::string allowed = to_decimal(lowest) + " to " + to_decimal(highest);
    if (parsed == Parsed::malformed) refuse(option, text, "is not a whole number (allowed: " + allowed + ")");
    if (parsed == Parsed::out_of_range || value < lowest) refuse(option, text, "is out of range (allowed: " + allowed + ")");
    return value;
}

int64_t parse_signed(const std::string& option, std::string_view text) {
    int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (stop != end || error == std::errc::invalid_argument) refuse(option, text, "is not a whole number");
    if (error == std::errc::result_out_of_range) refuse(option, text, "does not fit into 64 bits with a sign");
    return value;
}

template <class T>
T parse_real(const std::string& option, std::string_view text) {
    T value = 0;
    const Parsed parsed = read_real(text, value);
    if (parsed != Parsed::ok) refuse_real<T>(option, text, parsed);
    return value;
}

template float parse_real<float>(const std::string&, std::string_view);
template double parse_real<double>(const std::string&, std::string_view);

Wide parse_seed(const std::string& option, std::string_view text) {
    const bool hex = has_hex_prefix(text);
    Wide seed = 0;
    const Wide highest = hex ? ~Wide{0} : Wide{std::numeric_limits<uint64_t>::max()};
    const Parsed parsed = read_unsigned(hex ? text.substr(2) : text, hex ? 16 : 10, highest, seed);
    if (parsed == Parsed::malformed) refuse(option, text, "is not a whole number (decimal, or hexadecimal after 0x)");
    if (parsed == Parsed::out_of_range)
        refuse(option, text, "is too large (decimal seeds have 64 bits, those after 0x have 128)");
    return seed;
}

Key parse_key(const std::string& option, std::string_view text) {
    const auto words = split_at(text, ',');
    Key key{};
    bool good = words.size() == 4;
    for (std::size_t i = 0; good && i < 4; ++i) {
        Wide word = 0;
        const std::string_view digits = has_hex_prefix(words[i]) ? words[i].substr(2) : words[i];
        good = read_unsigned(digits, 16, std::numeric_limits<uint32_t>::max(), word) == Parsed::ok;
        key.w[i] = static_cast<uint32_t>(word);
    }
    if (!good) refuse(option, text, "is not four hexadecimal words of 32 bits, W,W,W,W");
    return key;
}

std::vector<ChildStep> parse_children(const std::string& option, std::string_view text) {
    std::vector<ChildStep> steps;
    for (std::string_view part : split_at(text, ',')) {
        const std::size_t colon = part.find(':');
        const std::string_view name = part.substr(0, colon);
        if (colon == std::string_view::npos || (name != "split" && name != "sub")) {
            refuse(option, part, "is no step to a child (allowed: split:i and sub:u, between commas)");
        }
        const auto index = parse_unsigned(option, part.substr(colon + 1), 0, std::numeric_limits<uint64_t>::max());
        steps.push_back({name == "sub" ? ChildStep::Kind::sub : ChildStep::Kind::split, static_cast<uint64_t>(index)});
    }
    return steps;
}

std::vector<double> parse_weights(const std::string& option, const std::string& text) {
    if (auto list = list_of_weights(option, text)) return *std::move(list);
    std::ifstream file(text);
    if (!file) refuse(option, text, "is neither numbers between commas nor a file that can be read");
    std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (file.bad()) refuse(option, text, "cannot be read");
    std::vector<double> weights;
    const std::string_view separators = " \t\r\n,";
    const std::string_view all = content;
    std::size_t at = all.find_first_not_of(separators);
    while (at != std::string_view::npos) {
        const std::size_t end = std::min(all.find_first_of(separators, at), all.size());
        weights.push_back(parse_real<double>(option, all.substr(at, end - at)));
        at = all.find_first_not_of(separators, end);
    }
    if (weights.empty()) refuse(option, text, "is a file without numbers");
    return weights;
}

std::size_t parse_name(const std::string& option, std::string_view text, const std::vector<std::string>& names) {
    const auto found = std::find(names.begin(), names.end(), text);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    std::string allowed;
    for (const std::string& name : names) allowed += (allowed.empty() ? "" : ", ") + name;
    refuse(option, text, "is not one of " + allowed);
}

}  // namespace tandem::cli
