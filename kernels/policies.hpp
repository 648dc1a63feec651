#pragma once

/// How each family of fills is launched: plain data that never changes a value. The figures behind it: benchmark/README.md.

#include <cstddef>
#include <cstdint>

namespace tandem::kernels {

/// What a GPU has, as far as launches depend on it. The memory and threads are those of one multiprocessor, each of which has
/// 65536 registers on every architecture here.
struct Multiprocessors {
    uint32_t count;         ///< of the card that the entry is for
    uint32_t memory_bytes;  ///< shared memory, of which 1 KiB a block is the driver's
    uint32_t threads;
};

/// What is chosen by architecture. The same kernels run everywhere; these say which of them, and over how many blocks.
struct Architecture {
    uint32_t capability;  ///< 10 * major + minor
    bool measured;        ///< otherwise derived: thresholds by the number of multiprocessors, memory by what one of them has
    Multiprocessors has;

    uint64_t small_steps;  ///< steps and seedings, counted as steps, that a short fill may cost: a block of the stream a thread,
                           ///< or two
    uint32_t divided_warps;  ///< with fewer warps than this, tiles walked in registers are divided among more
    uint32_t few_tiles;      ///< up to so many, divided or not, go by blocks of fewer warps, so that they spread over the device
    uint32_t many_tiles;     ///< beyond so many, listed normals are finished every few steps, while the cache has their lines
    uint32_t listed_tiles;   ///< from so many on, rejected integers of 32 bits are listed for a second kernel
    uint32_t spare_bytes;    ///< shared memory that blocks of booleans take beyond their need
};

/// A threshold of the H200 for as much work a multiprocessor on another card.
template <class Count>
constexpr Count for_count(Count measured, uint32_t multiprocessors) {
    return measured * multiprocessors / 132;
}

constexpr Architecture derived(uint32_t capability, const Multiprocessors& has, uint32_t spare_bytes) {
    return {capability,
            false,
            has,
            for_count(uint64_t{1} << 20, has.count),
            for_count(2048u, has.count),
            for_count(1024u, has.count),
            for_count(16384u, has.count),
            for_count(49152u, has.count),
            spare_bytes};
}

/// In the order of their capabilities. The cards: A100, L40S, H200, B200. Spare memory is derived so that a multiprocessor has
/// four blocks of booleans open at once, as on the H200.
inline constexpr Architecture ARCHITECTURES[] = {
    derived(80, {108, 164 * 1024, 2048}, 30 * 1024),
    derived(89, {142, 100 * 1024, 1536}, 14 * 1024),
    {90, true, {132, 228 * 1024, 2048}, uint64_t{1} << 20, 2048, 1024, 16384, 49152, 39 * 1024},
    derived(100, {148, 228 * 1024, 2048}, 39 * 1024),
};

/// The entry of an architecture: of one that has none the next lower one's, below all the lowest.
constexpr const Architecture& architecture_of(uint32_t capability) {
    const Architecture* found = &ARCHITECTURES[0];
    for (const Architecture& entry : ARCHITECTURES) {
        if (entry.capability <= capability) found = &entry;
    }
    return *found;
}

/// The entry that was measured.
constexpr const Architecture& measured_architecture() { return architecture_of(90); }

/// What every device gives a thread block without being asked.
constexpr std::size_t BLOCK_MEMORY = 48 * 1024;

// A policy is of the code, the same on every architecture:
//
// WARPS: warps of a thread block; each works on a tile of its own.
//
// BLOCKS: what bounds the registers of a thread: so many blocks of a multiprocessor have room for theirs. Shared memory may hold
// fewer.
//
// GROUPS: groups of eight chunks that a warp walks at once, at most 4.
//
// SLOTS: blocks of 128 bits that a thread stages in shared memory before its warp writes them out.
//
// listed_tiles: from so many tiles on, misses are listed for a second kernel.
//
// spare_bytes: shared memory that a block takes beyond its need, so that fewer tiles are open at once: memory writes faster where
// the device's open tiles lie closer together.

/// What most policies do.
struct PolicyBase {
    static constexpr uint32_t spare_bytes(const Architecture&) { return 0; }
};

/// A whole tile of the default chunk length is staged, so that each warp writes 16 consecutive KiB.
struct PlainPolicy : PolicyBase {
    static constexpr int WARPS = 2, BLOCKS = 7, GROUPS = 4, SLOTS = 32;
};

/// Bits become bytes, so one group already makes 32 KiB of output.
struct BitsPolicy {
    static constexpr int WARPS = 2, BLOCKS = 4, GROUPS = 1, SLOTS = 32;
    static constexpr uint32_t spare_bytes(const Architecture& a) { return a.spare_bytes; }
};

/// Draws that cost more than they store. Direct is how they are launched where the output allows, and Regrouped where its rows
/// begin off the sectors of memory.
///
/// FEW_WARPS: of a block, where there are few tiles. It and WARPS are powers of two here.
///
/// many_tiles, SEGMENT: beyond so many tiles, listed elements are finished every so many steps, a power of two.
struct DerivedPolicy : PolicyBase {
    static constexpr int WARPS = 2, BLOCKS = 7, GROUPS = 4, SLOTS = 32;
    struct Direct {
        static constexpr int WARPS = 4, BLOCKS = 8, GROUPS = 4, SLOTS = 1;
        static constexpr int FEW_WARPS = 1, SEGMENT = 65536;
        static constexpr uint32_t many_tiles(const Architecture&) { return 0; }
    };
    using Regrouped = Direct;
};

/// Log-normals of single precision without parameters: long chains of operations, for which more warps are worth fewer registers.
struct LogNormal32Policy : DerivedPolicy {
    struct Direct : DerivedPolicy::Direct {
        static constexpr int BLOCKS = 10;
    };
};

/// Bounded draws.
struct BoundedPolicy : PolicyBase {
    static constexpr int WARPS = 1, BLOCKS = 14, GROUPS = 4, SLOTS = 32;
    static constexpr uint32_t listed_tiles(const Architecture& a) { return a.listed_tiles; }
    struct Direct {
        static constexpr int WARPS = 4, BLOCKS = 6, GROUPS = 4, SLOTS = 1;
        static constexpr int FEW_WARPS = 1, SEGMENT = 65536;
        static constexpr uint32_t many_tiles(const Architecture&) { return 0; }
    };
    using Regrouped = Direct;
};

/// Bounded draws of which one in 256 or more is rejected: retries bind, and long runs let a warp finish them in full rounds.
struct RejectingPolicy : PolicyBase {
    static constexpr int WARPS = 2, BLOCKS = 7, GROUPS = 4, SLOTS = 32;
};

/// The table of columns is shared by the warps of a block.
struct ChoicePolicy : PolicyBase {
    static constexpr int WARPS = 2, BLOCKS = 5, GROUPS = 4, SLOTS = 16;
    struct Direct {
        static constexpr int WARPS = 8, BLOCKS = 4, GROUPS = 4, SLOTS = 1;
        static constexpr int FEW_WARPS = 2, SEGMENT = 65536;
        static constexpr uint32_t many_tiles(const Architecture&) { return 0; }
    };
    using Regrouped = Direct;
};

/// The table of layers is shared by the warps of a block.
struct ZigguratPolicy : PolicyBase {
    static constexpr int WARPS = 2, BLOCKS = 5, GROUPS = 4, SLOTS = 32;
    struct Direct {
        static constexpr int WARPS = 8, BLOCKS = 3, GROUPS = 4, SLOTS = 1;
        static constexpr int FEW_WARPS = 2, SEGMENT = 16;
        static constexpr uint32_t many_tiles(const Architecture& a) { return a.many_tiles; }
        // Never but in tests: 0.72 of the store kernel instead of 0.76.
        static constexpr uint32_t listed_tiles(const Architecture&) { return ~0u; }
    };
    struct Regrouped : Direct {
        static constexpr int WARPS = 4, BLOCKS = 5;
    };
};

/// Log-normals of double precision.
struct LogNormal64Policy : ZigguratPolicy {
    struct Direct : ZigguratPolicy::Direct {
        static constexpr int WARPS = 4, BLOCKS = 6, SEGMENT = 32;
    };
    using Regrouped = Direct;
};

/// BLOCKS, where the compiled architecture's multiprocessors hold so many threads: those before sm_80 hold 1024.
template <class Policy>
constexpr int BLOCKS_HELD =
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    Policy::WARPS * 32 * Policy::BLOCKS > 1024 ? 1024 / (Policy::WARPS * 32) :
#endif
                                               Policy::BLOCKS;

/// Vectors of 16 bytes in which a warp stages its blocks: one more for each run.
template <class Policy>
constexpr int STAGE_VECTORS = 8 * Policy::GROUPS* Policy::SLOTS + Policy::GROUPS;

/// The most shared memory that a policy's blocks take on any architecture, beyond `need` bytes.
template <class Policy>
constexpr std::size_t most_memory(std::size_t need) {
    std::size_t most = need;
    for (const Architecture& entry : ARCHITECTURES) {
        const std::size_t bytes = need + Policy::spare_bytes(entry);
        most = bytes > most ? bytes : most;
    }
    return most;
}

}  // namespace tandem::kernels
