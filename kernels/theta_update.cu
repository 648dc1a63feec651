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
// that a thread always has KEYS loads on their way. A key that passes the screen is read once more. Warps take pieces of a few
// steps as they come free: with equal shares, the last warps of a multiprocessor would run alone.
template <class Reader>
class KeySource {
  public:
    static constexpr uint32_t KEYS = THETA_KEYS;
    static constexpr bool HASHED = false;
    using Args = KeyArgs;

    __device__ static bool begin(const Args&, uint64_t&) { return true; }

    __device__ KeySource(const Args& args, const ThetaTable& table)
        : reader_(args), n_(args.n), table_(table), upcoming_(table.take_piece()) {
        const uint64_t share = (n_ / STEP) / (grid_warps() * 4);
        piece_steps_ = share < 1 ? 1 : share > MOST_STEPS ? MOST_STEPS : static_cast<uint32_t>(share);
        start_piece(grid_warp());
    }

    __device__ bool more() const { return left_ != 0; }

    __device__ __forceinline__ uint64_t take(uint32_t j) {
        const auto bits = loaded_[j];
        if (ahead_) loaded_[j] = __ldcs(here_ + (KEYS + j) * WARP);
        return reader_.canonical(bits);
    }

    __device__ __forceinline__ void next() {
        here_ += STEP;
        rest_ -= STEP;
        if (--left_ == 0) {
            const uint64_t piece = __shfl_sync(~0u, upcoming_, 0);
            upcoming_ = table_.take_piece();
            start_piece(piece);
        } else if (ahead_) {
            look_ahead();
        } else {
            read_step();
        }
    }

    __device__ uint32_t held() const { return keys_mask(static_cast<uint64_t>(rest_)); }
    __device__ uint64_t key(uint32_t j) const { return reader_.canonical(here_[j * WARP]); }

  private:
    static constexpr uint32_t STEP = KEYS * WARP;
    static constexpr uint32_t MOST_STEPS = 32;
    using Bits = typename Reader::Bits;

    __device__ void start_piece(uint64_t piece) {
        const uint64_t first = piece * piece_steps_ * STEP;
        const uint64_t keys = first < n_ ? min(n_ - first, static_cast<uint64_t>(piece_steps_) * STEP) : 0;
        left_ = static_cast<uint32_t>((keys + STEP - 1) / STEP);
        rest_ = static_cast<int32_t>(keys);
        here_ = reader_.keys + first + theta_lane();
        read_step();
    }

    __device__ void read_step() {
#pragma unroll
        for (uint32_t j = 0; j < KEYS; ++j)
            loaded_[j] = static_cast<int32_t>(theta_lane() + j * WARP) < rest_ ? __ldcs(here_ + j * WARP) : Bits{0};
        look_ahead();
    }

    // Only whole steps are read ahead, so that the loads share one decision.
    __device__ __forceinline__ void look_ahead() { ahead_ = rest_ >= static_cast<int32_t>(2 * STEP); }

    Reader reader_;
    uint64_t n_;
    const ThetaTable& table_;
    uint64_t upcoming_;  // the next piece
    uint32_t piece_steps_;
    uint32_t left_;     // steps of this piece, with this one
    int32_t rest_;      // keys of this piece from this step on
    const Bits* here_;  // the thread's first key of this step
    Bits loaded_[KEYS];
    bool ahead_;
};

// 64-bit integers are hashed as they are.
struct WordReader {
    using Bits = unsigned long long;
    const Bits* keys;
    __device__ explicit WordReader(const KeyArgs& args) : keys(static_cast<const Bits*>(args.keys)) {}
    __device__ uint64_t canonical(Bits bits) const { return bits; }
};

// The other kinds of a width share a kernel.
template <class B>
struct KindReader {
    using Bits = B;
    const Bits* keys;
    ThetaKey kind;
    __device__ explicit KindReader(const KeyArgs& args) : keys(static_cast<const Bits*>(args.keys)), kind(args.kind) {}
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
