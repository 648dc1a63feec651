#include "host_api/cpu/job.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "tandem/core/children.hpp"

namespace tandem::cpu {
namespace {

Key sub_of(const Fill& fill) {
    switch (fill.draw) {
        case Draw::below32: return sub_key(fill.key, PURPOSE_BELOW32);
        case Draw::below64: return sub_key(fill.key, PURPOSE_BELOW64);
        case Draw::normal64:
        case Draw::lognormal64: return sub_key(fill.key, PURPOSE_NORMAL64);
        default: return Key{};
    }
}

/// Beyond about this much, reading memory into the caches only to overwrite it costs more than it can save. Virtual machines
/// report last caches of many times their size, hence the upper bound.
uint64_t last_cache_bytes() {
    static const uint64_t bytes = [] {
        constexpr uint64_t most = uint64_t{32} << 20;
        long cache = 0;
#if defined(_SC_LEVEL3_CACHE_SIZE)
        cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
        return cache > 0 ? std::min(static_cast<uint64_t>(cache), most) : most;
    }();
    return bytes;
}

std::atomic<uint64_t> chosen_stream_bytes{0};

uint64_t stream_bytes() {
    const uint64_t chosen = chosen_stream_bytes.load(std::memory_order_relaxed);
    return chosen != 0 ? chosen : last_cache_bytes();
}

uint32_t log2_draws_a_group(const Job& job) { return 10 - log2_exact(job.width) + job.log2_k; }

}  // namespace

void stream_from(uint64_t bytes) { chosen_stream_bytes.store(bytes, std::memory_order_relaxed); }

Job make_job(const Fill& fill) {
    const DrawRule rule = rule_of(fill.draw);
    Job job{};
    job.fill = &fill;
    job.log2_k = log2_exact(fill.chunk_length);
    job.width = rule.width;
    job.stride = component_bytes(fill);
    job.in_pairs = rule.in_pairs;
    job.first = align_pos(fill.position, rule.width) / rule.width;
    job.draws = fill.n * rule.components;
    job.stream = job.draws >= stream_bytes() / job.stride;
    job.sub = sub_of(fill);
    return job;
}

uint64_t parts_of(const Job& job) {
    const uint32_t shift = log2_draws_a_group(job);
    return ((job.first + job.draws - 1) >> shift) - (job.first >> shift) + 1;
}

uint64_t cut_of(const Job& job, uint64_t i, uint64_t parts) {
    const uint64_t end = job.first + job.draws;
    if (i == 0) return job.first;
    if (i >= parts) return end;
    const uint32_t shift = log2_draws_a_group(job);
    const uint64_t groups = parts_of(job);
    const uint64_t group = (job.first >> shift) + groups / parts * i + groups % parts * i / parts;
    uint64_t cut = group << shift;
    if (cut <= job.first) return job.first;
    if (job.in_pairs) cut += (cut - job.first) & 1;
    return cut < end ? cut : end;
}

}  // namespace tandem::cpu
