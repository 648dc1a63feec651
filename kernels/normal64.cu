// Normals and log-normals of double precision: the ziggurat's table pass, and what it misses.

#include <cuda_pipeline.h>

#include <cmath>
#include <type_traits>

#include "kernels/families.hpp"
#include "kernels/launch.cuh"
#include "kernels/op.cuh"
#include "tandem/core/exp.hpp"
#include "tandem/core/normal.hpp"

namespace tandem::kernels {
namespace {

// What the table pass reads, as it lies in shared memory.
struct alignas(16) FastTable {
    double w[ZIGGURAT_LAYERS];  // times 2^1074
    uint32_t kx_high[ZIGGURAT_LAYERS];
};

// And what the rounds after a miss read besides.
struct alignas(16) RoundTable {
    FastTable fast;
    double y[ZIGGURAT_LAYERS + 1];
};

constexpr RoundTable make_round_table() {
    RoundTable t{};
    for (int i = 0; i < ZIGGURAT_LAYERS; ++i) {
        t.fast.w[i] = ZIGGURAT_HOST.w[i] * 0x1p+1000 * 0x1p+74;
        t.fast.kx_high[i] = static_cast<uint32_t>(ZIGGURAT_HOST.kx[i] >> 21);
    }
    for (int i = 0; i <= ZIGGURAT_LAYERS; ++i) t.y[i] = ZIGGURAT_HOST.y[i];
    return t;
}

alignas(128) __device__ const RoundTable ROUND_TABLE = make_round_table();

// Begins to copy the first bytes of the table to shared memory.
template <std::size_t kBytes>
__device__ void copy_table(uint32_t thread, uint32_t threads) {
    static_assert(kBytes % 16 == 0, "copied by 16 bytes");
#pragma unroll 8
    for (uint32_t i = thread * 16; i < kBytes; i += threads * 16) {
        __pipeline_memcpy_async(block_memory() + i, reinterpret_cast<const char*>(&ROUND_TABLE) + i, 16);
    }
    __pipeline_commit();
}

// Out of line and with its arguments by value: the rare path must not take registers from the common one.
__device__ __noinline__ double normal_in_full(uint64_t raw, Key sub, uint32_t chunk_length, uint64_t g) {
    return normal_f64(raw, ziggurat_tables(), sub, chunk_length, g);
}

// The same for short fills, of which nearly all elements end in the first round: a round reads one block of the element's
// generator, a number and the next round's draw, or two numbers for the tail. kByTwo: a pair of lanes takes two rounds at once,
// of those that normal_f64_rest takes one after another, and both return the normal.
template <bool kByTwo>
__device__ __forceinline__ double normal_soon(uint64_t raw, const RoundTable& t, const Key& sub, uint32_t chunk_length,
                                              uint64_t g) {
    const uint32_t round = kByTwo ? threadIdx.x % 2 : 0;
    [[maybe_unused]] const uint32_t pair = 3u << (threadIdx.x % WARP - round);
    State both = F_input(sub, g >> 1, DOMAIN_SPLIT, 0);
    F_compact(both);
    const Key own = (g & 1) != 0 ? hidden_half(both) : exposed_half(both);
    ChunkState s = walk_start_compact(own, round);  // at every chunk length the first blocks begin chunks
    T(s);

    const ZigguratSplit first = ziggurat_split(raw), again = ziggurat_split(draw64(s.o, 1));
    ZigguratSplit split = first;
    if constexpr (kByTwo) {
        const uint64_t before = __shfl_up_sync(pair, draw64(s.o, 1), 1);
        if (round != 0 && first.layer != 0) split = ziggurat_split(before);
    }
    const uint32_t bound = t.fast.kx_high[split.layer], next_bound = t.fast.kx_high[again.layer];
    double x;
    bool found;
    if (split.layer == 0) {
        found = ziggurat_tail_round(draw64(s.o, 0), draw64(s.o, 1), x);
        x = bit_cast<double>(bit_cast<uint64_t>(x) | split.sign);
    } else {
        x = ziggurat_value_shifted(split, t.fast.w[split.layer]);
        const double bottom = t.y[split.layer], next_x = ziggurat_value_shifted(again, t.fast.w[again.layer]);
        const double u = ieee::mul(static_cast<double>(static_cast<int64_t>(draw64(s.o, 0) >> 11)), 0x1p-53);
        const double y = ieee::add(bottom, ieee::mul(u, ieee::sub(t.y[split.layer + 1], bottom)));
        found = ziggurat_below(x, y);
        if (!found && ziggurat_sure_hit(again, next_bound)) {
            found = true;
            x = next_x;
        }
    }
    // Draws so close to a bound that they may be hits, one in 2^32, are left to those who know all of it.
    const bool close =
        static_cast<uint32_t>(split.magnitude >> 21) == bound || static_cast<uint32_t>(again.magnitude >> 21) == next_bound;
    if constexpr (kByTwo) {
        const double other = __shfl_xor_sync(pair, x, 1);
        const uint32_t mine = close ? 2 : found ? 1 : 0, others = __shfl_xor_sync(pair, mine, 1);
        const uint32_t earlier = round == 0 ? mine : others, later = round == 0 ? others : mine;
        if (earlier > 1 || (earlier == 0 && later != 1)) return normal_in_full(raw, sub, chunk_length, g);
        return (earlier == 1) == (round == 0) ? x : other;
    } else {
        return found && !close ? x : normal_in_full(raw, sub, chunk_length, g);
    }
}

// The table in shared memory, or where it lies.
template <bool kCopied>
__device__ __forceinline__ const RoundTable& round_table() {
    if constexpr (kCopied) return *reinterpret_cast<const RoundTable*>(block_memory());
    return ROUND_TABLE;
}

template <Form kForm>
struct Normal64Op : OpBase {
    static constexpr int WIDTH = 64;
    static constexpr bool MISSES = true;
    static constexpr bool LISTED = true;
    static constexpr bool UNIT_MASK = true;
    static constexpr bool SMALL_TABLE = true;
    static constexpr uint32_t SHORT = is_log(kForm) ? 4 : 2;
    static constexpr std::size_t TABLE_BYTES = sizeof(FastTable), SMALL_TABLE_BYTES = sizeof(RoundTable);
    using Element = double;

