#pragma once

/// What captured fills with fresh numbers read and count in device memory.

#include <memory>

#include "host_api/backend.hpp"
#include "host_api/device_memory.hpp"
#include "kernels/fill.hpp"

namespace tandem::api {

/// The key that a generator's captured fills start from. Destroying it is safe at any time, on any thread.
class DeviceGraphKey final : public GraphKey {
  public:
    /// Places a key in the current context, which has that id. Throws error.
    DeviceGraphKey(const Key& key, uint64_t context_id, MemoryYard& yard);

    const Key* data() const { return static_cast<const Key*>(memory_.data()); }
    uint64_t context_id() const { return memory_.context_id(); }

    /// Replaces the key for what follows on a stream. Throws error.
    void store(const Key& key, cudaStream_t stream);

  private:
    DeviceMemory memory_;
};

/// The words of one captured fill, and a share of the key that it starts from. Its graph retains it.
class CapturedFill {
  public:
    /// Words of a fill that was never launched, in the key's context, which is current. Throws error.
    CapturedFill(std::shared_ptr<const DeviceGraphKey> base, MemoryYard& yard);

    /// Enqueues the step that derives the key of a launch, and returns where the fill finds that key. Throws error.
    const Key* next_key(cudaStream_t stream) const;

  private:
    std::shared_ptr<const DeviceGraphKey> base_;
    DeviceMemory words_;
};

/// Enqueues the step that gives each launch of what is being captured its own key, and returns where that will lie. `base` starts
/// from `key` where there is none yet in the current context, which has that id. Throws error.
const Key* capture_next_key(std::shared_ptr<GraphKey>& base, const Key& key, uint64_t context_id, MemoryYard& yard,
                            cudaGraph_t graph, cudaStream_t stream);

}  // namespace tandem::api
