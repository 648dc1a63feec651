#pragma once

/// The functions that the library asks the driver itself: those of every call, for which the runtime takes three times as long.

#include <cuda.h>

namespace tandem::api {

/// Call them with a context current: some end the process without one.
struct Driver {
    decltype(&cuCtxGetId) context_id;
    decltype(&cuStreamGetId) stream_id;
    decltype(&cuStreamIsCapturing) stream_is_capturing;
    decltype(&cuGraphExecKernelNodeSetParams) set_kernel_node;
    decltype(&cuGraphLaunch) launch_graph;
};

/// Throws error for a driver older than CUDA 12.
const Driver& driver();

}  // namespace tandem::api
