#include "host_api/scratch_pool.hpp"

#include <algorithm>

namespace tandem::api {
namespace {

// 0 when there is no such power of two.
std::size_t rounded_up(std::size_t bytes) {
    std::size_t size = ScratchPool::MIN_BYTES;
    while (size != 0 && size < bytes) size <<= 1;
    return size;
}

}  // namespace

ScratchPool::~ScratchPool() {
    for (const auto& block : blocks_) {
        memory_.free(block->memory);
        memory_.destroy_event(block->event);
    }
}

ScratchPool::Lease ScratchPool::lease(std::size_t bytes, CUstream_st* stream, uint64_t stream_id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Block* block = find(bytes, stream_id);
    if (block == nullptr) block = grow(bytes);
    if (block != nullptr) {
        block->stream_id = stream_id;
        block->leased = true;
    }
    return Lease(*this, block, stream);
}

ScratchPool::Block* ScratchPool::find(std::size_t bytes, uint64_t stream_id) {
    const auto smallest = [&](auto usable) {
        Block* best = nullptr;
        for (const auto& block : blocks_) {
            if (block->leased || block->bytes < bytes || (best != nullptr && best->bytes <= block->bytes)) continue;
            if (usable(*block)) best = block.get();
        }
        return best;
    };
    Block* own = smallest([&](const Block& block) { return block.stream_id == stream_id; });
    return own != nullptr ? own : smallest([&](const Block& block) { return memory_.done(block.event); });
}

ScratchPool::Block* ScratchPool::grow(std::size_t bytes) {
    const std::size_t size = rounded_up(bytes);
    if (size == 0) return nullptr;
    auto block = std::make_unique<Block>();
    blocks_.reserve(blocks_.size() + 1);
    void* memory = memory_.allocate(size);
    if (memory == nullptr) {
        release_idle_locked();
        memory = memory_.allocate(size);
    }
    if (memory == nullptr) return nullptr;
    try {
        block->event = memory_.make_event();
    } catch (...) {
        memory_.free(memory);
        throw;
    }
    block->memory = memory;
    block->bytes = size;
    blocks_.push_back(std::move(block));
    return blocks_.back().get();
}

std::size_t ScratchPool::bytes() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::size_t sum = 0;
    for (const auto& block : blocks_) sum += block->bytes;
    return sum;
}

void ScratchPool::release_idle() {
    const std::lock_guard<std::mutex> lock(mutex_);
    release_idle_locked();
}

void ScratchPool::release_idle_locked() {
    const auto idle = [&](const std::unique_ptr<Block>& block) {
        if (block->leased || !memory_.done(block->event)) return false;
        memory_.free(block->memory);
        memory_.destroy_event(block->event);
        return true;
    };
    blocks_.erase(std::remove_if(blocks_.begin(), blocks_.end(), idle), blocks_.end());
}

void ScratchPool::give_back(Block& block, CUstream_st* stream) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    memory_.record(block.event, stream);
    block.leased = false;
}

}  // namespace tandem::api