    double mean, stddev;
    bool in_range;  // of exp64_tame, for every normal: their size is below 16
    Key sub;
    uint64_t first_draw;
    uint32_t chunk_length;

    explicit Normal64Op(const Fill& fill)
        : mean(fill.mean),
          stddev(fill.stddev),
          in_range(std::fabs(fill.mean) + 16 * fill.stddev < EXP64_TAME),
          sub(sub_key(fill.key, PURPOSE_NORMAL64)),
          first_draw(0),
          chunk_length(fill.chunk_length) {}

    __device__ void prepare(const FillArgs& args, const Key& key) {
        if (args.device_key != nullptr) sub = sub_key(key, PURPOSE_NORMAL64);
        first_draw = args.first_draw;
    }

    __device__ void load_table() const {
        copy_table<sizeof(FastTable)>(threadIdx.x, blockDim.x);
        __pipeline_wait_prior(0);
        __syncthreads();
    }

    __device__ void begin_table(uint32_t thread, uint32_t threads) const { copy_table<sizeof(RoundTable)>(thread, threads); }

    __device__ uint32_t unit(const uint32_t (&raw)[4], uint4& value) const {
        double values[2];
        const uint32_t missed = both(raw, *reinterpret_cast<const FastTable*>(block_memory()), values);
        value = packed(values[0], values[1]);
        return missed;
    }

    __device__ uint32_t missed(const uint32_t (&raw)[4]) const {
        uint4 unused;
        return unit(raw, unused);
    }

    __device__ double slow(uint64_t raw, int64_t i) const {
        const double x = parametrised(normal_in_full(raw, sub, chunk_length, first_draw + static_cast<uint64_t>(i)));
        return is_log(kForm) ? exp64(x) : x;
    }

    template <bool kCopied>
    __device__ uint32_t small_values(const uint32_t (&raw)[4], double (&values)[2]) const {
        return both(raw, round_table<kCopied>().fast, values);
    }

    template <bool kCopied, bool kByTwo>
    __device__ double slow_small(uint64_t raw, int64_t i) const {
        const uint64_t g = first_draw + static_cast<uint64_t>(i);
        const double x = parametrised(normal_soon<kByTwo>(raw, round_table<kCopied>(), sub, chunk_length, g));
        return is_log(kForm) ? exp64(x) : x;
    }

    __device__ bool attempt(uint64_t raw, int64_t i, uint32_t, double& value) const {
        value = slow(raw, i);
        return true;
    }

  private:
    // The elements of a block as the table gives them, and bit i set for each that missed.
    __device__ uint32_t both(const uint32_t (&raw)[4], const FastTable& t, double (&values)[2]) const {
        const ZigguratSplit a = ziggurat_split(draw64(raw, 0)), b = ziggurat_split(draw64(raw, 1));
        const uint32_t missed =
            (ziggurat_sure_hit(a, t.kx_high[a.layer]) ? 0u : 1u) | (ziggurat_sure_hit(b, t.kx_high[b.layer]) ? 0u : 2u);
        const double x = parametrised(ziggurat_value_shifted(a, t.w[a.layer]));
        const double y = parametrised(ziggurat_value_shifted(b, t.w[b.layer]));
        if constexpr (!is_log(kForm)) {
            values[0] = x;
            values[1] = y;
        } else if (!has_parameters(kForm) || in_range || (exp64_is_tame(x) && exp64_is_tame(y))) {
            const double both[2] = {x, y};
            ExpParts<double> parts[2];
            exp_parts(both, parts);
            values[0] = exp64_tame(parts[0]);
            values[1] = exp64_tame(parts[1]);
        } else {
            values[0] = exp64(x);
            values[1] = exp64(y);
        }
        return missed;
    }

    __device__ double parametrised(double z) const { return has_parameters(kForm) ? ieee::fma(z, stddev, mean) : z; }
};

template <Form kForm>
using PolicyOf = std::conditional_t<is_log(kForm), LogNormal64Policy, ZigguratPolicy>;

template <Form kForm>
cudaError_t launch_form(const Fill& fill, const LaunchOptions& options) {
    return launch_derived<Normal64Op<kForm>, PolicyOf<kForm>>(fill, options, fill.n, Normal64Op<kForm>(fill));
}

}  // namespace

std::size_t normal64_scratch(const Fill& fill, Path path, const Architecture& architecture) {
    return direct_scratch<Normal64Op<Form::standard>, ZigguratPolicy>(fill, path, architecture);
}

cudaError_t launch_normal64(const Fill& fill, const LaunchOptions& options) {
    const bool standard = fill.mean == 0.0 && fill.stddev == 1.0;
    if (fill.draw == Draw::lognormal64) {
        return standard ? launch_form<Form::log_standard>(fill, options) : launch_form<Form::log>(fill, options);
    }
    if (standard) return launch_form<Form::standard>(fill, options);
    return launch_form<Form::scaled>(fill, options);
}

}  // namespace tandem::kernels
