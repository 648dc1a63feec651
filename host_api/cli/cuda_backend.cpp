#include "host_api/cli/cuda_backend.hpp"

#include <cuda_runtime_api.h>

#include "host_api/cli/errors.hpp"
#include "tandem/fill.hpp"

namespace tandem::cli {
namespace {

void check(cudaError_t error, const char* what) {
    if (error != cudaSuccess) throw RunError(std::string("cuda: ") + what + ": " + cudaGetErrorString(error));
}

// Device memory that grows.
class DeviceMemory {
  public:
    DeviceMemory() = default;
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    ~DeviceMemory() { cudaFree(data_); }

    void* reserve(std::size_t bytes) {
        if (bytes > bytes_) {
            cudaFree(data_);
            data_ = nullptr;
            bytes_ = 0;
            check(cudaMalloc(&data_, bytes), "no memory");
            bytes_ = bytes;
        }
        return data_;
    }

  private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

class CudaBackend : public Backend {
  public:
    CudaBackend() {
        check(cudaSetDevice(0), "the first GPU cannot be used");
        // Shows before any file is made whether the library has code that this GPU runs.
        uint32_t word = 0;
        Fill probe;
        probe.n = 1;
        probe.out = &word;
        fill(probe, sizeof word);
    }

    std::string name() const override { return "cuda"; }

    ChoiceView place_table(const ChoiceTable& table) override {
        ChoiceView view = table.view();
        view.cut = static_cast<const uint64_t*>(upload(cut_, table.cut.data(), table.m * sizeof(uint64_t)));
        view.alias = static_cast<const uint32_t*>(upload(alias_, table.alias.data(), table.m * sizeof(uint32_t)));
        return view;
    }

    void fill(const Fill& fill, std::size_t bytes) override {
        Fill on_device = fill;
        on_device.out = output_.reserve(bytes);
        tandem::fill(on_device);
        check(cudaMemcpy(fill.out, on_device.out, bytes, cudaMemcpyDeviceToHost), "the fill failed");
    }

  private:
    static void* upload(DeviceMemory& memory, const void* data, std::size_t bytes) {
        void* const on_device = memory.reserve(bytes);
        check(cudaMemcpy(on_device, data, bytes, cudaMemcpyHostToDevice), "a table cannot be copied");
        return on_device;
    }

    DeviceMemory output_, cut_, alias_;
};

std::string describe_device(int index) {
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, index), "a GPU cannot be asked");
    return std::to_string(index) + ": " + device.name + ", compute capability " + std::to_string(device.major) + "." +
           std::to_string(device.minor) + ", " + std::to_string(device.totalGlobalMem >> 20) + " MiB, " +
           std::to_string(device.multiProcessorCount) + " multiprocessors";
}

std::string version_of(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

}  // namespace

int cuda_device_count() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

std::unique_ptr<Backend> make_cuda_backend() {
    int count = 0;
    check(cudaGetDeviceCount(&count), "no GPU");
    if (count == 0) throw RunError("cuda: no GPU");
    return std::make_unique<CudaBackend>();
}

std::vector<std::string> describe_devices() {
    int runtime = 0, driver = 0, count = 0;
    check(cudaRuntimeGetVersion(&runtime), "the runtime's version");
    check(cudaDriverGetVersion(&driver), "the driver's version");
    std::vector<std::string> lines{"runtime " + version_of(runtime) + ", driver " +
                                   (driver ? "up to " + version_of(driver) : "none")};
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) lines.push_back(std::string("no GPU: ") + cudaGetErrorString(error));
    for (int i = 0; i < count; ++i) lines.push_back(describe_device(i));
    return lines;
}

}  // namespace tandem::cli
