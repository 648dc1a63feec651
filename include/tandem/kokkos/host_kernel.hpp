#pragma once

/// The kernel of host spaces: a work item fills a run of whole groups, stepping the eight chunks of each together.

#include "tandem/kokkos/host_maps.hpp"
#include "tandem/kokkos/host_vector_maps.hpp"

namespace tandem {
namespace kokkos_detail {

/// For Kokkos::parallel_for over the items 0 to items() - 1. The values do not depend on their number.
template <class Op>
class HostKernel {
  public:
    using Out = typename Op::Out;

    /// `most` is the number of items wanted; a job of few groups has fewer.
    HostKernel(const Op& op, const Job<Out>& job, uint64_t most) : op_(op), job_(job), groups_(groups_of<Op>(job)) {
        constexpr uint64_t item_bytes = 16384;  // repay the start of a thread
        const uint64_t useful = job.draws / (item_bytes / sizeof(Out)) + 1;
        items_ = most < useful ? most : useful;
        items_ = items_ < groups_.count ? items_ : groups_.count;
        items_ = items_ == 0 ? 1 : items_;
        streamed_ = job.draws >= STREAMED_BYTES / sizeof(Out);
    }

    uint64_t items() const { return items_; }

    void operator()(uint64_t item) const {
        const uint64_t begin = cut(item), end = cut(item + 1);
        if (begin >= end) return;
        const Piece<Out> piece{job_.first + begin, end - begin, job_.out + begin};
        HostRows source(job_.key, job_.log2_k, (piece.first * Op::WIDTH) >> 10);
        fill_piece(op_, piece, source, streamed_);
    }

  private:
    /// The element at which an item begins: that of the first draw of a group, which costs no steps to reach, or the next one
    /// where that would part a pair.
    uint64_t cut(uint64_t item) const {
        if (item == 0) return 0;
        if (item >= items_) return job_.draws;
        const uint64_t group = groups_.first + groups_.count / items_ * item + groups_.count % items_ * item / items_;
        const uint64_t draw = ((group << job_.log2_k) * ROW_BITS) / Op::WIDTH;
        uint64_t element = draw <= job_.first ? 0 : draw - job_.first;
        if (Op::PAIRS) element += element & 1;
        return element < job_.draws ? element : job_.draws;
    }

    Op op_;
    Job<Out> job_;
    GroupSpan groups_;
    uint64_t items_;
    bool streamed_;
};

}  // namespace kokkos_detail
}  // namespace tandem
