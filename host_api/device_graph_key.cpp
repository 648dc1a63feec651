#include "host_api/device_graph_key.hpp"

#include <utility>

namespace tandem::api {
namespace {

template <class Value>
void place(const DeviceMemory& memory, const Value& value) {
    PrivateStream stream;
    stream.copy(memory.data(), &value, sizeof(value));
    stream.wait();
}

}  // namespace

DeviceGraphKey::DeviceGraphKey(const Key& key, uint64_t context_id, MemoryYard& yard) : memory_(sizeof(Key), context_id, yard) {
    place(memory_, key);
}

void DeviceGraphKey::store(const Key& key, cudaStream_t stream) {
    const DeviceMemory::Use use(memory_, stream);
    check_cuda(kernels::launch_store_key(key, static_cast<Key*>(memory_.data()), stream), "the launch");
}

CapturedFill::CapturedFill(std::shared_ptr<const DeviceGraphKey> base, MemoryYard& yard)
    : base_(std::move(base)), words_(sizeof(kernels::LaunchWords), base_->context_id(), yard) {
    place(words_, kernels::LaunchWords{});
}

const Key* CapturedFill::next_key(cudaStream_t stream) const {
    auto* const words = static_cast<kernels::LaunchWords*>(words_.data());
    check_cuda(kernels::launch_next_key(base_->data(), words, stream), "the launch");
    return &words->key;
}

const Key* capture_next_key(std::shared_ptr<GraphKey>& base, const Key& key, uint64_t context_id, MemoryYard& yard,
                            cudaGraph_t graph, cudaStream_t stream) {
    if (base == nullptr || static_cast<const DeviceGraphKey&>(*base).context_id() != context_id) {
        base = std::make_shared<DeviceGraphKey>(key, context_id, yard);
    }
    const auto captured = std::make_shared<const CapturedFill>(std::static_pointer_cast<DeviceGraphKey>(base), yard);
    retain(graph, captured);
    return captured->next_key(stream);
}

}  // namespace tandem::api
