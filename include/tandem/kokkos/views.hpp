#pragma once

/// Views as plain memory: which draw an element type has, and whether a View is contiguous.

#include <cstdint>
#include <Kokkos_Core.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "tandem/kokkos/ops.hpp"

namespace tandem {
namespace kokkos_detail {

/// The plain draw of an element type: its op, whose Out is a component, and its rule.
template <class Op_, Draw DRAW_>
struct PlainFacts {
    using Op = Op_;
    static constexpr Draw DRAW = DRAW_;
};

template <class T, class = void>
struct Plain {
    static_assert(sizeof(T) == 0,
                  "tandem::fill takes Views of bool, integers, float, double, complex<float>, complex<double> and half_t");
};
template <>
struct Plain<bool> : PlainFacts<BoolOp<bool>, Draw::boolean> {};
template <>
struct Plain<float> : PlainFacts<F32Op, Draw::f32> {};
template <>
struct Plain<double> : PlainFacts<F64Op, Draw::f64> {};
template <>
struct Plain<Kokkos::complex<float>> : PlainFacts<F32Op, Draw::c32> {};
template <>
struct Plain<Kokkos::complex<double>> : PlainFacts<F64Op, Draw::c64> {};
template <>
struct Plain<char32_t> : PlainFacts<CharOp, Draw::character> {};
template <>
struct Plain<U128> : PlainFacts<CopyOp<U128, U128>, Draw::u128> {};

template <class T>
constexpr bool IS_INTEGER = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class T>
struct Plain<T, std::enable_if_t<IS_INTEGER<T> && sizeof(T) == 1>> : PlainFacts<CopyOp<uint8_t, T>, Draw::u8> {};
template <class T>
struct Plain<T, std::enable_if_t<IS_INTEGER<T> && sizeof(T) == 2>> : PlainFacts<CopyOp<uint16_t, T>, Draw::u16> {};
template <class T>
struct Plain<T, std::enable_if_t<IS_INTEGER<T> && sizeof(T) == 4>> : PlainFacts<CopyOp<uint32_t, T>, Draw::u32> {};
template <class T>
struct Plain<T, std::enable_if_t<IS_INTEGER<T> && sizeof(T) == 8>> : PlainFacts<CopyOp<uint64_t, T>, Draw::u64> {};

/// Where Kokkos has no half of its own, half_t is float.
using Half = Kokkos::Experimental::half_t;
template <class T>
struct Plain<T, std::enable_if_t<std::is_same_v<T, Half> && !std::is_same_v<T, float>>> : PlainFacts<F16Op<T>, Draw::f16> {};

template <class View>
using Element = typename View::non_const_value_type;

/// The rank of a View, which versions of Kokkos name differently, or of a DynRankView.
template <class View>
auto rank_of(const View& view, int) -> decltype(static_cast<std::size_t>(view.rank())) {
    return static_cast<std::size_t>(view.rank());
}
template <class View>
std::size_t rank_of(const View&, long) {
    return static_cast<std::size_t>(View::rank);
}

template <class View>
auto stride_of(const View& view, std::size_t r, int) -> decltype(static_cast<std::size_t>(view.stride(r))) {
    return static_cast<std::size_t>(view.stride(r));
}
template <class View>
std::size_t stride_of(const View& view, std::size_t r, long) {
    std::size_t strides[16];
    view.stride(strides);
    return strides[r];
}

/// The shape of a View, in elements.
struct Shape {
    std::vector<std::size_t> extents;
    std::vector<std::size_t> strides;

    std::size_t elements() const {
        std::size_t n = 1;
        for (const std::size_t extent : extents) n *= extent;
        return n;
    }

    /// True when the elements, in some order of the indices, lie one after another.
    bool contiguous() const {
        const std::size_t n = elements();
        std::size_t reached = 1;
        for (std::size_t pass = 0; pass < extents.size() && reached < n; ++pass) {
            for (std::size_t r = 0; r < extents.size(); ++r) {
                if (extents[r] > 1 && strides[r] == reached) {
                    reached *= extents[r];
                    break;
                }
            }
        }
        return n == 0 || reached == n;
    }
};

template <class View>
Shape shape_of(const View& view) {
    Shape shape;
    const std::size_t rank = rank_of(view, 0);
    for (std::size_t r = 0; r < rank; ++r) {
        shape.extents.push_back(static_cast<std::size_t>(view.extent(r)));
        shape.strides.push_back(stride_of(view, r, 0));
    }
    return shape;
}

inline std::string list_text(const std::vector<std::size_t>& values) {
    std::string text = "(";
    for (const std::size_t value : values) text += (text.size() == 1 ? "" : ", ") + std::to_string(value);
    return text + ")";
}

/// The number of elements of a contiguous View; otherwise throws std::invalid_argument.
template <class View>
uint64_t contiguous_elements(const char* function, const View& view) {
    const Shape shape = shape_of(view);
    if (!shape.contiguous()) {
        throw std::invalid_argument(std::string(function) + ": the View \"" + view.label() + "\" of extents " +
                                    list_text(shape.extents) + " and strides " + list_text(shape.strides) +
                                    " is not contiguous; allowed are Views without gaps");
    }
    return shape.elements();
}

}  // namespace kokkos_detail
}  // namespace tandem
