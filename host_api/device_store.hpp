#pragma once

/// What a device keeps between the calls of all its generators and sketches.

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "host_api/cuda_scratch.hpp"
#include "host_api/device_memory.hpp"

namespace tandem::api {

/// Threads may share it. The device is current in every call.
class DeviceStore {
  public:
    /// The scratch of a context, made when it is first asked for.
    ScratchPool& scratch(uint64_t context_id);

    /// The same, or null when nobody has asked for it.
    ScratchPool* known_scratch(uint64_t context_id);

    /// True when nobody has asked for scratch in any context.
    bool unused() const;

    MemoryYard& yard() { return yard_; }

  private:
    struct ContextScratch {
        explicit ContextScratch(uint64_t id) : context_id(id) {}
        uint64_t context_id;
        CudaScratch memory;
        ScratchPool pool{memory};
    };

    ScratchPool* find(uint64_t context_id) const;

    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<ContextScratch>> scratch_;  // one for each context that the device has had
    MemoryYard yard_;
};

/// The store of a device; it lives as long as the process.
DeviceStore& store_of_device(int device);

}  // namespace tandem::api
