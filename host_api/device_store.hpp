#pragma once

/// What a device keeps between the calls of all its generators and sketches.

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "host_api/cuda_scratch.hpp"
#include "host_api/device_memory.hpp"
#include "host_api/repeated_launches.hpp"

namespace tandem::api {

/// Threads may share it. The device is current in every call.
class DeviceStore {
  public:
    /// The scratch of a context, made when it is first asked for.
    ScratchPool& scratch(uint64_t context_id);

    /// The same, or null when nobody has asked for anything in that context.
    ScratchPool* known_scratch(uint64_t context_id);

    /// What the fills of a context are launched by.
    RepeatedLaunches& launches(uint64_t context_id);

    /// True when nobody has asked for anything in any context.
    bool unused() const;

    MemoryYard& yard() { return yard_; }

  private:
    struct ContextStore {
        explicit ContextStore(uint64_t id) : context_id(id) {}
        uint64_t context_id;
        CudaScratch memory;
        ScratchPool scratch{memory};
        RepeatedLaunches launches;
    };

    ContextStore* find(uint64_t context_id) const;
    ContextStore& of_context(uint64_t context_id);

    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<ContextStore>> contexts_;  // all that the device has had
    MemoryYard yard_;
};

/// The store of a device; it lives as long as the process.
DeviceStore& store_of_device(int device);

}  // namespace tandem::api
