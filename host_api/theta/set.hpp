#pragma once

/// The retained set of a Theta sketch in the memory of a backend.

#include <cstdint>
#include <memory>
#include <vector>

#include "host_api/backend.hpp"
#include "tandem/core/theta.hpp"

namespace tandem::api {

/// What a set is made with; checked: lg_k from MIN_LG_K to MAX_LG_K, p as valid_theta_p() has it.
struct ThetaParameters {
    uint32_t lg_k = DEFAULT_LG_K;
    uint64_t seed = DEFAULT_THETA_SEED;
    float p = 1.0f;
};

/// What a set holds, as it is reported: theta is MAX_THETA while the set is empty.
struct ThetaState {
    bool empty = true;             ///< no key was ever offered
    uint64_t theta = MAX_THETA;    ///< every hash is below it
    std::vector<uint64_t> hashes;  ///< ascending, none twice, none 0
};

struct ThetaSummary {
    bool empty = true;
    uint64_t theta = MAX_THETA;
    uint64_t retained = 0;
};

/// A set of hashes below theta: in a set of size k = 2^lg_k the k smallest distinct ones of what was offered, theta then being
/// the next one. It starts empty with theta theta_start(p); "empty" below always means the flag, never the lack of hashes, and an
/// empty set's theta is that start, whatever made it empty.
///
/// Arguments are checked before. A call that throws error changes nothing. Calls come one at a time (a sketch holds its lock),
/// but those of two sets may come from two threads at once.
///
/// Streams. What a call enqueues on its stream takes effect after all earlier calls on the set, and after those on `other`, on
/// whatever streams these were made; and later calls on `other` take effect after `other` was read. The set sees to this with
/// events, because streams may be destroyed between calls. While its stream is being captured a call orders nothing outside the
/// capture. Only read() and summary() wait for the device; a set may be destroyed while its work is enqueued. Host sets ignore
/// the stream and are done when a call returns.
class ThetaSet {
  public:
    ThetaSet() = default;
    ThetaSet(const ThetaSet&) = delete;
    ThetaSet& operator=(const ThetaSet&) = delete;
    virtual ~ThetaSet() = default;

    /// True when `other`, which is not this set, may be the operand of merge(), intersect() and a_not_b(): it is of the same type
    /// and on the same device.
    virtual bool near(const ThetaSet& other) const = 0;

    /// An empty set near this one.
    virtual std::unique_ptr<ThetaSet> make_near(const ThetaParameters& parameters) const = 0;

    /// Refuses keys that the set cannot read, where that can be told; n > 0.
    virtual void check_keys(const void* keys, ThetaKey kind, uint64_t n, CUstream_st* stream) const = 0;

    /// Offers n > 0 keys, aligned to their type, in the memory of the set's backend. They are read in stream order. With T the
    /// theta, S the distinct hashes of set and keys together that are neither 0 nor at or above T, ascending: when |S| > k the
    /// first k stay and theta becomes S[k], otherwise all stay and theta does. The set is not empty any more.
    virtual void update(const void* keys, ThetaKey kind, uint64_t n, CUstream_st* stream) = 0;

    /// The same for the elements that a fill of n > 0 elements of theta_key_bytes(kind) bytes would write; `out` is not used, and
    /// nothing is stored. The fill's key, position and parameters are complete and checked; options as Backend::run() takes them.
    virtual void update_draws(const Fill& fill, ThetaKey kind, const RunOptions& options) = 0;

    /// Union. An empty `other` changes nothing. Otherwise the set is not empty any more, and with T the smaller theta and S the
    /// distinct hashes of both below T: when |S| > k, with the k of this set, the first k stay and theta becomes S[k], otherwise
    /// all stay and theta becomes T.
    virtual void merge(ThetaSet& other, CUstream_st* stream) = 0;

    /// Intersection. An empty set stays as it is; an empty `other` makes the set empty. Otherwise theta becomes the smaller one,
    /// and the hashes below it that both have stay, more than k of them too. When none stays, the set becomes empty if theta is
    /// MAX_THETA and both had hashes, and stays not empty otherwise.
    virtual void intersect(ThetaSet& other, CUstream_st* stream) = 0;

    /// Difference. An empty set stays as it is, and so does one with hashes when `other` is empty. Otherwise theta becomes the
    /// smaller one (an empty `other` counts as MAX_THETA), and the hashes below it that `other` has not stay, more than k of them
    /// too. When none stays, the set becomes empty if theta is MAX_THETA.
    virtual void a_not_b(ThetaSet& other, CUstream_st* stream) = 0;

    /// Makes the set empty.
    virtual void reset(CUstream_st* stream) = 0;

    /// Replaces what the set holds by a state as read() gives it; more than k hashes stay until the next update or union. The
    /// state is the caller's again when the call returns.
    virtual void write(const ThetaState& state, CUstream_st* stream) = 0;

    /// What the set holds after all earlier calls.
    virtual ThetaState read() = 0;
    virtual ThetaSummary summary() = 0;
};

/// A set in host memory; touches no CUDA.
std::unique_ptr<ThetaSet> make_host_theta_set(const ThetaParameters& parameters);

/// A set on the current device; throws error with 203 where there is no usable one, or in a build without CUDA.
std::unique_ptr<ThetaSet> make_device_theta_set(const ThetaParameters& parameters);

}  // namespace tandem::api
