#pragma once

/// The lists that some fills need while they run: device memory kept between calls.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

struct CUevent_st;
struct CUstream_st;

namespace tandem::api {

/// What a pool asks of the device that its memory is on. Functions are called with the pool's lock held.
class ScratchMemory {
  public:
    ScratchMemory() = default;
    ScratchMemory(const ScratchMemory&) = delete;
    ScratchMemory& operator=(const ScratchMemory&) = delete;
    virtual ~ScratchMemory() = default;

    virtual void* allocate(std::size_t bytes) noexcept = 0;  ///< null when memory is short
    virtual void free(void* memory) noexcept = 0;
    virtual CUevent_st* make_event() = 0;
    virtual void destroy_event(CUevent_st* event) noexcept = 0;
    virtual void record(CUevent_st* event, CUstream_st* stream) noexcept = 0;
    virtual bool done(CUevent_st* event) noexcept = 0;  ///< the work before the last record has run
};

/// Blocks of device memory, each used by one fill at a time. A block that a stream used last goes to the next fill of that stream
/// at once, in stream order; to other streams only when that use is done. Sizes are powers of two. Threads may share a pool.
class ScratchPool {
    struct Block {
        void* memory = nullptr;
        std::size_t bytes = 0;
        CUevent_st* event = nullptr;  // after the last use
        uint64_t stream_id = 0;       // of the last use
        bool leased = false;
    };

  public:
    static constexpr std::size_t MIN_BYTES = std::size_t{1} << 16;

    /// A block for one fill: whoever holds it enqueues the fill, then destroys the lease, which marks the end of the use on the
    /// stream. `memory()` is null when no memory could be had.
    class Lease {
      public:
        Lease(ScratchPool& pool, Block* block, CUstream_st* stream) : pool_(pool), block_(block), stream_(stream) {}
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        ~Lease() {
            if (block_ != nullptr) pool_.give_back(*block_, stream_);
        }

        void* memory() const { return block_ == nullptr ? nullptr : block_->memory; }

      private:
        ScratchPool& pool_;
        Block* block_;
        CUstream_st* stream_;
    };

    explicit ScratchPool(ScratchMemory& memory) : memory_(memory) {}
    ScratchPool(const ScratchPool&) = delete;
    ScratchPool& operator=(const ScratchPool&) = delete;

    /// Frees all blocks; no lease is held and no enqueued work uses one.
    ~ScratchPool();

    /// A block of at least `bytes` for a fill on a stream. `stream_id` tells streams apart for ever: handles are used again.
    Lease lease(std::size_t bytes, CUstream_st* stream, uint64_t stream_id);

    /// The bytes that the pool holds.
    std::size_t bytes() const;

    /// Frees the blocks whose last use is done.
    void release_idle();

  private:
    Block* find(std::size_t bytes, uint64_t stream_id);
    Block* grow(std::size_t bytes);
    void release_idle_locked();
    void give_back(Block& block, CUstream_st* stream) noexcept;

    ScratchMemory& memory_;
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<Block>> blocks_;
};

}  // namespace tandem::api
