#include <memory>
#include <vector>

#include "host_api/backend_under_test.hpp"
#include "host_api/gate.cuh"
#include "support/reference.hpp"
#include "tandem/core/choice.hpp"
#include "tandem/tandem.hpp"

namespace tandem::test {
namespace {

constexpr std::size_t N = std::size_t{1} << 18;  // where kernels use lists, f64 normals of this size do
constexpr cudaStreamCaptureMode MODES[] = {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                                           cudaStreamCaptureModeRelaxed};

class DeviceGraphs : public BackendTest {};

std::vector<uint8_t> normals(const Key& key, uint64_t position) {
    Fill fill;
    fill.draw = Draw::normal64;
    fill.key = key;
    fill.position = position;
    fill.n = N;
    return reference_fill(fill);
}

/// A graph that can be launched.
class Graph {
  public:
    explicit Graph(cudaStream_t captured) {
        cudaGraph_t graph = nullptr;
        EXPECT_EQ(cudaStreamEndCapture(captured, &graph), cudaSuccess);
        EXPECT_EQ(cudaGraphInstantiate(&exec_, graph, 0), cudaSuccess);
        EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph() { cudaGraphExecDestroy(exec_); }

    void launch(cudaStream_t stream) const { EXPECT_EQ(cudaGraphLaunch(exec_, stream), cudaSuccess); }

  private:
    cudaGraphExec_t exec_ = nullptr;
};

// Everything of the library's happens for the first time inside the capture. Returns what went wrong, 0 when nothing did.
int first_call_inside_a_capture(cudaStreamCaptureMode mode) {
    double* out = nullptr;
    cudaStream_t stream = nullptr;
    if (cudaMalloc(&out, N * 8) != cudaSuccess || cudaStreamCreate(&stream) != cudaSuccess) return 2;
    if (cudaStreamBeginCapture(stream, mode) != cudaSuccess) return 3;
    Generator g = Generator::device();
    g.set_stream(stream);
    g.normal(out, N);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    if (cudaStreamEndCapture(stream, &graph) != cudaSuccess) return 4;
    if (cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess) return 5;
    if (cudaGraphLaunch(exec, stream) != cudaSuccess || cudaStreamSynchronize(stream) != cudaSuccess) return 6;
    std::vector<uint8_t> values(N * 8);
    if (cudaMemcpy(values.data(), out, N * 8, cudaMemcpyDeviceToHost) != cudaSuccess) return 7;
    return values == normals(g.key(), 0) ? 0 : 8;
}

TEST_F(DeviceGraphs, TheFirstCallEverMayBeCaptured) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // each in a process of its own
    EXPECT_EXIT(_exit(first_call_inside_a_capture(cudaStreamCaptureModeGlobal)), ::testing::ExitedWithCode(0), "");
    EXPECT_EXIT(_exit(first_call_inside_a_capture(cudaStreamCaptureModeThreadLocal)), ::testing::ExitedWithCode(0), "");
    EXPECT_EXIT(_exit(first_call_inside_a_capture(cudaStreamCaptureModeRelaxed)), ::testing::ExitedWithCode(0), "");
}

TEST_F(DeviceGraphs, EveryLaunchRepeatsTheCapturedNumbersAndThePositionMovesOnce) {
    for (cudaStreamCaptureMode mode : MODES) {
        const TestStream stream;
        Generator g = Generator::device();
        g.set_stream(stream);
        g.set_position(640);
        const DeviceBytes out(2 * N * 8);
        ASSERT_EQ(cudaStreamBeginCapture(stream, mode), cudaSuccess);
        g.normal(out.as<double>(), N);
        g.normal(out.as<double>() + N, N);
        const Graph graph(stream);
        EXPECT_EQ(g.position(), 640 + 2 * N * 64);
        std::vector<uint8_t> expected = normals(g.key(), 640);
        const std::vector<uint8_t> second = normals(g.key(), 640 + N * 64);
        expected.insert(expected.end(), second.begin(), second.end());
        for (int launch = 0; launch < 3; ++launch) {
            ASSERT_EQ(cudaMemset(out.data(), DeviceBytes::POISON, 2 * N * 8), cudaSuccess);
            ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
            graph.launch(stream);
            EXPECT_EQ(out.read(), expected) << launch;
        }
    }
}

TEST_F(DeviceGraphs, ManyGraphsRunAtOnce) {
    constexpr int GRAPHS = 6;
    const TestStream capture;
    std::vector<std::unique_ptr<TestStream>> streams;
    std::vector<std::unique_ptr<Graph>> graphs;
    std::vector<std::unique_ptr<DeviceBytes>> outputs;
    Generator g = Generator::device();
    g.set_stream(capture);
    for (int i = 0; i < GRAPHS; ++i) {
        streams.push_back(std::make_unique<TestStream>());
        outputs.push_back(std::make_unique<DeviceBytes>(N * 8));
        ASSERT_EQ(cudaStreamBeginCapture(capture, cudaStreamCaptureModeGlobal), cudaSuccess);
        g.normal(outputs.back()->as<double>(), N);
        graphs.push_back(std::make_unique<Graph>(capture));
    }
    for (int turn = 0; turn < 5; ++turn) {
        for (int i = 0; i < GRAPHS; ++i) graphs[i]->launch(*streams[i]);
    }
    for (int i = 0; i < GRAPHS; ++i) EXPECT_EQ(outputs[i]->read(), normals(g.key(), i * N * 64)) << i;
}

TEST_F(DeviceGraphs, WhatACaptureReadsOutlivesItsGeneratorAndDistribution) {
    const TestStream stream;
    const DeviceBytes out(N * 4);
    const double weights[] = {5, 0, 1, 2};
    Fill expected;
    expected.draw = Draw::choice;
    expected.key = key_of_seed(0, 0);
    expected.n = N;
    const ChoiceTable table = choice_build(weights, 4, 50);
    expected.choice = table.view();
    std::unique_ptr<Graph> graph;
    {
        Generator g = Generator::device();
        g.set_stream(stream);
        const Distribution distribution(weights, 4, 50);
        ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        g.discrete(out.as<unsigned>(), N, distribution);  // its first use: the device's copy is made now
        graph = std::make_unique<Graph>(stream);
    }
    // Tables made and dropped meanwhile would take the memory, if it had been freed.
    Generator other = Generator::device();
    const DeviceBytes noise(4000);
    for (int i = 1; i <= 50; ++i) other.poisson(noise.as<unsigned>(), 1000, 0.1 * i);
    for (int launch = 0; launch < 2; ++launch) {
        graph->launch(stream);
        EXPECT_EQ(out.read(), reference_fill(expected));
    }
    graph->launch(stream);
    graph.reset();  // in flight
    EXPECT_EQ(out.read(), reference_fill(expected));
}

TEST_F(DeviceGraphs, ALawIsBuiltBeforeTheCaptureOrRefusedAndTheCaptureStaysValid) {
    const TestStream stream;
    const DeviceBytes out(N * 4);
    Generator g = Generator::device();
    g.set_stream(stream);
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(tandemGeneratePoisson(g.get(), out.as<unsigned>(), N, 10), TANDEM_STATUS_ALLOCATION_FAILED);
    EXPECT_NE(std::string(tandemGetLastErrorMessage()).find("before the capture"), std::string::npos);
    EXPECT_EQ(g.position(), 0u);
    EXPECT_EQ(tandemGenerateNormal(g.get(), nullptr, 5, 0, 1), TANDEM_STATUS_OUT_OF_RANGE);
    g.generate(out.as<unsigned>(), N);
    const Graph graph(stream);
    graph.launch(stream);
    Fill words;
    words.key = g.key();
    words.n = N;
    EXPECT_EQ(out.read(), reference_fill(words));

    g.poisson(out.as<unsigned>(), N, 10);
    const std::vector<uint8_t> eager = out.read();
    g.set_position(N * 32);
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(tandemGeneratePoisson(g.get(), out.as<unsigned>(), N, 10), TANDEM_STATUS_SUCCESS);
    const Graph with_law(stream);
    ASSERT_EQ(cudaMemset(out.data(), 0, N * 4), cudaSuccess);
    with_law.launch(stream);
    EXPECT_EQ(out.read(), eager);
}

TEST_F(DeviceGraphs, TheDefaultStreamDuringAnotherCaptureIsRefusedAndTheCaptureStaysValid) {
    cudaStream_t blocking = nullptr;
    ASSERT_EQ(cudaStreamCreate(&blocking), cudaSuccess);
    Generator captured = Generator::device(), eager = Generator::device();
    captured.set_stream(blocking);
    const DeviceBytes out(4000), other(4000);
    ASSERT_EQ(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(tandemGenerate(eager.get(), other.as<unsigned>(), 1000), TANDEM_STATUS_LAUNCH_FAILURE);
    EXPECT_EQ(eager.position(), 0u);
    captured.generate(out.as<unsigned>(), 1000);
    {
        const Graph graph(blocking);
        graph.launch(blocking);
        Fill words;
        words.key = captured.key();
        words.n = 1000;
        EXPECT_EQ(out.read(), reference_fill(words));
    }
    EXPECT_EQ(cudaStreamDestroy(blocking), cudaSuccess);
}

TEST_F(DeviceGraphs, PureFillsRepeatToo) {
    const TestStream stream;
    const DeviceBytes out(N * 8);
    const Key key{{1, 2, 3, 4}};
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    EXPECT_EQ(fill_normal_f64(key, 64, 32, out.as<double>(), N, 0.0, 1.0, stream), 64 + N * 64);
    const Graph graph(stream);
    graph.launch(stream);
    graph.launch(stream);
    EXPECT_EQ(out.read(), normals(key, 64));
}

}  // namespace
}  // namespace tandem::test
