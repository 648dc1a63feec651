#pragma once

/// The kernels on one space as backends.

#include "kokkos/backends.hpp"
#include "kokkos/op_of.hpp"

namespace tandem::test {

/// Calls `launch(op, job)` for a fill.
template <class Launch>
uint64_t run_job(const Fill& fill, const Launch& launch) {
    with_op(fill, [&](const auto& op) { launch(op, job_of<std::decay_t<decltype(op)>>(fill)); });
    return fill_span(fill.draw, fill.position, fill.n).end;
}

template <class Exec>
void add_kernels(const std::string& space, std::vector<Backend>& all) {
    const auto add = [&](const std::string& name, uint32_t least_k, auto launch) {
        all.push_back({space + "_" + name, least_k, false, false, [launch](const Fill& fill) {
                           const Exec exec;
                           const uint64_t end = run_job(fill, [&](const auto& op, const auto& job) { launch(exec, op, job); });
                           exec.fence();
                           return end;
                       }});
    };
    add("host", 1, [](const Exec& exec, const auto& op, const auto& job) { kokkos_detail::launch_host(exec, op, job); });
    add("chunks", 1, [](const Exec& exec, const auto& op, const auto& job) { kokkos_detail::launch_chunks(exec, op, job); });
    add("team1", 8, [](const Exec& exec, const auto& op, const auto& job) { kokkos_detail::launch_team<1>(exec, op, job); });
}

template <int TEAM, class Exec>
void add_team(const std::string& space, std::vector<Backend>& all) {
    all.push_back({space + "_team" + std::to_string(TEAM), 8, false, false, [](const Fill& fill) {
                       const Exec exec;
                       const uint64_t end = run_job(
                           fill, [&](const auto& op, const auto& job) { kokkos_detail::launch_team<TEAM>(exec, op, job); });
                       exec.fence();
                       return end;
                   }});
}

}  // namespace tandem::test
