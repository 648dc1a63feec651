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

// Elements of the size of their draws, made between the step and the store.

template <bool REFLECTED>
struct F16Post : RawPost {
    template <class D, class V>
    HWY_INLINE V elements(D d, V v) const {
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
struct F32Post : RawPost {
    template <class D, class V>
    HWY_INLINE V elements(D d, V v) const {
        const hn::RebindToSigned<D> di;
        const hn::RebindToFloat<D> df;
        const auto u = hn::Mul(hn::ConvertTo(df, hn::BitCast(di, hn::ShiftRight<8>(v))), hn::Set(df, 0x1p-24f));
        return hn::BitCast(d, REFLECTED ? hn::Sub(hn::Set(df, 1.0f), u) : u);
    }
};

template <bool REFLECTED>
struct F64Post : RawPost {
    /// Clears the bits that a draw does not read: two operations here, four on the elements.
    template <class D, class V>
    HWY_INLINE V words(D d, V v) const {
        return hn::And(v, hn::Set(d, 0xfffff800u));
    }
    template <class D, class V>
    HWY_INLINE V elements(D d, V v) const {
        const hn::RebindToFloat<hn::RepartitionToWide<D>> df;
        const auto u = unit(df, v);
        return hn::BitCast(d, REFLECTED ? hn::Sub(hn::Set(df, 1.0), u) : u);
    }

  private:
    template <class DF, class V>
    HWY_INLINE hn::Vec<DF> unit(DF df, V v) const {
        const hn::RebindToUnsigned<DF> dw;
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2
        // Without conversions of 64-bit integers: each word ends the fraction of a power of two, which is taken off again.
        const hn::Repartition<uint32_t, DF> d;
        const auto high = hn::Or(hn::ShiftRight<32>(hn::BitCast(dw, v)), hn::BitCast(dw, hn::Set(df, 0x1p20)));
        const auto low = hn::OddEven(hn::BitCast(d, hn::Set(df, 0x1p-12)), v);
        return hn::Add(hn::Sub(hn::BitCast(df, high), hn::Set(df, 0x1p20 + 0x1p-12)), hn::BitCast(df, low));
#else
        return hn::Mul(hn::ConvertTo(df, hn::BitCast(dw, v)), hn::Set(df, 0x1p-64));
#endif
    }
};

/// Elements of the size of their draws.
template <class Post>
struct SameSizeMap {
    size_t size;
    Post post;
    uint64_t unit = hn::Lanes(Bytes()) / size;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        const Words d;
        for_units(Shape{unit, size, size, false}, tile + at * size, out, count, nullptr,
                  [&](const uint8_t* raw, uint8_t* to, uint64_t) TANDEM_INLINE_LAMBDA {
                      const auto v = load_words(raw);
                      put(post.elements(d, hn::OddEven(v, post.words(d, v))), d, to);
                  });
    }
};

/// Bits to bytes.
struct BoolVectorMap {
    const RowSource& source;
    uint64_t unit = hn::Lanes(Bytes());

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        const Bytes d;
        const size_t lanes = hn::Lanes(d);
        const auto one = hn::Set(d, uint8_t{1});
        const uint64_t end = at + count, shift = at & 7;
        PendingLines* const pending = source.pending;
        for (; at + lanes <= end; at += lanes, out += lanes) {
            const uint8_t* bits = tile + (at >> 3);
            uint64_t shifted;
            if (shift != 0) {
                std::memcpy(&shifted, bits, 8);
                shifted = shifted >> shift | uint64_t{bits[8]} << (64 - shift);
                bits = reinterpret_cast<const uint8_t*>(&shifted);
            }
            put(hn::IfThenElseZero(hn::LoadMaskBits(d, bits), one), d, out);
            // Most of the output, and so most lines, are made here.
            if (pending != nullptr) write_lines(*pending, 1);
        }
        for (; at < end; ++at) *out++ = bit(tile, at);
    }

  private:
    static uint8_t bit(const uint8_t* tile, uint64_t at) { return (tile[at >> 3] >> (at & 7)) & 1; }
};

struct CharVectorMap {
    uint64_t unit = hn::Lanes(Bytes()) / 4;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        const Words d;
        const size_t bytes = hn::Lanes(Bytes());
        for_units(Shape{unit, 8, 4, false}, tile + at * 8, out, count, nullptr,
                  [&](const uint8_t* raw, uint8_t* to, uint64_t) TANDEM_INLINE_LAMBDA {
                      const auto low = hn::BitCast(d, point(load_longs(raw))),
                                 high = hn::BitCast(d, point(load_longs(raw + bytes)));
                      const auto u = hn::ConcatEven(d, high, low);
                      const auto beyond = hn::VecFromMask(d, hn::Gt(u, hn::Set(d, 0xd7ffu)));
                      put(hn::Add(u, hn::And(beyond, hn::Set(d, 0x800u))), d, to);
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
    const uint64_t rows = (piece.draws - head) / per_row, tail = piece.draws - head - rows * per_row;
    const SameSizeMap<Post> ends{job.stride, post};
    VectorSource source(job, piece);
    Piece part{piece.first, head, piece.out};
    if (head > 0) walk(job, part, source, ends);
    part.first += head;
    part.out += head * job.stride;
    if (job.stream) {
        source.emit_lines(part.out, rows, post);
    } else {
        source.emit(part.out, rows, Storer(), post);
    }
    part = Piece{part.first + rows * per_row, tail, part.out + rows * ROW_BYTES};
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
    switch (job.fill->draw) {
        case Draw::boolean: return walk_lines(job, piece, source, BoolVectorMap{source});
        case Draw::character: return walk_lines(job, piece, source, CharVectorMap{});
        default:
            with_post(job, [&](const auto& post) {
                walk_lines(job, piece, source, SameSizeMap<std::decay_t<decltype(post)>>{job.stride, post});
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
