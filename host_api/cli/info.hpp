#pragma once

/// `tandem info` and `tandem --version`.

#include <string>

namespace tandem::cli {

std::string version_text();

/// Prints versions, the host's engine and the GPUs to standard output.
void print_info();

}  // namespace tandem::cli
