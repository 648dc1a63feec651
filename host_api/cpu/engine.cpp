#include "host_api/cpu/engine.hpp"

#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "host_api/cpu/float_mode.hpp"
#include "host_api/cpu/targets.hpp"

namespace tandem::cpu {
namespace {

/// Bytes of output that repay the start of a thread: draws that are more than bits take several times as long.
uint64_t bytes_a_thread(Draw draw) { return draw <= Draw::character ? uint64_t{4} << 20 : uint64_t{1} << 20; }

constexpr uint64_t MAX_THREADS = 1024;

uint64_t threads_for(const Job& job, unsigned asked) {
    const uint64_t useful = job.draws / (bytes_a_thread(job.fill->draw) / job.stride);
    const uint64_t wanted = asked != 0 ? asked : useful <= 1 ? 1 : std::min<uint64_t>(useful, processors());
    return std::min({wanted, MAX_THREADS, parts_of(job)});
}

std::atomic<const char*> last_run{""};

void run(const Target& target, const Job& job, uint64_t part, uint64_t parts) {
    const uint64_t first = cut_of(job, part, parts), end = cut_of(job, part + 1, parts);
    if (first >= end) return;
    const FloatMode mode;
    last_run.store(target.run(job, piece_of(job, first, end)), std::memory_order_relaxed);
}

/// Threads live for one fill: a pool would be gone in the child of a fork.
class Helpers {
  public:
    explicit Helpers(uint64_t n) { threads_.reserve(n); }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;
    ~Helpers() {
        for (std::thread& t : threads_) t.join();
    }

    template <class F>
    bool start(F f) {
        try {
            threads_.emplace_back(f);
            return true;
        } catch (const std::exception&) {
            return false;
        }
    }

  private:
    std::vector<std::thread> threads_;
};

}  // namespace

unsigned threads_of(const Fill& fill, unsigned threads) { return static_cast<unsigned>(threads_for(make_job(fill), threads)); }

const char* last_target() { return last_run.load(std::memory_order_relaxed); }

unsigned processors() {
#if defined(__linux__)
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return static_cast<unsigned>(std::max(1, CPU_COUNT(&allowed)));
#endif
    return std::max(1u, std::thread::hardware_concurrency());
}

void fill(const Fill& fill, unsigned threads) {
    const Target& target = active_target();
    const Job job = make_job(fill);
    const uint64_t parts = threads_for(job, threads);
    if (parts <= 1) return run(target, job, 0, 1);
    Helpers helpers(parts - 1);
    uint64_t part = 1;
    while (part < parts && helpers.start([&target, &job, part, parts] { run(target, job, part, parts); })) ++part;
    run(target, job, 0, parts);
    for (; part < parts; ++part) run(target, job, part, parts);
}

}  // namespace tandem::cpu
