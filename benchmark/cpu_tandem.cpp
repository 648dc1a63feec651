#include <algorithm>
#include <functional>
#include <vector>

#include "benchmark/cpu_rows.hpp"
#include "tandem/core/choice.hpp"
#include "tandem/fill.hpp"

namespace tandem::bench {
namespace {

const Key KEY{{1, 2, 3, 4}};

struct Row {
    std::string draw;
    std::size_t element;
    Fill fill;
};

Fill of(Draw draw) {
    Fill fill;
    fill.draw = draw;
    fill.key = KEY;
    return fill;
}

Fill below(Draw draw, uint64_t range, uint32_t element_bytes) {
    Fill fill = of(draw);
    fill.range = range;
    fill.element_bytes = element_bytes;
    return fill;
}

const ChoiceTable& table() {
    static const ChoiceTable built = [] {
        std::vector<double> weights(1000);
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(1 + i * 7919 % 1009);
        return choice_build(weights.data(), weights.size());
    }();
    return built;
}

std::vector<Row> rows() {
    Fill choice = of(Draw::choice);
    choice.choice = table().view();
    return {{"bool", 1, of(Draw::boolean)},
            {"u8", 1, of(Draw::u8)},
            {"u16", 2, of(Draw::u16)},
            {"u32", 4, of(Draw::u32)},
            {"u64", 8, of(Draw::u64)},
            {"f16", 2, of(Draw::f16)},
            {"f32", 4, of(Draw::f32)},
            {"f64", 8, of(Draw::f64)},
            {"char", 4, of(Draw::character)},
            {"u32_below", 4, below(Draw::below32, 1000003, 4)},
            {"u64_below", 8, below(Draw::below64, 1000000000000037, 8)},
            {"u32_below_worst", 4, below(Draw::below32, 0x80000001u, 4)},
            {"normal_f64", 8, of(Draw::normal64)},
            {"normal_f32", 4, of(Draw::normal32)},
            {"lognormal_f64", 8, of(Draw::lognormal64)},
            {"lognormal_f32", 4, of(Draw::lognormal32)},
            {"exponential_f64", 8, of(Draw::exponential64)},
            {"exponential_f32", 4, of(Draw::exponential32)},
            {"choice", 4, choice}};
}

void run(Fill fill, void* out, std::size_t n, unsigned threads) {
    fill.out = out;
    fill.n = n;
    host::fill(fill, threads);
}

/// Rows whose start or output is not that of a vector: the first draw is odd, the output one element past alignment.
void register_unaligned(const Row& row) {
    register_row("fill_unaligned", row.draw, row.element, [row](uint8_t* out, std::size_t n) {
        Fill fill = row.fill;
        fill.position = 13 * 64;
        run(fill, out + row.element, n - 1, 1);
    });
}

/// Two threads that fill memory of their own, and two threads that share one fill.
void register_two_threads(const Row& row) {
    const std::size_t n = L2_BYTES / row.element;
    benchmark::RegisterBenchmark(("BM_fill_own/" + row.draw + "/n:" + std::to_string(n)).c_str(),
                                 [=](benchmark::State& state) {
                                     uint8_t* const out = output_memory(L2_BYTES, state.thread_index());
                                     for (auto _ : state) {
                                         run(row.fill, out, n, 1);
                                         benchmark::ClobberMemory();
                                     }
                                     state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(L2_BYTES));
                                     state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(n));
                                 })
        ->Threads(2)
        ->UseRealTime();
    for (const std::size_t bytes : {4 * L2_BYTES, MEMORY_BYTES}) {
        benchmark::RegisterBenchmark(("BM_fill_shared/" + row.draw + "/n:" + std::to_string(bytes / row.element)).c_str(),
                                     [=](benchmark::State& state) {
                                         uint8_t* const out = output_memory(bytes);
                                         for (auto _ : state) {
                                             run(row.fill, out, bytes / row.element, 2);
                                             benchmark::ClobberMemory();
                                         }
                                         state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes));
                                     })
            ->UseRealTime();
    }
}

}  // namespace

void register_tandem() {
    for (const Row& row : rows()) {
        register_row("fill", row.draw, row.element, [row](uint8_t* out, std::size_t n) { run(row.fill, out, n, 1); });
    }
    for (const Row& row : rows()) register_unaligned(row);
    for (const Row& row : rows()) {
        if (row.draw == "u32" || row.draw == "f64" || row.draw == "normal_f64") register_two_threads(row);
    }
}

}  // namespace tandem::bench
