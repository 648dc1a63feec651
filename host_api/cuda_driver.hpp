#pragma once

/// The functions that the library asks the driver itself: those of every call, for which the runtime takes three times as long,
/// and those whose failure must not become the thread's pending error.

#include <cudaTypedefs.h>

namespace tandem::api {

/// Call them with a context current: some end the process without one.
struct Driver {
    PFN_cuCtxGetId_v12000 context_id;
    PFN_cuStreamGetId_v12000 stream_id;
    PFN_cuStreamIsCapturing_v10000 stream_is_capturing;
    PFN_cuGraphCreate_v10000 make_graph;
    PFN_cuGraphAddKernelNode_v12000 add_kernel_node;
    PFN_cuGraphInstantiateWithFlags_v11040 instantiate_graph;
    PFN_cuGraphExecKernelNodeSetParams_v12000 set_kernel_node;
    PFN_cuGraphLaunch_v10000 launch_graph;
    PFN_cuGraphExecDestroy_v10000 destroy_executable;
    PFN_cuGraphDestroy_v10000 destroy_graph;
    CUresult (*stream_green_context)(CUstream, void**);  ///< null in drivers older than CUDA 12.4, which know none
};

/// Throws error for a driver older than CUDA 12.
const Driver& driver();

}  // namespace tandem::api
