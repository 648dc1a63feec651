#pragma once

/// What the kernels are told of a fill: draws of a stream one after another, and where their elements go.

#include <Kokkos_Core.hpp>

#include "tandem/core/stream.hpp"

namespace tandem {
namespace kokkos_detail {

/// A fill that is checked, with n > 0. A complex number is two draws, and two elements of `out`.
template <class Out>
struct Job {
    Key key;
    uint32_t log2_k;
    uint64_t first;  ///< number (position / width) of the first draw
    uint64_t draws;  ///< elements of `out`; an odd number in pairs reads one more draw
    Out* out;
};

/// The groups of eight chunks that a job's elements lie in.
struct GroupSpan {
    uint64_t first;
    uint64_t count;
};

template <class Op>
GroupSpan groups_of(const Job<typename Op::Out>& job) {
    const uint64_t first_row = (job.first * Op::WIDTH) >> 10, last_row = ((job.first + job.draws - 1) * Op::WIDTH) >> 10;
    const uint64_t first = first_row >> job.log2_k;
    return {first, (last_row >> job.log2_k) - first + 1};
}

/// The steps of its chunks that a job needs.
struct StepSpan {
    uint32_t begin;
    uint32_t end;
};

/// Of a job within one group those of its rows only: a chunk may have 65536. Otherwise all.
template <class Op>
StepSpan steps_of(const Job<typename Op::Out>& job) {
    const uint32_t k = 1u << job.log2_k;
    if (groups_of<Op>(job).count > 1) return {0, k};
    const uint64_t first_row = (job.first * Op::WIDTH) >> 10, last_row = ((job.first + job.draws - 1) * Op::WIDTH) >> 10;
    return {static_cast<uint32_t>(first_row) & (k - 1), (static_cast<uint32_t>(last_row) & (k - 1)) + 1};
}

}  // namespace kokkos_detail
}  // namespace tandem
