#pragma once

/// Fills of Views.
///
/// Each fill writes the elements of a contiguous View of any rank and layout in the order of memory, from where the generator
/// stands, and moves the generator exactly as the same fill of host memory does, also for n = 0 (contract, section 3):
/// consecutive fills and draws continue one stream, whatever the spaces. The values depend on neither the space nor its number of
/// threads.
///
/// With an execution space a fill is enqueued on it and not waited for; the View must live until it has run, as with any kernel.
/// Without one it runs on the View's own space, and has run when the call returns. The generator belongs to one host thread at a
/// time.
///
/// Refused, with nothing written and the generator where it was: with std::invalid_argument a View with gaps (its extents and
/// strides are in the message), a null or misaligned View with elements, and parameters that are not allowed; with
/// std::out_of_range a fill that would reach the end of the stream, position 2^64.

#include "tandem/kokkos/enqueue.hpp"

namespace tandem {

/// Uniform values: bool, integers of 8 to 128 bits (U128), floats and doubles in [0, 1), Kokkos::complex of those, real part
/// first, half_t in [0, 1) where it is a type of its own, and Unicode scalar values in char32_t.
template <class Exec, class View, kokkos_detail::IfSpace<Exec> = 0>
void fill(const Exec& exec, const View& view, Rng& rng) {
    using Plain = kokkos_detail::Plain<kokkos_detail::Element<View>>;
    kokkos_detail::enqueue("tandem::fill", exec, view, rng, Plain::DRAW, typename Plain::Op{});
}
template <class View, kokkos_detail::IfView<View> = 0>
void fill(const View& view, Rng& rng) {
    kokkos_detail::on_own_space(view, [&](const auto& exec) { fill(exec, view, rng); });
}

/// The bits of binary16 numbers in [0, 1), multiples of 2^-11, as 16-bit integers.
template <class Exec, class View, kokkos_detail::IfSpace<Exec> = 0>
void fill_f16_bits(const Exec& exec, const View& view, Rng& rng) {
    using T = kokkos_detail::Element<View>;
    static_assert(kokkos_detail::IS_INTEGER<T> && sizeof(T) == 2, "tandem::fill_f16_bits takes Views of 16-bit integers");
    kokkos_detail::enqueue("tandem::fill_f16_bits", exec, view, rng, Draw::f16, kokkos_detail::F16Op<T>{});
}
template <class View, kokkos_detail::IfView<View> = 0>
void fill_f16_bits(const View& view, Rng& rng) {
    kokkos_detail::on_own_space(view, [&](const auto& exec) { fill_f16_bits(exec, view, rng); });
}

/// Integers low + [0, range), unbiased, wrapping in the element type, which is any integer; range 0 gives low. From 32-bit draws
/// when range is at most 2^32 and from 64-bit draws otherwise, whatever the element type.
template <class Exec, class View, kokkos_detail::IfSpace<Exec> = 0>
void fill_below(const Exec& exec, const View& view, Rng& rng, uint64_t range, kokkos_detail::Element<View> low = 0) {
    kokkos_detail::enqueue_below("tandem::fill_below", exec, view, rng, kokkos_detail::range_of(range), low);
}
template <class View, kokkos_detail::IfView<View> = 0>
void fill_below(const View& view, Rng& rng, uint64_t range, kokkos_detail::Element<View> low = 0) {
    kokkos_detail::on_own_space(view, [&](const auto& exec) { fill_below(exec, view, rng, range, low); });
}

/// The same from 64-bit draws always.
template <class Exec, class View, kokkos_detail::IfSpace<Exec> = 0>
void fill_below_u64(const Exec& exec, const View& view, Rng& rng, uint64_t range, kokkos_detail::Element<View> low = 0) {
    kokkos_detail::enqueue_below("tandem::fill_below_u64", exec, view, rng, BoundedRange{Draw::below64, false, range}, low);
}
template <class View, kokkos_detail::IfView<View> = 0>
void fill_below_u64(const View& view, Rng& rng, uint64_t range, kokkos_detail::Element<View> low = 0) {
    kokkos_detail::on_own_space(view, [&](const auto& exec) { fill_below_u64(exec, view, rng, range, low); });
}

/// Integers in [low, high], both included, low <= high; from 32-bit draws when there are at most 2^32 values and from 64-bit
/// draws otherwise.
template <class Exec, class View, kokkos_detail::IfSpace<Exec> = 0>
void fill_int_range(const Exec& exec, const View& view, Rng& rng, kokkos_detail::Element<View> low,
                    kokkos_detail::Element<View> high) {
    if (low > high) {
        throw std::invalid_argument("tandem::fill_int_range: low is " + std::to_string(low) + " and high is " +
                                    std::to_string(high) + "; low <= high is needed");
    }
    const BoundedRange range = bounded_range(static_cast<uint64_t>(low), static_cast<uint64_t>(high));
    kokkos_detail::enqueue_below("tandem::fill_int_range", exec, view, rng, range, low);
}
template <class View, kokkos_detail::IfView<View> = 0>
void fill_int_range(const View& view, Rng& rng, kokkos_detail::Element<View> low, kokkos_detail::Element<View> high) {
    kokkos_detail::on_own_space(view, [&](const auto& exec) { fill_int_range(exec, view, rng, low, high); });
}

/// Normals in floats or doubles; mean finite, stddev finite and not negative. Doubles take a 64-bit draw each; floats come in
/// pairs from two 32-bit draws, an odd number of elements uses one draw more, and fills join after even numbers of elements.
template <class Exec, class View, kokkos_detail::IfSpace<Exec> = 0>
void fill_normal(const Exec& exec, const View& view, Rng& rng, kokkos_detail::Element<View> mean = 0,
                 kokkos_detail::Element<View> stddev = 1) {
    kokkos_detail::enqueue_normal<false>("tandem::fill_normal", exec, view, rng, mean, stddev);
}
template <class View, kokkos_detail::IfView<View> = 0>
void fill_normal(const View& view, Rng& rng, kokkos_detail::Element<View> mean = 0, kokkos_detail::Element<View> stddev = 1) {
    kokkos_detail::on_own_space(view, [&](const auto& exec) { fill_normal(exec, view, rng, mean, stddev); });
}

/// Log-normals: exp of those normals, with their draws.
template <class Exec, class View, kokkos_detail::IfSpace<Exec> = 0>
void fill_lognormal(const Exec& exec, const View& view, Rng& rng, kokkos_detail::Element<View> mean = 0,
                    kokkos_detail::Element<View> stddev = 1) {
    kokkos_detail::enqueue_normal<true>("tandem::fill_lognormal", exec, view, rng, mean, stddev);
}
template <class View, kokkos_detail::IfView<View> = 0>
void fill_lognormal(const View& view, Rng& rng, kokkos_detail::Element<View> mean = 0, kokkos_detail::Element<View> stddev = 1) {
    kokkos_detail::on_own_space(view, [&](const auto& exec) { fill_lognormal(exec, view, rng, mean, stddev); });
}

/// Exponentials of the mean `scale`, finite and above 0, in floats from 32-bit draws or doubles from 64-bit draws.
template <class Exec, class View, kokkos_detail::IfSpace<Exec> = 0>
void fill_exponential(const Exec& exec, const View& view, Rng& rng, kokkos_detail::Element<View> scale = 1) {
    kokkos_detail::enqueue_exponential("tandem::fill_exponential", exec, view, rng, scale);
}
template <class View, kokkos_detail::IfView<View> = 0>
void fill_exponential(const View& view, Rng& rng, kokkos_detail::Element<View> scale = 1) {
    kokkos_detail::on_own_space(view, [&](const auto& exec) { fill_exponential(exec, view, rng, scale); });
}

/// Values of a table (a weighted choice, or a Poisson, binomial or geometric law) in unsigned 32-bit integers, from 64-bit draws.
/// The table is a ChoiceView or a ChoiceTableOn that the space can read, or on host spaces a ChoiceTable; it must live until the
/// fill has run.
template <class Exec, class View, class Table, kokkos_detail::IfSpace<Exec> = 0>
void fill_choice(const Exec& exec, const View& view, Rng& rng, const Table& table) {
    using T = kokkos_detail::Element<View>;
    static_assert(std::is_same_v<T, uint32_t>, "tandem::fill_choice takes Views of uint32_t");
    const ChoiceView readable = kokkos_detail::readable_table<Exec>(table);
    kokkos_detail::check_table(readable);
    kokkos_detail::enqueue("tandem::fill_choice", exec, view, rng, Draw::choice, kokkos_detail::ChoiceOp<T>{{}, readable});
}
template <class View, class Table, kokkos_detail::IfView<View> = 0>
void fill_choice(const View& view, Rng& rng, const Table& table) {
    kokkos_detail::on_own_space(view, [&](const auto& exec) { fill_choice(exec, view, rng, table); });
}

}  // namespace tandem
