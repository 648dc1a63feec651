#pragma once

/// Fills made of the core's own pieces, one element after another: what the tests of the core compare with published values.

#include <cstdint>
#include <cstring>
#include <vector>

#include "tandem/core.hpp"

namespace tandem::test {

/// Appends values as their bytes in memory.
class Bytes {
  public:
    template <class V>
    void put(V value) {
        const std::size_t old = bytes_.size();
        bytes_.resize(old + sizeof(V));
        std::memcpy(bytes_.data() + old, &value, sizeof(V));
    }
    std::vector<uint8_t> take() { return std::move(bytes_); }

  private:
    std::vector<uint8_t> bytes_;
};

inline void put_integer(const Fill& fill, uint64_t value, Bytes& out) {
    switch (fill.element_bytes) {
        case 1: return out.put(above_low<uint8_t>(fill.low, value));
        case 2: return out.put(above_low<uint16_t>(fill.low, value));
        case 4: return out.put(above_low<uint32_t>(fill.low, value));
        default: return out.put(above_low<uint64_t>(fill.low, value));
    }
}

/// Elements that have a scalar draw of the same values and positions.
inline void put_scalar(const Fill& fill, Rng& rng, Bytes& out) {
    switch (fill.draw) {
        case Draw::boolean: return out.put(static_cast<uint8_t>(rng.bit()));
        case Draw::u8: return out.put(rng.next<uint8_t>());
        case Draw::u16: return out.put(rng.next<uint16_t>());
        case Draw::u32: return out.put(rng.urand());
        case Draw::u64: return out.put(rng.urand64());
        case Draw::u128: return out.put(rng.next<U128>());
        case Draw::f16: return out.put(rng.f16_bits());
        case Draw::f32: return out.put(rng.frand());
        case Draw::f64: return out.put(rng.drand());
        case Draw::c32: out.put(rng.frand()); return out.put(rng.frand());
        case Draw::c64: out.put(rng.drand()); return out.put(rng.drand());
        case Draw::character: return out.put(rng.character());
        case Draw::normal64: return out.put(rng.normal(fill.mean, fill.stddev));
        case Draw::lognormal64: return out.put(rng.lognormal(fill.mean, fill.stddev));
        case Draw::exponential64: return out.put(rng.exponential(fill.scale));
        case Draw::exponential32: return out.put(rng.exponentialf(static_cast<float>(fill.scale)));
        default: return out.put(rng.choice(fill.choice));
    }
}

inline void put_bounded(const Fill& fill, Rng& rng, Bytes& out) {
    if (fill.draw == Draw::below32) {
        const auto rule = below_rule<uint32_t>(static_cast<uint32_t>(fill.range), fill.full_range);
        const Key sub = sub_key(fill.key, PURPOSE_BELOW32);
        for (uint64_t i = 0; i < fill.n; ++i) {
            const uint32_t draw = rng.urand();
            put_integer(fill, below_u32(draw, rule, sub, fill.chunk_length, rng.drawn_position(32) / 32), out);
        }
    } else {
        const auto rule = below_rule<uint64_t>(fill.range, fill.full_range);
        const Key sub = sub_key(fill.key, PURPOSE_BELOW64);
        for (uint64_t i = 0; i < fill.n; ++i) {
            const uint64_t draw = rng.urand64();
            put_integer(fill, below_u64(draw, rule, sub, fill.chunk_length, rng.drawn_position(64) / 64), out);
        }
    }
}

inline void put_pairs(const Fill& fill, Rng& rng, Bytes& out) {
    const float mean = static_cast<float>(fill.mean), stddev = static_cast<float>(fill.stddev);
    for (uint64_t i = 0; i < fill.n; i += 2) {
        const Pair<float> pair = rng.normalf2();
        for (uint64_t half = 0; half < 2 && i + half < fill.n; ++half) {
            const float z = half == 0 ? pair.x : pair.y;
            out.put(fill.draw == Draw::normal32 ? affine(z, mean, stddev) : lognormal_of(z, mean, stddev));
        }
    }
}

/// The output of a fill; `fill.out` is not read. `end`, unless null, receives the position where the draws left the generator.
inline std::vector<uint8_t> core_fill(const Fill& fill, uint64_t* end = nullptr) {
    Rng rng(fill.key, fill.position, fill.chunk_length);
    Bytes out;
    switch (fill.draw) {
        case Draw::below32:
        case Draw::below64: put_bounded(fill, rng, out); break;
        case Draw::normal32:
        case Draw::lognormal32: put_pairs(fill, rng, out); break;
        default:
            for (uint64_t i = 0; i < fill.n; ++i) put_scalar(fill, rng, out);
    }
    if (end != nullptr) *end = rng.position();
    return out.take();
}

}  // namespace tandem::test
