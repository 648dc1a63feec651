#pragma once

/// Fills as functors: from an index to that element of the fill. The sources of thrust.cuh and algorithm.cuh; also callable as
/// they are, on hosts and in kernels.

#include "tandem/core/bounded.hpp"
#include "tandem/core/children.hpp"
#include "tandem/core/choice.hpp"
#include "tandem/core/exp.hpp"
#include "tandem/core/exponential.hpp"
#include "tandem/core/mapping.hpp"
#include "tandem/core/normal.hpp"

namespace tandem {
namespace detail {

/// The type that holds a draw of `width` bits.
template <uint32_t kWidth>
struct RawOf {
    using type = uint32_t;
};
template <>
struct RawOf<64> {
    using type = uint64_t;
};
template <>
struct RawOf<128> {
    using type = U128;
};

/// Draw `e` of a block, e < 128 / kWidth, known when compiling.
template <uint32_t kWidth>
TANDEM_INLINE_FN typename RawOf<kWidth>::type raw_of(const Block& b, uint32_t e) {
    if constexpr (kWidth == 128) {
        return U128{static_cast<uint64_t>(b.w[1]) << 32 | b.w[0], static_cast<uint64_t>(b.w[3]) << 32 | b.w[2]};
    } else if constexpr (kWidth == 64) {
        return e == 0 ? static_cast<uint64_t>(b.w[1]) << 32 | b.w[0] : static_cast<uint64_t>(b.w[3]) << 32 | b.w[2];
    } else {
        constexpr uint32_t IN_WORD = 32 / kWidth;
        const uint32_t i = e / IN_WORD;
        const uint32_t low = (i & 1) != 0 ? b.w[1] : b.w[0], high = (i & 1) != 0 ? b.w[3] : b.w[2];
        const uint32_t word = (i & 2) != 0 ? high : low;
        return kWidth == 32 ? word : (word >> (e % IN_WORD * kWidth)) & ((1ull << kWidth) - 1);
    }
}

/// What all sources share: D derives from it and maps a draw, given with its index in the whole stream, by
/// `value_type value(raw, g) const`; f32 normals map a pair by `Pair<float> pair(a, b) const`. Where some draws need a slow path
/// (MISSES), `bool quick(raw, value) const` tells whether a draw needs none, and value() is right for the others.
template <class D, class V, Draw kDraw, uint32_t kWidth>
class Source {
  public:
    using value_type = V;
    static constexpr Draw DRAW = kDraw;
    static constexpr uint32_t WIDTH = kWidth;
    static constexpr bool PAIRS = kDraw == Draw::normal32;
    static constexpr bool MISSES = kDraw == Draw::normal64 || kDraw == Draw::below32 || kDraw == Draw::below64;

    /// The key, the position of the fill in bits, and the chunk length: a power of two from 1 to 65536.
    TANDEM_FN Source(const Key& key, uint64_t position, uint32_t chunk_length)
        : key_(key), position_(position), chunk_length_(chunk_length), log2_k_(log2_exact(chunk_length)) {}

    TANDEM_FN const Key& key() const { return key_; }
    TANDEM_FN uint64_t position() const { return position_; }
    TANDEM_FN uint32_t chunk_length() const { return chunk_length_; }
    TANDEM_FN uint32_t log2_k() const { return log2_k_; }
    /// The index in the whole stream of the draw of element 0.
    TANDEM_FN uint64_t first_draw() const { return align_pos(position_, kWidth) / kWidth; }

    /// Element i of the fill, by random access: seeds its chunk and steps to its block. The fused algorithms are many times as
    /// fast. Indices beyond the end of the stream wrap.
    TANDEM_FN V operator()(uint64_t i) const {
        if constexpr (PAIRS) {
            const uint64_t a = first_draw() + (i & ~1ull);
            const Pair<float> z = self().pair(raw_at(a), raw_at(a + 1));
            return (i & 1) != 0 ? z.y : z.x;
        } else {
            return self().value(raw_at(first_draw() + i), first_draw() + i);
        }
    }

    /// What is wrong with the parameters, in words; null when nothing is.
    TANDEM_FN const char* refusal() const { return nullptr; }

  private:
    TANDEM_FN const D& self() const { return static_cast<const D&>(*this); }

    TANDEM_FN typename RawOf<kWidth>::type raw_at(uint64_t draw) const {
        constexpr uint32_t IN_BLOCK = 128 / kWidth;
        const BlockPlace place = place_of_block(draw / IN_BLOCK & (~0ull >> 7), log2_k_);
        return raw_of<kWidth>(block(key_, place.chunk, place.step), static_cast<uint32_t>(draw % IN_BLOCK));
    }

