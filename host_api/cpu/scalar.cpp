#include "host_api/cpu/scalar_maps.hpp"
#include "host_api/cpu/walk.hpp"
#include "tandem/core/row.hpp"

namespace tandem::cpu {
namespace {

/// The rows of a job's stream, from the row of a piece on.
class ScalarRows final : public RowSource {
  public:
    ScalarRows(const Job& job, const Piece& piece) : key_(job.fill->key), k_(job.fill->chunk_length) {
        const uint64_t row = (piece.first * job.width) >> 10;
        group_ = row >> job.log2_k;
        row_.seed(key_, group_);
        const uint32_t skipped = static_cast<uint32_t>(row) & (k_ - 1);
        for (step_ = 0; step_ < skipped; ++step_) row_.step();
    }

    void rows(uint8_t* out, uint64_t n) override {
        for (uint64_t i = 0; i < n; ++i) {
            if (step_ == k_) {
                row_.seed(key_, ++group_);
                step_ = 0;
            }
            row_.step();
            ++step_;
            row_.store(reinterpret_cast<Block*>(out + i * ROW_BYTES));
        }
    }

  private:
    Row row_;
    Key key_;
    uint64_t group_;
    uint32_t k_;
    uint32_t step_;
};

}  // namespace

void map_scalar(const Job& job, const Piece& piece, RowSource& source) {
    with_scalar_map(job, [&](const auto& map) { walk(job, piece, source, map); });
}

void run_scalar(const Job& job, const Piece& piece) {
    ScalarRows source(job, piece);
    map_scalar(job, piece, source);
}

}  // namespace tandem::cpu
