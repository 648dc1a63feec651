#pragma once

/// What every fill of a View does: check, find the span of the stream, launch, move the generator.

#include <cmath>

#include "tandem/kokkos/choice_table.hpp"
#include "tandem/kokkos/launch.hpp"
#include "tandem/kokkos/views.hpp"

namespace tandem {
namespace kokkos_detail {

template <class T, class = void>
constexpr bool LIKE_A_VIEW = false;
template <class T>
constexpr bool
    LIKE_A_VIEW<T, std::void_t<typename T::non_const_value_type, typename T::memory_space, typename T::execution_space>> = true;

template <class T>
using IfView = std::enable_if_t<LIKE_A_VIEW<T>, int>;
template <class T>
using IfSpace = std::enable_if_t<Kokkos::is_execution_space<T>::value, int>;

/// Calls `fill(exec)` for a View's own execution space and waits.
template <class View, class Call>
void on_own_space(const View&, const Call& call) {
    const typename View::execution_space exec{};
    call(exec);
    exec.fence();
}

template <class Component>
void check_pointer(const char* function, const std::string& label, const Component* data) {
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    if (data == nullptr || address % alignof(Component) != 0) {
        throw std::invalid_argument(std::string(function) + ": the View \"" + label + "\" has elements at address " +
                                    std::to_string(address) + "; allowed are multiples of " + std::to_string(alignof(Component)) +
                                    " other than 0");
    }
}

template <class Exec, class View, class Op>
void enqueue(const char* function, const Exec& exec, const View& view, Rng& rng, Draw draw, const Op& op) {
    using Out = typename Op::Out;
    static_assert(std::is_same_v<typename View::value_type, Element<View>>, "a View of const elements cannot be filled");
    static_assert(Kokkos::SpaceAccessibility<Exec, typename View::memory_space>::accessible,
                  "the execution space cannot reach the View's memory");
    const uint64_t n = contiguous_elements(function, view);
    const Span span = fill_span(draw, rng.position(), n);
    if (!span.ok) {
        throw std::out_of_range(std::string(function) + ": " + std::to_string(n) + " elements from position " +
                                std::to_string(rng.position()) +
                                " would reach the end of the stream; the last position is 2^64 - 1");
    }
    if (n > 0) {
        auto* const out = reinterpret_cast<Out*>(view.data());
        check_pointer(function, view.label(), out);
        const Job<Out> job{rng.key(), log2_exact(rng.chunk_length()), span.start / Op::WIDTH, n * rule_of(draw).components, out};
        launch(exec, op, job);
    }
    rng = Rng(rng.key(), span.end, rng.chunk_length());
}

/// The bounded draw of an interface that names its range, a number of values.
inline BoundedRange range_of(uint64_t range) {
    if (range == 1ull << 32) return {Draw::below32, true, 0};
    return {range >> 32 == 0 ? Draw::below32 : Draw::below64, false, range};
}

template <class U, class Exec, class View>
void enqueue_below(const char* function, const Exec& exec, const View& view, Rng& rng, const BoundedRange& range,
                   Element<View> low) {
    const FallbackPlace place{sub_key(rng.key(), sizeof(U) == 4 ? PURPOSE_BELOW32 : PURPOSE_BELOW64), rng.chunk_length()};
    const BelowRule<U> rule = below_rule(static_cast<U>(range.range), range.full);
    enqueue(function, exec, view, rng, range.draw, BelowOp<U, Element<View>>{{}, rule, static_cast<uint64_t>(low), place});
}

template <class Exec, class View>
void enqueue_below(const char* function, const Exec& exec, const View& view, Rng& rng, const BoundedRange& range,
                   Element<View> low) {
    static_assert(IS_INTEGER<Element<View>>, "bounded fills take Views of integers");
    if (range.draw == Draw::below32) {
        enqueue_below<uint32_t>(function, exec, view, rng, range, low);
    } else {
        enqueue_below<uint64_t>(function, exec, view, rng, range, low);
    }
}

inline void refuse_parameter(const char* function, const char* name, double value, const char* allowed) {
    throw std::invalid_argument(std::string(function) + ": " + name + " is " + tandem::detail::number_text(value) +
                                "; allowed are " + allowed);
}

template <bool LOGNORMAL, class Exec, class View, class T = Element<View>>
void enqueue_normal(const char* function, const Exec& exec, const View& view, Rng& rng, T mean, T stddev) {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "normal fills take Views of float or double");
    if (!std::isfinite(mean)) refuse_parameter(function, "mean", static_cast<double>(mean), "finite values");
    if (!std::isfinite(stddev) || stddev < 0) {
        refuse_parameter(function, "stddev", static_cast<double>(stddev), "finite values of 0 or more");
    }
    const NormalFinish<T, LOGNORMAL> as_stored{mean, stddev};
    if constexpr (std::is_same_v<T, float>) {
        enqueue(function, exec, view, rng, LOGNORMAL ? Draw::lognormal32 : Draw::normal32, Normal32Op<LOGNORMAL>{{}, as_stored});
    } else {
        const FallbackPlace place{sub_key(rng.key(), PURPOSE_NORMAL64), rng.chunk_length()};
        enqueue(function, exec, view, rng, LOGNORMAL ? Draw::lognormal64 : Draw::normal64,
                Normal64Op<LOGNORMAL>{{}, as_stored, place});
    }
}

template <class Exec, class View, class T = Element<View>>
void enqueue_exponential(const char* function, const Exec& exec, const View& view, Rng& rng, T scale) {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "exponential fills take Views of float or double");
    if (!std::isfinite(scale) || !(scale > 0)) {
        refuse_parameter(function, "scale", static_cast<double>(scale), "finite values above 0");
    }
    if constexpr (std::is_same_v<T, float>) {
        enqueue(function, exec, view, rng, Draw::exponential32, Exponential32Op{{}, scale});
    } else {
        enqueue(function, exec, view, rng, Draw::exponential64, Exponential64Op{{}, scale});
    }
}

template <class Exec>
ChoiceView readable_table(const ChoiceView& table) {
    return table;
}
template <class Exec>
ChoiceView readable_table(const ChoiceTable& table) {
    static_assert(IS_HOST<Exec>, "device spaces cannot read a ChoiceTable: make a ChoiceTableOn of it");
    return table.view();
}
template <class Exec, class MemorySpace>
ChoiceView readable_table(const ChoiceTableOn<MemorySpace>& table) {
    static_assert(Kokkos::SpaceAccessibility<Exec, MemorySpace>::accessible, "the execution space cannot reach the table");
    return table.view();
}

inline void check_table(const ChoiceView& table) {
    if (table.m == 0 || table.cut == nullptr || table.alias == nullptr) {
        throw std::invalid_argument("tandem::fill_choice: the table is empty; allowed are tables of one value or more");
    }
}

}  // namespace kokkos_detail
}  // namespace tandem
