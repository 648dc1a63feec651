#pragma once

/// The fills of host memory. Nothing here knows of CUDA.

#include "tandem/core/fill.hpp"

namespace tandem::cpu {

/// Fills host memory before it returns. The fill is checked: n > 0, it ends below 2^64, `out` is aligned to its element and the
/// tables can be read. `threads` is the number of threads that share the work, the calling one included; 0 takes as many as the
/// size of the fill pays for and the calling thread has processors. The values do not depend on it. May be called by many threads
/// at once and in a child of fork(); where no thread can be started the caller does all the work. Throws std::invalid_argument
/// before anything is written when the environment variable TANDEM_FORCE_TARGET names no instruction set of this machine
/// (targets.hpp).
void fill(const Fill& fill, unsigned threads = 0);

/// How many threads that call would share the work among, the calling one included.
unsigned threads_of(const Fill& fill, unsigned threads = 0);

/// The processors that the calling thread may run on: a process that was given some of a machine's keeps to them.
unsigned processors();

}  // namespace tandem::cpu
