#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

#include "benchmark/cpu_rows.hpp"
#include "tandem/fill.hpp"

namespace tandem::bench {
namespace {

struct Free {
    void operator()(uint8_t* memory) const { std::free(memory); }
};

constexpr int MAX_THREADS = 2;

std::string processor() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    }
    return "unknown";
}

}  // namespace

uint8_t* output_memory(std::size_t bytes, int thread) {
    constexpr std::size_t SLACK = 4096;  // for outputs that do not start at a multiple of a vector
    static const std::unique_ptr<uint8_t, Free> memory = [] {
        const std::size_t all = MEMORY_BYTES + MAX_THREADS * (4 * L2_BYTES + SLACK);
        std::unique_ptr<uint8_t, Free> block(static_cast<uint8_t*>(std::aligned_alloc(4096, all)));
        if (block == nullptr) std::abort();
        std::memset(block.get(), 1, all);
        return block;
    }();
    return bytes > 4 * L2_BYTES ? memory.get() : memory.get() + static_cast<std::size_t>(thread) * (4 * L2_BYTES + SLACK);
}

}  // namespace tandem::bench

int main(int argc, char** argv) {
    using namespace tandem::bench;
    output_memory(1);
    register_memset();
    register_tandem();
    register_random123();
    register_std();
#if TANDEM_BENCH_CURAND
    register_curand();
#endif
    benchmark::AddCustomContext("processor", processor());
    benchmark::AddCustomContext("instruction_set", tandem::host::instruction_set());
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
}
