// The set operations, and the words of a set.

#include <algorithm>

#include "kernels/theta_kernel.cuh"

namespace tandem::kernels {
namespace {

// The hashes of another set.
class MergeSource : public HashSource {
  public:
    struct Args {
        const ThetaWords* other;
    };

    __device__ static bool begin(const Args& args, uint64_t& theta) {
        if (args.other->empty != 0) return false;
        theta = args.other->theta < theta ? args.other->theta : theta;
        return true;
    }

    __device__ MergeSource(const Args& args, const ThetaTable&) : HashSource(args.other->hashes, args.other->retained) {}
};

struct FilterArgs {
    ThetaWords* words;
    uint64_t* out;
    uint64_t room;  // of `out`
    const ThetaWords* other;
    uint64_t* kept;  // of the hashes, before they move to `out`
    bool common;
    uint64_t start;
    ThetaTable table;
};

// Empty sets, and an empty operand of an intersection, are dealt with at the end: here they only leave nothing to do.
__device__ bool leaves_hashes(const FilterArgs& args) {
    return args.words->empty == 0 && !(args.common && args.other->empty != 0);
}

__global__ void __launch_bounds__(THETA_THREADS) filter_table_kernel(const FilterArgs args) {
    if (!leaves_hashes(args)) return;
    const ThetaWords other = *args.other;
    for (uint64_t i = grid_thread(); i < other.retained; i += grid_threads()) {
        const uint64_t hash = other.hashes[i];
        args.table.put(hash, args.table.home(hash));
    }
}

__global__ void __launch_bounds__(THETA_THREADS) filter_choose_kernel(const FilterArgs args) {
    if (!leaves_hashes(args)) return;
    const ThetaWords own = *args.words;
    const uint64_t theta = min(own.theta, args.other->empty != 0 ? MAX_THETA : args.other->theta);
    for (uint64_t i = grid_thread(); i < own.retained; i += grid_threads()) {
        const uint64_t hash = own.hashes[i];
        uint64_t slot;
        if (hash >= theta || args.table.find(hash, slot) != args.common) continue;
        args.kept[atomicAdd(&args.table.control->kept, 1ull)] = hash;
    }
}

__global__ void __launch_bounds__(THETA_THREADS) filter_store_kernel(const FilterArgs args) {
    if (!leaves_hashes(args)) return;
    const uint64_t kept = args.table.control->kept;
    for (uint64_t i = grid_thread(); i < kept && i < args.room; i += grid_threads()) args.out[i] = args.kept[i];
}

// One thread, when the hashes are where they stay.
__global__ void filter_words_kernel(const FilterArgs args) {
    const ThetaWords own = *args.words, other = *args.other;
    const ThetaWords none{args.start, 0, args.out, 1};
    if (own.empty != 0) {
        *args.words = none;
    } else if (args.common && other.empty != 0) {
        *args.words = none;
    } else {
        const uint64_t theta = min(own.theta, other.empty != 0 ? MAX_THETA : other.theta);
        const uint64_t kept = args.table.control->kept;
        const bool had_hashes = !args.common || (own.retained != 0 && other.retained != 0);
        *args.words = kept == 0 && theta == MAX_THETA && had_hashes ? none : ThetaWords{theta, kept, args.out, 0};
    }
}

__global__ void store_words_kernel(const ThetaWords value, ThetaWords* words) { *words = value; }

cudaError_t launch_filter_step(const void* kernel, unsigned blocks, unsigned threads, FilterArgs args, cudaStream_t stream) {
    void* arguments[] = {&args};
    return launch_blocks({kernel, blocks, threads, 0, arguments, stream});
}

unsigned blocks_for(uint64_t hashes) {
    constexpr uint64_t MOST = 1024;
    return static_cast<unsigned>(std::min(MOST, (std::max<uint64_t>(hashes, 1) - 1) / THETA_THREADS + 1));
}

}  // namespace

cudaError_t launch_theta_merge(const ThetaTarget& target, const ThetaWords* other, uint64_t other_held, cudaStream_t stream) {
    return launch_theta<MergeSource>(target, MergeSource::Args{other}, other_held, stream);
}

cudaError_t launch_theta_filter(const ThetaTarget& target, uint64_t held, const ThetaWords* other, uint64_t other_held,
                                bool common, uint64_t start, cudaStream_t stream) {
    const ThetaTable table{table_of(target)};
    uint64_t* const kept = reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(table.control) + CONTROL_BYTES);
    const FilterArgs args{target.words, target.out, target.room, other, kept, common, start, table};
    const std::size_t cleared = (sizeof(uint64_t) << target.plan.lg_slots) + CONTROL_BYTES;
    cudaError_t result = cudaMemsetAsync(target.scratch, 0, cleared, stream);
    const auto step = [&](const void* kernel, unsigned blocks, unsigned threads) {
        if (result == cudaSuccess) result = launch_filter_step(kernel, blocks, threads, args, stream);
    };
    step(reinterpret_cast<const void*>(&filter_table_kernel), blocks_for(other_held), THETA_THREADS);
    step(reinterpret_cast<const void*>(&filter_choose_kernel), blocks_for(held), THETA_THREADS);
    step(reinterpret_cast<const void*>(&filter_store_kernel), blocks_for(held), THETA_THREADS);
    step(reinterpret_cast<const void*>(&filter_words_kernel), 1, 1);
    return result;
}

cudaError_t launch_theta_store(const ThetaWords& value, ThetaWords* words, cudaStream_t stream) {
    ThetaWords stored = value;
    void* arguments[] = {&stored, &words};
    return launch_blocks({reinterpret_cast<const void*>(&store_words_kernel), 1, 1, 0, arguments, stream});
}

}  // namespace tandem::kernels
