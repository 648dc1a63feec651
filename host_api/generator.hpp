#pragma once

/// What a generator handle stands for.

#include <memory>
#include <mutex>
#include <vector>

#include "host_api/backend.hpp"
#include "host_api/distribution.hpp"
#include "tandem/core/children.hpp"

namespace tandem::api {

/// A key, a position, a chunk length; the backend that fills for it, its stream and modes. Each function holds the generator's
/// lock for its whole run, so threads may share one. What cannot be done throws error and changes nothing.
class Generator {
  public:
    explicit Generator(Backend& backend) : backend_(backend) { next_.key = key_of_seed(0, 0); }
    Generator(const Generator&) = delete;
    Generator& operator=(const Generator&) = delete;

    void set_key(const Key& key);  ///< also sets position 0; reaches the later launches of captured fills too
    Key key() const;
    void set_position(uint64_t bits);
    uint64_t position() const;
    void set_chunk_length(uint32_t chunk_length);
    void set_stream(CUstream_st* stream);
    CUstream_st* stream() const;
    void set_reflected(bool reflected);
    void set_normal_mode(NormalMode mode);
    void set_fresh_graphs(bool fresh);        ///< whether each launch of a captured fill has numbers of its own
    void set_host_threads(uint32_t threads);  ///< 0: automatic
    void save(void* state) const;
    void restore(const void* state);

    std::unique_ptr<Generator> split(uint64_t i) const;
    std::unique_ptr<Generator> sub(uint64_t purpose) const;

    /// Makes n children and hands them to `deliver`; only when that returns does the position move. `check_place` is called
    /// before anything is made, after the checks of n and of the end of the stream, unless n = 0.
    void fork(uint64_t n, const std::function<void()>& check_place,
              const std::function<void(std::vector<std::unique_ptr<Generator>>)>& deliver);

    /// Runs a fill: `describe` is handed the next one, and sets its draw, out, n and parameters.
    template <class Describe>
    void generate(const Describe& describe) {
        const std::lock_guard<std::mutex> lock(mutex_);
        Fill fill = next_;
        describe(fill);
        next_.position = run_checked(backend_, fill, run_options());
    }

    /// Hands the next n draws of a kind without parameters to `use`, as a fill without output and how to run it; only when that
    /// returns does the position move. For n = 0 `use` is not called.
    void lend(Draw draw, uint64_t n, const std::function<void(const Fill&, const RunOptions&)>& use);

    void generate_discrete(uint32_t* out, uint64_t n, Distribution& distribution);
    void generate_law(uint32_t* out, uint64_t n, const Law& law);

    Backend& backend() const { return backend_; }

    std::size_t scratch_bytes() const { return backend_.scratch_bytes(); }
    void release_scratch() { backend_.release_scratch(); }

  private:
    std::unique_ptr<Generator> child(const Key& key) const;
    void replace_key(const Key& key);
    RunOptions run_options() { return {stream_, host_threads_, nullptr, fresh_graphs_ ? &graph_key_ : nullptr}; }
    void generate_choice(uint32_t* out, uint64_t n, const TableSource& source);
    Distribution& distribution_of(const Law& law);

    Backend& backend_;
    mutable std::mutex mutex_;
    Fill next_;  // its key, position, chunk length and modes are the generator's
    CUstream_st* stream_ = nullptr;
    bool fresh_graphs_ = true;
    uint32_t host_threads_ = 0;
    std::shared_ptr<GraphKey> graph_key_;  // holds the key; null until a fresh fill has been captured
    Law law_;
    std::unique_ptr<Distribution> law_distribution_;  // of law_; null until a law has been drawn from
};

}  // namespace tandem::api
