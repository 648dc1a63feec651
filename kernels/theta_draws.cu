// Draws, hashed as they are generated.

#include "kernels/op.cuh"
#include "kernels/theta_kernel.cuh"
#include "tandem/core/mapping.hpp"

namespace tandem::kernels {
namespace {

// A tile is what one warp walks: 32 neighbouring chunks, a chunk a lane.
struct DrawArgs {
    Key key;                // read unless device_key is given
    const Key* device_key;  // or null
    uint64_t n;
    uint64_t first_draw;  // index in the whole stream
    uint64_t first_tile;
    uint64_t tiles;
    uint32_t piece;  // tiles that a warp takes at once
    uint32_t log2_k;
    uint32_t step_begin;  // steps of a chunk before this one hold nothing of the fill
    uint32_t step_end;    // nor do steps from this one on
    ThetaKey kind;
    bool uniform;
    bool reflected;
};

DrawArgs draw_args(const Fill& fill, const Key* device_key, ThetaKey kind) {
    const uint32_t log2_k = log2_exact(fill.chunk_length), width = rule_of(fill.draw).width, tile_bits = 5 + log2_k;
    const uint64_t start = align_pos(fill.position, width);
    const uint64_t first_block = start >> 7, last_block = (start + width * fill.n - 1) >> 7;
    const bool one_group = first_block >> (3 + log2_k) == last_block >> (3 + log2_k);
    DrawArgs args{};
    args.key = fill.key;
    args.device_key = device_key;
    args.n = fill.n;
    args.first_draw = start / width;
    args.first_tile = first_block >> tile_bits;
    args.tiles = (last_block >> tile_bits) - args.first_tile + 1;
    args.piece = log2_k < 5 ? 32u >> log2_k : 1;
    args.log2_k = log2_k;
    args.step_begin = one_group ? place_of_block(first_block, log2_k).step : 0;
    args.step_end = one_group ? place_of_block(last_block, log2_k).step + 1 : fill.chunk_length;
    args.kind = theta_signed(kind);
    args.uniform = fill.draw == Draw::f32 || fill.draw == Draw::f64;
    args.reflected = fill.reflected;
    return args;
}

// W: bits of a draw. kPlain: the draw itself is hashed.
template <uint32_t W, bool kPlain>
class DrawSource {
  public:
    static constexpr uint32_t KEYS = 8, AT_ONCE = KEYS;  // more would not stay in registers beside the chunk
    static constexpr bool HASHED = false;
    static constexpr Ahead AHEAD = Ahead::always;
    using Args = DrawArgs;

    __device__ static bool begin(const Args&, uint64_t&) { return true; }

    __device__ DrawSource(const Args& args, const ThetaTable& table)
        : args_(args),
          table_(table),
          key_(args.device_key != nullptr ? *args.device_key : args.key),
          upcoming_(table.take_piece()),
          tile_(grid_warp() * args.piece),
          part_(0),
          step_(0),
          draw_(0) {
        if (more()) start_chunk();
    }

    __device__ bool more() const { return tile_ < args_.tiles; }

    __device__ void again() {}
    __device__ bool pause() const { return part_ == 0 && step_ % (8 * BLOCKS) < BLOCKS; }

    __device__ __forceinline__ void next() {
        if (++part_ < PARTS) return use_up();
        part_ = 0;
        step_ += BLOCKS;
        draw_ += BLOCKS * LANES * IN_BLOCK;
        if (step_ < args_.step_end) return generate();
        if (++tile_ % args_.piece == 0) {
            tile_ = ThetaTable::taken_piece(upcoming_) * args_.piece;
            upcoming_ = table_.take_piece();
        }
        if (more()) start_chunk();
    }

    // A step is one group.
    template <bool kAhead, uint32_t kKeys>
    __device__ __forceinline__ void take(uint32_t, uint32_t first, uint64_t (&keys)[kKeys]) const {
#pragma unroll
        for (uint32_t j = 0; j < kKeys; ++j) keys[j] = key(first + j);
    }

    // Chosen among all of them, so that the words stay in registers.
    __device__ void put(uint32_t j, uint64_t* to) const {
        uint64_t chosen = 0;
#pragma unroll
        for (uint32_t i = 0; i < KEYS; ++i) chosen = i == j ? key(i) : chosen;
        *to = chosen;
    }

