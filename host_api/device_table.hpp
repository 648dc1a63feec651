#pragma once

/// Choice tables in device memory.

#include "host_api/backend.hpp"
#include "host_api/device_memory.hpp"

namespace tandem::api {

/// A table on the current device. Destroying it is safe at any time, on any thread.
class DeviceTable final : public ResidentTable {
  public:
    /// Copies a table into the current context, which has that id, and waits for the copy. Throws error.
    DeviceTable(const ChoiceTable& table, uint64_t context_id, MemoryYard& yard);

    ChoiceView view() const override { return view_; }
    DeviceMemory& memory() { return memory_; }

  private:
    DeviceMemory memory_;
    ChoiceView view_;
};

}  // namespace tandem::api
