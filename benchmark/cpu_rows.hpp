#pragma once

/// The rows of the CPU benchmark: one function a file of peers, each registers its benchmarks.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tandem::bench {

constexpr std::size_t L2_BYTES = std::size_t{512} << 10;      ///< stays in a core's second cache
constexpr std::size_t MEMORY_BYTES = std::size_t{256} << 20;  ///< exceeds every cache

/// Memory for outputs, written once so that its pages exist, aligned to a page. Each thread of a benchmark has its own part.
uint8_t* output_memory(std::size_t bytes, int thread = 0);

/// Registers BM_<op>/<draw>/n:<count> for both sizes; `call(out, n)` writes n elements of `element` bytes.
template <class Call>
void register_row(const std::string& op, const std::string& draw, std::size_t element, Call call) {
    for (const std::size_t bytes : {L2_BYTES, MEMORY_BYTES}) {
        const std::size_t n = bytes / element;
        benchmark::RegisterBenchmark(("BM_" + op + "/" + draw + "/n:" + std::to_string(n)).c_str(), [=](benchmark::State& state) {
            uint8_t* const out = output_memory(bytes, state.thread_index());
            for (auto _ : state) {
                call(out, n);
                benchmark::ClobberMemory();
            }
            state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes));
            state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(n));
        });
    }
}

void register_tandem();
void register_memset();
void register_random123();
void register_std();
void register_curand();  ///< where cuRAND was found

}  // namespace tandem::bench
