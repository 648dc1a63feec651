// Keys in device memory.

#include "kernels/theta_kernel.cuh"

namespace tandem::kernels {
namespace {

struct KeyArgs {
    const void* keys;
    uint64_t n;
    ThetaKey kind;
};

// Neighbouring lanes read neighbouring keys, and each key's place takes the one of the next step as soon as the key is hashed, so
// that a thread always has KEYS loads on their way. A key that passes the screen is read once more.
template <class Reader>
class KeySource {
  public:
    static constexpr uint32_t KEYS = THETA_KEYS;
    static constexpr bool HASHED = false;
    using Args = KeyArgs;

    __device__ static bool begin(const Args&, uint64_t&) { return true; }

    __device__ explicit KeySource(const Args& args)
        : reader_(args),
          following_(reader_.at((grid_warp() + grid_warps()) * STEP + theta_lane())),
          first_(grid_warp() * STEP),
          n_(args.n) {
        read_step();
    }

    __device__ bool more() const { return first_ < n_; }

    __device__ __forceinline__ uint64_t take(uint32_t j) {
        const auto bits = loaded_[j];
        if (ahead_) loaded_[j] = __ldcs(following_ + j * WARP);
        return reader_.canonical(bits);
    }

    __device__ __forceinline__ void next() {
        first_ += grid_warps() * STEP;
        following_ += grid_warps() * STEP;
        if (ahead_) {
            look_ahead();
        } else {
            read_step();
        }
    }

    __device__ bool holds(uint32_t j) const { return first_ + theta_lane() + j * WARP < n_; }
    __device__ uint64_t key(uint32_t j) const { return reader_.canonical(here()[j * WARP]); }

  private:
    static constexpr uint64_t STEP = KEYS * WARP;
    using Bits = typename Reader::Bits;

    __device__ const Bits* here() const { return following_ - grid_warps() * STEP; }

    __device__ void read_step() {
        const Bits* const keys = here();
#pragma unroll
        for (uint32_t j = 0; j < KEYS; ++j) loaded_[j] = holds(j) ? __ldcs(keys + j * WARP) : Bits{0};
        look_ahead();
    }

    // Only whole steps are read ahead, so that the loads share one decision.
    __device__ __forceinline__ void look_ahead() { ahead_ = first_ + (grid_warps() + 1) * STEP <= n_; }

    Reader reader_;
    const Bits* following_;  // the thread's first key of the next step
    uint64_t first_;         // the warp's first of this step
    uint64_t n_;
    Bits loaded_[KEYS];
    bool ahead_;
};

// 64-bit integers are hashed as they are.
struct WordReader {
    using Bits = unsigned long long;
    const Bits* keys;
    __device__ explicit WordReader(const KeyArgs& args) : keys(static_cast<const Bits*>(args.keys)) {}
    __device__ const Bits* at(uint64_t i) const { return keys + i; }
    __device__ uint64_t canonical(Bits bits) const { return bits; }
};

// The other kinds of a width share a kernel.
template <class B>
struct KindReader {
    using Bits = B;
    const Bits* keys;
    ThetaKey kind;
    __device__ explicit KindReader(const KeyArgs& args) : keys(static_cast<const Bits*>(args.keys)), kind(args.kind) {}
    __device__ const Bits* at(uint64_t i) const { return keys + i; }
    __device__ uint64_t canonical(Bits bits) const { return theta_canonical(kind, bits); }
};

}  // namespace

cudaError_t launch_theta_update(const ThetaTarget& target, const void* keys, ThetaKey kind, uint64_t n, cudaStream_t stream) {
    const KeyArgs args{keys, n, theta_signed(kind)};
    if (args.kind == ThetaKey::i64) return launch_theta<KeySource<WordReader>>(target, args, n, stream);
    switch (theta_key_bytes(kind)) {
        case 1: return launch_theta<KeySource<KindReader<unsigned char>>>(target, args, n, stream);
        case 2: return launch_theta<KeySource<KindReader<unsigned short>>>(target, args, n, stream);
        case 4: return launch_theta<KeySource<KindReader<unsigned int>>>(target, args, n, stream);
        default: return launch_theta<KeySource<KindReader<unsigned long long>>>(target, args, n, stream);
    }
}

}  // namespace tandem::kernels
