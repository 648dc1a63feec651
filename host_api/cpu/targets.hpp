#pragma once

/// The instruction sets that the engine was compiled for, and which one fills use.

#include <string>
#include <vector>

#include "host_api/cpu/job.hpp"

namespace tandem::cpu {

/// One compiled form of the engine.
struct Target {
    const char* name;  ///< "scalar", or an instruction set in lower case: "sse4", "avx2", "avx3" (AVX-512), "neon", "sve" ...

    /// Fills a piece; returns the name of the form that did.
    const char* (*run)(const Job&, const Piece&);

    /// Fills a piece from the rows of a source instead of the job's stream.
    void (*map)(const Job&, const Piece&, RowSource&);
};

/// The targets that this processor has, best first; the last is "scalar".
const std::vector<Target>& targets();

/// The target that fills use: that of force_target, else that named by the environment variable TANDEM_FORCE_TARGET, which is
/// read once, else the best. Throws std::invalid_argument when the variable names no target of this machine.
const Target& active_target();

/// Makes later fills use a target by name; an empty name returns to the default. Throws std::invalid_argument, and changes
/// nothing, for a name that is not among targets().
void force_target(const std::string& name);

/// The name of the target that the last fill of this process ran on; "" before the first.
const char* last_target();

/// The forms beyond the portable one, best first.
std::vector<Target> vector_targets();

}  // namespace tandem::cpu
