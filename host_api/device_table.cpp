#include "host_api/device_table.hpp"

#include <algorithm>

namespace tandem::api {
namespace {

/// A stream of the library's own, so that copies neither wait for the caller's work nor end a capture.
class PrivateStream {
  public:
    PrivateStream() { check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate"); }
    PrivateStream(const PrivateStream&) = delete;
    PrivateStream& operator=(const PrivateStream&) = delete;
    ~PrivateStream() { static_cast<void>(cudaStreamDestroy(stream_)); }

    void copy(void* to, const void* from, std::size_t bytes) {
        check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_), "cudaMemcpyAsync");
    }
    void wait() { check_cuda(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

  private:
    cudaStream_t stream_ = nullptr;
};

void CUDART_CB drop_share(void* share) { delete static_cast<std::shared_ptr<ResidentTable>*>(share); }

}  // namespace

void TableYard::retire(TableMemory memory) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    try {
        retired_.push_back(std::move(memory));
    } catch (...) {
        // Without room to remember it the memory stays allocated: freeing it under a running fill would be worse.
    }
}

void TableYard::collect(uint64_t context_id) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto idle = [context_id](TableMemory& table) {
        if (table.context_id != context_id) {
            // The device was reset: its handles mean nothing now, and the address may be another allocation's.
            for (auto& use : table.uses) use.end.release();
            return true;
        }
        for (const auto& use : table.uses) {
            if (!use.end.done()) return false;
        }
        static_cast<void>(cudaFree(table.memory));
        return true;
    };
    retired_.erase(std::remove_if(retired_.begin(), retired_.end(), idle), retired_.end());
}

DeviceTable::DeviceTable(const ChoiceTable& table, uint64_t context_id, TableYard& yard) : yard_(yard) {
    const std::size_t cut_bytes = std::size_t{table.m} * sizeof(uint64_t);
    const std::size_t alias_bytes = std::size_t{table.m} * sizeof(uint32_t);
    PrivateStream stream;
    void* memory = nullptr;
    check_cuda(cudaMalloc(&memory, cut_bytes + alias_bytes), "cudaMalloc");
    char* const alias = static_cast<char*>(memory) + cut_bytes;
    try {
        stream.copy(memory, table.cut.data(), cut_bytes);
        stream.copy(alias, table.alias.data(), alias_bytes);
        stream.wait();
    } catch (...) {
        static_cast<void>(cudaFree(memory));
        throw;
    }
    memory_.memory = memory;
    memory_.context_id = context_id;
    view_ = ChoiceView{static_cast<const uint64_t*>(memory), reinterpret_cast<const uint32_t*>(alias), table.capacity, table.m,
                       table.low};
}

DeviceTable::~DeviceTable() { yard_.retire(std::move(memory_)); }

std::size_t DeviceTable::begin_use(uint64_t stream_id) {
    using Use = TableMemory::Use;
    const std::lock_guard<std::mutex> lock(mutex_);
    auto& uses = memory_.uses;
    auto use = std::find_if(uses.begin(), uses.end(), [=](const Use& known) { return known.stream_id == stream_id; });
    if (use == uses.end()) {
        // A use that is done makes room, so that the list is no longer than the streams that are busy with the table.
        use = std::find_if(uses.begin(), uses.end(), [](const Use& known) { return known.launching == 0 && known.end.done(); });
    }
    if (use == uses.end()) use = uses.insert(uses.end(), Use{stream_id, Event(), 0});
    use->stream_id = stream_id;
    ++use->launching;
    return static_cast<std::size_t>(use - uses.begin());
}

void DeviceTable::end_use(std::size_t use, cudaStream_t stream) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    memory_.uses[use].end.record(stream);
    --memory_.uses[use].launching;
}

void retain(cudaGraph_t graph, const std::shared_ptr<ResidentTable>& table) {
    auto share = std::make_unique<std::shared_ptr<ResidentTable>>(table);
    cudaUserObject_t object = nullptr;
    check_cuda(cudaUserObjectCreate(&object, share.get(), drop_share, 1, cudaUserObjectNoDestructorSync), "cudaUserObjectCreate");
    share.release();
    const cudaError_t retained = cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove);
    if (retained != cudaSuccess) static_cast<void>(cudaUserObjectRelease(object, 1));
    check_cuda(retained, "cudaGraphRetainUserObject");
}

}  // namespace tandem::api
