#pragma once

/// The outputs of fills computed one element at a time, straight from the contract. Slow and plain: what every backend is held
/// against. Of the library it uses the step, the seeding function and the ziggurat tables (each checked against published
/// values).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tandem/core/fill.hpp"

namespace tandem::test {

/// The raw bits of a stream anywhere.
class ReferenceStream {
  public:
    ReferenceStream(const Key& key, uint32_t chunk_length) : key_(key), k_(chunk_length) {}

    /// The `width` bits at `position`, a multiple of `width`.
    U128 raw(uint64_t position, uint32_t width);

  private:
    Block block_at(uint64_t chunk, uint32_t step);

    /// A chunk that was read before goes on from its last block: long chunks would cost thousands of steps a block otherwise.
    struct Walker {
        uint64_t chunk = 0;
        uint32_t taken = 0;  ///< steps; the state shows block taken - 1
        State state{};
    };
    Key key_;
    uint32_t k_;
    Walker lanes_[8];
};

/// What happened inside a fill.
struct ReferenceNotes {
    uint64_t rejected = 0;         ///< bounded: elements whose first draw was rejected
    std::vector<uint64_t> missed;  ///< f64 normals: elements that left the fast path
};

/// The output of a fill; `fill.out` is not read. n and the parameters must be legal.
std::vector<uint8_t> reference_fill(const Fill& fill, ReferenceNotes* notes = nullptr);

/// Bytes of an element of a fill: both components of a complex number.
std::size_t element_size(const Fill& fill);

/// The alignment that `out` needs: that of a component for complex numbers.
std::size_t element_alignment(const Fill& fill);

}  // namespace tandem::test
