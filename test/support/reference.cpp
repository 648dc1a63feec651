#include "support/reference.hpp"

#include <cmath>
#include <cstring>

#include "support/reference_draws.hpp"

namespace tandem::test {

Block ReferenceStream::block_at(uint64_t chunk, uint32_t step) {
    Walker& lane = lanes_[chunk % 8];
    if (lane.chunk != chunk || lane.taken == 0 || lane.taken > step + 1) lane = Walker{chunk, 0, chunk_start(key_, chunk)};
    for (; lane.taken < step + 1; ++lane.taken) T(lane.state);
    const State& s = lane.state;
    return Block{{s.o[0], s.o[1], s.o[2], s.o[3]}};
}

U128 ReferenceStream::raw(uint64_t position, uint32_t width) {
    const uint64_t row = position >> 10;
    const uint64_t chunk = 8 * (row / k_) + ((position >> 7) & 7);
    const Block b = block_at(chunk, static_cast<uint32_t>(row % k_));
    const uint32_t word = (position >> 5) & 3;
    const uint64_t w0 = b.w[word];
    if (width < 32) return U128{(w0 >> (position & 31)) & ((uint64_t{1} << width) - 1), 0};
    if (width == 32) return U128{w0, 0};
    const uint64_t low = w0 | uint64_t{b.w[word + 1]} << 32;
    if (width == 64) return U128{low, 0};
    return U128{low, b.w[2] | uint64_t{b.w[3]} << 32};
}

namespace {

/// k * 2^-11, 0 <= k <= 2^11, as the bits of a binary16: all are normal numbers or zero.
uint16_t half_of(uint32_t k) {
    if (k == 0) return 0;
    uint32_t top = 0;
    while ((k >> top) > 1) ++top;
    const uint32_t exponent = 15 + top - 11, fraction = ((k << (10 + 11 - top)) >> 11) & 0x3ff;
    return static_cast<uint16_t>(exponent << 10 | fraction);
}

class Writer {
  public:
    template <class V>
    void put(V value) {
        const std::size_t old = bytes_.size();
        bytes_.resize(old + sizeof(V));
        std::memcpy(bytes_.data() + old, &value, sizeof(V));
    }
    /// The low `size` bytes of an integer.
    void put_low(uint64_t value, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) bytes_.push_back(static_cast<uint8_t>(value >> (8 * i)));
    }
    std::vector<uint8_t> take() { return std::move(bytes_); }

