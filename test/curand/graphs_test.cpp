// A program written for cuRAND, compiled with curand.h and linked with libcurand.so.10, that captures its calls into graphs. It
// is to be started with the drop-in in that library's place (scripts/with_tandem.sh), and fails otherwise. Its numbers are held
// against fills of host memory.

#include <cuda_runtime_api.h>
#include <curand.h>
#include <dlfcn.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "curand/captured_calls.hpp"
#include "host_api/cuda_streams.hpp"
#include "host_api/launch_keys.hpp"

namespace tandem::test {
namespace {

constexpr int LAUNCHES = 5;
constexpr std::size_t N = 1001;
constexpr std::size_t SIZES[] = {N, 70003};
constexpr unsigned long long SEED = 20260;
constexpr unsigned long long OFFSET = 129;
constexpr uint64_t START = 32 * OFFSET;  // in bits

constexpr cudaStreamCaptureMode MODES[] = {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                                           cudaStreamCaptureModeRelaxed};
const char* const MODE_NAMES[] = {"Global", "ThreadLocal", "Relaxed"};

std::string real_path(const char* path) {
    const std::unique_ptr<char, void (*)(void*)> found(realpath(path, nullptr), std::free);
    return found == nullptr ? path : found.get();
}

/// The file that the functions called here come from.
std::string file_of_curand() {
    void* const function = dlsym(RTLD_DEFAULT, "curandCreateGenerator");
    Dl_info info{};
    return function == nullptr || dladdr(function, &info) == 0 ? "nowhere" : real_path(info.dli_fname);
}

/// A device generator on a stream, seeded and placed as a program would.
class Owned {
  public:
    explicit Owned(cudaStream_t stream, curandRngType_t type = CURAND_RNG_PSEUDO_DEFAULT, unsigned long long seed = SEED) {
        EXPECT_EQ(curandCreateGenerator(&generator_, type), CURAND_STATUS_SUCCESS);
        EXPECT_EQ(curandSetStream(generator_, stream), CURAND_STATUS_SUCCESS);
        EXPECT_EQ(curandSetPseudoRandomGeneratorSeed(generator_, seed), CURAND_STATUS_SUCCESS);
        EXPECT_EQ(curandSetGeneratorOffset(generator_, OFFSET), CURAND_STATUS_SUCCESS);
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() { EXPECT_EQ(curandDestroyGenerator(generator_), CURAND_STATUS_SUCCESS); }
    operator curandGenerator_t() const { return generator_; }

    /// Lets the generator build the table of the law, which a captured call may not, and goes back.
    void build_table(const DeviceBytes& room) const {
        EXPECT_EQ(curandGeneratePoisson(generator_, room.as<unsigned>(), 1, LAMBDA), CURAND_STATUS_SUCCESS);
        EXPECT_EQ(curandSetGeneratorOffset(generator_, OFFSET), CURAND_STATUS_SUCCESS);
    }

  private:
    curandGenerator_t generator_ = nullptr;
};

Bytes words(const Key& key, uint64_t position) { return integers_of(key, position, N); }

void generate_words(curandGenerator_t generator, const DeviceBytes& out, std::size_t n = N) {
    EXPECT_EQ(curandGenerate(generator, out.as<unsigned>(), n), CURAND_STATUS_SUCCESS);
}

class CurandGraphs : public ::testing::Test {
  protected:
    void SetUp() override {
        int version = 0;
        ASSERT_EQ(file_of_curand(), real_path(TANDEM_TEST_CURAND)) << "not started with the drop-in";
        ASSERT_EQ(curandGetVersion(&version), CURAND_STATUS_SUCCESS);
        ASSERT_EQ(version, 10400);
        if (!gpus_missing(1).empty()) GTEST_SKIP() << gpus_missing(1);
        stream_ = std::make_unique<TestStream>();
    }
    void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal) const {
        EXPECT_EQ(cudaStreamBeginCapture(stream(), mode), cudaSuccess);
    }
    cudaStream_t stream() const { return *stream_; }

