#pragma once

/// The ways to a fill that the tests compare: the public calls and each kernel, on each enabled space.

#include <functional>
#include <string>
#include <vector>

#include "tandem/core/fill.hpp"

namespace tandem::test {

struct Backend {
    std::string name;                           ///< <space>_<kernel>, or <space>_call
    uint32_t least_k;                           ///< the smallest chunk length that it takes
    bool call;                                  ///< a public call, which takes n = 0 too
    bool slow;                                  ///< for small fills only
    std::function<uint64_t(const Fill&)> fill;  ///< fills host memory; returns the position afterwards
};

/// All of them. Spaces that cannot reach host memory are not among them.
const std::vector<Backend>& backends();

std::ostream& operator<<(std::ostream& out, const Backend& backend);

// One a file, so that they compile side by side.
void add_serial(std::vector<Backend>& all);
void add_serial_calls(std::vector<Backend>& all);
void add_threaded(std::vector<Backend>& all);
void add_threaded_calls(std::vector<Backend>& all);
void add_fibers(std::vector<Backend>& all);

}  // namespace tandem::test
