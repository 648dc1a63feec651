#pragma once

/// Fills of the core's description as ops and Views.

#include <stdexcept>

#include "tandem/kokkos.hpp"

namespace tandem::test {

inline kokkos_detail::FallbackPlace place_of(const Fill& fill, uint64_t purpose) {
    return {sub_key(fill.key, purpose), fill.chunk_length};
}

template <class T, class Use>
void with_below_op(const Fill& fill, const Use& use) {
    using namespace kokkos_detail;
    if (fill.draw == Draw::below32) {
        const BelowRule<uint32_t> rule = below_rule(static_cast<uint32_t>(fill.range), fill.full_range);
        use(BelowOp<uint32_t, T>{{}, rule, fill.low, place_of(fill, PURPOSE_BELOW32)});
    } else {
        use(BelowOp<uint64_t, T>{{}, below_rule(fill.range, fill.full_range), fill.low, place_of(fill, PURPOSE_BELOW64)});
    }
}

template <class Use>
void with_normal_op(const Fill& fill, const Use& use) {
    using namespace kokkos_detail;
    const float mean = static_cast<float>(fill.mean), stddev = static_cast<float>(fill.stddev);
    switch (fill.draw) {
        case Draw::normal32: return use(Normal32Op<false>{{}, {mean, stddev}});
        case Draw::lognormal32: return use(Normal32Op<true>{{}, {mean, stddev}});
        case Draw::normal64: return use(Normal64Op<false>{{}, {fill.mean, fill.stddev}, place_of(fill, PURPOSE_NORMAL64)});
        default: return use(Normal64Op<true>{{}, {fill.mean, fill.stddev}, place_of(fill, PURPOSE_NORMAL64)});
    }
}

/// Calls `use(op)` with the op of a fill.
template <class Use>
void with_op(const Fill& fill, const Use& use) {
    using namespace kokkos_detail;
    switch (fill.draw) {
        case Draw::boolean: return use(BoolOp<bool>{});
        case Draw::u8: return use(CopyOp<uint8_t, uint8_t>{});
        case Draw::u16: return use(CopyOp<uint16_t, uint16_t>{});
        case Draw::u32: return use(CopyOp<uint32_t, uint32_t>{});
        case Draw::u64: return use(CopyOp<uint64_t, uint64_t>{});
        case Draw::u128: return use(CopyOp<U128, U128>{});
        case Draw::f16: return use(F16Op<uint16_t>{});
        case Draw::f32:
        case Draw::c32: return use(F32Op{});
        case Draw::f64:
        case Draw::c64: return use(F64Op{});
        case Draw::character: return use(CharOp{});
        case Draw::below32:
        case Draw::below64:
            switch (fill.element_bytes) {
                case 1: return with_below_op<uint8_t>(fill, use);
                case 2: return with_below_op<uint16_t>(fill, use);
                case 4: return with_below_op<uint32_t>(fill, use);
                default: return with_below_op<uint64_t>(fill, use);
            }
        case Draw::normal64:
        case Draw::normal32:
        case Draw::lognormal64:
        case Draw::lognormal32: return with_normal_op(fill, use);
        case Draw::exponential64: return use(Exponential64Op{{}, fill.scale});
        case Draw::exponential32: return use(Exponential32Op{{}, static_cast<float>(fill.scale)});
        case Draw::choice: return use(ChoiceOp<uint32_t>{{}, fill.choice});
    }
}

/// The job of a fill with n > 0.
template <class Op>
kokkos_detail::Job<typename Op::Out> job_of(const Fill& fill) {
    const Span span = fill_span(fill.draw, fill.position, fill.n);
    if (!span.ok) throw std::logic_error("the fill reaches the end of the stream");
    return {fill.key, log2_exact(fill.chunk_length), span.start / Op::WIDTH, fill.n * rule_of(fill.draw).components,
            static_cast<typename Op::Out*>(fill.out)};
}

}  // namespace tandem::test
