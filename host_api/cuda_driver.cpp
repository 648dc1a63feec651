#include "host_api/cuda_driver.hpp"

#include <cuda_runtime_api.h>

#include <string>

#include "host_api/cuda_support.hpp"
#include "host_api/status.hpp"

namespace tandem::api {
namespace {

void* find(const char* name, unsigned version) {
    void* address = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    const cudaError_t result = cudaGetDriverEntryPointByVersion(name, &address, version, cudaEnableDefault, &found);
#else
    // The newest that this toolkit knows, which is that version for all of them.
    static_cast<void>(version);
    const cudaError_t result = cudaGetDriverEntryPoint(name, &address, cudaEnableDefault, &found);
#endif
    check_cuda(result, (std::string("cudaGetDriverEntryPoint(") + name + ")").c_str());
    return found == cudaDriverEntryPointSuccess ? address : nullptr;
}

template <class Function>
void need(const char* name, unsigned version, Function& function) {
    void* const address = find(name, version);
    if (address == nullptr) {
        throw error(TANDEM_STATUS_INITIALIZATION_FAILED, std::string("the driver is older than CUDA 12: it has no ") + name);
    }
    function = reinterpret_cast<Function>(address);
}

Driver find_all() {
    Driver d{};
    need("cuCtxGetId", 12000, d.context_id);
    need("cuStreamGetId", 12000, d.stream_id);
    need("cuStreamIsCapturing", 10000, d.stream_is_capturing);
    need("cuGraphCreate", 10000, d.make_graph);
    need("cuGraphAddKernelNode", 12000, d.add_kernel_node);
    need("cuGraphInstantiateWithFlags", 11040, d.instantiate_graph);
    need("cuGraphExecKernelNodeSetParams", 12000, d.set_kernel_node);
    need("cuGraphLaunch", 10000, d.launch_graph);
    need("cuGraphExecDestroy", 10000, d.destroy_executable);
    need("cuGraphDestroy", 10000, d.destroy_graph);
    int version = 0;
    check_cuda(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
    if (version >= 12040 && CUDART_VERSION >= 12040) {
        d.stream_green_context = reinterpret_cast<CUresult (*)(CUstream, void**)>(find("cuStreamGetGreenCtx", 12040));
    }
    return d;
}

}  // namespace

const Driver& driver() {
    static const Driver found = find_all();
    return found;
}

}  // namespace tandem::api
