#pragma once

/// Handles that outlive their objects: a destroyed handle is recognised without reading what it pointed to.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace tandem::api {

/// The live objects of one type. A handle is no address: it names a slot and the slot's generation, which counts up when an
/// object comes and when it goes, so no handle is ever valid twice. Slots are reused, and never freed. All functions may be
/// called by many threads at once and take no lock, so that a child of fork() finds none held. `Kind` tells the handles of two
/// tables apart: odd, below 16, which no aligned address ends in.
template <class Object, uint32_t Kind>
class HandleTable {
    static_assert(Kind % 2 == 1 && Kind < 16);
    static_assert(sizeof(void*) == 8, "a handle holds a slot and a generation");

  public:
    static constexpr uint64_t MAX_HANDLES = 1ull << 28;

    /// Takes an object and returns its handle. Throws std::bad_alloc when memory or slots run out.
    void* add(std::unique_ptr<Object> object) {
        const uint32_t index = take_slot();
        Slot& slot = slot_at(index);
        slot.object = object.release();
        const uint32_t generation = slot.generation.load(std::memory_order_relaxed) + 1;
        slot.generation.store(generation, std::memory_order_release);
        return reinterpret_cast<void*>(static_cast<uintptr_t>(generation) << 32 | index << 4 | Kind);
    }

    /// The object of a handle; null for anything that is no live handle of this table.
    Object* find(const void* handle) noexcept {
        Slot* slot = slot_of(handle);
        return slot != nullptr && slot->generation.load(std::memory_order_acquire) == generation_of(handle) ? slot->object
                                                                                                            : nullptr;
    }

    /// Ends a handle and returns its object; null for anything that is no live handle of this table.
    std::unique_ptr<Object> remove(const void* handle) noexcept {
        Slot* slot = slot_of(handle);
        uint32_t generation = generation_of(handle);
        if (slot == nullptr || !slot->generation.compare_exchange_strong(generation, generation + 1)) return nullptr;
        std::unique_ptr<Object> object(slot->object);
        slot->object = nullptr;
        // A slot whose generations are used up is given up, so that its old handles stay dead.
        if (generation + 1 != 0) give_back(index_of(handle));
        return object;
    }

  private:
    static constexpr uint32_t SLOTS_A_CHUNK = 4096;
    static constexpr uint32_t CHUNKS = MAX_HANDLES / SLOTS_A_CHUNK;

    struct Slot {
        std::atomic<uint32_t> generation{0};  // odd while an object lives in the slot
        std::atomic<uint32_t> next_free{0};   // the number of the next free slot plus one; 0 ends the list
        Object* object = nullptr;
    };

    static uint32_t generation_of(const void* handle) { return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(handle) >> 32); }
    static uint32_t index_of(const void* handle) { return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(handle)) >> 4; }

    Slot& slot_at(uint32_t index) {
        return chunks_[index / SLOTS_A_CHUNK].load(std::memory_order_acquire)[index % SLOTS_A_CHUNK];
    }

    // The slot that a value could be a handle of; a free slot's generation is even and no handle's is.
    Slot* slot_of(const void* handle) {
        if ((reinterpret_cast<uintptr_t>(handle) & 15) != Kind || generation_of(handle) % 2 == 0) return nullptr;
        const uint32_t index = index_of(handle);
        Slot* chunk = chunks_[index / SLOTS_A_CHUNK].load(std::memory_order_acquire);
        return chunk == nullptr ? nullptr : chunk + index % SLOTS_A_CHUNK;
    }

    uint32_t take_slot() {
        // The upper half of the list's head counts changes: without it a slot taken and given back meanwhile would go unnoticed.
        uint64_t head = free_.load(std::memory_order_acquire);
        while (static_cast<uint32_t>(head) != 0) {
            const uint32_t index = static_cast<uint32_t>(head) - 1;
            const uint64_t next = ((head >> 32) + 1) << 32 | slot_at(index).next_free.load(std::memory_order_relaxed);
            if (free_.compare_exchange_weak(head, next, std::memory_order_acq_rel)) return index;
        }
        return new_slot();
    }

    uint32_t new_slot() {
        uint32_t index = used_.load(std::memory_order_relaxed);
        do {
            if (index == MAX_HANDLES) throw std::bad_alloc();
            if (chunks_[index / SLOTS_A_CHUNK].load(std::memory_order_acquire) == nullptr) add_chunk(index / SLOTS_A_CHUNK);
        } while (!used_.compare_exchange_weak(index, index + 1, std::memory_order_acq_rel));
        return index;
    }

    void add_chunk(uint32_t chunk) {
        auto slots = std::make_unique<Slot[]>(SLOTS_A_CHUNK);
        Slot* none = nullptr;
        if (chunks_[chunk].compare_exchange_strong(none, slots.get(), std::memory_order_acq_rel)) slots.release();
    }

    void give_back(uint32_t index) noexcept {
        uint64_t head = free_.load(std::memory_order_relaxed);
        uint64_t next;
        do {
            slot_at(index).next_free.store(static_cast<uint32_t>(head), std::memory_order_relaxed);
            next = ((head >> 32) + 1) << 32 | (index + 1);
        } while (!free_.compare_exchange_weak(head, next, std::memory_order_acq_rel));
    }

    std::atomic<uint64_t> free_{0};
    std::atomic<uint32_t> used_{0};
    std::atomic<Slot*> chunks_[CHUNKS] = {};
};

}  // namespace tandem::api
