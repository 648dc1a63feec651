/// The draws of the contract's section 3 on vectors. Included once a target.

#if defined(TANDEM_CPU_SIMD_PLAIN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_CPU_SIMD_PLAIN_INL_H_
#undef TANDEM_CPU_SIMD_PLAIN_INL_H_
#else
#define TANDEM_CPU_SIMD_PLAIN_INL_H_
#endif

#include "host_api/cpu/simd/units-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::cpu {
namespace HWY_NAMESPACE {

// Posts turn a vector of raw words into one of elements of the same size, so that they can act between the step and the store.

struct RawPost {
    template <class D, class V>
    HWY_INLINE V operator()(D, V v) const {
        return v;
    }
};

template <bool REFLECTED>
struct F16Post {
    template <class D, class V>
    HWY_INLINE V operator()(D d, V v) const {
        // Scaled by 2^-112 beyond the draw's 2^-11, the exponent of the binary32 is that of the binary16.
        const V low = half(d, hn::And(hn::ShiftRight<5>(v), hn::Set(d, 0x7ffu)));
        const V high = half(d, hn::ShiftRight<21>(v));
        return hn::Or(hn::ShiftRight<13>(low), hn::ShiftLeft<3>(high));
    }

  private:
    template <class D, class V>
    HWY_INLINE V half(D d, V v) const {
        const hn::RebindToSigned<D> di;
        const hn::RebindToFloat<D> df;
        if (REFLECTED) v = hn::Sub(hn::Set(d, 2048u), v);
        return hn::BitCast(d, hn::Mul(hn::ConvertTo(df, hn::BitCast(di, v)), hn::Set(df, 0x1p-123f)));
    }
};

template <bool REFLECTED>
struct F32Post {
    template <class D, class V>
    HWY_INLINE V operator()(D d, V v) const {
        const hn::RebindToSigned<D> di;
        const hn::RebindToFloat<D> df;
        const auto u = hn::Mul(hn::ConvertTo(df, hn::BitCast(di, hn::ShiftRight<8>(v))), hn::Set(df, 0x1p-24f));
        return hn::BitCast(d, REFLECTED ? hn::Sub(hn::Set(df, 1.0f), u) : u);
    }
};

template <bool REFLECTED>
struct F64Post {
    template <class D, class V>
    HWY_INLINE V operator()(D d, V v) const {
        const hn::RepartitionToWide<D> dw;
        const hn::RebindToSigned<decltype(dw)> di;
        const hn::RebindToFloat<decltype(dw)> df;
        const auto k = hn::BitCast(di, hn::ShiftRight<11>(hn::BitCast(dw, v)));
        const auto u = hn::Mul(hn::ConvertTo(df, k), hn::Set(df, 0x1p-53));
        return hn::BitCast(d, REFLECTED ? hn::Sub(hn::Set(df, 1.0), u) : u);
    }
};

/// Elements of the size of their draws.
template <class Post>
struct SameSizeMap {
    size_t size;
    Post post;
    Output output;
    uint64_t unit = hn::Lanes(Bytes()) / size;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        const Words d;
        for_units(Shape{unit, size, size, false}, output, tile + at * size, out, count, nullptr,
                  [&](const uint8_t* raw, uint8_t* to, uint64_t)
                      TANDEM_INLINE_LAMBDA { output(post(d, load_words(raw)), d, to); });
    }
};

/// Bits to bytes.
struct BoolVectorMap {
    Output output;
    uint64_t unit = hn::Lanes(Bytes());

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        const Bytes d;
        const size_t lanes = hn::Lanes(d);
        const auto one = hn::Set(d, uint8_t{1});
        // Bit by bit up to a whole byte of the stream, or to an aligned output where that matters more.
        const uintptr_t past = reinterpret_cast<uintptr_t>(out);
        const uint64_t head = output.stream ? (MAX_VECTOR_BYTES - past) % MAX_VECTOR_BYTES : (8 - at) % 8;
        const uint64_t end = at + count;
        for (uint64_t left = std::min(head, count); left > 0; --left, ++at) *out++ = bit(tile, at);
        const uint64_t shift = at & 7;
        for (; at + lanes <= end; at += lanes, out += lanes) {
            const uint8_t* bits = tile + (at >> 3);
            uint64_t shifted;
            if (shift != 0) {
                std::memcpy(&shifted, bits, 8);
                shifted = shifted >> shift | uint64_t{bits[8]} << (64 - shift);
                bits = reinterpret_cast<const uint8_t*>(&shifted);
            }
            output(hn::IfThenElseZero(hn::LoadMaskBits(d, bits), one), d, out);
        }
        for (; at < end; ++at) *out++ = bit(tile, at);
    }

  private:
    static uint8_t bit(const uint8_t* tile, uint64_t at) { return (tile[at >> 3] >> (at & 7)) & 1; }
};