    __device__ uint32_t held() const {
        uint32_t mask = 0;
#pragma unroll
        for (uint32_t j = 0; j < KEYS; ++j) {
            const uint32_t block = j / IN_BLOCK;
            const uint64_t draw = draw_ + block * (LANES * IN_BLOCK) + part_ * KEYS + j % IN_BLOCK;
            if (step_ + block < args_.step_end && draw - args_.first_draw < args_.n) mask |= 1u << j;
        }
        return mask;
    }

  private:
    static constexpr uint32_t IN_BLOCK = 128 / W;
    static constexpr uint32_t BLOCKS = IN_BLOCK < KEYS ? KEYS / IN_BLOCK : 1;  // a step, of one chunk
    static constexpr uint32_t PARTS = BLOCKS * IN_BLOCK / KEYS;                // steps that share them

    __device__ void start_chunk() {
        const uint64_t chunk = (args_.first_tile + tile_) * WARP + theta_lane();
        state_ = walk_start(key_, chunk);
        step_ = args_.step_begin;
        for (uint32_t i = 0; i < step_; ++i) T(state_);
        draw_ = block_of_place(chunk, step_, args_.log2_k) * IN_BLOCK;
        generate();
    }

    // Blocks beyond the chunk's end hold no draw of the fill.
    __device__ __forceinline__ void generate() {
#pragma unroll
        for (uint32_t b = 0; b < BLOCKS; ++b) {
            T(state_);
#pragma unroll
            for (uint32_t i = 0; i < 4; ++i) words_[b][i] = state_.o[i];
        }
    }

    // The words of the next part move to where those of the last one were.
    __device__ __forceinline__ void use_up() {
        constexpr uint32_t USED = KEYS * W / 32;
#pragma unroll
        for (uint32_t i = 0; i + USED < 4; ++i) words_[0][i] = words_[0][i + USED];
    }

    __device__ __forceinline__ uint64_t raw_draw(uint32_t j) const {
        const uint32_t(&words)[4] = words_[j / IN_BLOCK];
        const uint32_t i = j % IN_BLOCK;
        if constexpr (W == 64) {
            return draw64(words, static_cast<int>(i));
        } else {
            constexpr uint32_t IN_WORD = 32 / W;
            return words[i / IN_WORD] >> (i % IN_WORD * W) & (~0u >> (32 - W));
        }
    }

    __device__ __forceinline__ uint64_t key(uint32_t j) const {
        const uint64_t raw = raw_draw(j);
        if constexpr (kPlain) return raw;
        return theta_canonical(args_.kind, element(raw));
    }

    // The bits of the element that a fill would write.
    __device__ uint64_t element(uint64_t raw) const {
        if (!args_.uniform) return raw;
        if constexpr (W == 64) {
            const double u = to_f64(raw);
            return bit_cast<uint64_t>(args_.reflected ? reflect(u) : u);
        } else {
            const float u = to_f32(static_cast<uint32_t>(raw));
            return bit_cast<uint32_t>(args_.reflected ? reflect(u) : u);
        }
    }

    const Args& args_;
    const ThetaTable& table_;
    Key key_;
    uint64_t upcoming_;  // the next piece
    uint64_t tile_;
    uint32_t part_;
    uint32_t step_;  // of the blocks at hand
    uint64_t draw_;  // the first of them, in the whole stream
    ChunkState state_;
    uint32_t words_[BLOCKS][4];
};

}  // namespace

bool theta_hashes_draw(Draw draw) {
    switch (draw) {
        case Draw::u8:
        case Draw::u16:
        case Draw::u32:
        case Draw::u64:
        case Draw::f32:
        case Draw::f64: return true;
        default: return false;
    }
}

cudaError_t launch_theta_draws(const ThetaTarget& target, const Fill& fill, const Key* device_key, ThetaKey kind,
                               cudaStream_t stream) {
    if (!theta_hashes_draw(fill.draw)) return cudaErrorInvalidValue;
    const DrawArgs args = draw_args(fill, device_key, kind);
    switch (rule_of(fill.draw).width) {
        case 8: return launch_theta<DrawSource<8, false>>(target, args, fill.n, stream);
        case 16: return launch_theta<DrawSource<16, false>>(target, args, fill.n, stream);
        case 32: return launch_theta<DrawSource<32, false>>(target, args, fill.n, stream);
        default: break;
    }
    if (!args.uniform && args.kind == ThetaKey::i64) return launch_theta<DrawSource<64, true>>(target, args, fill.n, stream);
    return launch_theta<DrawSource<64, false>>(target, args, fill.n, stream);
}

}  // namespace tandem::kernels
