#pragma once

/// Where the statistics get their numbers: the suites are linked with a source on the CPU, and with one on the GPU.

#include <cstdint>
#include <string>
#include <vector>

#include "tandem/core/fill.hpp"

namespace tandem::test {

/// Why there is no such source on this machine; empty when there is one.
std::string source_missing();

/// How many draws a test of one law takes.
uint64_t sample_size();

/// Fills `bytes` bytes of host memory at `out` with the fill's output; tables lie in host memory.
void draw_bytes(const Fill& fill, void* out, std::size_t bytes);

template <class V>
std::vector<V> draw(Fill fill) {
    std::vector<V> values(fill.n);
    draw_bytes(fill, values.data(), values.size() * sizeof(V));
    return values;
}

}  // namespace tandem::test
