#pragma once

/// How each family of fills is launched: plain data that never changes a value. The figures behind it: benchmark/README.md.
///
/// WARPS: warps of a thread block; each works on a tile of its own.
///
/// BLOCKS: what bounds the registers of a thread: so many blocks of a multiprocessor have room for theirs. Shared memory may hold
/// fewer.
///
/// GROUPS: groups of eight chunks that a warp walks at once, at most 4.
///
/// SLOTS: blocks of 128 bits that a thread stages in shared memory before its warp writes them out.
///
/// LISTED_TILES: from so many tiles on, misses are listed for a second kernel.
///
/// SPARE: bytes of shared memory that a block takes beyond its need, so that fewer tiles are open at once: memory writes faster
/// where the device's open tiles lie closer together.

namespace tandem::kernels {

/// A whole tile of the default chunk length is staged, so that each warp writes 16 consecutive KiB.
struct PlainPolicy {
    static constexpr int WARPS = 2, BLOCKS = 7, GROUPS = 4, SLOTS = 32, SPARE = 0;
};

/// Bits become bytes, so one group already makes 32 KiB of output.
struct BitsPolicy {
    static constexpr int WARPS = 2, BLOCKS = 4, GROUPS = 1, SLOTS = 32, SPARE = 39 * 1024;
};

/// Draws that cost more than they store. Direct is how they are launched where the output allows.
///
/// FEW_TILES, FEW_WARPS: so few tiles go by blocks of fewer warps, so that they spread over the device.
///
/// MANY_TILES, SEGMENT: beyond so many tiles, listed elements are finished every so many steps, while the cache has their lines.
struct DerivedPolicy {
    static constexpr int WARPS = 2, BLOCKS = 7, GROUPS = 4, SLOTS = 32, SPARE = 0;
    struct Direct {
        static constexpr int WARPS = 4, BLOCKS = 8, GROUPS = 4, SLOTS = 1;
        static constexpr int FEW_TILES = 1024, FEW_WARPS = 1, MANY_TILES = 0, SEGMENT = 65536;
    };
};

/// Bounded draws.
struct BoundedPolicy {
    static constexpr int WARPS = 1, BLOCKS = 14, GROUPS = 4, SLOTS = 32, SPARE = 0;
    static constexpr uint32_t LISTED_TILES = 49152;
    struct Direct {
        static constexpr int WARPS = 4, BLOCKS = 6, GROUPS = 4, SLOTS = 1;
        static constexpr int FEW_TILES = 1024, FEW_WARPS = 1, MANY_TILES = 0, SEGMENT = 65536;
    };
};

/// Bounded draws of which one in 256 or more is rejected: retries bind, and long runs let a warp finish them in full rounds.
struct RejectingPolicy {
    static constexpr int WARPS = 2, BLOCKS = 7, GROUPS = 4, SLOTS = 32, SPARE = 0;
};

/// The table of columns is shared by the warps of a block.
struct ChoicePolicy {
    static constexpr int WARPS = 2, BLOCKS = 5, GROUPS = 4, SLOTS = 16, SPARE = 0;
    struct Direct {
        static constexpr int WARPS = 8, BLOCKS = 4, GROUPS = 4, SLOTS = 1;
        static constexpr int FEW_TILES = 1024, FEW_WARPS = 2, MANY_TILES = 0, SEGMENT = 65536;
    };
};

/// The table of layers is shared by the warps of a block.
struct ZigguratPolicy {
    static constexpr int WARPS = 2, BLOCKS = 5, GROUPS = 4, SLOTS = 32, SPARE = 0;
    struct Direct {
        static constexpr int WARPS = 8, BLOCKS = 3, GROUPS = 4, SLOTS = 1;
        static constexpr int FEW_TILES = 1024, FEW_WARPS = 2, MANY_TILES = 16384, SEGMENT = 16;
        static constexpr uint32_t LISTED_TILES = ~0u;  // never but in tests: 0.72 of the store kernel instead of 0.76
    };
};

}  // namespace tandem::kernels
