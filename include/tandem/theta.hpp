#pragma once

/// Theta sketches as move-only C++ objects over tandem/theta.h. Functions mean what those of theta.h mean and throw tandem::error
/// where those answer another status than success.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "tandem/core/theta.hpp"
#include "tandem/tandem.hpp"
#include "tandem/theta.h"

namespace tandem {

namespace detail {

/// The key type of a C++ type: an integer of 8 to 64 bits (not bool, char or a wide character), float or double.
template <class Key>
constexpr tandemThetaKey_t theta_key_type() {
    using Plain = std::remove_cv_t<Key>;
    if constexpr (std::is_same_v<Plain, double>) {
        return TANDEM_THETA_KEY_F64;
    } else if constexpr (std::is_same_v<Plain, float>) {
        return TANDEM_THETA_KEY_F32;
    } else {
        static_assert(std::is_integral_v<Plain> && sizeof(Plain) <= 8 && !std::is_same_v<Plain, bool> &&
                          !std::is_same_v<Plain, char> && !std::is_same_v<Plain, wchar_t> && !std::is_same_v<Plain, char16_t> &&
                          !std::is_same_v<Plain, char32_t>,
                      "keys are integers of 8 to 64 bits, float or double");
        constexpr bool negative = std::is_signed_v<Plain>;
        switch (sizeof(Plain)) {
            case 1: return negative ? TANDEM_THETA_KEY_I8 : TANDEM_THETA_KEY_U8;
            case 2: return negative ? TANDEM_THETA_KEY_I16 : TANDEM_THETA_KEY_U16;
            case 4: return negative ? TANDEM_THETA_KEY_I32 : TANDEM_THETA_KEY_U32;
            default: return negative ? TANDEM_THETA_KEY_I64 : TANDEM_THETA_KEY_U64;
        }
    }
}

}  // namespace detail

/// A Theta sketch. Empty of a handle after it was moved from: every function then throws an error of status 101.
class ThetaSketch {
  public:
    /// Lower and upper bound of a number of distinct keys.
    struct Bounds {
        double lower;
        double upper;
    };

    /// An empty sketch on the current device.
    static ThetaSketch device(uint32_t lg_k = DEFAULT_LG_K, uint64_t seed = DEFAULT_THETA_SEED, float p = 1.0f) {
        ThetaSketch made;
        detail::succeed(tandemThetaCreate(&made.handle_, lg_k, seed, p));
        return made;
    }
    /// An empty sketch in host memory.
    static ThetaSketch host(uint32_t lg_k = DEFAULT_LG_K, uint64_t seed = DEFAULT_THETA_SEED, float p = 1.0f) {
        ThetaSketch made;
        detail::succeed(tandemThetaCreateHost(&made.handle_, lg_k, seed, p));
        return made;
    }
    /// A sketch on the current device from an image in host memory.
    static ThetaSketch device_from(const void* image, std::size_t bytes, uint32_t lg_k = DEFAULT_LG_K,
                                   uint64_t seed = DEFAULT_THETA_SEED) {
        ThetaSketch made;
        detail::succeed(tandemThetaDeserialize(&made.handle_, image, bytes, lg_k, seed));
        return made;
    }
    /// A sketch in host memory from an image.
    static ThetaSketch host_from(const void* image, std::size_t bytes, uint32_t lg_k = DEFAULT_LG_K,
                                 uint64_t seed = DEFAULT_THETA_SEED) {
        ThetaSketch made;
        detail::succeed(tandemThetaDeserializeHost(&made.handle_, image, bytes, lg_k, seed));
        return made;
    }
    /// Takes over a C handle.
    explicit ThetaSketch(tandemTheta_t handle) noexcept : handle_(handle) {}

    ThetaSketch(ThetaSketch&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    ThetaSketch& operator=(ThetaSketch&& other) noexcept {
        ThetaSketch taken(std::move(other));
        std::swap(handle_, taken.handle_);
        return *this;
    }
    ~ThetaSketch() {
        if (handle_ != nullptr) static_cast<void>(tandemThetaDestroy(handle_));
    }

    /// The C handle, still owned by this object.
    tandemTheta_t get() const noexcept { return handle_; }
    /// Gives the C handle up.
    tandemTheta_t release() noexcept { return std::exchange(handle_, nullptr); }

    /// Offers n keys in the memory that the sketch lives in.
    template <class Key>
    void update(const Key* keys, std::size_t n, CUstream_st* stream = nullptr) {
        detail::succeed(tandemThetaUpdate(handle_, keys, n, detail::theta_key_type<Key>(), stream));
    }
    /// Offers the generator's next n integers, or uniform floats, of a type; nothing is stored.
    template <class Key>
    void update_draws(const Generator& generator, std::size_t n) {
        detail::succeed(tandemThetaUpdateDraws(handle_, generator.get(), detail::theta_key_type<Key>(), n));
    }

    /// In place: this sketch takes the union, intersection or difference of itself and another.
    void merge(const ThetaSketch& other, CUstream_st* stream = nullptr) {
        detail::succeed(tandemThetaMerge(handle_, other.handle_, stream));
    }
    void intersect(const ThetaSketch& other, CUstream_st* stream = nullptr) {
        detail::succeed(tandemThetaIntersect(handle_, other.handle_, stream));
    }
    void a_not_b(const ThetaSketch& other, CUstream_st* stream = nullptr) {
        detail::succeed(tandemThetaANotB(handle_, other.handle_, stream));
    }
    void reset(CUstream_st* stream = nullptr) { detail::succeed(tandemThetaReset(handle_, stream)); }

    double estimate() const {
        double value;
        detail::succeed(tandemThetaGetEstimate(handle_, &value));
        return value;
    }
    /// Bounds at 1, 2 or 3 standard deviations.
    Bounds bounds(uint32_t deviations) const {
        Bounds value;
        detail::succeed(tandemThetaGetBounds(handle_, deviations, &value.lower, &value.upper));
        return value;
    }
    uint64_t theta() const {
        uint64_t value;
        detail::succeed(tandemThetaGetTheta(handle_, &value));
        return value;
    }
    uint64_t retained() const {
        uint64_t value;
        detail::succeed(tandemThetaGetRetained(handle_, &value));
        return value;
    }
    bool empty() const {
        int value;
        detail::succeed(tandemThetaGetEmpty(handle_, &value));
        return value != 0;
    }

    /// The compact image.
    std::vector<unsigned char> serialize() const {
        std::size_t bytes;
        detail::succeed(tandemThetaSerialize(handle_, nullptr, &bytes));
        std::vector<unsigned char> image(bytes);
        detail::succeed(tandemThetaSerialize(handle_, image.data(), &bytes));
        image.resize(bytes);
        return image;
    }

  private:
    ThetaSketch() = default;

    tandemTheta_t handle_ = nullptr;
};

}  // namespace tandem
