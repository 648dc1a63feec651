#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include "host_api/backend.hpp"
#include "host_api/cuda_support.hpp"
#include "host_api/device_graph_key.hpp"
#include "host_api/device_store.hpp"
#include "host_api/device_table.hpp"
#include "host_api/status.hpp"
#include "kernels/fill.hpp"
#include "kernels/policies.hpp"

namespace tandem::api {
namespace {

int attribute_of(int device, cudaDeviceAttr attribute) {
    int value = 0;
    check_cuda(cudaDeviceGetAttribute(&value, attribute, device), "cudaDeviceGetAttribute");
    return value;
}

uint32_t capability_of(int device) {
    return static_cast<uint32_t>(10 * attribute_of(device, cudaDevAttrComputeCapabilityMajor) +
                                 attribute_of(device, cudaDevAttrComputeCapabilityMinor));
}

bool asked_to_check_pointers() {
    const char* value = std::getenv("TANDEM_CHECK_POINTERS");
    return value != nullptr && std::strcmp(value, "1") == 0;
}

class DeviceBackend final : public Backend {
  public:
    explicit DeviceBackend(int device)
        : device_(device),
          reads_host_memory_(attribute_of(device, cudaDevAttrPageableMemoryAccess) != 0),
          architecture_(kernels::architecture_of(capability_of(device))),
          store_(store_of_device(device)) {}

    void check_output(const Fill& fill, const RunOptions& options) const override {
        static const bool asked = asked_to_check_pointers();
        if (!asked || reads_host_memory_) return;
        const DeviceScope scope(device_);
        if (captured_graph(options.stream) != nullptr) return;
        cudaPointerAttributes attributes{};
        check_cuda(cudaPointerGetAttributes(&attributes, fill.out), "cudaPointerGetAttributes");
        if (attributes.devicePointer == nullptr) {
            refuse("out", text_of(fill.out), "it must be memory that device " + std::to_string(device_) + " can reach");
        }
    }

    bool capturing(CUstream_st* stream) const override {
        const DeviceScope scope(device_);
        return captured_graph(stream) != nullptr;
    }

    std::shared_ptr<ResidentTable> place(const std::shared_ptr<const ChoiceTable>& table) override {
        const DeviceScope scope(device_);
        const RelaxedCapture relaxed;
        const uint64_t context_id = current_context_id(device_);
        store_.yard().collect(context_id);
        return std::make_shared<DeviceTable>(*table, context_id, store_.yard());
    }

    void collect_tables() noexcept override {
        try {
            const DeviceScope scope(device_);
            const RelaxedCapture relaxed;
            store_.yard().collect(current_context_id(device_));
        } catch (const error&) {
            // Without the device nothing can be freed, and nothing needs to be.
        }
    }

    void run(const Fill& fill, const RunOptions& options) override {
        const DeviceScope scope(device_);
        const uint64_t context_id = current_context_id(device_);
        const cudaGraph_t graph = captured_graph(options.stream);
        if (graph != nullptr) {
            capture(fill, graph, context_id, options);
        } else if (options.table != nullptr) {
            const DeviceMemory::Use reading(static_cast<DeviceTable&>(*options.table).memory(), options.stream);
            run_now(fill, context_id, options.stream);
        } else {
            run_now(fill, context_id, options.stream);
        }
    }

    void store_graph_key(std::shared_ptr<GraphKey>& graph_key, const Key& key, CUstream_st* stream) override {
        const DeviceScope scope(device_);
        const RelaxedCapture relaxed;
        if (captured_graph(stream) != nullptr || !of_current_context(graph_key)) {
            graph_key = nullptr;
        } else {
            static_cast<DeviceGraphKey&>(*graph_key).store(key, stream);
        }
    }

    std::size_t scratch_bytes() const override {
        if (store_.unused()) return 0;
        const DeviceScope scope(device_);
        const ScratchPool* pool = store_.known_scratch(current_context_id(device_));
        return pool == nullptr ? 0 : pool->bytes();
    }

    void release_scratch() override {
        if (store_.unused()) return;
        const DeviceScope scope(device_);
        const RelaxedCapture relaxed;
        ScratchPool* pool = store_.known_scratch(current_context_id(device_));
        if (pool != nullptr) pool->release_idle();
    }

  private:
    void run_now(const Fill& fill, uint64_t context_id, cudaStream_t stream) {
        kernels::Launcher& launcher = store_.launches(context_id);
        const std::size_t bytes = kernels::scratch_bytes(fill, kernels::Path::best, &architecture_);
        if (bytes == 0) return launch(fill, nullptr, nullptr, stream, &launcher);
        const RelaxedCapture relaxed;
        const ScratchPool::Lease lease = store_.scratch(context_id).lease(bytes, stream, id_of(stream));
        launch(fill, nullptr, lease.memory(), stream, &launcher);
    }

    void capture(const Fill& fill, cudaGraph_t graph, uint64_t context_id, const RunOptions& options) {
        const RelaxedCapture relaxed;
        if (options.table != nullptr) retain(graph, options.table);
        const Key* key = nullptr;
        if (options.graph_key != nullptr) {
            // The step that gives each launch of the graph its own key.
            key = capture_next_key(*options.graph_key, fill.key, context_id, store_.yard(), graph, options.stream);
        }
        // Without lists, which are at most 4 % faster: graphs with memory of their own can be instantiated once only, and
        // launches of a graph may overlap and outlive every other use of a pool's block.
        launch(fill, key, nullptr, options.stream, nullptr);
    }

    void launch(const Fill& fill, const Key* device_key, void* scratch, cudaStream_t stream, kernels::Launcher* launcher) const {
        const kernels::LaunchOptions options{device_key, scratch, stream, kernels::Path::best, &architecture_, launcher};
        check_cuda(kernels::launch(fill, options), "the launch");
    }

    // cudaDeviceReset ends the memory of a graph key together with the graphs that read it.
    bool of_current_context(const std::shared_ptr<GraphKey>& graph_key) const {
        return static_cast<const DeviceGraphKey&>(*graph_key).context_id() == current_context_id(device_);
    }

    const int device_;
    const bool reads_host_memory_;
    const kernels::Architecture& architecture_;
    DeviceStore& store_;
};

[[noreturn]] void refuse_to_start(cudaError_t result) {
    throw error(TANDEM_STATUS_INITIALIZATION_FAILED, std::string("no usable GPU: ") + cudaGetErrorString(result) + " (" +
                                                         cudaGetErrorName(result) +
                                                         "); host generators and fills work without one");
}

}  // namespace

Backend& current_device_backend() {
    int device = 0;
    cudaError_t result = cudaGetDevice(&device);
    int count = 0;
    if (result == cudaSuccess) result = cudaGetDeviceCount(&count);
    if (result == cudaSuccess && device >= count) result = cudaErrorNoDevice;
    if (result != cudaSuccess) refuse_to_start(result);

    static std::mutex mutex;
    static auto& backends = *new std::vector<std::unique_ptr<DeviceBackend>>;  // never destroyed: used while the process ends
    const std::lock_guard<std::mutex> lock(mutex);
    const std::size_t index = static_cast<std::size_t>(device);
    if (backends.size() <= index) backends.resize(index + 1);
    if (backends[index] == nullptr) backends[index] = std::make_unique<DeviceBackend>(device);
    return *backends[index];
}

}  // namespace tandem::api
