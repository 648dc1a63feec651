#pragma once

/// The device kernel for chunks that are too short to share: each thread stores the blocks of one chunk.

#include "tandem/kokkos/block_output.hpp"

namespace tandem {
namespace kokkos_detail {

/// For Kokkos::parallel_for over chunks 0 to items() - 1 of a job, counted from its first group.
template <class Op>
class ChunkKernel {
  public:
    ChunkKernel(const Op& op, const Job<typename Op::Out>& job)
        : output_(op, job), groups_(groups_of<Op>(job)), steps_(steps_of<Op>(job)) {}

    uint64_t items() const { return groups_.count * LANES; }

    TANDEM_FN void operator()(uint64_t item) const {
        const uint64_t chunk = groups_.first * LANES + item;
        const Key& key = output_.job().key;
        const uint32_t log2_k = output_.job().log2_k;
        State state = chunk_start(key, chunk);
        for (uint32_t step = 0; step < steps_.end; ++step) {
            T(state);
            if (step < steps_.begin) continue;
            const uint64_t number = block_of_place(chunk, step, log2_k);
            if (!output_.reaches(number)) continue;
            Block block{{state.o[0], state.o[1], state.o[2], state.o[3]}};
            if constexpr (Op::PAIRS) {
                if (output_.shifted()) block = shifted_block(block, first_word(key, number + 1, log2_k));
            }
            output_.put(block, number, [&](uint32_t i) {
                if constexpr (Op::MISSES) output_.finish(block, number, i);
            });
        }
    }

  private:
    BlockOutput<Op> output_;
    GroupSpan groups_;
    StepSpan steps_;
};

}  // namespace kokkos_detail
}  // namespace tandem
