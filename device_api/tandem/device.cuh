#pragma once

/// Draws inside kernels. Header-only: include it in a .cu file (or a source of NVRTC), link nothing.
///
///     __global__ void kernel(tandem::Key key, float* out) {
///         const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
///         tandem::Rng rng = tandem::Rng(key).split(i);
///         out[i] = rng.frand();
///     }
///
/// | generator | right for | state |
/// |---|---|---|
/// | Rng       | a few draws a thread, random access                       | about 20 registers |
/// | RowRng    | long runs of the same values as Rng's                      | about 90 registers |
/// | ChunkRng  | long private runs, each thread its own; the fastest        | about 25 registers |
///
/// All three have every draw of Draws<D> (core/draws.hpp). Rng and RowRng also have split, sub, fork and set_position. The values
/// are those of the fills: of the same key, position and chunk length K.

#include "tandem/chunk_rng.cuh"
#include "tandem/core.hpp"
#include "tandem/curand_style.cuh"
#include "tandem/row_rng.cuh"
