#pragma once

/// Strict readers of option values. Each takes the option's name and the whole text, and throws OptionError, which names both and
/// says what is allowed. No reader skips white space, stops early, rounds an integer or wraps.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/core/children.hpp"

namespace tandem::cli {

__extension__ using Wide = unsigned __int128;

std::string to_decimal(Wide value);

/// A whole number from `lowest` to `highest`, decimal, or hexadecimal after 0x.
Wide parse_unsigned(const std::string& option, std::string_view text, Wide lowest, Wide highest);

/// A whole number of 64 bits with a sign, decimal.
int64_t parse_signed(const std::string& option, std::string_view text);

/// A finite decimal or hexadecimal (0x1.8p+3) floating-point number, rounded once to T (float or double). Numbers that overflow T
/// are refused; nonzero numbers that would round to zero are too.
template <class T>
T parse_real(const std::string& option, std::string_view text);

/// A seed: decimal up to 64 bits, hexadecimal after 0x up to 128.
Wide parse_seed(const std::string& option, std::string_view text);

/// A key of four hexadecimal words, W,W,W,W.
Key parse_key(const std::string& option, std::string_view text);

/// A step from a generator to one of its children.
struct ChildStep {
    enum class Kind { split, sub } kind;
    uint64_t index;
};

/// Steps split:i and sub:u between commas, i and u of 64 bits, decimal or hexadecimal after 0x.
std::vector<ChildStep> parse_children(const std::string& option, std::string_view text);

/// Weights between commas, or, where the text is no list of numbers, those of the file of that name, between commas or white
/// space.
std::vector<double> parse_weights(const std::string& option, const std::string& text);

/// One name of a list; returns its index.
std::size_t parse_name(const std::string& option, std::string_view text, const std::vector<std::string>& names);

/// The parts of a text between separators; one empty part for an empty text.
std::vector<std::string_view> split_at(std::string_view text, char separator);

}  // namespace tandem::cli
