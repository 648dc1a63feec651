#pragma once

/// What computes fills for the command line.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "host_api/cli/job.hpp"
#include "tandem/core/choice.hpp"
#include "tandem/core/fill.hpp"

namespace tandem::cli {

class Backend {
  public:
    virtual ~Backend() = default;

    /// "host" or "cuda".
    virtual std::string name() const = 0;

    /// Makes a table readable for fills: what they take as Fill::choice. Holds until the next call, while the table lives.
    virtual ChoiceView place_table(const ChoiceTable& table) = 0;

    /// Fills host memory: `fill` is checked, with n > 0, and `out` holds so many bytes. Returns when the elements are there.
    /// Throws RunError or tandem::error when the machine fails.
    virtual void fill(const Fill& fill, std::size_t bytes) = 0;
};

/// The backend of a place; `automatic` is cuda where there is a GPU, otherwise host. Throws RunError when there is no such
/// backend.
std::unique_ptr<Backend> make_backend(const Place& place);

/// The places that this machine has, host first.
std::vector<Place> present_places();

/// A line for each GPU, or one that says why there is none.
std::vector<std::string> describe_devices();

}  // namespace tandem::cli
