#pragma once

/// The public calls on one space as backends.

#include <limits>
#include <stdexcept>

#include "kokkos/backends.hpp"
#include "tandem/kokkos.hpp"

namespace tandem::test {

/// Calls `use(view)` with an unmanaged View of a fill's output as elements of type T.
template <class T, class Use>
void with_view(const Fill& fill, const Use& use) {
    use(Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(static_cast<T*>(fill.out), fill.n));
}

template <class Exec>
void call_plain(const Exec& exec, const Fill& fill, Rng& rng) {
    const auto call = [&](const auto& view) { tandem::fill(exec, view, rng); };
    switch (fill.draw) {
        case Draw::boolean: return with_view<bool>(fill, call);
        case Draw::u8: return with_view<int8_t>(fill, call);
        case Draw::u16: return with_view<uint16_t>(fill, call);
        case Draw::u32: return with_view<int32_t>(fill, call);
        case Draw::u64: return with_view<uint64_t>(fill, call);
        case Draw::u128: return with_view<U128>(fill, call);
        case Draw::f16: return with_view<uint16_t>(fill, [&](const auto& view) { tandem::fill_f16_bits(exec, view, rng); });
        case Draw::f32: return with_view<float>(fill, call);
        case Draw::f64: return with_view<double>(fill, call);
        case Draw::c32: return with_view<Kokkos::complex<float>>(fill, call);
        case Draw::c64: return with_view<Kokkos::complex<double>>(fill, call);
        default: return with_view<char32_t>(fill, call);
    }
}

/// Through fill_below where it takes the same draws, and through the call that names them otherwise.
template <class T, class Exec>
void call_below(const Exec& exec, const Fill& fill, Rng& rng) {
    const T low = static_cast<T>(fill.low);
    with_view<T>(fill, [&](const auto& view) {
        if (fill.draw == Draw::below32) {
            tandem::fill_below(exec, view, rng, fill.full_range ? 1ull << 32 : fill.range, low);
        } else if (fill.full_range) {
            using Limits = std::numeric_limits<T>;
            if (low != Limits::min() || sizeof(T) != 8) throw std::logic_error("no call for this range");
            tandem::fill_int_range(exec, view, rng, Limits::min(), Limits::max());
        } else if (fill.range > 1ull << 32) {
            tandem::fill_below(exec, view, rng, fill.range, low);
        } else {
            tandem::fill_below_u64(exec, view, rng, fill.range, low);
        }
    });
}

template <class Exec>
void call_below(const Exec& exec, const Fill& fill, Rng& rng) {
    switch (fill.element_bytes) {
        case 1: return call_below<uint8_t>(exec, fill, rng);
        case 2: return call_below<int16_t>(exec, fill, rng);
        case 4: return call_below<uint32_t>(exec, fill, rng);
        default: break;
    }
    // The full range from the lowest integer has calls for both signs.
    if (fill.low == 1ull << 63) return call_below<int64_t>(exec, fill, rng);
    call_below<uint64_t>(exec, fill, rng);
}

template <class T, class Exec>
void call_real(const Exec& exec, const Fill& fill, Rng& rng) {
    with_view<T>(fill, [&](const auto& view) {
        const T mean = static_cast<T>(fill.mean), stddev = static_cast<T>(fill.stddev), scale = static_cast<T>(fill.scale);
        switch (fill.draw) {
            case Draw::normal32:
            case Draw::normal64: return tandem::fill_normal(exec, view, rng, mean, stddev);
            case Draw::lognormal32:
            case Draw::lognormal64: return tandem::fill_lognormal(exec, view, rng, mean, stddev);
            default: return tandem::fill_exponential(exec, view, rng, scale);
        }
    });
}

template <class Exec>
uint64_t call(const Fill& fill) {
    const Exec exec;
    Rng rng(fill.key, fill.position, fill.chunk_length);
    switch (fill.draw) {
        case Draw::below32:
        case Draw::below64: call_below(exec, fill, rng); break;
        case Draw::normal32:
        case Draw::lognormal32:
        case Draw::exponential32: call_real<float>(exec, fill, rng); break;
        case Draw::normal64:
        case Draw::lognormal64:
        case Draw::exponential64: call_real<double>(exec, fill, rng); break;
        case Draw::choice:
            with_view<uint32_t>(fill, [&](const auto& view) { tandem::fill_choice(exec, view, rng, fill.choice); });
            break;
        default: call_plain(exec, fill, rng);
    }
    exec.fence();
    return rng.position();
}

}  // namespace tandem::test
