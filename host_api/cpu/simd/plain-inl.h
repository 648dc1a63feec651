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
    uint64_t unit;
    Post post;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        const Words d;
        const size_t size = hn::Lanes(Bytes()) / unit;
        for_units(tile + at * size, size, out, size, unit, count, false, [&](const uint8_t* raw, uint8_t* to, uint64_t) {
            hn::StoreU(post(d, load_words(raw)), d, reinterpret_cast<uint32_t*>(to));
        });
    }
};

/// Bits to bytes.
struct BoolVectorMap {
    uint64_t unit;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        const Bytes d;
        const size_t lanes = hn::Lanes(d);
        const auto one = hn::Set(d, uint8_t{1});
        // Bit by bit up to a whole byte of the stream.
        for (; count > 0 && (at & 7) != 0; ++at, --count) *out++ = (tile[at >> 3] >> (at & 7)) & 1;
        const uint8_t* bits = tile + (at >> 3);
        for (; count >= lanes; count -= lanes, bits += lanes / 8, out += lanes) {
            hn::StoreU(hn::IfThenElseZero(hn::LoadMaskBits(d, bits), one), d, out);
        }
        for (uint64_t i = 0; i < count; ++i) out[i] = (bits[i >> 3] >> (i & 7)) & 1;
    }
};

struct CharVectorMap {
    uint64_t unit;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        const Words d;
        const size_t bytes = hn::Lanes(Bytes());
        for_units(tile + at * 8, 8, out, 4, unit, count, false, [&](const uint8_t* raw, uint8_t* to, uint64_t) {
            const auto low = hn::BitCast(d, point(load_longs(raw))), high = hn::BitCast(d, point(load_longs(raw + bytes)));
            const auto u = hn::ConcatEven(d, high, low);
            const auto beyond = hn::VecFromMask(d, hn::Gt(u, hn::Set(d, 0xd7ffu)));
            hn::StoreU(hn::Add(u, hn::And(beyond, hn::Set(d, 0x800u))), d, reinterpret_cast<uint32_t*>(to));
        });
    }

  private:
    /// The high 64 bits of v * 1112064.
    template <class V>
    HWY_INLINE V point(V v) const {
        const Longs dw;
        const Words d;
        const auto factor = hn::Set(d, 1112064u);
        const V low = hn::MulEven(hn::BitCast(d, v), factor);
        const V high = hn::MulEven(hn::BitCast(d, hn::ShiftRight<32>(v)), factor);
        (void)dw;
        return hn::ShiftRight<32>(hn::Add(high, hn::ShiftRight<32>(low)));
    }
};

/// Fills whole rows straight from the registers, and what is left at both ends through the tile.
template <class Post>
void run_same_size(const Job& job, const Piece& piece, const Post& post) {
    const uint64_t per_row = ROW_BITS / job.width;
    const SameSizeMap<Post> map{hn::Lanes(Bytes()) * 8 / job.width, post};
    const uint64_t head = std::min(piece.draws, (per_row - piece.first % per_row) % per_row);
    const uint64_t body = (piece.draws - head) / per_row * per_row, tail = piece.draws - head - body;
    VectorSource source(job, piece);
    Piece part{piece.first, head, piece.out};
    if (head > 0) walk(job, part, source, map);
    part = Piece{part.first + head, body, part.out + head * job.stride};
    if (body > 0) source.emit(part.out, body / per_row, Storer(), post);
    part = Piece{part.first + body, tail, part.out + body * job.stride};
    if (tail > 0) walk(job, part, source, map);
}

void run_plain(const Job& job, const Piece& piece) {
    const bool reflected = job.fill->reflected;
    const size_t bytes = hn::Lanes(Bytes());
    switch (job.fill->draw) {
        case Draw::boolean: {
            VectorSource source(job, piece);
            return walk(job, piece, source, BoolVectorMap{std::min<size_t>(bytes, 64)});
        }
        case Draw::character: {
            VectorSource source(job, piece);
            return walk(job, piece, source, CharVectorMap{bytes / 4});
        }
        case Draw::f16:
            return reflected ? run_same_size(job, piece, F16Post<true>()) : run_same_size(job, piece, F16Post<false>());
        case Draw::f32:
        case Draw::c32:
            return reflected ? run_same_size(job, piece, F32Post<true>()) : run_same_size(job, piece, F32Post<false>());
        case Draw::f64:
        case Draw::c64:
            return reflected ? run_same_size(job, piece, F64Post<true>()) : run_same_size(job, piece, F64Post<false>());
        default: return run_same_size(job, piece, RawPost());
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace tandem::cpu
HWY_AFTER_NAMESPACE();

#endif
