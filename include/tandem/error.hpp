#pragma once

/// The exception of the C++ interfaces.

#include <stdexcept>
#include <string>

#include "tandem/tandem.h"

namespace tandem {

/// A refused or failed call: a status of the C interface, and in words the function, the argument, its value and what is allowed.
class TANDEM_API error : public std::runtime_error {
  public:
    error(tandemStatus_t status, const std::string& message) : std::runtime_error(message), status_(status) {}

    tandemStatus_t status() const noexcept { return status_; }

  private:
    tandemStatus_t status_;
};

}  // namespace tandem
