#pragma once

/// Compact images of sketches: version 3, uncompressed, ordered, little-endian, as Apache DataSketches reads and writes them.

#include <cstddef>

#include "host_api/theta/set.hpp"

namespace tandem::api {

/// Bytes of the image of a sketch.
std::size_t theta_image_bytes(const ThetaSummary& summary);

/// Writes the image of a state, theta_image_bytes() of it; any alignment.
void write_theta_image(const ThetaState& state, uint64_t seed, uint8_t* image);

/// The state of an image. Refuses, with 104, what is no image of a sketch with this seed: a wrong size, another kind or version,
/// hashes that are not ascending or not below theta. Bytes of no meaning are ignored. More hashes than any k are legal.
ThetaState read_theta_image(const uint8_t* image, std::size_t bytes, uint64_t seed);

}  // namespace tandem::api
