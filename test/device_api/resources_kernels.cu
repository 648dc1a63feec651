// Every draw in a loop of each generator, and the fused algorithms: compiled by resources_check.py, which reads what they use.

#include "tandem/algorithm.cuh"
#include "tandem/device.cuh"

using namespace tandem;

namespace {

template <class G, class Draw>
__device__ void sum_of(const Key& key, Draw draw, int n, double* out) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    G rng = [&] {
        if constexpr (std::is_same<G, ChunkRng>::value) {
            return ChunkRng(key, i);
        } else {
            return G(key, i * 77ull, 32);
        }
    }();
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += draw(rng);
    out[i] = sum;
}

}  // namespace

#define KERNELS(name, expression)                                                     \
    __global__ void rng_##name(Key key, ChoiceView table, int n, double* out) {       \
        sum_of<Rng>(                                                                  \
            key, [&](auto& rng) { return static_cast<double>(expression); }, n, out); \
    }                                                                                 \
    __global__ void row_##name(Key key, ChoiceView table, int n, double* out) {       \
        sum_of<RowRng>(                                                               \
            key, [&](auto& rng) { return static_cast<double>(expression); }, n, out); \
    }                                                                                 \
    __global__ void chunk_##name(Key key, ChoiceView table, int n, double* out) {     \
        sum_of<ChunkRng>(                                                             \
            key, [&](auto& rng) { return static_cast<double>(expression); }, n, out); \
    }

template <class G>
__device__ double batch(G& rng) {
    double z[16];
    rng.normals(z);
    double sum = 0;
#pragma unroll
    for (int i = 0; i < 16; ++i) sum += z[i];
    return sum;
}

template <class G>
__device__ double pair(G& rng, NormalMode mode) {
    const Pair<float> z = rng.normalf2(mode);
    return z.x + z.y;
}

KERNELS(words, rng.urand())
KERNELS(mixed, (rng.bit() ? 1 : 0) + rng.f16_bits() + rng.frand() + rng.drand() + static_cast<double>(rng.next_128().hi))
KERNELS(below, static_cast<double>(rng.urand(12345u)) + static_cast<double>(rng.urand64(1ull << 40 | 1)))
KERNELS(normal, rng.normal(1.0, 2.0))
KERNELS(normals, batch(rng))
KERNELS(normalf, pair(rng, NormalMode::exact) + pair(rng, NormalMode::fast))
KERNELS(exponential, rng.exponential(2.0) + rng.exponentialf())
KERNELS(lognormal, rng.lognormal() + rng.lognormalf(0.5f, 0.5f))
KERNELS(choice, rng.choice(table))

__global__ void ported(float* out) {
    tandemState_t state;
    tandem_init(1234, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
    const float4 u = tandem_uniform4(&state);
    const float2 z = tandem_normal2(&state);
    skipahead(100, &state);
    out[threadIdx.x] = u.x + u.y + u.z + u.w + z.x + z.y + tandem_uniform(&state) + static_cast<float>(tandem::tandem(&state));
}

namespace {

struct Plus {
    template <class V>
    __device__ V operator()(V a, V b) const {
        return a + b;
    }
};

struct Store {
    double* out;
    template <class V>
    __device__ void operator()(const V& value, uint64_t i) const {
        out[i] = static_cast<double>(value);
    }
};

struct Same {
    template <class V>
    __device__ V operator()(const V& value) const {
        return value;
    }
};

template <class S>
void use(const S& source, double* out) {
    std::size_t bytes = 0;
    reduce(nullptr, bytes, source, 0, out, 0.0, Plus{});
    for_each(source, 0, Store{out});
    transform(source, 0, static_cast<typename S::value_type*>(nullptr), Same{});
}

}  // namespace

void use_all(const Key& key, const ChoiceView& table, double* out) {
    use(uniform<bool>(key), out);
    use(uniform<uint8_t>(key), out);
    use(uniform<uint32_t>(key), out);
    use(uniform<float>(key), out);
    use(uniform<double>(key), out);
    use(below<uint32_t>(1000, key), out);
    use(below<uint64_t>(1000, key), out);
    use(normal<float>(key), out);
    use(normal<double>(key), out);
    use(exponential<float>(key), out);
    use(exponential<double>(key), out);
    use(choice(table, key), out);
}