  private:
    std::vector<uint8_t> bytes_;
};

double affine64(const Fill& fill, double z) {
    return fill.mean == 0.0 && fill.stddev == 1.0 ? z : std::fma(z, fill.stddev, fill.mean);
}

float affine32(const Fill& fill, float z) {
    if (fill.mean == 0.0 && fill.stddev == 1.0) return z;
    return std::fma(z, static_cast<float>(fill.stddev), static_cast<float>(fill.mean));
}

double scaled64(const Fill& fill, double x) { return fill.scale == 1.0 ? x : x * fill.scale; }
float scaled32(const Fill& fill, float x) { return fill.scale == 1.0 ? x : x * static_cast<float>(fill.scale); }

uint32_t character_of(uint64_t raw) {
    __extension__ using Wide = unsigned __int128;
    const auto u = static_cast<uint32_t>(static_cast<Wide>(raw) * 1112064 >> 64);
    return u >= 0xd800 ? u + 0x800 : u;
}

void put_plain(const Fill& fill, U128 raw, Writer& out) {
    switch (fill.draw) {
        case Draw::boolean:
        case Draw::u8: return out.put_low(raw.lo, 1);
        case Draw::u16: return out.put_low(raw.lo, 2);
        case Draw::u32: return out.put_low(raw.lo, 4);
        case Draw::u64: return out.put_low(raw.lo, 8);
        case Draw::u128: out.put(raw.lo); return out.put(raw.hi);
        case Draw::f16: {
            const auto k = static_cast<uint32_t>(raw.lo >> 5);
            return out.put(half_of(fill.reflected ? 2048 - k : k));
        }
        case Draw::f32:
        case Draw::c32: {
            const auto k = static_cast<uint32_t>(raw.lo >> 8);
            return out.put(std::ldexp(static_cast<float>(fill.reflected ? 0x1000000 - k : k), -24));
        }
        case Draw::f64:
        case Draw::c64: {
            const uint64_t k = raw.lo >> 11;
            return out.put(std::ldexp(static_cast<double>(fill.reflected ? (uint64_t{1} << 53) - k : k), -53));
        }
        default: return out.put(character_of(raw.lo));
    }
}

void put_derived(const Fill& fill, uint64_t raw, uint64_t g, uint64_t element, ReferenceNotes& notes, Writer& out) {
    const double u64 = std::ldexp(static_cast<double>(raw >> 11), -53);
    const float u32 = std::ldexp(static_cast<float>(static_cast<uint32_t>(raw) >> 8), -24);
    bool slow = false;
    switch (fill.draw) {
        case Draw::below32:
        case Draw::below64: {
            const uint64_t value = reference_below(fill, fill.draw == Draw::below32 ? 32 : 64, raw, g, &slow);
            out.put_low(fill.low + value, fill.element_bytes);
            notes.rejected += slow ? 1 : 0;
            return;
        }
        case Draw::normal64:
        case Draw::lognormal64: {
            const double z = affine64(fill, reference_normal64(fill, raw, g, &slow));
            out.put(fill.draw == Draw::normal64 ? z : reference_exp64(z));
            if (slow) notes.missed.push_back(element);
            return;
        }
        case Draw::exponential64: return out.put(scaled64(fill, 0.5 * reference_l64(1 - u64)));
        case Draw::exponential32: return out.put(scaled32(fill, reference_n32(1 - u32)));
        default: return out.put(fill.choice.low + reference_choice(fill.choice, raw));
    }
}

void fill_pairs(const Fill& fill, ReferenceStream& stream, uint64_t start, Writer& out) {
    for (uint64_t i = 0; i < fill.n; i += 2) {
        const auto a = static_cast<uint32_t>(stream.raw(start + 32 * i, 32).lo);
        const auto b = static_cast<uint32_t>(stream.raw(start + 32 * i + 32, 32).lo);
        const NormalPair pair = reference_normal32(a, b);
        for (const float half : {pair.cosine, pair.sine}) {
            const float z = affine32(fill, half);
            out.put(fill.draw == Draw::normal32 ? z : reference_exp32(z));
            if (i + 1 == fill.n) break;
        }
    }
}

}  // namespace

std::vector<uint8_t> reference_fill(const Fill& fill, ReferenceNotes* notes) {
    ReferenceNotes unwanted;
    ReferenceStream stream(fill.key, fill.chunk_length);
    Writer out;
    const DrawRule rule = rule_of(fill.draw);
    const uint64_t width = rule.width;
    const uint64_t start = (fill.position + width - 1) / width * width;
    if (rule.in_pairs) {
        fill_pairs(fill, stream, start, out);
        return out.take();
    }
    const bool plain = fill.draw <= Draw::character;
    for (uint64_t i = 0; i < fill.n * rule.components; ++i) {
        const U128 raw = stream.raw(start + width * i, rule.width);
        if (plain) {
            put_plain(fill, raw, out);
        } else {
            put_derived(fill, raw.lo, start / width + i, i, notes ? *notes : unwanted, out);
        }
    }
    return out.take();
}

std::size_t element_alignment(const Fill& fill) {
    switch (fill.draw) {
        case Draw::boolean:
        case Draw::u8: return 1;
        case Draw::u16:
        case Draw::f16: return 2;
        case Draw::u32:
        case Draw::f32:
        case Draw::c32:
        case Draw::character:
        case Draw::normal32:
        case Draw::exponential32:
        case Draw::lognormal32:
        case Draw::choice: return 4;
        case Draw::u128: return 16;
        case Draw::below32:
        case Draw::below64: return fill.element_bytes;
        default: return 8;
    }
}

std::size_t element_size(const Fill& fill) { return element_alignment(fill) * rule_of(fill.draw).components; }

}  // namespace tandem::test
