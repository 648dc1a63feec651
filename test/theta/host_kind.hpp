#pragma once

/// What both kinds of host sketches share.

#include "support/guarded.hpp"
#include "theta/set_suite.hpp"

namespace tandem::test {

inline std::string nothing_missing() { return {}; }

inline PlacedKeys place_on_host(const void* keys, std::size_t bytes, uint32_t bytes_a_key) {
    const auto room = std::make_shared<GuardedBuffer>(bytes, bytes_a_key);
    if (bytes > 0) std::memcpy(room->data(), keys, bytes);
    return PlacedKeys(room, room->data());
}

}  // namespace tandem::test
