#include "host_api/device_memory.hpp"

#include <algorithm>

namespace tandem::api {
namespace {

using Share = std::shared_ptr<const void>;

void CUDART_CB drop_share(void* share) { delete static_cast<Share*>(share); }

bool idle(const TrackedMemory& memory) {
    return std::all_of(memory.uses.begin(), memory.uses.end(), [](const TrackedMemory::Use& use) { return use.end.done(); });
}

}  // namespace

void MemoryYard::retire(TrackedMemory memory) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    try {
        retired_.push_back(std::move(memory));
    } catch (...) {
        // Without room to remember it the memory stays allocated: freeing it under a running fill would be worse.
    }
}

void* MemoryYard::take(std::size_t bytes, uint64_t context_id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find_if(retired_.begin(), retired_.end(), [=](const TrackedMemory& memory) {
        return memory.bytes == bytes && memory.context_id == context_id && idle(memory);
    });
    if (found == retired_.end()) return nullptr;
    void* const memory = found->memory;
    retired_.erase(found);
    return memory;
}

void MemoryYard::collect(uint64_t context_id) noexcept {
    // Freed without the lock: cudaFree waits for the device, and what ends there may call retire().
    std::vector<TrackedMemory> unused;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        try {
            unused.reserve(retired_.size());
        } catch (...) {
            return;
        }
        const auto gone = [&](TrackedMemory& memory) {
            if (memory.context_id != context_id) {
                // The device was reset: its handles mean nothing now, and the address may be another allocation's.
                for (auto& use : memory.uses) use.end.release();
                return true;
            }
            if (!idle(memory)) return false;
            unused.push_back(std::move(memory));
            return true;
        };
        retired_.erase(std::remove_if(retired_.begin(), retired_.end(), gone), retired_.end());
    }
    for (const TrackedMemory& memory : unused) static_cast<void>(cudaFree(memory.memory));
}

DeviceMemory::DeviceMemory(std::size_t bytes, uint64_t context_id, MemoryYard& yard) : yard_(yard) {
    memory_.bytes = bytes;
    memory_.context_id = context_id;
    memory_.memory = yard.take(bytes, context_id);
    if (memory_.memory == nullptr) check_cuda(cudaMalloc(&memory_.memory, bytes), "cudaMalloc");
}

std::size_t DeviceMemory::begin_use(uint64_t stream_id) {
    using Known = TrackedMemory::Use;
    const std::lock_guard<std::mutex> lock(mutex_);
    auto& uses = memory_.uses;
    auto use = std::find_if(uses.begin(), uses.end(), [=](const Known& known) { return known.stream_id == stream_id; });
    if (use == uses.end()) {
        const RelaxedCapture relaxed;
        // A use that is done makes room, so that the list is no longer than the streams that are busy with the memory.
        use = std::find_if(uses.begin(), uses.end(), [](const Known& known) { return known.launching == 0 && known.end.done(); });
        if (use == uses.end()) use = uses.insert(uses.end(), Known{stream_id, Event(), 0});
    }
    use->stream_id = stream_id;
    ++use->launching;
    return static_cast<std::size_t>(use - uses.begin());
}

void DeviceMemory::end_use(std::size_t use, cudaStream_t stream) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    memory_.uses[use].end.record(stream);
    --memory_.uses[use].launching;
}

void retain(cudaGraph_t graph, const std::shared_ptr<const void>& object) {
    auto share = std::make_unique<Share>(object);
    cudaUserObject_t user_object = nullptr;
    check_cuda(cudaUserObjectCreate(&user_object, share.get(), drop_share, 1, cudaUserObjectNoDestructorSync),
               "cudaUserObjectCreate");
    share.release();
    const cudaError_t retained = cudaGraphRetainUserObject(graph, user_object, 1, cudaGraphUserObjectMove);
    if (retained != cudaSuccess) static_cast<void>(cudaUserObjectRelease(user_object, 1));
    check_cuda(retained, "cudaGraphRetainUserObject");
}

}  // namespace tandem::api
