#include <algorithm>

#include "kernels/theta_layout.hpp"

namespace tandem::kernels {
namespace {

constexpr uint32_t FEWEST_LG_SLOTS = 10;
constexpr uint32_t MOST_LG_SLOTS = 40;

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
    // Beyond k there must be room for the step of one warp at least; and what is held must fit without a cut, because a cut may
    // write to where it still lies.
    const uint32_t least = lg_slots_for(std::max(k, held) + std::max<uint64_t>(k / 8, WARP * THETA_KEYS));
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

cudaError_t resident_blocks(const void* kernel, unsigned& blocks) {
    int device = 0, multiprocessors = 0, each = 0;
    cudaError_t result = cudaGetDevice(&device);
    if (result == cudaSuccess) result = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (result == cudaSuccess) result = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, THETA_THREADS, 0);
    blocks = static_cast<unsigned>(multiprocessors * each);
    return result == cudaSuccess && blocks == 0 ? cudaErrorInvalidConfiguration : result;
}

unsigned useful_blocks(const ThetaTarget& target, uint64_t keys, unsigned resident) {
    constexpr uint64_t STEP = THETA_THREADS * THETA_KEYS;
    const uint64_t work = std::max<uint64_t>(keys, 1ull << target.plan.lg_slots);
    const uint64_t most = target.tuning.blocks != 0 ? std::min(resident, target.tuning.blocks) : resident;
    return static_cast<unsigned>(std::min<uint64_t>(most, (work - 1) / STEP + 1));
}

}  // namespace tandem::kernels
