#pragma once

/// Calls and misuses of the interface with the status that the drop-in answers and the one that NVIDIA's library answers.

#include <functional>
#include <string>
#include <vector>

#include "curand/curand_library.hpp"

namespace tandem::test {

constexpr int CRASHES = -1;    ///< in place of a status: the call ends the process
constexpr int UNDEFINED = -2;  ///< in place of NVIDIA's status: it reads freed memory, so anything may come

struct StatusCase {
    std::string name;
    std::function<int(const CurandLibrary&)> run;  ///< the status of the call that the case is about
    int ours;
    int nvidias;
    std::string reason;  ///< of a difference; empty without one
};

/// On host generators and without a usable GPU.
std::vector<StatusCase> status_cases();

}  // namespace tandem::test
