#pragma once

/// Every kind of source beside the fill that it must equal.

#include <vector>

#include "support/reference.hpp"
#include "tandem/sources.cuh"

namespace tandem::test {

/// Where a fill starts.
struct Place {
    Key key;
    uint64_t position;
    uint32_t chunk_length;
};

inline Fill fill_at(Draw draw, const Place& at) {
    Fill fill;
    fill.draw = draw;
    fill.key = at.key;
    fill.position = at.position;
    fill.chunk_length = at.chunk_length;
    return fill;
}

/// Calls visit(source, fill) for each kind of source, with parameters that reach every branch. `table` lies in the memory of
/// whoever draws, `host_table` in the host's.
template <class Visit>
void for_each_source(const Place& at, const ChoiceView& table, const ChoiceView& host_table, Visit visit) {
    const auto plain = [&](auto type, Draw draw) {
        visit(uniform<decltype(type)>(at.key, at.position, at.chunk_length), fill_at(draw, at));
    };
    plain(bool{}, Draw::boolean);
    plain(uint8_t{}, Draw::u8);
    plain(int16_t{}, Draw::u16);
    plain(uint32_t{}, Draw::u32);
    plain(int64_t{}, Draw::u64);
    plain(U128{}, Draw::u128);
    plain(float{}, Draw::f32);
    plain(double{}, Draw::f64);

    const auto bounded = [&](auto low, uint64_t range) {
        using T = decltype(low);
        Fill fill = fill_at(sizeof(T) == 4 ? Draw::below32 : Draw::below64, at);
        fill.element_bytes = sizeof(T);
        fill.range = range;
        fill.full_range = sizeof(T) == 4 && range == 1ull << 32;
        fill.low = static_cast<uint64_t>(low);
        visit(below<T>(range, at.key, at.position, at.chunk_length, low), fill);
    };
    bounded(uint32_t{0}, 1000);
    bounded(int32_t{-5}, (1ull << 31) + 1);
    bounded(uint32_t{7}, 1ull << 32);
    bounded(uint64_t{0}, (1ull << 63) + 1);
    bounded(int64_t{-9}, 0);

    Fill fill = fill_at(Draw::normal64, at);
    visit(normal<double>(at.key, at.position, at.chunk_length), fill);
    fill.mean = 1.5;
    fill.stddev = 0.25;
    visit(normal<double>(at.key, at.position, at.chunk_length, 1.5, 0.25), fill);
    fill.draw = Draw::normal32;
    visit(normal<float>(at.key, at.position, at.chunk_length, 1.5f, 0.25f), fill);
    fill = fill_at(Draw::exponential32, at);
    visit(exponential<float>(at.key, at.position, at.chunk_length), fill);
    fill.draw = Draw::exponential64;
    fill.scale = 3.0;
    visit(exponential<double>(at.key, at.position, at.chunk_length, 3.0), fill);
    fill = fill_at(Draw::choice, at);
    fill.choice = host_table;
    visit(choice(table, at.key, at.position, at.chunk_length), fill);
}

}  // namespace tandem::test
