#include <unistd.h>

#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "host_api/backend_under_test.hpp"
#include "host_api/gate.cuh"
#include "support/reference.hpp"
#include "tandem/fill.hpp"
#include "tandem/tandem.hpp"

// A fill that a stream has taken before goes on it as a graph of its kernel, with other arguments each time. Nothing may tell it
// from the kernel's own launch.

namespace tandem::test {
namespace {

class DeviceRepeats : public BackendTest {};

constexpr Key KEY{{11, 22, 33, 44}};
constexpr int CALLS = 5;

/// What one draw after the other is filled with.
std::vector<Fill> samples() {
    std::vector<Fill> all;
    for (const Draw draw : {Draw::boolean,     Draw::u8,        Draw::u16,         Draw::u32,           Draw::u64,
                            Draw::u128,        Draw::f16,       Draw::f32,         Draw::f64,           Draw::c32,
                            Draw::c64,         Draw::character, Draw::below32,     Draw::below64,       Draw::normal64,
                            Draw::lognormal64, Draw::normal32,  Draw::lognormal32, Draw::exponential64, Draw::exponential32}) {
        Fill fill;
        fill.draw = draw;
        fill.key = KEY;
        fill.range = 3000000000u;
        if (draw == Draw::below64) fill.element_bytes = 8;
        all.push_back(fill);
    }
    return all;
}

/// The bytes of a host fill, which other tests hold against reference_fill(): that would take long.
std::vector<uint8_t> host_bytes(Fill fill) {
    std::vector<uint8_t> bytes(fill.n * element_size(fill));
    fill.out = bytes.data();
    host::fill(fill);
    return bytes;
}

/// Fills of different sizes, one after the other on a stream: each one's bytes are those of a host fill from its position.
void expect_repeats(cudaStream_t stream, const std::string& where) {
    constexpr uint64_t SIZES[] = {1000, 37, 5000, 70001, 1000, 3};
    for (Fill fill : samples()) {
        SCOPED_TRACE(where + ", draw " + std::to_string(static_cast<int>(fill.draw)));
        std::vector<std::unique_ptr<DeviceBytes>> rooms;
        std::vector<std::vector<uint8_t>> expected;
        fill.position = 0;
        for (const uint64_t n : SIZES) {
            fill.n = n;
            expected.push_back(host_bytes(fill));
            rooms.push_back(std::make_unique<DeviceBytes>(expected.back().size()));
            fill.out = rooms.back()->data();
            fill.position = tandem::fill(fill, stream);
        }
        for (std::size_t i = 0; i < rooms.size(); ++i) EXPECT_EQ(rooms[i]->read(), expected[i]) << "call " << i;
    }
}

TEST_F(DeviceRepeats, EveryDrawOnEveryKindOfStream) {
    const TestStream own;
    expect_repeats(nullptr, "default stream");
    expect_repeats(own, "own stream");
    expect_repeats(cudaStreamPerThread, "per-thread stream");
    std::thread([] { expect_repeats(cudaStreamPerThread, "another thread's per-thread stream"); }).join();
}

TEST_F(DeviceRepeats, LargeFillsBetweenShortOnes) {
    const TestStream stream;
    Generator g = Generator::device();
    g.set_stream(stream);
    constexpr std::size_t SHORT = 1000, LONG = (std::size_t{1} << 22) + 5;
    const DeviceBytes out((SHORT + LONG) * 8);
    for (int call = 0; call < CALLS; ++call) {
        Fill fill;
        fill.draw = Draw::normal64;
        fill.key = g.key();
        fill.position = g.position();
        fill.n = SHORT + LONG;
        g.normal(out.as<double>(), SHORT);
        g.normal(out.as<double>() + SHORT, LONG);
        EXPECT_TRUE(out.read() == host_bytes(fill)) << call;
    }
}

TEST_F(DeviceRepeats, TablesOfDistributions) {
    const TestStream stream;
    Generator g = Generator::device(), h = Generator::host();
    g.set_stream(stream);
    constexpr std::size_t N = 1000;
    const DeviceBytes out(N * 4);
    std::vector<unsigned> expected(N);
    for (int call = 0; call < CALLS; ++call) {
        const double lambda = call % 2 == 0 ? 10 : 1e4;
        g.poisson(out.as<unsigned>(), N, lambda);
        h.poisson(expected.data(), N, lambda);
        const std::vector<uint8_t> bytes = out.read();
        EXPECT_EQ(std::memcmp(bytes.data(), expected.data(), N * 4), 0) << call;
    }
}

/// A u32 fill of one block.
class OneBlock {
  public:
    explicit OneBlock(cudaStream_t stream) : stream_(stream), out_(sizeof(uint4)) {
        fill_.key = KEY;
        fill_.n = 4;
        fill_.out = out_.data();
        for (int call = 0; call < CALLS; ++call) enqueue();  // the graph is made
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
    void enqueue() { fill_.position = tandem::fill(fill_, stream_); }
    unsigned* data() const { return out_.as<unsigned>(); }
    std::vector<uint8_t> bytes() const { return out_.read(); }
    /// The bytes after the last enqueue().
    std::vector<uint8_t> expected() const {
        Fill last = fill_;
        last.position -= 128;
        return reference_fill(last);
    }

  private:
    cudaStream_t stream_;
    DeviceBytes out_;
    Fill fill_;
};

/// Writes late, so that work which does not wait for it is found out.
__global__ void write_late(unsigned* to) {
    const long long end = clock64() + 20'000'000;
    while (clock64() < end) {
    }
    for (int i = 0; i < 4; ++i) to[i] = 0;
}

__global__ void copy_block(const unsigned* from, unsigned* to) {
    for (int i = 0; i < 4; ++i) to[i] = from[i];
}

struct BlockingStream {
    BlockingStream() { EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess); }
    BlockingStream(const BlockingStream&) = delete;
    BlockingStream& operator=(const BlockingStream&) = delete;
    ~BlockingStream() { cudaStreamDestroy(stream); }
    cudaStream_t stream = nullptr;
};

// The default stream waits for blocking streams, and they for it.
TEST_F(DeviceRepeats, TheOrderOfTheDefaultStreamHolds) {
    const BlockingStream blocking;
    const TestStream other;
    const DeviceBytes copy(sizeof(uint4));
    struct Order {
        cudaStream_t before, fill, after;
    };
    const Order orders[] = {{nullptr, blocking.stream, nullptr},
                            {blocking.stream, nullptr, blocking.stream},
                            {nullptr, nullptr, nullptr},
                            {blocking.stream, blocking.stream, nullptr},
                            {blocking.stream, blocking.stream, blocking.stream},
                            {other, other, other}};
    for (std::size_t i = 0; i < std::size(orders); ++i) {
        const Order& order = orders[i];
        OneBlock block(order.fill);
        write_late<<<1, 1, 0, order.before>>>(block.data());
        block.enqueue();
        copy_block<<<1, 1, 0, order.after>>>(block.data(), copy.as<unsigned>());
        EXPECT_EQ(copy.read(), block.expected()) << i;
        EXPECT_EQ(block.bytes(), block.expected()) << i;
    }
}

TEST_F(DeviceRepeats, StreamsDoNotWaitForEachOther) {
    const TestStream slow, free;
    OneBlock held(slow), beside(free);
    Gate gate;
    gate.hold(slow);
    for (int call = 0; call < CALLS; ++call) {
        held.enqueue();
        beside.enqueue();
    }
    EXPECT_EQ(cudaStreamSynchronize(free), cudaSuccess);
    EXPECT_EQ(cudaStreamQuery(slow), cudaErrorNotReady);
    gate.open();
    EXPECT_EQ(held.bytes(), held.expected());
    EXPECT_EQ(beside.bytes(), beside.expected());
}

// The graph is made, and given other arguments, while earlier launches of it wait.
TEST_F(DeviceRepeats, LaunchesThatWaitKeepTheirArguments) {
    constexpr uint64_t MANY = 300;
    const TestStream stream;
    const DeviceBytes out(MANY * 16);
    Fill fill;
    fill.key = KEY;
    fill.n = 4;
    // The kernel has run, so that nothing of it is loaded behind the gate.
    fill.out = out.data();
    tandem::fill(fill, nullptr);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    Gate gate;
    gate.hold(stream);
    for (uint64_t i = 0; i < MANY; ++i) {
        fill.out = out.data() + 16 * i;
        fill.position = tandem::fill(fill, stream);
    }
    EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
    gate.open();
    fill.position = 0;
    fill.n = 4 * MANY;
    EXPECT_EQ(out.read(), reference_fill(fill));
}

TEST_F(DeviceRepeats, MoreStreamsThanAreRemembered) {
    constexpr int STREAMS = 100;
    std::vector<std::unique_ptr<TestStream>> streams;
    std::vector<Generator> generators;
    for (int i = 0; i < STREAMS; ++i) {
        streams.push_back(std::make_unique<TestStream>());
        generators.push_back(Generator::device());
        generators.back().set_seed(static_cast<unsigned long long>(i));
        generators.back().set_stream(*streams.back());
    }
    constexpr std::size_t N = 500;
    const DeviceBytes out(STREAMS * N * 4);
    // All in turn, and then each several times, so that some are forgotten while others are made.
    for (int turn = 0; turn < 3; ++turn) {
        for (int i = 0; i < STREAMS; ++i) {
            for (int call = 0; call <= turn; ++call) {
                Generator& g = generators[static_cast<std::size_t>(i)];
                g.generate(out.as<unsigned>() + i * static_cast<int>(N), N);
                g.uniform(out.as<float>() + i * static_cast<int>(N), N);
            }
        }
        const std::vector<uint8_t> bytes = out.read();
        for (int i = 0; i < STREAMS; ++i) {
            Fill fill;
            fill.draw = Draw::f32;
            fill.key = generators[static_cast<std::size_t>(i)].key();
            fill.n = N;
            fill.position = generators[static_cast<std::size_t>(i)].position() - N * 32;
            const std::vector<uint8_t> expected = host_bytes(fill);
            EXPECT_EQ(std::memcmp(bytes.data() + static_cast<std::size_t>(i) * N * 4, expected.data(), N * 4), 0)
                << turn << ' ' << i;
        }
    }
}

TEST_F(DeviceRepeats, StreamsThatEndWhileTheirFillsWait) {
    const DeviceBytes out(64 * 16);
    Fill fill;
    fill.key = KEY;
    fill.n = 4;
    Gate gate;
    for (int i = 0; i < 64; ++i) {
        const TestStream stream;
        gate.hold(stream);
        const uint64_t start = fill.position;
        for (int call = 0; call < CALLS; ++call) {
            fill.position = start;
            fill.out = out.data() + 16 * i;
            fill.position = tandem::fill(fill, stream);
        }
    }
    gate.open();
    fill.position = 0;
    fill.n = 64 * 4;
    EXPECT_EQ(out.read(), reference_fill(fill));
}

// Threads that have never used the device, on one stream and on their own.
TEST_F(DeviceRepeats, Threads) {
    constexpr int THREADS = 8, FILLS = 100;
    const TestStream shared;
    OneBlock warm(shared);
    for (const bool own : {false, true}) {
        const DeviceBytes out(THREADS * FILLS * 16);
        std::vector<std::thread> threads;
        for (int t = 0; t < THREADS; ++t) {
            threads.emplace_back([&, t] {
                const TestStream mine;
                Fill fill;
                fill.key = KEY;
                fill.n = 4;
                fill.position = static_cast<uint64_t>(t) * FILLS * 128;
                for (int i = 0; i < FILLS; ++i) {
                    fill.out = out.data() + 16 * (t * FILLS + i);
                    fill.position = tandem::fill(fill, own ? mine : shared);
                }
                EXPECT_EQ(cudaStreamSynchronize(own ? mine : shared), cudaSuccess);
            });
        }
        for (std::thread& thread : threads) thread.join();
        Fill all;
        all.key = KEY;
        all.n = THREADS * FILLS * 4;
        EXPECT_EQ(out.read(), reference_fill(all)) << own;
    }
}

TEST_F(DeviceRepeats, TheFirstCallsOfAThread) {
    const TestStream shared;
    Generator g = Generator::device(), h = Generator::host();
    constexpr std::size_t N = 500;
    const DeviceBytes out(N * 4);
    std::vector<unsigned> expected(N);
    for (const cudaStream_t stream : {cudaStream_t{nullptr}, cudaStreamPerThread, static_cast<cudaStream_t>(shared)}) {
        g.set_stream(stream);
        for (int call = 0; call < CALLS; ++call) {
            std::thread([&] { g.poisson(out.as<unsigned>(), N, 25); }).join();
            h.poisson(expected.data(), N, 25);
            const std::vector<uint8_t> bytes = out.read();
            EXPECT_EQ(std::memcmp(bytes.data(), expected.data(), N * 4), 0) << call;
        }
        std::thread([&] { g.set_seed(7); }).join();
        h.set_seed(7);
        g.set_position(0);
        h.set_position(0);
    }
}

TEST_F(DeviceRepeats, AfterADeviceReset) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto repeats = [] {
        const OneBlock block(nullptr);
        return block.bytes() == block.expected();
    };
    EXPECT_EXIT(
        {
            bool right = repeats();
            right = cudaDeviceReset() == cudaSuccess && right;
            right = repeats() && right;
            _exit(right ? 0 : 1);
        },
        ::testing::ExitedWithCode(0), "");
}

TEST_F(DeviceRepeats, WhileAnotherStreamIsCaptured) {
    for (const cudaStreamCaptureMode mode :
         {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
        const TestStream captured, stream, fresh;
        OneBlock known(stream);
        const DeviceBytes out(16), of_graph(16);
        Fill fill;
        fill.key = KEY;
        fill.n = 4;
        fill.out = out.data();
        Fill recorded = fill;
        recorded.out = of_graph.data();
        ASSERT_EQ(cudaStreamBeginCapture(captured, mode), cudaSuccess);
        for (int call = 0; call < CALLS; ++call) {
            known.enqueue();
            fill.position = tandem::fill(fill, fresh);  // made while the other stream is captured
        }
        std::thread([&] {
            cudaStreamCaptureMode relaxed = cudaStreamCaptureModeRelaxed;  // for the test's own stream
            EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&relaxed), cudaSuccess);
            const TestStream of_thread;
            EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&relaxed), cudaSuccess);
            known.enqueue();
            for (int call = 0; call < CALLS; ++call) fill.position = tandem::fill(fill, of_thread);
            EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&relaxed), cudaSuccess);
            EXPECT_EQ(cudaStreamSynchronize(of_thread), cudaSuccess);
        }).join();
        tandem::fill(recorded, captured);
        const Graph graph(captured);
        EXPECT_EQ(known.bytes(), known.expected());
        fill.position -= 128;
        EXPECT_EQ(out.read(), reference_fill(fill));
        graph.launch(captured);
        EXPECT_EQ(of_graph.read(), reference_fill(recorded));
    }
}

TEST_F(DeviceRepeats, AStreamThatHasRepeatsIsCapturedAsKernels) {
    const TestStream stream;
    OneBlock known(stream);
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    known.enqueue();
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    std::size_t nodes = 0;
    ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
    ASSERT_EQ(nodes, 1u);
    cudaGraphNode_t node = nullptr;
    ASSERT_EQ(cudaGraphGetNodes(graph, &node, &nodes), cudaSuccess);
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    ASSERT_EQ(cudaGraphNodeGetType(node, &type), cudaSuccess);
    EXPECT_EQ(type, cudaGraphNodeTypeKernel);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    known.enqueue();
    EXPECT_EQ(known.bytes(), known.expected());
}

TEST_F(DeviceRepeats, SanitizerSelection) {
    const TestStream stream;
    for (const cudaStream_t on : {cudaStream_t{nullptr}, static_cast<cudaStream_t>(stream)}) {
        OneBlock block(on);
        block.enqueue();
        EXPECT_EQ(block.bytes(), block.expected());
    }
}

}  // namespace
}  // namespace tandem::test
