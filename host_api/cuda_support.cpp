#include "host_api/cuda_support.hpp"

#include <string>

#include "host_api/cuda_driver.hpp"
#include "host_api/status.hpp"

namespace tandem::api {
namespace {

tandemStatus_t status_of(cudaError_t result) {
    switch (result) {
        case cudaErrorMemoryAllocation: return TANDEM_STATUS_ALLOCATION_FAILED;
        case cudaErrorNoDevice:
        case cudaErrorInsufficientDriver:
        case cudaErrorInitializationError:
        case cudaErrorCudartUnloading:
        case cudaErrorStubLibrary:
        case cudaErrorDevicesUnavailable:
        case cudaErrorDeviceUninitialized:
        case cudaErrorSystemNotReady:
        case cudaErrorSystemDriverMismatch:
        case cudaErrorCompatNotSupportedOnDevice: return TANDEM_STATUS_INITIALIZATION_FAILED;
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorInvalidDeviceFunction:
        case cudaErrorInvalidKernelImage:
        case cudaErrorUnsupportedPtxVersion: return TANDEM_STATUS_ARCH_MISMATCH;
        // No launch causes these itself: a kernel that ran before did, and the context stays broken.
        case cudaErrorIllegalAddress:
        case cudaErrorLaunchTimeout:
        case cudaErrorAssert:
        case cudaErrorHardwareStackError:
        case cudaErrorIllegalInstruction:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorLaunchFailure:
        case cudaErrorECCUncorrectable: return TANDEM_STATUS_PREEXISTING_FAILURE;
        default: return TANDEM_STATUS_LAUNCH_FAILURE;
    }
}

// The runtime makes a context current when it first needs one.
bool has_context() {
    unsigned long long id = 0;
    return driver().context_id(nullptr, &id) == CUDA_SUCCESS;
}

}  // namespace

void check_cuda(cudaError_t result, const char* call) {
    if (result == cudaSuccess) return;
    throw error(status_of(result),
                std::string(call) + " answered " + cudaGetErrorName(result) + ": " + cudaGetErrorString(result));
}

cudaGraph_t captured_graph(cudaStream_t stream) {
    CUstreamCaptureStatus answer = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    if (has_context() && driver().stream_is_capturing(stream, &answer) == CUDA_SUCCESS &&
        answer == CU_STREAM_CAPTURE_STATUS_NONE) {
        return nullptr;
    }
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaGraph_t graph = nullptr;
    check_cuda(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph), "cudaStreamGetCaptureInfo");
    if (status == cudaStreamCaptureStatusInvalidated) {
        throw error(TANDEM_STATUS_LAUNCH_FAILURE, "the capture of the stream has failed before; end it first");
    }
    return status == cudaStreamCaptureStatusActive ? graph : nullptr;
}

uint64_t id_of(cudaStream_t stream) {
    unsigned long long id = 0;
    if (!has_context() || driver().stream_id(stream, &id) != CUDA_SUCCESS) {
        check_cuda(cudaStreamGetId(stream, &id), "cudaStreamGetId");
    }
    return id;
}

uint64_t current_context_id(int device) {
    unsigned long long id = 0;
    if (driver().context_id(nullptr, &id) == CUDA_SUCCESS) return id;
    const RelaxedCapture relaxed;
    check_cuda(cudaSetDevice(device), "cudaSetDevice");  // makes the context
    if (driver().context_id(nullptr, &id) != CUDA_SUCCESS)
        throw error(TANDEM_STATUS_INITIALIZATION_FAILED, "the device has no usable context");
    return id;
}

}  // namespace tandem::api