struct CharVectorMap {
    Output output;
    uint64_t unit = hn::Lanes(Bytes()) / 4;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        const Words d;
        const size_t bytes = hn::Lanes(Bytes());
        for_units(Shape{unit, 8, 4, false}, output, tile + at * 8, out, count, nullptr,
                  [&](const uint8_t* raw, uint8_t* to, uint64_t) TANDEM_INLINE_LAMBDA {
                      const auto low = hn::BitCast(d, point(load_longs(raw))),
                                 high = hn::BitCast(d, point(load_longs(raw + bytes)));
                      const auto u = hn::ConcatEven(d, high, low);
                      const auto beyond = hn::VecFromMask(d, hn::Gt(u, hn::Set(d, 0xd7ffu)));
                      output(hn::Add(u, hn::And(beyond, hn::Set(d, 0x800u))), d, to);
                  });
    }

  private:
    /// The high 64 bits of v * 1112064.
    template <class V>
    HWY_INLINE V point(V v) const {
        const Words d;
        const auto factor = hn::Set(d, 1112064u);
        const V low = hn::MulEven(hn::BitCast(d, v), factor);
        const V high = hn::MulEven(hn::BitCast(d, hn::ShiftRight<32>(v)), factor);
        return hn::ShiftRight<32>(hn::Add(high, hn::ShiftRight<32>(low)));
    }
};

/// Fills whole rows straight from the registers, and what is left at both ends through the tile.
template <class Post>
void run_same_size(const Job& job, const Piece& piece, const Post& post) {
    const uint64_t per_row = ROW_BITS / job.width;
    const uint64_t head = std::min(piece.draws, (per_row - piece.first % per_row) % per_row);
    const uint64_t body = (piece.draws - head) / per_row * per_row, tail = piece.draws - head - body;
    const bool aligned = reinterpret_cast<uintptr_t>(piece.out + head * job.stride) % MAX_VECTOR_BYTES == 0;
    VectorSource source(job, piece);
    // Streamed vectors must be aligned: those of the tile can be taken from any place.
    if (job.stream && !aligned)
        return walk_aligned(job, piece, source, SameSizeMap<Post>{job.stride, post, output_of(job, piece, job.stride)});

    const SameSizeMap<Post> ends{job.stride, post, Output{false, 0}};
    Piece part{piece.first, head, piece.out};
    if (head > 0) walk(job, part, source, ends);
    part = Piece{part.first + head, body, part.out + head * job.stride};
    if (body > 0 && job.stream) source.emit(part.out, body / per_row, Streamer(), post);
    if (body > 0 && !job.stream) source.emit(part.out, body / per_row, Storer(), post);
    part = Piece{part.first + body, tail, part.out + body * job.stride};
    if (tail > 0) walk(job, part, source, ends);
}

/// Calls `use(post)` with what turns raw vectors into a job's elements, for draws of the elements' size.
template <class Use>
void with_post(const Job& job, const Use& use) {
    const bool reflected = job.fill->reflected;
    switch (job.fill->draw) {
        case Draw::f16: return reflected ? use(F16Post<true>()) : use(F16Post<false>());
        case Draw::f32:
        case Draw::c32: return reflected ? use(F32Post<true>()) : use(F32Post<false>());
        case Draw::f64:
        case Draw::c64: return reflected ? use(F64Post<true>()) : use(F64Post<false>());
        default: return use(RawPost());
    }
}

void map_plain(const Job& job, const Piece& piece, RowSource& source) {
    const Output output = output_of(job, piece, job.stride);
    switch (job.fill->draw) {
        case Draw::boolean: return walk_aligned(job, piece, source, BoolVectorMap{output});
        case Draw::character: return walk_aligned(job, piece, source, CharVectorMap{output});
        default:
            with_post(job, [&](const auto& post) {
                walk_aligned(job, piece, source, SameSizeMap<std::decay_t<decltype(post)>>{job.stride, post, output});
            });
    }
}

void run_plain(const Job& job, const Piece& piece) {
    if (job.stride * 8 == job.width) return with_post(job, [&](const auto& post) { run_same_size(job, piece, post); });
    VectorSource source(job, piece);
    map_plain(job, piece, source);
}

}  // namespace HWY_NAMESPACE
}  // namespace tandem::cpu
HWY_AFTER_NAMESPACE();

#endif
