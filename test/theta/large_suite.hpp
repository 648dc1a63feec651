#pragma once

/// Updates of 2^lg_keys distinct keys to one sketch of 2^lg_k hashes. A program links suite_large.cpp and instantiates it for its
/// kinds of handles.

#include <string>

#include "theta/api_suite.hpp"

namespace tandem::test {

struct LargeCase {
    SketchKind kind;
    uint32_t lg_k;
    uint32_t lg_keys;
};

class ThetaLarge : public ::testing::TestWithParam<LargeCase> {};

inline std::string large_case_name(const ::testing::TestParamInfo<LargeCase>& large) {
    return std::string(large.param.kind.name) + "_lg_k" + std::to_string(large.param.lg_k);
}

inline void PrintTo(const LargeCase& large, std::ostream* out) { *out << large.kind.name << " lg_k " << large.lg_k; }

}  // namespace tandem::test