  private:
    std::unique_ptr<TestStream> stream_;
};

TEST_F(CurandGraphs, EveryCallInEveryMode) {
    for (const curandRngType_t type : {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_PSEUDO_MT19937}) {
        const Key key = key_of(type, SEED);
        for (const std::size_t n : SIZES) {
            const Outputs outputs(n), eager(n);
            const DeviceBytes after(N * 4);
            const Owned second(stream(), type);
            eager.generate(second);
            const std::vector<Bytes> of_eager = eager.read();
            for (const cudaStreamCaptureMode mode : MODES) {
                SCOPED_TRACE(testing::Message() << "type " << type << ", n = " << n << ", mode " << MODE_NAMES[mode]);
                const Owned generator(stream(), type);
                generator.build_table(after);
                begin(mode);
                outputs.generate(generator);
                const Graph graph(stream());
                for (int launch = 0; launch < LAUNCHES; ++launch) {
                    SCOPED_TRACE(testing::Message() << "launch " << launch);
                    outputs.poison();
                    graph.launch(stream());
                    const std::vector<Bytes> got = outputs.read();
                    if (launch == 0) expect_equal(got, of_eager);
                    expect_equal(got, expected_at(key_of_launch(key, static_cast<uint64_t>(launch)), START, n));
                }
                uint64_t end = START;
                expected_of(key, end, n);
                generate_words(generator, after);  // the capture moved the generator as the eager calls would
                EXPECT_EQ(after.read(), words(key, end));
            }
        }
    }
}

TEST_F(CurandGraphs, LongLongIntegersToo) {
    const DeviceBytes out(N * 8);
    const Owned generator(stream());
    begin();
    EXPECT_EQ(curandGenerateLongLong(generator, out.as<unsigned long long>(), N), CURAND_STATUS_SUCCESS);
    const Graph graph(stream());
    for (uint64_t launch = 0; launch < LAUNCHES; ++launch) {
        Bytes expected(N * 8);
        host::fill_u64(key_of_launch(key_of(CURAND_RNG_PSEUDO_DEFAULT, SEED), launch), START, K,
                       reinterpret_cast<uint64_t*>(expected.data()), N);
        graph.launch(stream());
        EXPECT_EQ(out.read(), expected) << launch;
    }
}

TEST_F(CurandGraphs, AGeneratorMayBeDestroyedBeforeALaunch) {
    const Outputs outputs(N);
    std::unique_ptr<Graph> graph;
    {
        const Owned generator(stream());
        generator.build_table(DeviceBytes(4));
        begin();
        outputs.generate(generator);
        graph = std::make_unique<Graph>(stream());
    }
    // Others made meanwhile would take the memory, if it had been given up.
    const DeviceBytes noise(N * 4);
    for (int i = 0; i < 20; ++i) {
        const Owned other(stream(), CURAND_RNG_PSEUDO_XORWOW, 5);
        begin();
        generate_words(other, noise);
        Graph(stream()).launch(stream());
    }
    for (uint64_t launch = 0; launch < LAUNCHES; ++launch) {
        SCOPED_TRACE(testing::Message() << "launch " << launch);
        outputs.poison();
        graph->launch(stream());
        expect_equal(outputs.read(), expected_at(key_of_launch(key_of(CURAND_RNG_PSEUDO_XORWOW, SEED), launch), START, N));
    }
}

// The drop-in's types have keys of their own, so a seed has to reach the graph as the key of its type.
TEST_F(CurandGraphs, SeedsSetBetweenLaunchesHoldForTheNextAndOffsetsDoNot) {
    for (const curandRngType_t type : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MT19937}) {
        SCOPED_TRACE(testing::Message() << "type " << type);
        const bool restarts = type == CURAND_RNG_PSEUDO_MT19937;
        const DeviceBytes out(N * 4), eager(N * 4);
        const Owned generator(stream(), type);
        begin();
        generate_words(generator, out);
        const Graph graph(stream());
        const auto expect_launch = [&](unsigned long long seed, uint64_t launch) {
            graph.launch(stream());
            EXPECT_EQ(out.read(), words(key_of_launch(key_of(type, seed), launch), START)) << launch;
        };
        expect_launch(SEED, 0);
        EXPECT_EQ(curandSetPseudoRandomGeneratorSeed(generator, 7), CURAND_STATUS_SUCCESS);
        expect_launch(7, 1);
        EXPECT_EQ(curandSetGeneratorOffset(generator, 3), CURAND_STATUS_SUCCESS);
        expect_launch(7, 2);
        generate_words(generator, eager);  // and launches leave the generator where it was set
        EXPECT_EQ(eager.read(), words(key_of(type, 7), 96));
        EXPECT_EQ(curandSetPseudoRandomGeneratorSeed(generator, 8), CURAND_STATUS_SUCCESS);
        generate_words(generator, eager);
        EXPECT_EQ(eager.read(), words(key_of(type, 8), restarts ? 0 : 96 + 32 * N));
        expect_launch(8, 3);
        EXPECT_EQ(curandGenerateSeeds(generator), CURAND_STATUS_SUCCESS);
        expect_launch(8, 4);
    }
}

TEST_F(CurandGraphs, TwoGeneratorsOfOneSeedAndASeedSetWhileCapturing) {
    const DeviceBytes a(N * 4), b(N * 4), c(N * 4);
    const Owned xorwow(stream(), CURAND_RNG_PSEUDO_XORWOW), philox(stream(), CURAND_RNG_PSEUDO_PHILOX4_32_10);
    begin();
    generate_words(xorwow, a);
    generate_words(philox, b);
    EXPECT_EQ(curandSetPseudoRandomGeneratorSeed(xorwow, 9), CURAND_STATUS_SUCCESS);
    generate_words(xorwow, c);
    const Graph graph(stream());
    for (uint64_t launch = 0; launch < LAUNCHES; ++launch) {
        graph.launch(stream());
        EXPECT_EQ(a.read(), words(key_of_launch(key_of(CURAND_RNG_PSEUDO_XORWOW, SEED), launch), START)) << launch;
        EXPECT_EQ(b.read(), words(key_of_launch(key_of(CURAND_RNG_PSEUDO_PHILOX4_32_10, SEED), launch), START)) << launch;
        EXPECT_EQ(c.read(), words(key_of_launch(key_of(CURAND_RNG_PSEUDO_XORWOW, 9), launch), START + 32 * N)) << launch;
    }
}

// What the porting page says of laws: the table is built by an eager call, and a capture survives the refusal.
TEST_F(CurandGraphs, ATableIsNotBuiltByACapturedCall) {
    const DeviceBytes out(N * 4);
    const Owned generator(stream());
    begin();
    EXPECT_EQ(curandGeneratePoisson(generator, out.as<unsigned>(), N, LAMBDA), CURAND_STATUS_ALLOCATION_FAILED);
    generate_words(generator, out);
    const Graph graph(stream());
    graph.launch(stream());
    EXPECT_EQ(out.read(), words(key_of(CURAND_RNG_PSEUDO_DEFAULT, SEED), START));
}

/// The first calls that a process makes; each of these needs a process of its own.
struct Start {
    cudaStreamCaptureMode mode;
    bool created_inside;  ///< creation is captured with the fill
};

class CurandFirstCalls : public CurandGraphs, public ::testing::WithParamInterface<Start> {};

TEST_P(CurandFirstCalls, MayBeCaptured) {
    const DeviceBytes integers(N * 4), normals(N * 8);
    std::unique_ptr<Owned> generator;
    if (!GetParam().created_inside) generator = std::make_unique<Owned>(stream());
    begin(GetParam().mode);
    if (GetParam().created_inside) generator = std::make_unique<Owned>(stream());
    generate_words(*generator, integers);
    EXPECT_EQ(curandGenerateNormalDouble(*generator, normals.as<double>(), N, 0.0, 1.0), CURAND_STATUS_SUCCESS);
    const Graph graph(stream());
    for (uint64_t launch = 0; launch < LAUNCHES; ++launch) {
        const Key key = key_of_launch(key_of(CURAND_RNG_PSEUDO_DEFAULT, SEED), launch);
        Bytes expected(N * 8);
        host::fill_normal_f64(key, START + 32 * N, K, reinterpret_cast<double*>(expected.data()), N);
        graph.launch(stream());
        EXPECT_EQ(integers.read(), words(key, START)) << launch;
        EXPECT_EQ(normals.read(), expected) << launch;
    }
}

std::string start_name(const ::testing::TestParamInfo<Start>& start) {
    return std::string(MODE_NAMES[start.param.mode]) + (start.param.created_inside ? "WithCreation" : "");
}

INSTANTIATE_TEST_SUITE_P(Modes, CurandFirstCalls,
                         ::testing::Values(Start{MODES[0], false}, Start{MODES[1], false}, Start{MODES[2], false},
                                           Start{MODES[0], true}, Start{MODES[1], true}, Start{MODES[2], true}),
                         start_name);

}  // namespace
}  // namespace tandem::test