    Key key_;
    uint64_t position_;
    uint32_t chunk_length_, log2_k_;
};

/// How a plain type is drawn.
template <class T>
struct Plain {
    static constexpr uint32_t WIDTH = 8 * sizeof(T);
    static constexpr Draw DRAW = WIDTH == 8    ? Draw::u8
                                 : WIDTH == 16 ? Draw::u16
                                 : WIDTH == 32 ? Draw::u32
                                 : WIDTH == 64 ? Draw::u64
                                               : Draw::u128;
};
template <>
struct Plain<bool> {
    static constexpr uint32_t WIDTH = 1;
    static constexpr Draw DRAW = Draw::boolean;
};

TANDEM_FN bool finite_parameter(double x) { return x - x == 0.0; }

}  // namespace detail

/// Uniform elements of a plain type: bool, integers of 8 to 64 bits, U128, float or double in [0, 1).
template <class T>
class uniform : public detail::Source<uniform<T>, T, detail::Plain<T>::DRAW, detail::Plain<T>::WIDTH> {
  public:
    TANDEM_FN explicit uniform(const Key& key, uint64_t position = 0, uint32_t chunk_length = DEFAULT_CHUNK_LENGTH)
        : detail::Source<uniform, T, detail::Plain<T>::DRAW, detail::Plain<T>::WIDTH>(key, position, chunk_length) {}

    template <class Raw>
    TANDEM_FN T value(const Raw& raw, uint64_t) const {
        return map(raw, static_cast<T*>(nullptr));
    }

  private:
    template <class Raw>
    static TANDEM_FN float map(Raw raw, float*) {
        return to_f32(raw);
    }
    template <class Raw>
    static TANDEM_FN double map(Raw raw, double*) {
        return to_f64(raw);
    }
    static TANDEM_FN U128 map(const U128& raw, U128*) { return raw; }
    template <class Raw, class V>
    static TANDEM_FN V map(Raw raw, V*) {
        return static_cast<V>(raw);
    }
};

/// Integers low .. low + range - 1, unbiased, wrapping in T: uint32_t or int32_t, from 32-bit draws and ranges up to 2^32, or
/// uint64_t or int64_t, from 64-bit draws. Range 0 gives low.
template <class T>
class below : public detail::Source<below<T>, T, sizeof(T) == 4 ? Draw::below32 : Draw::below64, 8 * sizeof(T)> {
    using U = typename detail::RawOf<8 * sizeof(T)>::type;
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "below draws integers of 32 or 64 bits");

  public:
    TANDEM_FN below(uint64_t range, const Key& key, uint64_t position = 0, uint32_t chunk_length = DEFAULT_CHUNK_LENGTH,
                    T low = 0)
        : detail::Source < below,
    T, sizeof(T) == 4 ? Draw::below32 : Draw::below64, 8 * sizeof(T) > (key, position, chunk_length), range_(range),
    rule_(below_rule(static_cast<U>(range), sizeof(T) == 4 && range == 1ull << 32)),
    sub_(sub_key(key, sizeof(T) == 4 ? PURPOSE_BELOW32 : PURPOSE_BELOW64)), low_(low) {}

    TANDEM_FN T value(U raw, uint64_t g) const {
        if constexpr (sizeof(T) == 4) {
            return above_low<T>(static_cast<uint64_t>(low_), below_u32(raw, rule_, sub_, this->chunk_length(), g));
        } else {
            return above_low<T>(static_cast<uint64_t>(low_), below_u64(raw, rule_, sub_, this->chunk_length(), g));
        }
    }
    TANDEM_INLINE_FN bool quick(U raw, T& value) const {
        U above = 0;
        bool accepted;
        if constexpr (sizeof(T) == 4) {
            accepted = below_u32(raw, rule_, above);
        } else {
            accepted = below_u64(raw, rule_, above);
        }
        value = above_low<T>(static_cast<uint64_t>(low_), above);
        return accepted;
    }
    TANDEM_FN const char* refusal() const { return sizeof(T) == 4 && range_ > 1ull << 32 ? "the range is above 2^32" : nullptr; }

  private:
    uint64_t range_;
    BelowRule<U> rule_;
    Key sub_;
    T low_;
};

/// Normals of a mean and a standard deviation, finite, the latter not negative.
template <class T>
class normal;

