#pragma once

/// Fills and vector cases as calls of the C interface.

#include "support/vectors.hpp"
#include "tandem/core/fill.hpp"
#include "tandem/tandem.h"

namespace tandem::test {

/// True for the fills that the C interface has a function for.
bool in_c_api(const Fill& fill);

/// The call that does a fill's draw, n and parameters from the generator's state; sets the generator's modes first. The fill is
/// in the C interface and is no choice.
tandemStatus_t call_c_api(tandemGenerator_t generator, const Fill& fill);

/// The distribution of a case with a table, by the Create function of its law.
tandemStatus_t create_distribution(const TableSpec& spec, tandemDistribution_t* distribution);

}  // namespace tandem::test
