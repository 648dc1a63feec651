#pragma once

/// One fill for every kind of draw and set of parameters: what sweeps over the whole family iterate over.

#include <string>
#include <vector>

#include "tandem/core/fill.hpp"

namespace tandem::test {

struct DrawSample {
    std::string name;
    Fill fill;  ///< draw and parameters; key, position, n and output are the test's. Tables lie in host memory, for good.
};

/// The draws of the contract's section 3 and the reflected uniforms.
const std::vector<DrawSample>& plain_samples();

/// Bounded integers, normals, log-normals, exponentials and choice, with parameters that reach every branch.
const std::vector<DrawSample>& derived_samples();

}  // namespace tandem::test
