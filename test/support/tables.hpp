#pragma once

/// The alias tables behind the vectors of choice and of the discrete laws.

#include <stdexcept>

#include "support/vectors.hpp"
#include "tandem/core/laws.hpp"

namespace tandem::test {

/// The table that a case needs, in host memory.
inline ChoiceTable table_of(const TableSpec& spec) {
    switch (spec.kind) {
        case TableSpec::Kind::weights: return choice_build(spec.weights.data(), spec.weights.size());
        case TableSpec::Kind::poisson: return poisson_table(spec.lambda);
        case TableSpec::Kind::binomial: return binomial_table(static_cast<uint32_t>(spec.trials), spec.p);
        case TableSpec::Kind::geometric: return geometric_table(spec.p);
        case TableSpec::Kind::none: break;
    }
    throw std::logic_error("the case needs no table");
}

}  // namespace tandem::test
