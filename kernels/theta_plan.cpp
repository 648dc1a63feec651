#include <algorithm>

#include "kernels/theta_layout.hpp"

namespace tandem::kernels {
namespace {

constexpr uint32_t FEWEST_LG_SLOTS = 10;
constexpr uint32_t MOST_LG_SLOTS = 40;
constexpr uint64_t LEAST_BEYOND = 512;
constexpr uint32_t WORK_A_THREAD = 16;  // keys or slots, at least
constexpr uint32_t FEWEST_LG_FRONT = 9;
constexpr uint32_t MOST_LG_FRONT = 13;

// Searches stay short up to five eighths.
constexpr uint64_t limit_of(uint32_t lg_slots) { return (1ull << lg_slots) / 8 * 5; }

uint32_t lg_slots_for(uint64_t hashes) {
    uint32_t lg = FEWEST_LG_SLOTS;
    while (lg < MOST_LG_SLOTS && limit_of(lg) < hashes) ++lg;
    return lg;
}

// Slots enough that a cut pays: a cut costs a few microseconds and a scan of the table, and the larger the table is against k,
// the more keys pass between two.
uint32_t ample_lg_slots(uint32_t lg_k) {
    return std::max(std::min(std::max(lg_k + 3, 18u), 22u), lg_k + (lg_k == MAX_LG_K ? 1 : 2));
}

uint64_t saturating_add(uint64_t a, uint64_t b) { return a > ~0ull - b ? ~0ull : a + b; }

ThetaPlan plan_of(uint32_t lg_slots) {
    return ThetaPlan{lg_slots, limit_of(lg_slots), (sizeof(uint64_t) << lg_slots) + CONTROL_BYTES};
}

}  // namespace

uint64_t theta_room(uint32_t lg_k, uint64_t held, uint64_t offered) {
    return std::min<uint64_t>(1ull << lg_k, saturating_add(held, offered));
}

ThetaPlan plan_theta(uint32_t lg_k, uint64_t held, uint64_t offered, const ThetaTuning& tuning) {
    const uint64_t k = 1ull << lg_k;
    // Beyond k there must be room for some, or cuts would follow each other; and what is held must fit without a cut, because a
    // cut may write to where it still lies.
    const uint32_t least = lg_slots_for(std::max(k, held) + std::max<uint64_t>(k / 8, LEAST_BEYOND));
    const uint32_t all = lg_slots_for(saturating_add(held, offered));
    const uint32_t wanted = tuning.lg_slots != 0 ? tuning.lg_slots : std::min(all, std::max(least, ample_lg_slots(lg_k)));
    return plan_of(std::max(wanted, std::min(least, all)));
}

ThetaPlan plan_theta_filter(uint64_t own, uint64_t held, const ThetaTuning& tuning) {
    ThetaPlan plan = plan_of(std::max(tuning.lg_slots, lg_slots_for(held)));
    plan.scratch_bytes += own * sizeof(uint64_t);
    return plan;
}

ThetaTableArgs table_of(const ThetaTarget& target) {
    const uint64_t slots = 1ull << target.plan.lg_slots;
    char* const scratch = static_cast<char*>(target.scratch);
    return ThetaTableArgs{reinterpret_cast<uint64_t*>(scratch), slots - 1, target.plan.limit, 64 - target.plan.lg_slots,
                          reinterpret_cast<ThetaControl*>(scratch + slots * sizeof(uint64_t))};
}

cudaError_t grid_for(const void* kernel, const ThetaTarget& target, uint64_t keys, ThetaGrid& grid) {
    int device = 0, multiprocessors = 0, memory = 0, block_memory = 0, reserved = 0, each = 0;
    cudaFuncAttributes attributes{};
    cudaError_t result = cudaGetDevice(&device);
    const auto ask = [&](int& value, cudaDeviceAttr attribute) {
        if (result == cudaSuccess) result = cudaDeviceGetAttribute(&value, attribute, device);
    };
    ask(multiprocessors, cudaDevAttrMultiProcessorCount);
    ask(memory, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    ask(block_memory, cudaDevAttrMaxSharedMemoryPerBlockOptin);
    ask(reserved, cudaDevAttrReservedSharedMemoryPerBlock);
    if (result == cudaSuccess) result = cudaFuncGetAttributes(&attributes, kernel);
    if (result != cudaSuccess) return result;

    const int left =
        std::min(memory / static_cast<int>(THETA_BLOCKS) - reserved, block_memory) - static_cast<int>(attributes.sharedSizeBytes);
    grid.front_shift = 0;
    grid.front_bytes = 0;
    // A larger front pays where it can hold the set.
    const uint32_t most_lg = target.lg_k < MOST_LG_FRONT ? MOST_LG_FRONT : MOST_LG_FRONT - 1;
    for (uint32_t lg = most_lg; target.tuning.front && lg >= FEWEST_LG_FRONT && grid.front_shift == 0; --lg) {
        const std::size_t bytes = sizeof(uint64_t) << lg;
        if (static_cast<int>(bytes) <= left) grid = {0, 64 - (lg - 1), bytes};
    }
    result = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(grid.front_bytes));
    if (result == cudaSuccess)
        result = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, THETA_THREADS, grid.front_bytes);
    if (result != cudaSuccess) return result;
    const uint64_t resident = static_cast<uint64_t>(multiprocessors) * static_cast<uint64_t>(each);
    const uint64_t most = target.tuning.blocks != 0 ? std::min<uint64_t>(resident, target.tuning.blocks) : resident;
    const uint64_t work = std::max<uint64_t>(keys, 1ull << target.plan.lg_slots);
    grid.blocks = static_cast<unsigned>(std::min(most, (work - 1) / (THETA_THREADS * WORK_A_THREAD) + 1));
    return grid.blocks == 0 ? cudaErrorInvalidConfiguration : cudaSuccess;
}

}  // namespace tandem::kernels
