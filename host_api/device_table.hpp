#pragma once

/// Choice tables in device memory, and the memory of those that are gone.

#include <cuda_runtime_api.h>

#include <mutex>
#include <vector>

#include "host_api/backend.hpp"
#include "host_api/cuda_support.hpp"

namespace tandem::api {

/// Device memory and the ends of the fills that may still read it.
struct TableMemory {
    void* memory = nullptr;
    uint64_t context_id = 0;
    struct Use {
        uint64_t stream_id;
        Event end;
        int launching;  // fills whose end is not recorded yet
    };
    std::vector<Use> uses;  // one a stream
};

/// The memory of tables that nothing names any more, until what was enqueued has read it. Threads may share a yard.
class TableYard {
  public:
    void retire(TableMemory memory) noexcept;    ///< makes no CUDA call: graphs end on a thread that must not
    void collect(uint64_t context_id) noexcept;  ///< frees what is done; that context is current

  private:
    std::mutex mutex_;
    std::vector<TableMemory> retired_;
};

/// A table on the current device. Destroying it is safe at any time, on any thread: the memory goes to the yard.
class DeviceTable final : public ResidentTable {
  public:
    /// Copies a table into the current context, which has that id, and waits for the copy. Throws error.
    DeviceTable(const ChoiceTable& table, uint64_t context_id, TableYard& yard);
    ~DeviceTable() override;

    ChoiceView view() const override { return view_; }

    /// A fill that reads the table, from before its launch on a stream until after it.
    class Reading {
      public:
        Reading(DeviceTable& table, cudaStream_t stream) : table_(table), stream_(stream), use_(table.begin_use(id_of(stream))) {}
        Reading(const Reading&) = delete;
        Reading& operator=(const Reading&) = delete;
        ~Reading() { table_.end_use(use_, stream_); }

      private:
        DeviceTable& table_;
        cudaStream_t stream_;
        std::size_t use_;
    };

  private:
    std::size_t begin_use(uint64_t stream_id);
    void end_use(std::size_t use, cudaStream_t stream) noexcept;

    TableMemory memory_;
    ChoiceView view_;
    std::mutex mutex_;
    TableYard& yard_;
};

/// Makes a graph own a share of a table, so that the table lives as long as the graph and what is made of it.
void retain(cudaGraph_t graph, const std::shared_ptr<ResidentTable>& table);

}  // namespace tandem::api
