#pragma once

/// The retained set of a Theta sketch in device memory.

#include <memory>
#include <vector>

#include "host_api/device_store.hpp"
#include "host_api/theta/set.hpp"
#include "kernels/theta.hpp"

namespace tandem::api {

/// What a set owns of device memory. Graphs that work on the set retain it, so that it lives as long as they do.
class ThetaMemory {
  public:
    /// Words of an empty set in the current context, which has that id. Throws error.
    ThetaMemory(uint64_t start, uint64_t context_id, MemoryYard& yard);

    kernels::ThetaWords* words() const { return static_cast<kernels::ThetaWords*>(words_.data()); }
    uint64_t context_id() const { return words_.context_id(); }

    /// Where the next operation leaves the hashes, unless it needs more room.
    uint64_t* hashes() const { return blocks_.empty() ? nullptr : static_cast<uint64_t*>(blocks_.back().memory->data()); }
    uint64_t room() const { return blocks_.empty() ? 0 : blocks_.back().room; }

    /// Makes an array for that many hashes the current one. Throws error, and then changes nothing.
    void grow(uint64_t room);

    /// Undoes grow(), while nothing uses the new array.
    void shrink() { blocks_.pop_back(); }

    /// Lets go of all arrays but the current one.
    void forget_older() { blocks_.erase(blocks_.begin(), blocks_.end() - 1); }

    std::size_t arrays() const { return blocks_.size(); }

    /// Work that uses the memory, as DeviceMemory::Use.
    class Use;

  private:
    struct Block {
        std::unique_ptr<DeviceMemory> memory;
        uint64_t room;
    };

    uint64_t context_id_;
    MemoryYard& yard_;
    DeviceMemory words_;
    std::vector<Block> blocks_;  // the current one last
};

class ThetaMemory::Use {
  public:
    Use(ThetaMemory& memory, cudaStream_t stream) : words_(memory.words_, stream) {
        for (const Block& block : memory.blocks_) arrays_.push_back(std::make_unique<DeviceMemory::Use>(*block.memory, stream));
    }

  private:
    DeviceMemory::Use words_;
    std::vector<std::unique_ptr<DeviceMemory::Use>> arrays_;
};

/// A set on one device. Updates allocate only while the set may still grow, and wait for nothing.
class DeviceThetaSet final : public ThetaSet {
  public:
    DeviceThetaSet(const ThetaParameters& parameters, int device, const kernels::ThetaTuning& tuning = {});
    ~DeviceThetaSet() override;

    bool near(const ThetaSet& other) const override;
    std::unique_ptr<ThetaSet> make_near(const ThetaParameters& parameters) const override;
    void check_keys(const void* keys, ThetaKey kind, uint64_t n, CUstream_st* stream) const override;
    void update(const void* keys, ThetaKey kind, uint64_t n, CUstream_st* stream) override;
    void update_draws(const Fill& fill, ThetaKey kind, const RunOptions& options) override;
    void merge(ThetaSet& other, CUstream_st* stream) override;
    void intersect(ThetaSet& other, CUstream_st* stream) override;
    void a_not_b(ThetaSet& other, CUstream_st* stream) override;
    void reset(CUstream_st* stream) override;
    void write(const ThetaState& state, CUstream_st* stream) override;
    ThetaState read() override;
    ThetaSummary summary() override;

  private:
    class Operation;

    void check_context() const;  ///< throws error when the device was reset
    uint64_t k() const { return uint64_t{1} << parameters_.lg_k; }
    uint64_t start() const { return theta_start(parameters_.p); }
    uint64_t held_at_most() const;
    kernels::ThetaWords words() const;
    void filter(DeviceThetaSet& other, bool common, CUstream_st* stream);

    ThetaParameters parameters_;
    int device_;
    kernels::ThetaTuning tuning_;
    DeviceStore& store_;
    std::shared_ptr<ThetaMemory> memory_;
    uint64_t held_ = 0;      // hashes at most, as far as calls know
    bool captured_ = false;  // a graph may work on the set at any time
    Event last_;             // after the last work of a call
    uint64_t last_stream_ = 0;
    bool used_ = false;
};

}  // namespace tandem::api
