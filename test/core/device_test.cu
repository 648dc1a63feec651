/// The core on a GPU against the same core on the host: every f32 input, many f64 ones, and the bound of the fast normals. Built
/// a second time with -use_fast_math, which must change nothing.

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tandem/core.hpp"

namespace tandem::test {
namespace {

const Key KEY{{0x0badf00du, 0x600dcafeu, 3, 4}};
constexpr uint32_t ALL_F32 = 1u << 24;

/// Device memory that holds a copy of a vector, or room for one.
template <class V>
class DeviceArray {
  public:
    explicit DeviceArray(std::size_t n) : n_(n) { EXPECT_EQ(cudaMalloc(&data_, n * sizeof(V)), cudaSuccess); }
    explicit DeviceArray(const std::vector<V>& from) : DeviceArray(from.size()) {
        EXPECT_EQ(cudaMemcpy(data_, from.data(), n_ * sizeof(V), cudaMemcpyHostToDevice), cudaSuccess);
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    V* get() const { return data_; }
    std::vector<V> host() const {
        std::vector<V> values(n_);
        EXPECT_EQ(cudaMemcpy(values.data(), data_, n_ * sizeof(V), cudaMemcpyDeviceToHost), cudaSuccess);
        return values;
    }

  private:
    V* data_ = nullptr;
    std::size_t n_;
};

template <class Map, class V>
__global__ void map_kernel(Map map, V* out, uint32_t n) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = map(i);
}

/// Holds map(i), i < n, on the device against the host's, bit for bit. Map is a type so that one definition serves both.
template <class V, class Map>
void expect_same_bits(const char* what, Map map, uint32_t n) {
    DeviceArray<V> out(n);
    map_kernel<<<(n + 255) / 256, 256>>>(map, out.get(), n);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const std::vector<V> values = out.host();
    uint64_t different = 0;
    for (uint32_t i = 0; i < n; ++i) {
        const V expected = map(i);
        if (std::memcmp(&values[i], &expected, sizeof(V)) != 0 && different++ == 0) ADD_FAILURE() << what << " differs at " << i;
    }
    EXPECT_EQ(different, 0u) << what;
}

/// A well mixed 64-bit word for an index.
TANDEM_FN uint64_t word(uint64_t i) {
    i = (i + 1) * 0x9e3779b97f4a7c15u;
    i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9u;
    i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
    return i ^ (i >> 31);
}

struct Uniform32 {
    TANDEM_FN float operator()(uint32_t i) const { return to_f32(i << 8 | (static_cast<uint32_t>(word(i)) & 0xff)); }
};
struct Uniform64 {
    TANDEM_FN double operator()(uint32_t i) const { return to_f64(i % 2 == 0 ? word(i) >> (i % 64) : ~(word(i) >> (i % 64))); }
};
struct Exponential32 {
    TANDEM_FN float operator()(uint32_t i) const { return exponential_f32(i << 8); }
};
struct ScaledExponential32 {
    float scale;
    TANDEM_FN float operator()(uint32_t i) const { return scaled(exponential_f32(i << 8), scale); }
};
struct EveryRadius {
    TANDEM_FN Pair<float> operator()(uint32_t i) const { return box_muller2_f32(i << 8, static_cast<uint32_t>(word(i))); }
};
struct EveryAngle {
    TANDEM_FN Pair<float> operator()(uint32_t i) const { return box_muller2_f32(static_cast<uint32_t>(word(i)), i << 8); }
};
struct Exp32 {
    TANDEM_FN float operator()(uint32_t i) const { return exp32(ieee::fma(static_cast<float>(i), 196.0f * 0x1p-24f, -105.0f)); }
};
struct LogNormal32 {
    float mean, stddev;
    TANDEM_FN float operator()(uint32_t i) const {
        return lognormal_of(normal_f32(static_cast<uint32_t>(word(i)), i << 8), mean, stddev);
    }
};
struct Affine32 {
    float mean, stddev;
    TANDEM_FN float operator()(uint32_t i) const {
        return affine(normal_f32(static_cast<uint32_t>(word(i)), i << 8), mean, stddev);
    }
};
struct Exponential64 {
    double scale;
    TANDEM_FN double operator()(uint32_t i) const { return scaled(exponential_f64(word(i) >> (i % 64)), scale); }
};
struct Exp64 {
    TANDEM_FN double operator()(uint32_t i) const { return exp64(ieee::fma(to_f64(word(i)), 1460.0, -748.0)); }
};
struct Normal64 {
    Key sub;
    uint32_t chunk_length;
    TANDEM_FN double operator()(uint32_t i) const {
        const uint64_t draw = i % 4 ? word(i) : word(i) | 0xffc0000000000000u;  // the far end of a layer, where most miss
        return normal_f64(draw, ziggurat_tables(), sub, chunk_length, i);
    }
};
struct Table {
    TANDEM_FN uint64_t operator()(uint32_t i) const {
        const ZigguratTables tables = ziggurat_tables();
        if (i < 1024) return bit_cast<uint64_t>(tables.w[i]);
        return i < 2048 ? tables.kx[i - 1024] : bit_cast<uint64_t>(tables.y[i - 2048]);
    }
};
struct Below32 {
    BelowRule<uint32_t> rule;
    Key sub;
    TANDEM_FN uint32_t operator()(uint32_t i) const { return below_u32(static_cast<uint32_t>(word(i)), rule, sub, 32, i); }
};
struct Below64 {
    BelowRule<uint64_t> rule;
    Key sub;
    TANDEM_FN uint64_t operator()(uint32_t i) const { return below_u64(word(i), rule, sub, 1, i); }
};
struct RngDraws {
    Key key;
    TANDEM_FN double operator()(uint32_t i) const {
        Rng rng(key, 977ull * i, 1u << (i % 17));
        double sum = rng.normal();
        sum = ieee::add(sum, rng.exponential(3.0));
        sum = ieee::add(sum, static_cast<double>(rng.normalf()));
        sum = ieee::add(sum, static_cast<double>(rng.lognormalf(0.5f, 2.0f)));
        sum = ieee::add(sum, static_cast<double>(rng.urand(0x80000001u)));
        return ieee::add(sum, static_cast<double>(rng.urand64(1000003)));
    }
};

class Device : public testing::Test {
  protected:
    void SetUp() override {
        int devices = 0;
        if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "no GPU";
    }
};
using CoreOnDevice = Device;
using CoreSanitizer = Device;  // what compute-sanitizer is run on: small cases

TEST_F(CoreSanitizer, Tables) { expect_same_bits<uint64_t>("table", Table{}, 3 * 1024 + 1); }

TEST_F(CoreSanitizer, RngDraws) { expect_same_bits<double>("Rng", RngDraws{KEY}, 2000); }

TEST_F(CoreOnDevice, EveryF32Input) {
    expect_same_bits<float>("uniform", Uniform32{}, ALL_F32);
    expect_same_bits<float>("exponential_f32", Exponential32{}, ALL_F32);
    expect_same_bits<float>("scaled", ScaledExponential32{3.7f}, ALL_F32);
    expect_same_bits<float>("scaled into the subnormal", ScaledExponential32{0x1.8p-125f}, ALL_F32);
    expect_same_bits<Pair<float>>("normal radius", EveryRadius{}, ALL_F32);
    expect_same_bits<Pair<float>>("normal angle", EveryAngle{}, ALL_F32);
    expect_same_bits<float>("exp32", Exp32{}, ALL_F32);
    expect_same_bits<float>("log-normal", LogNormal32{0.5f, 2.25f}, ALL_F32);
    expect_same_bits<float>("subnormal log-normal", LogNormal32{-95.0f, 6.0f}, ALL_F32);
    expect_same_bits<float>("affine", Affine32{0.5f, 2.25f}, ALL_F32);
    expect_same_bits<float>("subnormal affine", Affine32{0x1p-130f, 0x1p-128f}, ALL_F32);
    expect_same_bits<float>("subnormal mean alone", Affine32{0x1p-130f, 1.0f}, ALL_F32);
}

TEST_F(CoreOnDevice, ManyF64Inputs) {
    const uint32_t n = 1u << 22;
    expect_same_bits<double>("uniform", Uniform64{}, n);
    expect_same_bits<double>("exponential_f64", Exponential64{1.0}, n);
    expect_same_bits<double>("scaled", Exponential64{0.3}, n);
    expect_same_bits<double>("exp64", Exp64{}, n);
    for (const uint32_t k : {1u, 32u, 65536u}) {
        expect_same_bits<double>("normal_f64", Normal64{sub_key(KEY, PURPOSE_NORMAL64), k}, n);
    }
}

TEST_F(CoreOnDevice, Integers) {
    const uint32_t n = 1u << 22;
    for (const uint32_t range : {1u, 3u, 6u, 0x80000001u, 0xc0000000u, 0xfffffffeu}) {
        expect_same_bits<uint32_t>("below_u32", Below32{below_rule(range), sub_key(KEY, PURPOSE_BELOW32)}, n);
    }
    for (const uint64_t range : {uint64_t{6}, uint64_t{1} << 32, 0x8000000000000001u, 0xc000000000000000u}) {
        expect_same_bits<uint64_t>("below_u64", Below64{below_rule(range), sub_key(KEY, PURPOSE_BELOW64)}, n);
    }
}

TEST_F(CoreOnDevice, RngDraws) { expect_same_bits<double>("Rng", RngDraws{KEY}, 1u << 16); }

__global__ void choice_kernel(ChoiceView table, uint32_t* out, uint32_t n) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = choice_of(table, word(i));
}

TEST_F(CoreOnDevice, Choice) {
    const uint32_t n = 1u << 20;
    for (const ChoiceTable& table : {poisson_table(3.5), poisson_table(4194304.5), binomial_table(1000, 0.999)}) {
        const DeviceArray<uint64_t> cut(table.cut);
        const DeviceArray<uint32_t> alias(table.alias);
        DeviceArray<uint32_t> out(n);
        ChoiceView view = table.view();
        view.cut = cut.get();
        view.alias = alias.get();
        choice_kernel<<<(n + 255) / 256, 256>>>(view, out.get(), n);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        const std::vector<uint32_t> values = out.host();
        for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(values[i], choice_of(table.view(), word(i)));
    }
}

/// The error of a fast pair as a fraction of what the contract allows.
struct FastError {
    uint32_t turn;  ///< which words meet
    bool by_radius;
    __device__ float operator()(uint32_t i) const {
        const uint32_t every = i << 8, other = static_cast<uint32_t>(word((static_cast<uint64_t>(turn) << 24) + i));
        const uint32_t a = by_radius ? every : other, b = by_radius ? other : every;
        const Pair<float> fast = box_muller2_f32(a, b, NormalMode::fast), exact = box_muller2_f32(a, b);
        const float x = fabsf(fast.x - exact.x) / (0x1p-19f * fabsf(exact.x) + 2.1e-6f);
        const float y = fabsf(fast.y - exact.y) / (0x1p-19f * fabsf(exact.y) + 2.1e-6f);
        return x > y ? x : !(y >= 0) ? INFINITY : y;
    }
};

TEST_F(CoreOnDevice, FastNormalsKeepTheirBound) {
    float worst = 0;
    for (uint32_t turn = 0; turn < 16; ++turn) {
        for (const bool by_radius : {false, true}) {
            DeviceArray<float> out(ALL_F32);
            map_kernel<<<ALL_F32 / 256, 256>>>(FastError{turn, by_radius}, out.get(), ALL_F32);
            ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
            for (const float error : out.host()) worst = error > worst || std::isnan(error) ? error : worst;
        }
    }
    RecordProperty("worst_fraction", std::to_string(worst));
    std::printf("largest error of fast normals: %.3f of what is allowed\n", static_cast<double>(worst));
    EXPECT_LE(worst, 1.0f);
    EXPECT_GT(worst, 0.0f);
}

}  // namespace
}  // namespace tandem::test
