#pragma once

/// How a command of the command line ends when it does not succeed.

#include <stdexcept>

namespace tandem::cli {

/// The options do not describe something that can be done: nothing has been written and no file made. Exit status 2.
struct OptionError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Valid options, but the machine failed: no GPU, a full disk. Exit status 1.
struct RunError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Whoever read the output has closed it. Not worth a message.
struct ClosedOutput {};

}  // namespace tandem::cli
