#include "host_api/device_store.hpp"

namespace tandem::api {

DeviceStore::ContextStore* DeviceStore::find(uint64_t context_id) const {
    for (const auto& context : contexts_) {
        if (context->context_id == context_id) return context.get();
    }
    return nullptr;
}

DeviceStore::ContextStore& DeviceStore::of_context(uint64_t context_id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ContextStore* const known = find(context_id);
    if (known != nullptr) return *known;
    contexts_.push_back(std::make_unique<ContextStore>(context_id));
    return *contexts_.back();
}

ScratchPool& DeviceStore::scratch(uint64_t context_id) { return of_context(context_id).scratch; }

RepeatedLaunches& DeviceStore::launches(uint64_t context_id) { return of_context(context_id).launches; }

ScratchPool* DeviceStore::known_scratch(uint64_t context_id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ContextStore* const known = find(context_id);
    return known == nullptr ? nullptr : &known->scratch;
}

bool DeviceStore::unused() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return contexts_.empty();
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
