#pragma once

/// SHA-256 (FIPS 180-4), for the digests of the vectors.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tandem::test {

/// The digest of `size` bytes as 64 lower-case hexadecimal digits.
std::string sha256_hex(const void* data, std::size_t size);

inline std::string sha256_hex(const std::vector<uint8_t>& bytes) { return sha256_hex(bytes.data(), bytes.size()); }

}  // namespace tandem::test
