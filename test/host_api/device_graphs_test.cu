#include <memory>
#include <vector>

#include "host_api/backend_under_test.hpp"
#include "host_api/gate.cuh"
#include "host_api/launch_keys.hpp"
#include "support/reference.hpp"
#include "tandem/core/choice.hpp"
#include "tandem/tandem.hpp"

namespace tandem::test {
namespace {

constexpr std::size_t N = std::size_t{1} << 18;
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
    std::vector<uint8_t> values(N * 8);
    for (int launch = 0; launch < 2; ++launch) {
        if (cudaGraphLaunch(exec, stream) != cudaSuccess || cudaStreamSynchronize(stream) != cudaSuccess) return 6;
        if (cudaMemcpy(values.data(), out, N * 8, cudaMemcpyDeviceToHost) != cudaSuccess) return 7;
        if (values != normals(key_of_launch(g.key(), launch), 0)) return 8 + launch;
    }
    return 0;
}

TEST_F(DeviceGraphs, TheFirstCallEverMayBeCaptured) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // each in a process of its own
    EXPECT_EXIT(_exit(first_call_inside_a_capture(cudaStreamCaptureModeGlobal)), ::testing::ExitedWithCode(0), "");
    EXPECT_EXIT(_exit(first_call_inside_a_capture(cudaStreamCaptureModeThreadLocal)), ::testing::ExitedWithCode(0), "");
    EXPECT_EXIT(_exit(first_call_inside_a_capture(cudaStreamCaptureModeRelaxed)), ::testing::ExitedWithCode(0), "");
}

TEST_F(DeviceGraphs, CapturedFillsWithListsNeedNoMemoryOfTheGraph) {
    const TestStream stream;
    Generator g = Generator::device();
    g.set_stream(stream);
    g.set_graph_mode(TANDEM_GRAPH_REPEAT);
    const std::size_t n = std::size_t{3} << 26;  // so many bounded elements use lists
    const DeviceBytes out(n * 4);
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    g.below(out.as<unsigned>(), n, 1000003);
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    // A graph that allocates could not be instantiated a second time.
    cudaGraphExec_t first = nullptr, second = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&first, graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&second, graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(second, stream), cudaSuccess);
    Generator eager = Generator::device();
    const DeviceBytes expected(n * 4);
    eager.below(expected.as<unsigned>(), n, 1000003);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_TRUE(out.read() == expected.read());
    EXPECT_EQ(cudaGraphExecDestroy(first), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(second), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(DeviceGraphs, InRepeatModeEveryLaunchHasTheCapturedNumbersAndThePositionMovesOnce) {
    for (cudaStreamCaptureMode mode : MODES) {
        const TestStream stream;
        Generator g = Generator::device();
        g.set_stream(stream);
        g.set_position(640);
        g.set_graph_mode(TANDEM_GRAPH_REPEAT);
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
    for (int i = 0; i < GRAPHS; ++i) EXPECT_EQ(outputs[i]->read(), normals(key_of_launch(g.key(), 4), i * N * 64)) << i;
}

TEST_F(DeviceGraphs, WhatACaptureReadsOutlivesItsGeneratorAndDistribution) {
    const TestStream stream;
    const DeviceBytes out(N * 4);
    const double weights[] = {5, 0, 1, 2};
    Fill expected;
    expected.draw = Draw::choice;
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
        expected.key = key_of_launch(key_of_seed(0, 0), launch);
        EXPECT_EQ(out.read(), reference_fill(expected));
    }
    graph->launch(stream);
    graph.reset();  // in flight
    expected.key = key_of_launch(key_of_seed(0, 0), 2);
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
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);  // the stream does not wait for the default one
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

TEST_F(DeviceGraphs, ASeedReachesTheLaunchesThatFollowItInStreamOrder) {
    const TestStream stream;
    const DeviceBytes out(N * 8), kept(3 * N * 8);
    Generator g = Generator::device();
    g.set_stream(stream);
    const Key first = g.key();
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    g.normal(out.as<double>(), N);
    const Graph graph(stream);
    g.set_seed(1);  // loads the code of the step that follows
    g.set_key(first);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);

    Gate gate;
    gate.hold(stream);
    for (int launch = 0; launch < 3; ++launch) {
        if (launch == 1) g.set_seed(5);
        graph.launch(stream);
        ASSERT_EQ(cudaMemcpyAsync(kept.data() + launch * N * 8, out.data(), N * 8, cudaMemcpyDeviceToDevice, stream),
                  cudaSuccess);
    }
    EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);  // nothing waited
    gate.open();
    std::vector<uint8_t> expected = normals(first, 0);
    for (int launch = 1; launch < 3; ++launch) {
        const std::vector<uint8_t> more = normals(key_of_launch(g.key(), launch), 0);
        expected.insert(expected.end(), more.begin(), more.end());
    }
    EXPECT_EQ(kept.read(), expected);
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
