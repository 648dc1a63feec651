#pragma once

/// Keys from seeds, and children of a key (contract, section 4). Children start at position 0 with their parent's chunk length.

#include "tandem/core/step.hpp"

namespace tandem {

constexpr uint64_t PURPOSE_BELOW32 = 0x424c573332ull;   ///< retries of bounded fills from 32-bit draws
constexpr uint64_t PURPOSE_BELOW64 = 0x424c573634ull;   ///< retries of bounded fills from 64-bit draws
constexpr uint64_t PURPOSE_NORMAL64 = 0x4e524d3634ull;  ///< the slow path of f64 normals
constexpr uint64_t PURPOSE_CHUNK = 0x4348554e4bull;     ///< generators read in chunk order
constexpr uint64_t PURPOSE_LAUNCH = 0x5245504c4159ull;  ///< later launches of a captured fill

/// The key of a 128-bit seed, given as its low and high 64 bits; a 64-bit seed is `key_of_seed(seed, 0)`.
TANDEM_FN Key key_of_seed(uint64_t low, uint64_t high) {
    const Key z{{static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32), static_cast<uint32_t>(high),
                 static_cast<uint32_t>(high >> 32)}};
    return exposed_half(F_keyed(z, 0, DOMAIN_SEED, 0));
}

/// The key of child `i` of a key. Any 64-bit index.
TANDEM_FN Key split_key(const Key& key, uint64_t i) {
    const State s = F_keyed(key, i >> 1, DOMAIN_SPLIT, 0);
    return (i & 1) ? hidden_half(s) : exposed_half(s);
}

/// The key of the child for one purpose. Any 64-bit purpose; the reserved PURPOSE_ ones share the words of what uses them.
TANDEM_FN Key sub_key(const Key& key, uint64_t purpose) { return exposed_half(F_keyed(key, purpose, DOMAIN_FOLD, 0)); }

/// The key of child `i` of a fork at block `b`, the generator's position divided by 128. i < 2^33.
TANDEM_FN Key fork_key(const Key& key, uint64_t b, uint64_t i) {
    const State s = F_keyed(key, b, DOMAIN_FORK, static_cast<uint32_t>(i >> 1));
    return (i & 1) ? hidden_half(s) : exposed_half(s);
}

/// The key that launch r of a captured fill uses: the generator's own for the first, then a stream of its own each.
TANDEM_FN Key launch_key(const Key& key, uint64_t r) { return r == 0 ? key : split_key(sub_key(key, PURPOSE_LAUNCH), r); }

}  // namespace tandem
