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
// steps as they come free: with equal shares, the last warps of a multiprocessor would run alone. Steps are numbered through the
// input; only its last one may lack keys.
template <class Reader>
class KeySource {
  public:
    static constexpr uint32_t KEYS = THETA_KEYS;
    static constexpr int STEPS = 2;  // so that the keys ahead need not change registers
    static constexpr bool HASHED = false;
    static constexpr bool WHOLE_AHEAD = true;
    using Args = KeyArgs;

    __device__ static bool begin(const Args&, uint64_t&) { return true; }

    __device__ KeySource(const Args& args, const ThetaTable& table)
        : reader_(args),
          whole_(args.n / STEP),
          rest_(static_cast<uint32_t>(args.n % STEP)),
          table_(table),
          upcoming_(table.take_piece()) {
        const uint64_t share = whole_ / (grid_warps() * 4);
        piece_steps_ = share < 1 ? 1 : share > MOST_STEPS ? MOST_STEPS : static_cast<uint32_t>(share);
        start_piece(grid_warp());
        go_on();
        read_step();
    }

    __device__ bool more() const { return step_ < whole_ || (step_ == whole_ && rest_ != 0); }

    // Steps before the end of the piece of the one ahead, as far as that one is whole.
    __device__ __forceinline__ uint32_t ahead() const {
        return ahead_ < whole_ ? static_cast<uint32_t>(min(static_cast<uint64_t>(left_), whole_ - ahead_)) : 0;
    }

    template <bool kAhead>
    __device__ __forceinline__ uint64_t take(uint32_t j) {
        const auto bits = loaded_[j];
        if constexpr (kAhead) loaded_[j] = __ldcs(there_ + j * WARP);
        return reader_.canonical(bits);
    }

    // The same with its load in the order of the program.
    template <bool kAhead>
    __device__ __forceinline__ uint64_t take_in_order(uint32_t j) {
        if constexpr (kAhead && sizeof(Bits) == 8) {
            const auto bits = loaded_[j];
#if defined(__CUDA_ARCH__)
            asm volatile("ld.volatile.global.u64 %0, [%1];" : "=l"(loaded_[j]) : "l"(there_ + j * WARP));
#else
            loaded_[j] = there_[j * WARP];
#endif
            return reader_.canonical(bits);
        } else {
            return take<kAhead>(j);
        }
    }

    template <bool kAhead>
    __device__ __forceinline__ void next() {
        go_on();
        if constexpr (!kAhead) read_step();
    }

    __device__ uint32_t held() const { return step_ < whole_ ? (1u << KEYS) - 1 : keys_mask(rest_); }
    __device__ void put(uint32_t j, uint64_t* to) const {
        const Bits* const from = at(step_) + j * WARP;
        if constexpr (Reader::AS_THEY_ARE) {
            __pipeline_memcpy_async(to, from, sizeof(*to));
        } else {
            *to = reader_.canonical(*from);
        }
    }

  private:
    static constexpr uint32_t STEP = KEYS * WARP;
    static constexpr uint32_t MOST_STEPS = 32;
    using Bits = typename Reader::Bits;

    __device__ __forceinline__ const Bits* at(uint64_t step) const { return reader_.keys + step * STEP + theta_lane(); }

    __device__ void start_piece(uint64_t piece) {
        ahead_ = piece * piece_steps_;
        left_ = piece_steps_;
    }

    // The step ahead becomes this one.
    __device__ __forceinline__ void go_on() {
        step_ = ahead_++;
        if (--left_ == 0) {
            start_piece(ThetaTable::taken_piece(upcoming_));
            upcoming_ = table_.take_piece();
        }
        there_ = at(ahead_);
#if defined(__CUDA_ARCH__)
        asm("" : "+l"(there_));  // so that the loads share one address
#endif
    }

    __device__ void read_step() {
        const uint32_t keys = step_ < whole_ ? STEP : step_ == whole_ ? rest_ : 0;
#pragma unroll
        for (uint32_t j = 0; j < KEYS; ++j) {
            loaded_[j] = theta_lane() + j * WARP < keys ? __ldcs(at(step_) + j * WARP) : Bits{0};
        }
    }

    Reader reader_;
    uint64_t whole_;  // steps
    uint32_t rest_;   // keys of the step after them
    const ThetaTable& table_;
    uint64_t upcoming_;  // the next piece
    uint32_t piece_steps_;
    uint32_t left_;      // steps of the piece from the one ahead on
    uint64_t step_;      // this one
    uint64_t ahead_;     // the one whose keys are on their way
    const Bits* there_;  // the thread's first key of that one
    Bits loaded_[KEYS];
};

// 64-bit integers are hashed as they are.
struct WordReader {
    static constexpr bool AS_THEY_ARE = true;
    using Bits = unsigned long long;
    const Bits* keys;
    __device__ explicit WordReader(const KeyArgs& args) : keys(static_cast<const Bits*>(args.keys)) {}
    __device__ uint64_t canonical(Bits bits) const { return bits; }
};

// The other kinds of a width share a kernel.
template <class B>
struct KindReader {
    static constexpr bool AS_THEY_ARE = false;
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
