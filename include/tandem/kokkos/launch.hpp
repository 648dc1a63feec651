#pragma once

/// Which kernel fills, and how it is handed to Kokkos.

#include <Kokkos_Core.hpp>

#include "tandem/kokkos/chunk_kernel.hpp"
#include "tandem/kokkos/host_kernel.hpp"
#include "tandem/kokkos/team_kernel.hpp"

namespace tandem {
namespace kokkos_detail {

/// Spaces whose threads are those of the host.
template <class Exec>
constexpr bool IS_HOST = Kokkos::SpaceAccessibility<typename Exec::memory_space, Kokkos::HostSpace>::assignable;

/// Below this the steps that a team stages would not fill its chunks.
constexpr uint32_t TEAM_LOG2_K = 3;

constexpr int DEVICE_TEAM = TEAM_CHUNKS;

// Policies count with signed numbers.
template <class Exec>
using Items = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int64_t>>;

template <class Exec, class Kernel>
void over_items(const Exec& exec, const Kernel& kernel) {
    Kokkos::parallel_for("tandem::fill", Items<Exec>(exec, 0, static_cast<int64_t>(kernel.items())), kernel);
}

template <class Exec, class Op>
void launch_host(const Exec& exec, const Op& op, const Job<typename Op::Out>& job) {
    over_items(exec, HostKernel<Op>(op, job, static_cast<uint64_t>(exec.concurrency())));
}

template <class Exec, class Op>
void launch_chunks(const Exec& exec, const Op& op, const Job<typename Op::Out>& job) {
    over_items(exec, ChunkKernel<Op>(op, job));
}

/// For K >= 8. Level 0 of a host's scratch memory ends below a stage.
template <int TEAM, class Exec, class Op>
void launch_team(const Exec& exec, const Op& op, const Job<typename Op::Out>& job) {
    constexpr int level = IS_HOST<Exec> ? 1 : 0;
    const TeamKernel<Op, TEAM, level> kernel(op, job);
    Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<TEAM, 1>> policy(exec, static_cast<int>(kernel.teams()), TEAM);
    policy.set_scratch_size(level, Kokkos::PerTeam(static_cast<int>(sizeof(Stage) + alignof(Stage))));
    Kokkos::parallel_for("tandem::fill", policy, kernel);
}

/// Enqueues a job.
template <class Exec, class Op>
void launch(const Exec& exec, const Op& op, const Job<typename Op::Out>& job) {
    if constexpr (IS_HOST<Exec>) {
        launch_host(exec, op, job);
    } else if (job.log2_k >= TEAM_LOG2_K) {
        launch_team<DEVICE_TEAM>(exec, op, job);
    } else {
        launch_chunks(exec, op, job);
    }
}

}  // namespace kokkos_detail
}  // namespace tandem
