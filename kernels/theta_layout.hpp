#pragma once

/// What operations on Theta sketches share in device memory, and how they are laid out and launched.

#include <cuda_runtime_api.h>

#include "kernels/fill_args.hpp"
#include "kernels/theta.hpp"

namespace tandem::kernels {

constexpr uint32_t THETA_THREADS = 256;  ///< of a block
constexpr uint32_t THETA_WARPS = THETA_THREADS / WARP;
constexpr uint32_t THETA_BLOCKS = 2;  ///< that a multiprocessor holds, where its shared memory suffices
constexpr uint32_t THETA_KEYS = 32;   ///< that a thread looks at in a step of its warp, at most

constexpr uint32_t THETA_STAGE = 3 * WARP;  ///< keys that a warp holds back until there are enough for all lanes

constexpr uint32_t DIGIT_BITS = 11;  ///< of a pass of the selection
constexpr uint32_t DIGITS = 1u << DIGIT_BITS;
constexpr uint32_t DIGIT_PASSES = 6;            ///< enough for 63 bits
constexpr uint32_t LISTED = 4096;               ///< hashes that may be the one of a rank
constexpr uint32_t SHORT_LIST = THETA_THREADS;  ///< of those, that a block compares with each other

/// What the blocks of a grid share beside the table; zeros at first.
struct ThetaControl {
    unsigned long long count;   ///< hashes in the table, and those on their way into it
    unsigned long long kept;    ///< places of the output that are taken
    unsigned long long pieces;  ///< of the source's work that warps took beyond their first
    uint32_t full_round;        ///< the last round in which a cut was asked for; rounds count from 1
    uint32_t listed;            ///< entries of `list`
    uint32_t digits[DIGIT_PASSES][DIGITS];
    uint64_t list[LISTED];
};

constexpr std::size_t CONTROL_BYTES = (sizeof(ThetaControl) + 255) / 256 * 256;

/// The table as a kernel is told of it.
struct ThetaTableArgs {
    uint64_t* slots;
    uint64_t mask;   ///< slots - 1; there are at least 1024
    uint64_t limit;  ///< hashes at most, fewer than slots
    uint32_t shift;  ///< 64 less the base-2 logarithm of the slots
    ThetaControl* control;
};

/// The table of a target, at the start of its scratch; what the blocks share lies after it.
ThetaTableArgs table_of(const ThetaTarget& target);

/// The grid of a kernel: as many blocks as have work and are resident at once, each with as large a front as leaves room for
/// THETA_BLOCKS of them on a multiprocessor.
struct ThetaGrid {
    unsigned blocks;
    uint32_t front_shift;
    std::size_t front_bytes;
};

/// The grid on the current device, when that many keys are offered; allows the kernel the memory.
cudaError_t grid_for(const void* kernel, const ThetaTarget& target, uint64_t keys, ThetaGrid& grid);

}  // namespace tandem::kernels
