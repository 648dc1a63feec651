#pragma once

/// The draws of the core as maps of the walk.

#include <cstring>

#include "host_api/cpu/job.hpp"
#include "tandem/core/bounded.hpp"
#include "tandem/core/choice.hpp"
#include "tandem/core/exp.hpp"
#include "tandem/core/exponential.hpp"
#include "tandem/core/mapping.hpp"
#include "tandem/core/normal.hpp"

namespace tandem::cpu {

/// Raw integers that are their own values.
struct CopyMap {
    static constexpr uint64_t unit = 1;
    uint64_t bytes;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        std::memcpy(out, tile + at * bytes, count * bytes);
    }
};

/// Bits to bytes.
struct BoolMap {
    static constexpr uint64_t unit = 1;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        for (uint64_t i = 0; i < count; ++i) out[i] = (tile[(at + i) >> 3] >> ((at + i) & 7)) & 1;
    }
};

/// One draw to one element: `f(raw, number of the draw)`.
template <class Raw, class F>
struct EachMap {
    static constexpr uint64_t unit = 1;
    F f;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t number, uint8_t* out) const {
        for (uint64_t i = 0; i < count; ++i) {
            Raw raw;
            std::memcpy(&raw, tile + (at + i) * sizeof(Raw), sizeof(Raw));
            const auto value = f(raw, number + i);
            std::memcpy(out + i * sizeof(value), &value, sizeof(value));
        }
    }
};

template <class Raw, class F>
EachMap<Raw, F> each(F f) {
    return EachMap<Raw, F>{f};
}

/// Two 32-bit draws to two elements: `f(a, b)` gives x and y. The y of a last odd draw is left out.
template <class F>
struct PairMap {
    static constexpr uint64_t unit = 2;
    F f;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        for (uint64_t i = 0; i < count; i += 2) {
            uint32_t raw[2];
            std::memcpy(raw, tile + (at + i) * 4, sizeof(raw));
            const Pair<float> pair = f(raw[0], raw[1]);
            std::memcpy(out + i * 4, &pair.x, 4);
            if (i + 1 < count) std::memcpy(out + i * 4 + 4, &pair.y, 4);
        }
    }
};

template <class F>
PairMap<F> pairs(F f) {
    return PairMap<F>{f};
}

/// Calls `use(map)` with the map of a bounded draw into elements of type Out.
template <class Out, class Use>
void with_below_map(const Job& job, Use use) {
    const Fill& fill = *job.fill;
    const uint32_t k = fill.chunk_length;
    if (fill.draw == Draw::below32) {
        const auto rule = below_rule(static_cast<uint32_t>(fill.range), fill.full_range);
        return use(each<uint32_t>([&job, rule, k, low = fill.low](uint32_t raw, uint64_t number) {
            return above_low<Out>(low, below_u32(raw, rule, job.sub, k, number));
        }));
    }
    const auto rule = below_rule(fill.range, fill.full_range);
    use(each<uint64_t>([&job, rule, k, low = fill.low](uint64_t raw, uint64_t number) {
        return above_low<Out>(low, below_u64(raw, rule, job.sub, k, number));
    }));
}

/// Calls `use(map)` with the map of a normal or log-normal draw.
template <class Use>
void with_normal_map(const Job& job, Use use) {
    const Fill& fill = *job.fill;
    const auto normal = [&job, k = fill.chunk_length, tables = ziggurat_tables()](uint64_t raw, uint64_t number) {
        return normal_f64(raw, tables, job.sub, k, number);
    };
    const double mean = fill.mean, stddev = fill.stddev;
    const float mean32 = static_cast<float>(mean), stddev32 = static_cast<float>(stddev);
    switch (fill.draw) {
        case Draw::normal64:
            return use(each<uint64_t>([=](uint64_t raw, uint64_t number) { return affine(normal(raw, number), mean, stddev); }));
        case Draw::lognormal64:
            return use(
                each<uint64_t>([=](uint64_t raw, uint64_t number) { return lognormal_of(normal(raw, number), mean, stddev); }));
        case Draw::normal32:
            return use(pairs([=](uint32_t a, uint32_t b) {
                const Pair<float> z = box_muller2_f32(a, b);
                return Pair<float>{affine(z.x, mean32, stddev32), affine(z.y, mean32, stddev32)};
            }));
        default:
            return use(pairs([=](uint32_t a, uint32_t b) {
                const Pair<float> z = box_muller2_f32(a, b);
                return Pair<float>{lognormal_of(z.x, mean32, stddev32), lognormal_of(z.y, mean32, stddev32)};
            }));
    }
}

/// Calls `use(map)` with the map of a job's draw.
template <class Use>
void with_scalar_map(const Job& job, Use use) {
    const bool reflected = job.fill->reflected;
    switch (job.fill->draw) {
        case Draw::boolean: return use(BoolMap{});
        case Draw::u8:
        case Draw::u16:
        case Draw::u32:
        case Draw::u64:
        case Draw::u128: return use(CopyMap{job.width / 8});
        case Draw::f16:
            if (reflected) return use(each<uint16_t>([](uint16_t raw, uint64_t) { return reflect_f16_bits(raw); }));
            return use(each<uint16_t>([](uint16_t raw, uint64_t) { return to_f16_bits(raw); }));
        case Draw::f32:
        case Draw::c32:
            if (reflected) return use(each<uint32_t>([](uint32_t raw, uint64_t) { return reflect(to_f32(raw)); }));
            return use(each<uint32_t>([](uint32_t raw, uint64_t) { return to_f32(raw); }));
        case Draw::f64:
        case Draw::c64:
            if (reflected) return use(each<uint64_t>([](uint64_t raw, uint64_t) { return reflect(to_f64(raw)); }));
            return use(each<uint64_t>([](uint64_t raw, uint64_t) { return to_f64(raw); }));
        case Draw::character: return use(each<uint64_t>([](uint64_t raw, uint64_t) { return to_char(raw); }));
        case Draw::below32:
        case Draw::below64:
            switch (job.fill->element_bytes) {
                case 1: return with_below_map<uint8_t>(job, use);
                case 2: return with_below_map<uint16_t>(job, use);
                case 4: return with_below_map<uint32_t>(job, use);
                default: return with_below_map<uint64_t>(job, use);
            }
        case Draw::normal64:
        case Draw::normal32:
        case Draw::lognormal64:
        case Draw::lognormal32: return with_normal_map(job, use);
        case Draw::exponential64:
            return use(each<uint64_t>(
                [scale = job.fill->scale](uint64_t raw, uint64_t) { return scaled(exponential_f64(raw), scale); }));
        case Draw::exponential32:
            return use(each<uint32_t>([scale = static_cast<float>(job.fill->scale)](uint32_t raw, uint64_t) {
                return scaled(exponential_f32(raw), scale);
            }));
        case Draw::choice:
            return use(each<uint64_t>([table = job.fill->choice](uint64_t raw, uint64_t) { return choice_of(table, raw); }));
    }
}

}  // namespace tandem::cpu
