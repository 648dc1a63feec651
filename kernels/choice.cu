// Weighted choice and the discrete laws: one draw, one column of an alias table.

#include <cuda_pipeline.h>

#include "kernels/families.hpp"
#include "kernels/launch.cuh"
#include "kernels/op.cuh"
#include "tandem/core/choice.hpp"

namespace tandem::kernels {
namespace {

// Tables beyond shared memory are read through the read-only cache.
struct ChoiceOp : OpBase {
    static constexpr int WIDTH = 64;
    using Element = uint32_t;
    ChoiceView view;
    explicit ChoiceOp(const ChoiceView& v) : view(v) {}
    __device__ uint32_t slow(uint64_t raw, int64_t) const { return choice_of(view, raw); }
    __device__ bool unit(const uint32_t (&raw)[8], uint4& value) const {
        value = make_uint4(slow(draw64(raw, 0), 0), slow(draw64(raw, 1), 0), slow(draw64(raw, 2), 0), slow(draw64(raw, 3), 0));
        return false;
    }
};

// A column in 8 bytes of shared memory: the high half of its cut and its alias. The draw's place in the column, compared by its
// high half too, decides unless the halves are within 2 of each other; then the whole cut does.
template <int kEntries>
struct SmallChoiceOp : OpBase {
    static constexpr int WIDTH = 64;
    static constexpr bool HALVED = true;
    static constexpr int BATCH = 1;
    static constexpr std::size_t TABLE_BYTES = kEntries * sizeof(uint2);
    static constexpr bool SMALL_TABLE = true;
    static constexpr std::size_t SMALL_TABLE_BYTES = kEntries * (sizeof(uint64_t) + sizeof(uint32_t));
    using Element = uint32_t;
    ChoiceView view;
    explicit SmallChoiceOp(const ChoiceView& v) : view(v) {}

    __device__ void load_table() const {
        uint2* const to = reinterpret_cast<uint2*>(block_memory());
#pragma unroll 4
        for (uint32_t j = threadIdx.x; j < view.m; j += blockDim.x) {
            to[j] = make_uint2(static_cast<uint32_t>(__ldg(view.cut + j) >> 32), __ldg(view.alias + j));
        }
        __syncthreads();
    }

    // The whole table, as it is: by two columns at once where it lies so, since each copy takes its turn.
    __device__ void begin_table(uint32_t thread, uint32_t threads) const {
        uint64_t* const cut = reinterpret_cast<uint64_t*>(block_memory());
        uint32_t* const alias = reinterpret_cast<uint32_t*>(cut + kEntries);
        const bool by_two = reinterpret_cast<uintptr_t>(view.cut) % 16 == 0 && reinterpret_cast<uintptr_t>(view.alias) % 8 == 0;
        const uint32_t in_twos = by_two ? view.m & ~1u : 0;
#pragma unroll 8
        for (uint32_t j = 2 * thread; j < in_twos; j += 2 * threads) {
            __pipeline_memcpy_async(cut + j, view.cut + j, 2 * sizeof(*cut));
            __pipeline_memcpy_async(alias + j, view.alias + j, 2 * sizeof(*alias));
        }
        for (uint32_t j = in_twos + thread; j < view.m; j += threads) {
            __pipeline_memcpy_async(cut + j, view.cut + j, sizeof(*cut));
            __pipeline_memcpy_async(alias + j, view.alias + j, sizeof(*alias));
        }
        __pipeline_commit();
    }

    template <bool kCopied>
    __device__ uint32_t small_values(const uint32_t (&raw)[4], uint32_t (&values)[2]) const {
        static_assert(kCopied, "where the table lies, slow() looks it up");
        const uint64_t* const cut = reinterpret_cast<const uint64_t*>(block_memory());
        const uint32_t* const alias = reinterpret_cast<const uint32_t*>(cut + kEntries);
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const ChoiceColumn c = choice_column(view, draw64(raw, i));
            values[i] = view.low + (c.level < cut[c.index] ? c.index : alias[c.index]);
        }
        return 0;
    }

    __device__ uint32_t slow(uint64_t raw, int64_t) const { return choice_of(view, raw); }

    // The table's answer; `close` is set where it is none.
    __device__ uint32_t pick(uint32_t raw_low, uint32_t raw_high, bool& close) const {
        const uint64_t low = static_cast<uint64_t>(raw_low) * view.m;
        const uint64_t high = static_cast<uint64_t>(raw_high) * view.m + (low >> 32);  // draw * m / 2^32
        const uint32_t j = static_cast<uint32_t>(high >> 32);
        const uint32_t place = __umulhi(static_cast<uint32_t>(high), static_cast<uint32_t>(view.capacity >> 32));
        const uint2 column = reinterpret_cast<const uint2*>(block_memory())[j];
        close |= place + 2u - column.x <= 2u;  // the exact place is at least this and less than 3 more, in units of 2^32
        return view.low + (place < column.x ? j : column.y);
    }

    __device__ uint2 pair(const uint32_t (&raw)[4]) const {
        bool close = false;
        uint2 value = make_uint2(pick(raw[0], raw[1], close), pick(raw[2], raw[3], close));
        if (close) value = make_uint2(slow(draw64(raw, 0), 0), slow(draw64(raw, 1), 0));
        return value;
    }

    __device__ bool unit(const uint32_t (&raw)[8], uint4& value) const {
        const uint32_t first[4] = {raw[0], raw[1], raw[2], raw[3]}, second[4] = {raw[4], raw[5], raw[6], raw[7]};
        const uint2 a = pair(first), b = pair(second);
        value = make_uint4(a.x, a.y, b.x, b.y);
        return false;
    }
};

template <int kEntries>
cudaError_t launch_small(const Fill& fill, const LaunchOptions& options) {
    return launch_derived<SmallChoiceOp<kEntries>, ChoicePolicy>(fill, options, fill.n, SmallChoiceOp<kEntries>(fill.choice));
}

}  // namespace

cudaError_t launch_choice(const Fill& fill, const LaunchOptions& options) {
    if (fill.choice.m <= 1024) return launch_small<1024>(fill, options);
    if (fill.choice.m <= 3072) return launch_small<3072>(fill, options);
    return launch_fill<ChoiceOp, DerivedPolicy>(fill, options, fill.n, ChoiceOp(fill.choice));
}

}  // namespace tandem::kernels
