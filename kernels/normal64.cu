// Normals and log-normals of double precision: the ziggurat's table pass, misses finished by their warp.

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

constexpr FastTable fast_table() {
    FastTable t{};
    for (int i = 0; i < ZIGGURAT_LAYERS; ++i) {
        t.w[i] = ZIGGURAT_HOST.w[i] * 0x1p+1000 * 0x1p+74;
        t.kx_high[i] = static_cast<uint32_t>(ZIGGURAT_HOST.kx[i] >> 21);
    }
    return t;
}

alignas(128) __device__ const FastTable FAST_TABLE = fast_table();

// Out of line and with its arguments by value: the rare path must not take registers from the common one.
__device__ __noinline__ double normal_in_full(uint64_t raw, Key sub, uint32_t chunk_length, uint64_t g) {
    return normal_f64(raw, ziggurat_tables(), sub, chunk_length, g);
}

// The same where the key and the first block of the element's generator are known, and its draw is no hit.
__device__ __noinline__ double normal_in_full_from(uint64_t raw, Key own, Block first, uint32_t chunk_length) {
    FallbackStream next(own, first, chunk_length);
    return normal_f64_rest(raw, ziggurat_tables(), next);
}

// A load that stays where it is written: the compiler would move it to its use, behind the seedings.
__device__ __forceinline__ double load_now(const double* from) {
    double x;
    asm volatile("ld.global.nc.f64 %0, [%1];" : "=d"(x) : "l"(from));
    return x;
}
__device__ __forceinline__ uint64_t load_now(const uint64_t* from) {
    unsigned long long x;
    asm volatile("ld.global.nc.u64 %0, [%1];" : "=l"(x) : "l"(from));
    return x;
}

// The same sooner, where nothing else hides the wait for the tables: what the first round needs of them is on its way while the
// element's generator is seeded. Most elements end in that round.
__device__ __noinline__ double normal_in_full_soon(uint64_t raw, Key sub, uint32_t chunk_length, uint64_t g) {
    const ZigguratTables t = ziggurat_tables();
    const ZigguratSplit split = ziggurat_split(raw);
    const double w = load_now(t.w + split.layer), bottom = load_now(t.y + split.layer), top = load_now(t.y + split.layer + 1);
    const uint64_t kx = load_now(t.kx + split.layer);

    State both = F_input(sub, g >> 1, DOMAIN_SPLIT, 0);
    F_compact(both);
    const Key own = (g & 1) != 0 ? hidden_half(both) : exposed_half(both);
    ChunkState s = walk_start_compact(own, 0);
    T(s);
    const ZigguratSplit again = ziggurat_split(draw64(s.o, 1));
    const double again_w = load_now(t.w + again.layer);
    const uint64_t again_kx = load_now(t.kx + again.layer);

    const double x = ziggurat_value(split, w);
    if (ziggurat_hit(split, kx)) return x;
    if (split.layer == 0) {
        double tail;
        if (ziggurat_tail_round(draw64(s.o, 0), draw64(s.o, 1), tail)) {
            return bit_cast<double>(bit_cast<uint64_t>(tail) | split.sign);
        }
    } else {
        const double u = ieee::mul(static_cast<double>(static_cast<int64_t>(draw64(s.o, 0) >> 11)), 0x1p-53);
        const double y = ieee::add(bottom, ieee::mul(u, ieee::sub(top, bottom)));
        if (L64(y) > ieee::mul(x, x)) return x;
        if (ziggurat_hit(again, again_kx)) return ziggurat_value(again, again_w);
    }
    return normal_in_full_from(raw, own, Block{{s.o[0], s.o[1], s.o[2], s.o[3]}}, chunk_length);
}

template <Form kForm>
struct Normal64Op : OpBase {
    static constexpr int WIDTH = 64;
    static constexpr bool MISSES = true;
    static constexpr bool LISTED = true;
    static constexpr bool UNIT_MASK = true;
    static constexpr bool QUICK = true;
    static constexpr uint32_t SHORT = is_log(kForm) ? 4 : 2;
    static constexpr std::size_t TABLE_BYTES = sizeof(FastTable);
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
        char* const table = block_memory();
        for (unsigned i = threadIdx.x * 16; i < sizeof(FastTable); i += blockDim.x * 16) {
            __pipeline_memcpy_async(table + i, reinterpret_cast<const char*>(&FAST_TABLE) + i, 16);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
    }

    __device__ uint32_t unit(const uint32_t (&raw)[4], uint4& value) const {
        double values[2];
        const uint32_t missed = both(raw, *reinterpret_cast<const FastTable*>(block_memory()), values);
        value = packed(values[0], values[1]);
        return missed;
    }

    // Lines of the table that a load brings into the first cache while the stream is stepped.
    __device__ void begin_quick() const {
        const char* const table = reinterpret_cast<const char*>(&FAST_TABLE);
        for (unsigned i = threadIdx.x; i < sizeof(FastTable) / 128; i += blockDim.x) {
            load_now(reinterpret_cast<const uint64_t*>(table + 128 * i));
        }
    }

    __device__ uint32_t quick(const uint32_t (&raw)[4], double (&values)[2]) const { return both(raw, FAST_TABLE, values); }

    __device__ uint32_t missed(const uint32_t (&raw)[4]) const {
        uint4 unused;
        return unit(raw, unused);
    }

    __device__ double slow(uint64_t raw, int64_t i) const {
        const double x = parametrised(normal_in_full(raw, sub, chunk_length, first_draw + static_cast<uint64_t>(i)));
        return is_log(kForm) ? exp64(x) : x;
    }

    __device__ double slow_soon(uint64_t raw, int64_t i) const {
        const double x = parametrised(normal_in_full_soon(raw, sub, chunk_length, first_draw + static_cast<uint64_t>(i)));
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
            values[0] = exp64_tame(x);
            values[1] = exp64_tame(y);
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
