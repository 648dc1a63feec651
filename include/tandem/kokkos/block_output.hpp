#pragma once

/// The elements of one block of the stream, from its words to the output: what the device kernels share.

#include "tandem/kokkos/job.hpp"
#include "tandem/kokkos/ops.hpp"

namespace tandem {
namespace kokkos_detail {

/// Draw number i of a block.
template <class Op>
TANDEM_FN typename Op::Raw raw_in_block(const Block& block, uint32_t i) {
    using Raw = typename Op::Raw;
    if constexpr (Op::WIDTH == 128) {
        return Raw{static_cast<uint64_t>(block.w[1]) << 32 | block.w[0], static_cast<uint64_t>(block.w[3]) << 32 | block.w[2]};
    } else if constexpr (Op::WIDTH == 64) {
        return static_cast<Raw>(static_cast<uint64_t>(block.w[2 * i + 1]) << 32 | block.w[2 * i]);
    } else if constexpr (Op::WIDTH == 32) {
        return static_cast<Raw>(block.w[i]);
    } else {
        const uint32_t bit = i * Op::WIDTH;
        return static_cast<Raw>((block.w[bit >> 5] >> (bit & 31)) & ((1u << Op::WIDTH) - 1));
    }
}

/// Writes a job's elements block by block. Blocks may come in any order, from any threads.
template <class Op>
class BlockOutput {
  public:
    using Out = typename Op::Out;
    static constexpr uint32_t PER_BLOCK = 128 / Op::WIDTH;

    /// Elements that are stored together, 16 bytes where a block gives as many.
    static constexpr uint32_t TOGETHER = PER_BLOCK * sizeof(Out) < 16 ? PER_BLOCK : 16 / sizeof(Out);

    BlockOutput(const Op& op, const Job<Out>& job) : op_(op), job_(job), shift_(Op::PAIRS ? job.first & 1 : 0) {
        const auto start =
            reinterpret_cast<std::uintptr_t>(job.out) - static_cast<std::uintptr_t>(job.first - shift_) * sizeof(Out);
        aligned_ = start % sizeof(Store) == 0;
    }

    TANDEM_FN const Job<Out>& job() const { return job_; }

    /// True when pairs straddle words 3 and 4: put() is then given words 1 to 3 of its block and the first word of the next.
    TANDEM_FN bool shifted() const { return shift_ != 0; }

    /// Whether any element is that of a block.
    TANDEM_FN bool reaches(uint64_t number) const {
        return number * PER_BLOCK + shift_ - job_.first + (PER_BLOCK - 1) < job_.draws + (PER_BLOCK - 1);
    }

    /// Writes the elements of the block numbered `number` (position / 128). `miss(i)` is called for each of its draws that
    /// belongs to the job and must be finished by finish().
    template <class Miss>
    TANDEM_FN void put(const Block& block, uint64_t number, const Miss& miss) const {
        const uint64_t element = number * PER_BLOCK + shift_ - job_.first;  // of the block's first draw; wraps before the first
        const bool whole = element < job_.draws && job_.draws - element >= PER_BLOCK;
        TANDEM_UNROLL
        for (uint32_t i = 0; i < PER_BLOCK; i += TOGETHER) {
            Store values;
            uint32_t missed = 0;
            map(block, i, values, missed);
            if (whole && aligned_) {
                *reinterpret_cast<Store*>(job_.out + (element + i)) = values;
            } else {
                TANDEM_UNROLL
                for (uint32_t j = 0; j < TOGETHER; ++j) {
                    if (whole || element + i + j < job_.draws) job_.out[element + i + j] = values.v[j];
                }
            }
            if constexpr (Op::MISSES) {
                for (uint32_t j = 0; missed != 0; ++j, missed >>= 1) {
                    if ((missed & 1) != 0 && element + i + j < job_.draws) miss(i + j);
                }
            }
        }
    }

    /// Writes the element of draw i of a block, which put() left to it.
    TANDEM_FN void finish(const Block& block, uint64_t number, uint32_t i) const {
        const uint64_t draw = number * PER_BLOCK + i;
        job_.out[draw - job_.first] = op_.finish(raw_in_block<Op>(block, i), draw);
    }

  private:
    struct alignas(TOGETHER * sizeof(Out)) Store {
        Out v[TOGETHER];
    };

    TANDEM_FN void map(const Block& block, uint32_t i, Store& values, uint32_t& missed) const {
        if constexpr (Op::PAIRS) {
            op_.pair(block.w[0], block.w[1], values.v[0], values.v[1]);
            op_.pair(block.w[2], block.w[3], values.v[2], values.v[3]);
        } else {
            TANDEM_UNROLL
            for (uint32_t j = 0; j < TOGETHER; ++j) {
                const bool hit = op_.fast(raw_in_block<Op>(block, i + j), values.v[j]);
                missed |= static_cast<uint32_t>(!hit) << j;
            }
        }
    }

    Op op_;
    Job<Out> job_;
    uint64_t shift_;  // draws that the elements of a block begin behind its first
    bool aligned_;
};

/// Words 1 to 3 of a block and the first of the next.
TANDEM_FN Block shifted_block(const Block& block, uint32_t next) { return Block{{block.w[1], block.w[2], block.w[3], next}}; }

/// The first word of the block numbered `number`, from the beginning of its chunk.
TANDEM_FN uint32_t first_word(const Key& key, uint64_t number, uint32_t log2_k) {
    const BlockPlace place = place_of_block(number, log2_k);
    return block(key, place.chunk, place.step).w[0];
}

}  // namespace kokkos_detail
}  // namespace tandem
