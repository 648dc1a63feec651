#pragma once

/// The fills of device memory: host functions that launch kernels and do nothing else. No allocation, no synchronisation.

#include <cuda_runtime_api.h>

#include <cstddef>

#include "tandem/core/fill.hpp"

namespace tandem::kernels {

/// Which kernels run a fill; values never depend on it. Tests choose others than the best: those that walk whole tiles and
/// chunks, also where the fill is short, or those that list misses for a second kernel, where the fill has them, also where it is
/// short.
enum class Path { best, tiles, lists };

struct Architecture;
class Launcher;

/// How a fill is launched.
struct LaunchOptions {
    const Key* device_key = nullptr;  ///< unless null, read in stream order instead of the fill's key
    void* scratch = nullptr;  ///< scratch_bytes() bytes, aligned to 256, that nothing else uses until the fill has run; null
                              ///< selects the variant without
    cudaStream_t stream = nullptr;
    Path path = Path::best;
    const Architecture* architecture = nullptr;  ///< the current device's (policies.hpp); null: the one that was measured
    Launcher* launcher = nullptr;  ///< puts the fill's first kernel on the stream (launch_kernel.hpp); null: the runtime does
};

/// The device memory that a fill can use while it runs, in bytes; 0 when it has no use for any.
std::size_t scratch_bytes(const Fill& fill, Path path = Path::best, const Architecture* architecture = nullptr);

/// Launches a fill of device memory on the current device. The fill is checked: n > 0, it ends below 2^64, `out` and the tables
/// are reachable from the device and aligned. Returns the launch's own error; the thread's pending error is neither read nor
/// cleared.
cudaError_t launch(const Fill& fill, const LaunchOptions& options);

/// What a captured fill with fresh numbers keeps in device memory from one launch of its graph to the next; zeros at first.
struct LaunchWords {
    Key key;            ///< of the launch that runs
    uint64_t launches;  ///< begun so far
};

/// Launches the step before such a fill: `words->key` becomes the key of this launch, by the contract's rule from the key that
/// lies at `base`, and the launch is counted. Both pointers are to device memory. Returns the launch's own error.
cudaError_t launch_next_key(const Key* base, LaunchWords* words, cudaStream_t stream);

/// Launches the writing of a key to device memory, in stream order. Returns the launch's own error.
cudaError_t launch_store_key(const Key& key, Key* to, cudaStream_t stream);

}  // namespace tandem::kernels
