#pragma once

/// Theta sketches in device memory: host functions that launch kernels and do nothing else. No allocation, no synchronisation, no
/// wait for the device. All return the launches' own errors; the thread's pending error is neither read nor cleared.

#include <cuda_runtime_api.h>

#include <cstddef>

#include "tandem/core/fill.hpp"
#include "tandem/core/theta.hpp"

namespace tandem::kernels {

/// A set as it lies in device memory. `hashes` holds `retained` distinct hashes below theta, in no order. An empty set has none,
/// and the theta that it starts from.
struct ThetaWords {
    uint64_t theta;
    uint64_t retained;
    uint64_t* hashes;
    uint64_t empty;  ///< 1 when no key was ever offered, otherwise 0
};

/// Bounds on how an operation is launched, for tests; the result never depends on them. 0 leaves the choice to the launch.
struct ThetaTuning {
    uint32_t blocks = 0;    ///< thread blocks, at most
    uint32_t lg_slots = 0;  ///< base-2 logarithm of the table's slots; raised where it is too small to work with
    bool front = true;      ///< blocks remember in shared memory what they have offered
};

/// The table of an operation: a power of two of slots, filled up to `limit` hashes before it is cut back to k.
struct ThetaPlan {
    uint32_t lg_slots;
    uint64_t limit;
    std::size_t scratch_bytes;
};

/// Hashes that a set of size 2^lg_k, of at most `held` hashes, may hold after up to `offered` more were offered to it.
uint64_t theta_room(uint32_t lg_k, uint64_t held, uint64_t offered);

/// The plan for offering up to `offered` hashes to a set of size 2^lg_k that holds at most `held`.
ThetaPlan plan_theta(uint32_t lg_k, uint64_t held, uint64_t offered, const ThetaTuning& tuning);

/// The plan for comparing a set with one of up to `held` hashes; the first one has up to `own`.
ThetaPlan plan_theta_filter(uint64_t own, uint64_t held, const ThetaTuning& tuning);

/// What an operation works on. `out` receives the hashes, and may be the array that `words` names; `words` names it afterwards.
/// `scratch` holds plan.scratch_bytes bytes, aligned to 256, that nothing else uses meanwhile.
struct ThetaTarget {
    ThetaWords* words;
    uint64_t* out;
    uint64_t room;  ///< hashes that `out` has room for
    uint32_t lg_k;
    uint64_t seed;
    ThetaPlan plan;
    ThetaTuning tuning;
    void* scratch;
};

/// Offers n > 0 keys in device memory, aligned to their type.
cudaError_t launch_theta_update(const ThetaTarget& target, const void* keys, ThetaKey kind, uint64_t n, cudaStream_t stream);

/// True for the draws whose elements launch_theta_draws() hashes: u8, u16, u32, u64, f32 and f64.
bool theta_hashes_draw(Draw draw);

/// Offers the elements of a fill of n > 0 elements, as keys of a kind of their size. `device_key` as launch() takes it.
cudaError_t launch_theta_draws(const ThetaTarget& target, const Fill& fill, const Key* device_key, ThetaKey kind,
                               cudaStream_t stream);

/// Joins the hashes of `other` by the rule of unions.
cudaError_t launch_theta_merge(const ThetaTarget& target, const ThetaWords* other, uint64_t other_held, cudaStream_t stream);

/// Keeps the hashes that `other` has too (`common`), or those that it lacks, by the rules of intersection and difference. `start`
/// is the theta of this set when it is empty. The plan is plan_theta_filter()'s, and `held` the hashes that the set may hold.
cudaError_t launch_theta_filter(const ThetaTarget& target, uint64_t held, const ThetaWords* other, uint64_t other_held,
                                bool common, uint64_t start, cudaStream_t stream);

/// Replaces the words, in stream order.
cudaError_t launch_theta_store(const ThetaWords& value, ThetaWords* words, cudaStream_t stream);

}  // namespace tandem::kernels
