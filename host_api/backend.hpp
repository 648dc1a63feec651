#pragma once

/// What runs fills: the CPU engine, or the kernels on one device.

#include <cstddef>
#include <functional>
#include <memory>

#include "tandem/core/choice.hpp"

struct CUstream_st;

namespace tandem::api {

/// A choice table in the memory that a backend's fills read. The memory is freed when the last fill that reads it is done.
class ResidentTable {
  public:
    ResidentTable() = default;
    ResidentTable(const ResidentTable&) = delete;
    ResidentTable& operator=(const ResidentTable&) = delete;
    virtual ~ResidentTable() = default;

    virtual ChoiceView view() const = 0;
};

/// The key that a generator's captured fills start from, in the memory that a backend's fills read.
class GraphKey {
  public:
    GraphKey() = default;
    GraphKey(const GraphKey&) = delete;
    GraphKey& operator=(const GraphKey&) = delete;
    virtual ~GraphKey() = default;
};

/// How one fill is to be run; a backend ignores what it has no use for.
struct RunOptions {
    CUstream_st* stream = nullptr;
    unsigned threads = 0;                            ///< 0: as many as the size pays for
    std::shared_ptr<ResidentTable> table = nullptr;  ///< when not null, what `choice` of the fill views
    /// Where the generator keeps its graph key; a captured fill makes one where there is none. When null, launches of a captured
    /// fill repeat.
    std::shared_ptr<GraphKey>* graph_key = nullptr;
};

/// A backend lives as long as the process. Its functions may be called by many threads at once and throw error.
class Backend {
  public:
    Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    virtual ~Backend() = default;

    /// Refuses an output that the backend cannot write, where that can be told.
    virtual void check_output(const Fill& fill, const RunOptions& options) const = 0;

    /// True while the stream is being captured into a graph.
    virtual bool capturing(CUstream_st* stream) const = 0;

    /// Puts a table where the backend's fills can read it.
    virtual std::shared_ptr<ResidentTable> place(const std::shared_ptr<const ChoiceTable>& table) = 0;

    /// Frees what is left of tables that nothing uses any more.
    virtual void collect_tables() noexcept = 0;

    /// Runs or enqueues a fill whose arguments have been checked, n > 0.
    virtual void run(const Fill& fill, const RunOptions& options) = 0;

    /// Gives a graph key another value for what follows on the stream. While the stream is being captured the graph key is
    /// dropped instead: the fills captured so far keep it, and the next one makes its own.
    virtual void store_graph_key(std::shared_ptr<GraphKey>& graph_key, const Key& key, CUstream_st* stream) = 0;

    /// Device memory kept for lists of elements in progress, in bytes, and the release of what is idle of it.
    virtual std::size_t scratch_bytes() const = 0;
    virtual void release_scratch() = 0;
};

Backend& host_backend();

/// The backend of the current device; throws error with 203 when there is none.
Backend& current_device_backend();

/// Finds the table of a fill, once everything else about the fill has been checked.
using TableSource = std::function<std::shared_ptr<ResidentTable>()>;

/// What a fill takes of the stream; refuses one that passes the end.
Span checked_span(const Fill& fill);

/// Checks a fill in the design's order, from the parameters on, runs it and returns the position after it. A fill that reads a
/// table has it in `choice`.
uint64_t run_checked(Backend& backend, const Fill& fill, const RunOptions& options);

/// The same for a fill that reads a table of `source`, which is put into both.
uint64_t run_checked(Backend& backend, Fill& fill, RunOptions& options, const TableSource& source);

}  // namespace tandem::api
