#include "host_api/device_store.hpp"

namespace tandem::api {

ScratchPool* DeviceStore::find(uint64_t context_id) const {
    for (const auto& entry : scratch_) {
        if (entry->context_id == context_id) return &entry->pool;
    }
    return nullptr;
}

ScratchPool& DeviceStore::scratch(uint64_t context_id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ScratchPool* const pool = find(context_id);
    if (pool != nullptr) return *pool;
    scratch_.push_back(std::make_unique<ContextScratch>(context_id));
    return scratch_.back()->pool;
}

ScratchPool* DeviceStore::known_scratch(uint64_t context_id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return find(context_id);
}

bool DeviceStore::unused() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return scratch_.empty();
}

DeviceStore& store_of_device(int device) {
    static std::mutex mutex;
    static auto& stores = *new std::vector<std::unique_ptr<DeviceStore>>;  // never destroyed: used while the process ends
    const std::lock_guard<std::mutex> lock(mutex);
    const std::size_t index = static_cast<std::size_t>(device);
    if (stores.size() <= index) stores.resize(index + 1);
    if (stores[index] == nullptr) stores[index] = std::make_unique<DeviceStore>();
    return *stores[index];
}

}  // namespace tandem::api
