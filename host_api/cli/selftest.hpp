#pragma once

/// `tandem selftest`.

namespace tandem::cli {

/// Computes built-in cases on every backend present and prints a line for each backend, and one for each case that fails.
/// Returns true when all values and positions are right.
bool run_selftest();

}  // namespace tandem::cli
