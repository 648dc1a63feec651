// Keys in device memory.

#include "kernels/theta_kernel.cuh"

namespace tandem::kernels {
namespace {

struct KeyArgs {
    const void* keys;
    uint64_t n;
    ThetaKey kind;
};

// How keys are shared among warps: by columns of steps, in pieces of many steps and at last of few.
struct KeyShape {
    static constexpr uint32_t LG_COLUMNS = 11;          // about as many as warps of an H200
    static constexpr uint32_t LG_MANY = 4, LG_FEW = 2;  // steps of a piece
    static constexpr uint32_t LAST_ROWS = 64;           // steps of a column that come in pieces of few
};

// Neighbouring lanes read neighbouring keys, and each key's place takes the one AT_ONCE further on as soon as it is hashed, so
// that a thread has that many loads on their way. A key that passes the screen is read once more. Warps take pieces as they come
// free: with equal shares, the last warps of a multiprocessor would run alone. The steps of a piece lie COLUMNS apart, so that
// all warps together go through the keys in order: with each in a place of its own, device memory is read some percent slower.
// Steps are whole; the keys after them are a piece of their own.
template <class Reader, class Shape = KeyShape>
class KeySource {
  public:
    static constexpr uint32_t KEYS = THETA_KEYS, AT_ONCE = 16;
    static constexpr bool HASHED = false;
    static constexpr Ahead AHEAD = Ahead::sometimes;
    using Args = KeyArgs;

    __device__ static bool begin(const Args&, uint64_t&) { return true; }

    __device__ KeySource(const Args& args, const ThetaTable& table)
        : args_(args), table_(table), upcoming_(static_cast<uint32_t>(table.take_piece())) {
        start_piece(static_cast<uint32_t>(grid_warp()));
        next();
    }

    __device__ bool more() const { return here_ != nullptr; }
    __device__ __forceinline__ bool ahead() const { return left_ != 0; }
    __device__ __forceinline__ bool pause() const { return left_ % 2 != 0; }

    __device__ void again() {
        const uint32_t mask = held();
#pragma unroll
        for (uint32_t j = 0; j < AT_ONCE; ++j) loaded_[j] = (mask >> j & 1) != 0 ? __ldcs(here_ + j * WARP) : Bits{0};
    }

    template <bool kAhead, uint32_t kKeys>
    __device__ __forceinline__ void take(uint32_t group, uint32_t first, uint64_t (&keys)[kKeys]) {
        const Reader reader(args_);
        const uint32_t then = group + AT_ONCE + first;
        const Bits* const from = group + AT_ONCE < KEYS ? here_ + then * WARP : there_ + first * WARP;
        const uint32_t mask = kAhead ? ~0u : group + AT_ONCE < KEYS ? held() >> then : held_from(there_) >> first;
#pragma unroll
        for (uint32_t j = 0; j < kKeys; ++j) {
            keys[j] = reader.canonical(loaded_[first + j]);
            if (kAhead || (mask >> j & 1) != 0) loaded_[first + j] = __ldcs(from + j * WARP);
        }
    }

    __device__ __forceinline__ void next() {
        here_ = there_;
        if (left_ > 1) {
            --left_;
            there_ += uint64_t{STEP} << LG_COLUMNS;
        } else {
            start_piece(static_cast<uint32_t>(ThetaTable::taken_piece(upcoming_)));
            upcoming_ = static_cast<uint32_t>(table_.take_piece());
        }
    }

    __device__ uint32_t held() const { return held_from(here_); }
    __device__ void put(uint32_t j, uint64_t* to) const {
        const Bits* const from = here_ + j * WARP;
        if constexpr (Reader::AS_THEY_ARE) {
            __pipeline_memcpy_async(to, from, sizeof(*to));
        } else {
            *to = Reader(args_).canonical(*from);
        }
    }

  private:
    using Bits = typename Reader::Bits;
    static constexpr uint32_t STEP = KEYS * WARP;
    static constexpr uint32_t LG_COLUMNS = Shape::LG_COLUMNS, LG_MANY = Shape::LG_MANY, LG_FEW = Shape::LG_FEW;
    static constexpr uint64_t LAST_ROWS = Shape::LAST_ROWS;

    __device__ __forceinline__ const Bits* at(uint64_t step) const {
        return static_cast<const Bits*>(args_.keys) + step * STEP + theta_lane();
    }
    __device__ uint32_t held_from(const Bits* first) const {
        if (first == nullptr) return 0;
        return first == at(args_.n / STEP) ? keys_mask(args_.n % STEP) : ~0u;
    }

    // Pieces of many steps, then of few, so that the warps end together. Where there are no more rows, pieces have up to eight
    // steps: taking them costs more than their end. The keys after the whole steps are a piece that follows.
    __device__ __forceinline__ void start_piece(uint32_t piece) {
        const uint64_t n = here_only(args_.n), whole = n / STEP, rows = whole >> LG_COLUMNS;
        const uint64_t large = rows > 2 * LAST_ROWS ? (rows - LAST_ROWS) >> LG_MANY : 0;  // pieces of a column
        uint64_t in_column = piece >> LG_COLUMNS, before = 0;
        uint32_t lg = LG_MANY;
        if (in_column >= large) {
            in_column -= large;
            before = large << (LG_COLUMNS + LG_MANY);
            lg = large != 0 ? LG_FEW : 31 - __clz(static_cast<int>(min(rows, uint64_t{8}) | 1));
        }
        const uint32_t columns = 1u << LG_COLUMNS, column = piece % columns;
        const uint64_t first = before + (in_column << (LG_COLUMNS + lg)) + column;
        left_ = 0;
        there_ = nullptr;
        if (first < whole) {
            left_ = static_cast<uint32_t>(min(uint64_t{1} << lg, ((whole - first - 1) >> LG_COLUMNS) + 1));
            there_ = at(first);
        } else if (n % STEP != 0) {
            const uint64_t full = (whole - before) >> (LG_COLUMNS + lg);  // pieces of all columns
            const uint64_t beyond = whole - before - (full << (LG_COLUMNS + lg));
            const bool all = beyond >= columns;  // columns have one more
            if (in_column == full + (all ? 1 : 0) && column == (all ? 0 : beyond)) there_ = at(whole);
        }
    }

    // The same value, but what is computed from it is not computed ahead of time and kept in registers.
    static __device__ __forceinline__ uint64_t here_only(uint64_t value) {
#if defined(__CUDA_ARCH__)
        uint64_t same;
        asm volatile("mov.u64 %0, %1;" : "=l"(same) : "l"(value));
        return same;
#else
        return value;
#endif
    }

    const Args& args_;
    const ThetaTable& table_;
    uint32_t upcoming_;  // the next piece; no memory holds 2^32
    uint32_t left_;      // whole steps of the piece from the one ahead on
    const Bits* here_;   // the thread's first key of this step, or null
    const Bits* there_;  // that of the one ahead
    Bits loaded_[AT_ONCE];
};

// 64-bit integers are hashed as they are.
struct WordReader {
    static constexpr bool AS_THEY_ARE = true;
    using Bits = unsigned long long;
    __device__ explicit WordReader(const KeyArgs&) {}
    __device__ uint64_t canonical(Bits bits) const { return bits; }
};

// The other kinds of a width share a kernel.
template <class B>
struct KindReader {
    static constexpr bool AS_THEY_ARE = false;
    using Bits = B;
    ThetaKey kind;
    __device__ explicit KindReader(const KeyArgs& args) : kind(args.kind) {}
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
