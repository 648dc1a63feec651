#pragma once

/// The keys of the launches of captured fills, by the words of the contract (section 4).

#include "tandem/core/children.hpp"

namespace tandem::test {

inline Key key_of_launch(const Key& key, uint64_t launch) {
    return launch == 0 ? key : split_key(sub_key(key, 0x5245504c4159), launch);
}

}  // namespace tandem::test
