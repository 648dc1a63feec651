#pragma once

/// Known answers that the binary carries.

#include <cstdint>
#include <vector>

namespace tandem::cli {

struct SelftestCase {
    const char* options;  ///< of `tandem generate`, with spaces between
    const char* bytes;    ///< the raw output in hexadecimal
    uint64_t end_position;
};

const std::vector<SelftestCase>& selftest_cases();

}  // namespace tandem::cli
