#pragma once

/// How fill kernels are launched.

#include <cuda_runtime.h>

#include <algorithm>
#include <type_traits>

#include "kernels/direct_kernel.cuh"
#include "kernels/fill.hpp"
#include "kernels/fill_kernel.cuh"
#include "kernels/launch_kernel.hpp"
#include "kernels/policies.hpp"
#include "kernels/small_kernel.cuh"
#include "kernels/small_table_kernel.cuh"

namespace tandem::kernels {

/// A kernel as launches take it.
template <auto kKernel>
const void* kernel_of() {
    return reinterpret_cast<const void*>(kKernel);
}

inline const Architecture& architecture_of(const LaunchOptions& options) {
    return options.architecture != nullptr ? *options.architecture : measured_architecture();
}

/// What a kernel is told of a fill of n draws, and the tiles of 1 << tile_bits blocks it takes.
template <class Op>
FillArgs fill_args(const Fill& fill, const Key* device_key, uint64_t n, uint32_t tile_bits, uint64_t& tiles) {
    const uint32_t log2_k = log2_exact(fill.chunk_length);
    const uint64_t start = align_pos(fill.position, Op::WIDTH);
    const uint64_t first_block = start >> 7;
    const uint64_t last_block = (start + Op::WIDTH * (n + (Op::PAIRS ? n & 1 : 0)) - 1) >> 7;
    const bool one_group = first_block >> (3 + log2_k) == last_block >> (3 + log2_k);
    tiles = (last_block >> tile_bits) - (first_block >> tile_bits) + 1;

    FillArgs args{};
    args.key = fill.key;
    args.device_key = device_key;
    args.out = static_cast<char*>(fill.out);
    args.n = n;
    args.first_draw = start / Op::WIDTH;
    args.first_tile = first_block >> tile_bits;
    args.tiles = static_cast<uint32_t>(tiles);
    args.log2_k = log2_k;
    args.segment = fill.chunk_length;
    args.step_begin = one_group ? place_of_block(first_block, log2_k).step : 0;
    args.step_end = one_group ? place_of_block(last_block, log2_k).step + 1 : fill.chunk_length;
    return args;
}

/// Launches a kernel as the options say.
inline cudaError_t launch_as(const LaunchOptions& options, const KernelCall& call) {
    return options.launcher != nullptr ? options.launcher->launch(call) : launch_blocks(call);
}

/// Launches a kernel of one of the two shapes over all tiles.
template <class Op>
cudaError_t launch_tiles(const void* kernel, FillArgs& args, Op op, uint64_t tiles, uint32_t warps, std::size_t shared,
                         const LaunchOptions& options) {
    const uint64_t grid = (tiles + warps - 1) / warps;
    if (tiles > 0xffffffffu || grid > 0x7fffffffu) return cudaErrorInvalidValue;
    void* arguments[] = {&args, &op};
    return launch_as(options, {kernel, static_cast<unsigned>(grid), warps * WARP, shared, arguments, options.stream});
}

/// Launches a fill of n draws, a block of the stream a thread or two, where that is soon done; otherwise false.
template <class Op>
bool launch_small(const Fill& fill, const LaunchOptions& options, uint64_t n, const Op& op, cudaError_t& result) {
    if constexpr (Op::WIDTH < 8) {
        return false;
    } else {
        const Architecture& architecture = architecture_of(options);
        const uint64_t most = architecture.small_steps * Op::SHORT;
        if (options.path != Path::best || n > most * 128 / Op::WIDTH) return false;
        uint64_t blocks;
        FillArgs args = fill_args<Op>(fill, options.device_key, n, 0, blocks);
        if (blocks * (16 + fill.chunk_length / 2) > most || (Op::PAIRS && args.first_draw % 2 != 0)) return false;
        Op copy = op;
        void* arguments[] = {&args, &copy};
        // Spread over the device, until its schedulers have more than a warp each.
        const bool spread = blocks <= uint64_t{4 * WARP} * architecture.has.count;
        if constexpr (Op::SMALL_TABLE) {
            if (!spread && can_make_two(args.log2_k)) {
                const unsigned grid = static_cast<unsigned>((share_blocks(args, blocks) + MAKERS - 1) / MAKERS);
                const void* const kernel = kernel_of<&small_table_kernel<Op>>();
                result = launch_as(options, {kernel, grid, MAKERS + WARP, SMALL_BYTES<Op>, arguments, options.stream});
                return true;
            }
        }
        const unsigned threads = spread ? 64 : 256, grid = static_cast<unsigned>((blocks + threads - 1) / threads);
        result = launch_as(options, {kernel_of<&small_kernel<Op>>(), grid, threads, 0, arguments, options.stream});
        return true;
    }
}

/// The bytes of `size` lists of misses, and the lists in so much memory; none in none.
constexpr std::size_t lists_bytes(uint64_t size, uint32_t capacity) {
    return ((size * sizeof(uint32_t) + 255) & ~std::size_t{255}) + size * capacity * sizeof(MissEntry);
}
inline MissLists lists_at(void* scratch, uint64_t size, uint32_t capacity) {
    if (scratch == nullptr) return {};
    return {static_cast<uint32_t*>(scratch), reinterpret_cast<MissEntry*>(static_cast<char*>(scratch) + lists_bytes(size, 0)),
            static_cast<uint32_t>(size), capacity};
}

/// Launches what finishes the lists that the kernel before wrote, 1 << log2_lists of them a warp.
template <class Op>
cudaError_t launch_finish(FillArgs& args, Op op, uint32_t log2_lists, cudaStream_t stream) {
    const uint64_t warps = (args.lists.size + (uint64_t{1} << log2_lists) - 1) >> log2_lists;
    void* arguments[] = {&args, &op, &log2_lists};
    const unsigned blocks = static_cast<unsigned>((warps + 3) / 4);
    return launch_blocks({kernel_of<&finish_kernel<Op>>(), blocks, 4 * WARP, 0, arguments, stream});
}

/// The tiles of a fill under a policy.
template <class Op, class Policy>
uint64_t tiles_of(const Fill& fill) {
    uint64_t tiles;
    fill_args<Op>(fill, nullptr, fill.n, log2_tile<Policy>(log2_exact(fill.chunk_length)), tiles);
    return tiles;
}

/// Whether a fill of so many tiles lists its misses.
template <class Policy>
bool listed(uint64_t tiles, Path path, const Architecture& architecture) {
    return path == Path::lists || (path == Path::best && tiles >= Policy::listed_tiles(architecture));
}

/// The scratch memory of a fill through staged tiles with lists, one for what a tile leaves; 0 when it is better without.
template <class Op, class Policy>
std::size_t staged_scratch(const Fill& fill, Path path, const Architecture& architecture) {
    if (fill.chunk_length > Policy::SLOTS) return 0;
    const uint64_t tiles = tiles_of<Op, Policy>(fill);
    return !listed<Policy>(tiles, path, architecture) ? 0 : lists_bytes(tiles, WARP);
}

/// Launches a fill of n draws through staged tiles. The scratch memory of `options` is null or of staged_scratch() bytes.
template <class Op, class Policy>
cudaError_t launch_staged(const Fill& fill, const LaunchOptions& options, uint64_t n, const Op& op) {
    uint64_t tiles;
    FillArgs args = fill_args<Op>(fill, options.device_key, n, log2_tile<Policy>(log2_exact(fill.chunk_length)), tiles);
    args.lists = lists_at(options.scratch, tiles, WARP);
    constexpr std::size_t NEED = Op::TABLE_BYTES + Policy::WARPS * sizeof(WarpStorage<Op, Policy>);
    const void* const kernel = kernel_of<&fill_kernel<Op, Policy>>();
    static_assert(most_memory<Policy>(NEED) <= BLOCK_MEMORY, "the policy asks for more shared memory than every device gives");
    const std::size_t bytes = NEED + Policy::spare_bytes(architecture_of(options));
    const cudaError_t result = launch_tiles(kernel, args, op, tiles, Policy::WARPS, bytes, options);
    if constexpr (Op::LISTED && Op::RARE) {
        if (result == cudaSuccess && options.scratch != nullptr) return launch_finish(args, op, 5, options.stream);
    }
    return result;
}

/// Launches a fill of n draws that cost no more than they store.
template <class Op, class Policy>
cudaError_t launch_fill(const Fill& fill, const LaunchOptions& options, uint64_t n, const Op& op) {
    cudaError_t result;
    if (launch_small(fill, options, n, op, result)) return result;
    return launch_staged<Op, Policy>(fill, options, n, op);
}

/// Chunks up to this length are walked in registers where elements can miss, in segments of up to so many steps, whose misses a
/// block's list can hold.
constexpr uint32_t LONGEST_LISTED_CHUNK = 128;
constexpr uint32_t LONGEST_SEGMENT = 64;

/// Where tiles are divided, the base-2 logarithms of their most parts and of the least steps of a part.
constexpr uint32_t LOG2_MOST_PARTS = 3;
constexpr uint32_t LOG2_LEAST_STEPS = 2;

/// The entries of a thread block's list: for f64 normals at the default chunk length, 70 misses and seven standard deviations.
constexpr uint32_t BLOCK_LIST = 128;

/// The scratch memory of a fill in registers with lists, one a thread block; 0 when it is better without, or is not done so.
template <class Op, class Policy>
std::size_t direct_scratch(const Fill& fill, Path path, const Architecture& architecture) {
    using Direct = typename Policy::Direct;
    const uint64_t first_draw = align_pos(fill.position, Op::WIDTH) / Op::WIDTH;
    const uint64_t origin = reinterpret_cast<uintptr_t>(fill.out) - first_draw * sizeof(typename Op::Element);
    if (origin % 8 != 0 || fill.chunk_length > DEFAULT_CHUNK_LENGTH) return 0;
    const uint64_t tiles = tiles_of<Op, Direct>(fill);
    // Enough for either shape of blocks.
    constexpr uint64_t WARPS = std::min(int{Direct::WARPS}, int{Policy::Regrouped::WARPS});
    return !listed<Direct>(tiles, path, architecture) ? 0 : lists_bytes((tiles + WARPS - 1) / WARPS, BLOCK_LIST);
}

/// Launches a fill of n draws in registers. The scratch memory of `options` is null or of direct_scratch() bytes.
template <class Op, class Policy, bool kRegroup>
cudaError_t launch_direct(const Fill& fill, const LaunchOptions& options, uint64_t n, const Op& op) {
    using Direct = std::conditional_t<kRegroup, typename Policy::Regrouped, typename Policy::Direct>;
    const Architecture& architecture = architecture_of(options);
    uint64_t tiles;
    FillArgs args = fill_args<Op>(fill, options.device_key, n, log2_tile<Direct>(log2_exact(fill.chunk_length)), tiles);
    args.lists = lists_at(options.scratch, (tiles + Direct::WARPS - 1) / Direct::WARPS, BLOCK_LIST);
    if (options.path == Path::best) {
        const bool many = !kRegroup && tiles > Direct::many_tiles(architecture);
        args.segment = std::min(args.segment, many ? uint32_t{Direct::SEGMENT} : LONGEST_SEGMENT);
    }
    constexpr std::size_t BYTES = Op::TABLE_BYTES + (Op::MISSES ? BLOCK_QUEUES * sizeof(BlockQueue) : 0);
    static_assert(BYTES <= BLOCK_MEMORY, "the policy asks for more shared memory than every device gives");
    const void* const kernel = kernel_of<&direct_kernel<Op, Direct, kRegroup>>();
    // Few tiles are divided, so that they are sooner done; each part steps over those before it.
    while (options.path == Path::best && options.scratch == nullptr && tiles << args.log2_parts < architecture.divided_warps &&
           args.log2_parts < LOG2_MOST_PARTS && args.log2_k > args.log2_parts + LOG2_LEAST_STEPS) {
        ++args.log2_parts;
    }
    const uint32_t warps = tiles << args.log2_parts <= architecture.few_tiles && options.scratch == nullptr
                               ? uint32_t{Direct::FEW_WARPS}
                               : uint32_t{Direct::WARPS};
    const cudaError_t result = launch_tiles(kernel, args, op, tiles << args.log2_parts, warps, BYTES, options);
    if constexpr (Op::LISTED && !Op::RARE) {
        if (result == cudaSuccess && options.scratch != nullptr) return launch_finish(args, op, 0, options.stream);
    }
    return result;
}

/// Launches a fill of n draws that cost more than they store: directly where the output agrees with the stream modulo 8 bytes and
/// the list of misses of a tile is long enough.
template <class Op, class Policy>
cudaError_t launch_derived(const Fill& fill, const LaunchOptions& options, uint64_t n, const Op& op) {
    cudaError_t result;
    if (launch_small(fill, options, n, op, result)) return result;
    const uint64_t first_draw = align_pos(fill.position, Op::WIDTH) / Op::WIDTH;
    const uint64_t origin = reinterpret_cast<uintptr_t>(fill.out) - first_draw * sizeof(typename Op::Element);
    if constexpr (Op::HALVED) {
        if (origin % 16 != 0 || fill.chunk_length == 1) return launch_staged<Op, Policy>(fill, options, n, op);
        return launch_direct<Op, Policy, false>(fill, options, n, op);
    } else {
        if (origin % 8 != 0 || (Op::PAIRS && first_draw % 2 != 0) || (Op::MISSES && fill.chunk_length > LONGEST_LISTED_CHUNK)) {
            return launch_staged<Op, Policy>(fill, options, n, op);
        }
        if (origin % 32 != 0) return launch_direct<Op, Policy, true>(fill, options, n, op);
        return launch_direct<Op, Policy, false>(fill, options, n, op);
    }
}

}  // namespace tandem::kernels
