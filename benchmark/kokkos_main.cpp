/// Fills of Views beside Kokkos::fill_random with Random_XorShift64_Pool and beside the library's CPU engine, one thread each, in
/// turn.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>

#include "tandem/fill.hpp"
#include "tandem/kokkos.hpp"

namespace tandem::bench {
namespace {

#if defined(KOKKOS_ENABLE_SERIAL)
using Exec = Kokkos::Serial;
#else
using Exec = Kokkos::DefaultHostExecutionSpace;
#endif

template <class T>
using Output = Kokkos::View<T*, Kokkos::HostSpace>;
using Pool = Kokkos::Random_XorShift64_Pool<Exec>;

constexpr std::size_t CACHED_BYTES = std::size_t{512} << 10;
constexpr std::size_t MEMORY_BYTES = std::size_t{256} << 20;
const Key KEY{{1, 2, 3, 4}};

struct Contest {
    std::string name;
    std::size_t bytes;
    std::function<void()> kokkos;  ///< tandem on the execution space
    std::function<void()> engine;  ///< the library's own fill of host memory
    std::function<void()> random;  ///< Kokkos::fill_random
};

/// Of the processor, so that rates hold beside other work.
double seconds_of(const std::function<void()>& call, int repeat) {
    const std::clock_t start = std::clock();
    for (int i = 0; i < repeat; ++i) call();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / repeat;
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

constexpr int ORDERS[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}};

/// The three take turns, so that whatever else the machine does meets all of them, in every order, since what each finds in the
/// caches is what the one before left there. The ratios are medians over turns.
void run(const Contest& contest, int turns) {
    const int repeat = contest.bytes == CACHED_BYTES ? 8 : 1;
    std::vector<double> times[3], to_engine, to_random;
    const std::function<void()>* const calls[3] = {&contest.kokkos, &contest.engine, &contest.random};
    for (const auto* call : calls) (*call)();
    for (int turn = 0; turn < turns; ++turn) {
        double seconds[3];
        for (const int i : ORDERS[turn % 6]) {
            seconds[i] = seconds_of(*calls[i], repeat);
            times[i].push_back(seconds[i]);
        }
        to_engine.push_back(seconds[1] / seconds[0]);
        to_random.push_back(seconds[2] / seconds[0]);
    }
    const auto speed = [&](int i) {
        return static_cast<double>(contest.bytes) / *std::min_element(times[i].begin(), times[i].end()) / (1 << 30);
    };
    std::printf("%-16s %-6s %8.2f %8.2f %8.2f %10.2f %10.2f\n", contest.name.c_str(),
                contest.bytes == CACHED_BYTES ? "cache" : "memory", speed(0), speed(1), speed(2), median(to_engine),
                median(to_random));
    std::fflush(stdout);
}

/// `call(view, rng)` on the execution space, `fill` by the engine, `random(view, pool)`.
template <class T, class Call, class Random>
void add(std::vector<Contest>& all, const std::string& name, Fill fill, Call call, Random random) {
    const Pool pool(2026);
    for (const std::size_t bytes : {CACHED_BYTES, MEMORY_BYTES}) {
        const Output<T> view("view", bytes / sizeof(T));
        Kokkos::deep_copy(view, T(1));
        fill.key = KEY;
        fill.n = view.size();
        fill.out = view.data();
        all.push_back({name, bytes,
                       [view, call] {
                           Rng rng(KEY);
                           call(view, rng);
                       },
                       [fill, view] { host::fill(fill, 1); }, [view, pool, random] { random(view, pool); }});
    }
}

Fill of(Draw draw) {
    Fill fill;
    fill.draw = draw;
    return fill;
}

std::vector<Contest> contests() {
    std::vector<Contest> all;
    const auto plain = [](const auto& view, Rng& rng) { tandem::fill(Exec(), view, rng); };
    const auto normal = [](const auto& view, Rng& rng) { fill_normal(Exec(), view, rng); };
    const auto exponential = [](const auto& view, Rng& rng) { fill_exponential(Exec(), view, rng); };
    // fill_random takes a range always; where tandem has none, the whole range, or 1. Its normals do not exist: uniforms stand
    // in.
    const auto unit = [](const auto& view, const Pool& pool) { Kokkos::fill_random(view, pool, 1); };
    const auto all_u32 = [](const auto& view, const Pool& pool) { Kokkos::fill_random(view, pool, 0xffffffffu); };
    const auto all_u64 = [](const auto& view, const Pool& pool) { Kokkos::fill_random(view, pool, ~0ull); };
    const auto million = [](const auto& view, const Pool& pool) { Kokkos::fill_random(view, pool, 1000003u); };
    add<uint32_t>(all, "u32", of(Draw::u32), plain, all_u32);
    add<uint64_t>(all, "u64", of(Draw::u64), plain, all_u64);
    add<float>(all, "f32", of(Draw::f32), plain, unit);
    add<double>(all, "f64", of(Draw::f64), plain, unit);
    Fill below = of(Draw::below32);
    below.range = 1000003;
    add<uint32_t>(
        all, "u32_below", below, [](const auto& view, Rng& rng) { fill_below(Exec(), view, rng, 1000003); }, million);
    Fill below64 = of(Draw::below64);
    below64.element_bytes = 8;
    below64.range = 1000000000000037;
    add<uint64_t>(
        all, "u64_below", below64, [](const auto& view, Rng& rng) { fill_below(Exec(), view, rng, 1000000000000037); },
        [](const auto& view, const Pool& pool) { Kokkos::fill_random(view, pool, 1000000000000037ull); });
    add<float>(all, "normal_f32", of(Draw::normal32), normal, unit);
    add<double>(all, "normal_f64", of(Draw::normal64), normal, unit);
    add<float>(all, "exponential_f32", of(Draw::exponential32), exponential, unit);
    add<double>(all, "exponential_f64", of(Draw::exponential64), exponential, unit);
    return all;
}

}  // namespace
}  // namespace tandem::bench

int main(int argc, char** argv) {
    using namespace tandem::bench;
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const std::string only = argc > 1 ? argv[1] : "";
    std::printf("Kokkos %d, %s; engine %s\n", KOKKOS_VERSION, Exec::name(), tandem::host::instruction_set());
    std::printf("%-16s %-6s %8s %8s %8s %10s %10s\n", "GiB/s", "", "tandem", "engine", "random", "to engine", "to random");
    for (const Contest& contest : contests()) {
        if (contest.name.find(only) == std::string::npos) continue;
        run(contest, contest.bytes == CACHED_BYTES ? 300 : 12);
    }
    return 0;
}