template <>
class normal<double> : public detail::Source<normal<double>, double, Draw::normal64, 64> {
  public:
    TANDEM_FN explicit normal(const Key& key, uint64_t position = 0, uint32_t chunk_length = DEFAULT_CHUNK_LENGTH,
                              double mean = 0.0, double stddev = 1.0)
        : Source(key, position, chunk_length), sub_(sub_key(key, PURPOSE_NORMAL64)), mean_(mean), stddev_(stddev) {}

    TANDEM_FN double value(uint64_t raw, uint64_t g) const {
        return affine(normal_f64(raw, ziggurat_tables(), sub_, chunk_length(), g), mean_, stddev_);
    }
    TANDEM_INLINE_FN bool quick(uint64_t raw, double& value) const {
        const ZigguratTables tables = ziggurat_tables();
        const ZigguratSplit split = ziggurat_split(raw);
        value = affine(ziggurat_value(split, tables.w[split.layer]), mean_, stddev_);
        return ziggurat_hit(split, tables.kx[split.layer]);
    }
    TANDEM_FN const char* refusal() const {
        return detail::finite_parameter(mean_) && detail::finite_parameter(stddev_) && stddev_ >= 0.0
                   ? nullptr
                   : "mean and stddev must be finite, stddev not negative";
    }

  private:
    Key sub_;
    double mean_, stddev_;
};

/// Elements come in pairs: two of them use two 32-bit draws. The fast mode has an effect on GPUs only.
template <>
class normal<float> : public detail::Source<normal<float>, float, Draw::normal32, 32> {
  public:
    TANDEM_FN explicit normal(const Key& key, uint64_t position = 0, uint32_t chunk_length = DEFAULT_CHUNK_LENGTH,
                              float mean = 0.0f, float stddev = 1.0f, NormalMode mode = NormalMode::exact)
        : Source(key, position, chunk_length), mean_(mean), stddev_(stddev), mode_(mode) {}

    TANDEM_FN Pair<float> pair(uint32_t a, uint32_t b) const {
        const Pair<float> z = box_muller2_f32(a, b, mode_);
        return {affine(z.x, mean_, stddev_), affine(z.y, mean_, stddev_)};
    }
    TANDEM_FN const char* refusal() const {
        return detail::finite_parameter(mean_) && detail::finite_parameter(stddev_) && stddev_ >= 0.0f
                   ? nullptr
                   : "mean and stddev must be finite, stddev not negative";
    }

  private:
    float mean_, stddev_;
    NormalMode mode_;
};

/// Exponentials, float or double, of a mean (`scale`), finite and above 0.
template <class T>
class exponential
    : public detail::Source<exponential<T>, T, sizeof(T) == 4 ? Draw::exponential32 : Draw::exponential64, 8 * sizeof(T)> {
  public:
    TANDEM_FN explicit exponential(const Key& key, uint64_t position = 0, uint32_t chunk_length = DEFAULT_CHUNK_LENGTH,
                                   T scale = 1)
        : detail::Source < exponential,
    T, sizeof(T) == 4 ? Draw::exponential32 : Draw::exponential64, 8 * sizeof(T) > (key, position, chunk_length), scale_(scale) {}

    TANDEM_FN T value(typename detail::RawOf<8 * sizeof(T)>::type raw, uint64_t) const {
        if constexpr (sizeof(T) == 4) {
            return scaled(exponential_f32(raw), scale_);
        } else {
            return scaled(exponential_f64(raw), scale_);
        }
    }
    TANDEM_FN const char* refusal() const {
        return detail::finite_parameter(scale_) && scale_ > 0 ? nullptr : "scale must be finite and above 0";
    }

  private:
    T scale_;
};

/// Values of a table: a weighted choice or a discrete law. The table lies in the memory of whoever calls, host or device (its
/// view comes from tandemGetDistributionView or ChoiceTable::view()), and outlives the use.
class choice : public detail::Source<choice, uint32_t, Draw::choice, 64> {
  public:
    TANDEM_FN explicit choice(const ChoiceView& table, const Key& key, uint64_t position = 0,
                              uint32_t chunk_length = DEFAULT_CHUNK_LENGTH)
        : Source(key, position, chunk_length), table_(table) {}

    TANDEM_FN uint32_t value(uint64_t raw, uint64_t) const { return choice_of(table_, raw); }
    TANDEM_FN const char* refusal() const {
        return table_.m > 0 && table_.cut != nullptr && table_.alias != nullptr ? nullptr : "the table is empty";
    }

  private:
    ChoiceView table_;
};

}  // namespace tandem
