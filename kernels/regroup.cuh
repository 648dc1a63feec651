#pragma once

/// Stores of blocks of the stream where the output disagrees with it by 8 or 16 bytes.

#include "kernels/fill_args.hpp"
#include "tandem/core/stream.hpp"

namespace tandem::kernels {

/// a or b by their words: choosing between the objects would put them into local memory.
__device__ __forceinline__ uint4 select(bool first, const uint4& a, const uint4& b) {
    return make_uint4(first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z, first ? a.w : b.w);
}

/// Stores a thread's blocks where they lie within 128 bytes otherwise than in the stream, so that each store of the warp still
/// covers whole lines: threads that lie beyond the end of their row's first line store one row late, and a row off by 8 bytes
/// takes its other half from the next thread.
class Regroup {
  public:
    /// `block` is the address of the thread's block of row 0, `place` the thread's place in the row.
    __device__ __forceinline__ Regroup(char* block, uint32_t place)
        : place_(place), off_(reinterpret_cast<uintptr_t>(block) % 16 != 0), block_(block), previous_{}, pending_{} {
        const uintptr_t unit = (reinterpret_cast<uintptr_t>(block) - place * 16 + 8) / 16;
        late_ = place + static_cast<uint32_t>(unit % LANES) >= LANES;
        to_ = block + (off_ ? 8 : 0) - (late_ ? 256 : 128);
    }

    /// The block of the first row; every thread of the warp calls this, then next for each other row, then finish.
    __device__ __forceinline__ void begin(const uint4& value) {
        if (off_ && place_ == 0) *reinterpret_cast<uint2*>(block_) = make_uint2(value.x, value.y);
        previous_ = value;
        to_ += 128;
        block_ += 128;
    }

    __device__ __forceinline__ void next(const uint4& value, bool second) {
        const uint4 unit = complete(select(place_ == 0, value, previous_));
        store(unit, !(second && late_));
        previous_ = value;
    }

    __device__ __forceinline__ void finish(bool only) {
        const uint4 unit = complete(previous_);
        const bool half = off_ && place_ == LANES - 1;
        if (!half) {
            store(unit, !(only && late_));
            if (late_) *reinterpret_cast<uint4*>(to_) = unit;
            return;
        }
        if (late_ && !only) *reinterpret_cast<uint4*>(to_) = pending_;
        *reinterpret_cast<uint2*>(block_ - 120) = make_uint2(previous_.z, previous_.w);
    }

  private:
    /// The unit of the last row, given what the thread before this one needs from here.
    __device__ __forceinline__ uint4 complete(const uint4& from) const {
        if (!off_) return previous_;
        const int next = static_cast<int>((place_ + 1) % LANES);
        const uint32_t x = __shfl_sync(~0u, from.x, next, LANES), y = __shfl_sync(~0u, from.y, next, LANES);
        return make_uint4(previous_.z, previous_.w, x, y);
    }

    __device__ __forceinline__ void store(const uint4& unit, bool now) {
        const uint4 chosen = select(late_, pending_, unit);
        if (now) *reinterpret_cast<uint4*>(to_) = chosen;
        pending_ = unit;
        to_ += 128;
        block_ += 128;
    }

    uint32_t place_;
    bool off_, late_;
    char* block_;
    char* to_;
    uint4 previous_, pending_;
};

}  // namespace tandem::kernels
