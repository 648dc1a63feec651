#pragma once

/// The device kernel for chunks of eight steps or more: a team stages eight steps of 32 groups in scratch memory and writes them
/// in the order of the output, so that 32 threads write 512 contiguous bytes.

#include <Kokkos_Core.hpp>

#include "tandem/kokkos/block_output.hpp"

namespace tandem {
namespace kokkos_detail {

constexpr int TEAM_GROUPS = 32;
constexpr int TEAM_CHUNKS = TEAM_GROUPS * LANES;  ///< one a thread in a team of this size
constexpr int STAGE_STEPS = 8;
constexpr int STAGE_GROUP_BLOCKS = STAGE_STEPS * LANES;  ///< of one group: contiguous in the stream
constexpr int STAGE_BLOCKS = STAGE_STEPS * TEAM_CHUNKS;
constexpr uint32_t QUEUE_ENTRIES = 256;

/// The scratch memory of a team.
struct Stage {
    Block blocks[STAGE_BLOCKS];     ///< group by group in stream order
    uint32_t queue[QUEUE_ENTRIES];  ///< draws to be finished, by their number in the stage
    uint32_t queued;                ///< may exceed the entries: those beyond were finished at once
};

/// For Kokkos::parallel_for over teams() teams of TEAM threads, a power of two up to TEAM_CHUNKS, each with a Stage in scratch
/// memory of the level LEVEL. The values do not depend on TEAM.
template <class Op, int TEAM, int LEVEL>
class TeamKernel {
  public:
    static_assert(TEAM_CHUNKS % TEAM == 0, "the threads of a team share its chunks evenly");

    TeamKernel(const Op& op, const Job<typename Op::Out>& job)
        : output_(op, job), groups_(groups_of<Op>(job)), steps_(steps_of<Op>(job)) {}

    uint64_t teams() const { return (groups_.count + TEAM_GROUPS - 1) / TEAM_GROUPS; }

    /// Member is a Kokkos team member or has its league_rank(), team_rank(), team_barrier() and team_scratch(LEVEL).
    template <class Member>
    TANDEM_FN void operator()(const Member& team) const {
        auto& stage = *static_cast<Stage*>(team.team_scratch(LEVEL).get_shmem_aligned(sizeof(Stage), alignof(Stage)));
        const uint64_t first_group = groups_.first + static_cast<uint64_t>(team.league_rank()) * TEAM_GROUPS;
        const int rank = team.team_rank();
        State states[OWN];
        for (int i = 0; i < OWN; ++i) {
            states[i] = chunk_start(output_.job().key, first_group * LANES + static_cast<uint64_t>(rank + i * TEAM));
        }
        for (uint32_t step = 0; step < steps_.end; step += STAGE_STEPS) {
            if (Op::MISSES && rank == 0) stage.queued = 0;
            for (int i = 0; i < OWN; ++i) {
                if (wanted(first_group, (rank + i * TEAM) / LANES)) step_chunk(states[i], rank + i * TEAM, stage);
            }
            if (step + STAGE_STEPS <= steps_.begin) continue;
            team.team_barrier();
            for (int i = rank; i < STAGE_BLOCKS; i += TEAM) put(stage, i, first_group, step);
            team.team_barrier();
            if constexpr (Op::MISSES) {
                const uint32_t queued = stage.queued < QUEUE_ENTRIES ? stage.queued : QUEUE_ENTRIES;
                for (uint32_t i = static_cast<uint32_t>(rank); i < queued; i += TEAM) {
                    finish(stage, stage.queue[i], first_group, step);
                }
                team.team_barrier();
            }
        }
    }

  private:
    static constexpr int OWN = TEAM_CHUNKS / TEAM;  // chunks a thread
    static constexpr uint32_t PER_BLOCK = BlockOutput<Op>::PER_BLOCK;

    /// Whether the job reaches a group of the team.
    TANDEM_FN bool wanted(uint64_t first_group, int group) const {
        return first_group - groups_.first + static_cast<uint64_t>(group) < groups_.count;
    }

    TANDEM_FN static void step_chunk(State& state, int chunk, Stage& stage) {
        Block* const column = stage.blocks + (chunk / LANES) * STAGE_GROUP_BLOCKS + chunk % LANES;
        for (int step = 0; step < STAGE_STEPS; ++step) {
            T(state);
            column[step * LANES] = Block{{state.o[0], state.o[1], state.o[2], state.o[3]}};
        }
    }

    /// The number in the stream of block i of the stage.
    TANDEM_FN uint64_t number_of(int i, uint64_t first_group, uint32_t step) const {
        const uint64_t group = first_group + static_cast<uint64_t>(i / STAGE_GROUP_BLOCKS);
        return ((group << output_.job().log2_k) + step) * LANES + static_cast<uint64_t>(i % STAGE_GROUP_BLOCKS);
    }

    TANDEM_FN void put(Stage& stage, int i, uint64_t first_group, uint32_t step) const {
        const uint64_t number = number_of(i, first_group, step);
        if (!output_.reaches(number)) return;
        Block block = stage.blocks[i];
        if constexpr (Op::PAIRS) {
            if (output_.shifted()) {
                const bool last = i % STAGE_GROUP_BLOCKS == STAGE_GROUP_BLOCKS - 1;
                const uint32_t next =
                    last ? first_word(output_.job().key, number + 1, output_.job().log2_k) : stage.blocks[i + 1].w[0];
                block = shifted_block(block, next);
            }
        }
        output_.put(block, number, [&](uint32_t draw) {
            if constexpr (Op::MISSES) {
                const uint32_t at = Kokkos::atomic_fetch_add(&stage.queued, 1u);
                if (at < QUEUE_ENTRIES) {
                    stage.queue[at] = static_cast<uint32_t>(i) * PER_BLOCK + draw;
                } else {
                    output_.finish(block, number, draw);
                }
            }
        });
    }

    TANDEM_FN void finish(const Stage& stage, uint32_t entry, uint64_t first_group, uint32_t step) const {
        const int i = static_cast<int>(entry / PER_BLOCK);
        output_.finish(stage.blocks[i], number_of(i, first_group, step), entry % PER_BLOCK);
    }

    BlockOutput<Op> output_;
    GroupSpan groups_;
    StepSpan steps_;
};

}  // namespace kokkos_detail
}  // namespace tandem
