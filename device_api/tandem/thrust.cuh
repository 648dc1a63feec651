#pragma once

/// Fills as Thrust iterators: any Thrust or CUB algorithm reads element i of the fill as it needs it.
///
///     auto u = tandem::make_iterator(tandem::uniform<float>(key));
///     float sum = thrust::reduce(thrust::device, u, u + n);
///     thrust::copy_n(u, n, out);
///     cub::DeviceReduce::Sum(temp, temp_bytes, u, result, n);
///
/// Each element seeds a chunk and steps to its block, at K = 32 about 24 steps a read: right where elements are few, read out of
/// order or mixed into an algorithm that exists. To transform, reduce or visit many elements in one go use algorithm.cuh, which
/// walks the chunks at one step for four 32-bit elements, or fill memory first. K = 1 is the chunk length whose elements cost
/// least by random access.

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "tandem/sources.cuh"

namespace tandem {

/// Reads elements first, first + 1, ... of the fill that `source` describes, without end; 64-bit indices and differences.
template <class S>
auto make_iterator(const S& source, uint64_t first = 0) {
    using Index = thrust::counting_iterator<unsigned long long, thrust::use_default, thrust::use_default, long long>;
    auto iterator = thrust::make_transform_iterator(Index(first), source);
    static_assert(sizeof(typename decltype(iterator)::difference_type) == 8, "differences have 64 bits");
    return iterator;
}

}  // namespace tandem
