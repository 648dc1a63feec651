#pragma once

/// The .npy format, version 1.0.

#include <cstdint>
#include <string>

#include "host_api/cli/draws.hpp"

namespace tandem::cli {

/// The header before n elements: a multiple of 64 bytes.
std::string npy_header(Element element, uint64_t n);

}  // namespace tandem::cli
