#include "host_api/cuda_driver.hpp"

#include <cuda_runtime_api.h>

#include <string>

#include "host_api/cuda_support.hpp"
#include "host_api/status.hpp"

namespace tandem::api {
namespace {

template <class Function>
void find(const char* name, Function& function) {
    void* address = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    const cudaError_t result = cudaGetDriverEntryPointByVersion(name, &address, 12000, cudaEnableDefault, &found);
#else
    const cudaError_t result = cudaGetDriverEntryPoint(name, &address, cudaEnableDefault, &found);
#endif
    check_cuda(result, (std::string("cudaGetDriverEntryPoint(") + name + ")").c_str());
    if (found != cudaDriverEntryPointSuccess) {
        throw error(TANDEM_STATUS_INITIALIZATION_FAILED, std::string("the driver is older than CUDA 12: it has no ") + name);
    }
    function = reinterpret_cast<Function>(address);
}

Driver find_all() {
    Driver d{};
    find("cuCtxGetId", d.context_id);
    find("cuStreamGetId", d.stream_id);
    find("cuStreamIsCapturing", d.stream_is_capturing);
    find("cuGraphExecKernelNodeSetParams", d.set_kernel_node);
    find("cuGraphLaunch", d.launch_graph);
    return d;
}

}  // namespace

const Driver& driver() {
    static const Driver found = find_all();
    return found;
}

}  // namespace tandem::api
