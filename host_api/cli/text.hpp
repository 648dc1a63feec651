#pragma once

/// Elements as lines of text.

#include <cstddef>
#include <string>

#include "host_api/cli/draws.hpp"

namespace tandem::cli {

/// Appends n elements, a line each: integers in decimal, floats as the shortest decimal that reads back as the same value (f16 as
/// the f32 of its value), complex numbers as their two components with a space between.
void append_text(std::string& text, Element element, const void* elements, std::size_t n);

}  // namespace tandem::cli
