#include "host_api/repeated_launches.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "host_api/cuda_driver.hpp"

// Which calls become launches of which graph, on a driver and a runtime made here.

namespace {

struct FakeGraph {
    std::atomic<int> users{0};
};

/// What has happened, and what is to fail.
struct Fake {
    std::mutex mutex;
    std::atomic<int> made{0}, destroyed{0}, plain{0}, graphs{0}, overlaps{0};
    std::atomic<int> makings_that_succeed{1 << 20};
    std::atomic<bool> refuse_launches{false}, refuse_plain{false};
    std::map<FakeGraph*, std::set<CUstream>> streams;  // on which each graph was launched
    CUstream green_stream = nullptr;
};

Fake* fake = nullptr;

template <class Handle>
FakeGraph* graph_of(Handle handle) {
    return reinterpret_cast<FakeGraph*>(handle);
}

CUresult stream_id(CUstream stream, unsigned long long* id) {
    *id = reinterpret_cast<uintptr_t>(stream) + 1;
    return CUDA_SUCCESS;
}
CUresult make_graph(CUgraph* graph, unsigned) {
    *graph = reinterpret_cast<CUgraph>(new FakeGraph);
    return CUDA_SUCCESS;
}
CUresult add_kernel_node(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, const CUDA_KERNEL_NODE_PARAMS_v2*) {
    return CUDA_SUCCESS;
}
CUresult instantiate_graph(CUgraphExec* executable, CUgraph graph, unsigned long long) {
    if (--fake->makings_that_succeed < 0) return CUDA_ERROR_OUT_OF_MEMORY;
    ++fake->made;
    *executable = reinterpret_cast<CUgraphExec>(graph);
    return CUDA_SUCCESS;
}
CUresult set_kernel_node(CUgraphExec executable, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS_v2*) {
    if (graph_of(executable)->users++ != 0) ++fake->overlaps;
    return CUDA_SUCCESS;
}
CUresult launch_graph(CUgraphExec executable, CUstream stream) {
    {
        const std::lock_guard<std::mutex> lock(fake->mutex);
        fake->streams[graph_of(executable)].insert(stream);
    }
    --graph_of(executable)->users;
    if (fake->refuse_launches) return CUDA_ERROR_OUT_OF_MEMORY;
    ++fake->graphs;
    return CUDA_SUCCESS;
}
CUresult destroy_executable(CUgraphExec) {
    ++fake->destroyed;
    return CUDA_SUCCESS;
}
CUresult destroy_graph(CUgraph graph) {
    delete graph_of(graph);
    return CUDA_SUCCESS;
}
CUresult green_context(CUstream stream, void** context) {
    *context = stream == fake->green_stream ? fake : nullptr;
    return CUDA_SUCCESS;
}

}  // namespace

extern "C" {
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**) {
    if (fake->refuse_plain) return cudaErrorInvalidConfiguration;
    ++fake->plain;
    return cudaSuccess;
}
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
    *function = reinterpret_cast<cudaFunction_t>(const_cast<void*>(symbol));
    return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }
}

namespace tandem::api {

const Driver& driver() {
    static const Driver made = [] {
        Driver d{};
        d.stream_id = stream_id;
        d.make_graph = make_graph;
        d.add_kernel_node = add_kernel_node;
        d.instantiate_graph = instantiate_graph;
        d.set_kernel_node = set_kernel_node;
        d.launch_graph = launch_graph;
        d.destroy_executable = destroy_executable;
        d.destroy_graph = destroy_graph;
        d.stream_green_context = green_context;
        return d;
    }();
    return made;
}

namespace {

constexpr int MOST = static_cast<int>(RepeatedLaunches::MOST);

class RepeatedLaunchesTest : public testing::Test {
  protected:
    RepeatedLaunchesTest() { fake = &fake_; }

    static cudaStream_t stream(int i) { return reinterpret_cast<cudaStream_t>(static_cast<uintptr_t>(16 * (i + 1))); }

    cudaError_t launch(int of_stream, int of_kernel) {
        const void* const kernel = reinterpret_cast<const void*>(static_cast<uintptr_t>(4096 + 16 * of_kernel));
        return launches_.launch({kernel, 1, 32, 0, nullptr, stream(of_stream)});
    }

    /// Whether a call becomes the launch of a graph, and so for several.
    bool repeats(int of_stream, int of_kernel) {
        const int before = fake_.graphs;
        EXPECT_EQ(launch(of_stream, of_kernel), cudaSuccess);
        return fake_.graphs != before;
    }
    std::vector<bool> repeats(int of_stream, int of_kernel, int calls) {
        std::vector<bool> all;
        for (int i = 0; i < calls; ++i) all.push_back(repeats(of_stream, of_kernel));
        return all;
    }

    /// Otherwise one stream would wait for another.
    void expect_streams_of_their_own() const {
        for (const auto& graph : fake_.streams) EXPECT_EQ(graph.second.size(), 1u);
    }

    Fake fake_;
    RepeatedLaunches launches_;
};

TEST_F(RepeatedLaunchesTest, FromTheSecondTimeOfAStreamOn) {
    EXPECT_FALSE(repeats(0, 0));
    EXPECT_EQ(fake_.made, 0);
    EXPECT_FALSE(repeats(0, 0));  // makes the graphs
    EXPECT_EQ(fake_.made, MOST);
    EXPECT_EQ(repeats(0, 0, 3), (std::vector<bool>{true, true, true}));
    EXPECT_EQ(repeats(0, 1, 3), (std::vector<bool>{false, true, true}));
    EXPECT_EQ(repeats(1, 0, 3), (std::vector<bool>{false, true, true}));
    EXPECT_EQ(fake_.made, MOST);
    expect_streams_of_their_own();
}

TEST_F(RepeatedLaunchesTest, NoMoreGraphsThanPlaces) {
    for (int turn = 0; turn < 10; ++turn) {
        for (int s = 0; s < MOST + 8; ++s) static_cast<void>(repeats(s, 0));
    }
    int kept = 0;
    for (int s = 0; s < MOST + 8; ++s) kept += repeats(s, 0) ? 1 : 0;
    EXPECT_EQ(kept, MOST);
    EXPECT_EQ(fake_.made, MOST);
    EXPECT_EQ(fake_.destroyed, 0);
    expect_streams_of_their_own();
}

TEST_F(RepeatedLaunchesTest, OfMoreKernelsInTurnTheFirstKeepTheirPlaces) {
    for (int turn = 0; turn < 3; ++turn) {
        for (int k = 0; k < MOST + 1; ++k) static_cast<void>(repeats(0, k));
    }
    for (int turn = 0; turn < 5; ++turn) {
        for (int k = 0; k < MOST + 1; ++k) EXPECT_EQ(repeats(0, k), k < MOST) << k;
    }
}

TEST_F(RepeatedLaunchesTest, AStreamHandsOnItsOwnPlaces) {
    for (int turn = 0; turn < 3; ++turn) {
        for (int k = 0; k < MOST; ++k) static_cast<void>(repeats(0, k));
    }
    for (int i = 0; i < 4 * MOST + 1; ++i) EXPECT_TRUE(repeats(0, 0));
    EXPECT_EQ(repeats(1, 0, 3), (std::vector<bool>{false, false, false}));
    EXPECT_EQ(repeats(0, MOST, 3), (std::vector<bool>{false, true, true}));
    EXPECT_EQ(repeats(0, MOST + 1, 2), (std::vector<bool>{false, true}));
    EXPECT_TRUE(repeats(0, 0));
    EXPECT_EQ(fake_.made, MOST);
    EXPECT_EQ(fake_.destroyed, 0);
    expect_streams_of_their_own();
}

TEST_F(RepeatedLaunchesTest, StreamsOfOneCallKeepNoPlace) {
    for (int s = 0; s < 200; ++s) EXPECT_FALSE(repeats(s, 0));
    int calls = 0;
    while (calls < 1000 && !repeats(1000, 0)) ++calls;
    EXPECT_LE(calls, 4 * MOST + 1);
}

TEST_F(RepeatedLaunchesTest, WhatIsRefusedIsLaunched) {
    static_cast<void>(repeats(0, 0, 3));
    fake_.refuse_launches = true;
    const int before = fake_.plain;
    EXPECT_EQ(repeats(0, 0, 2), (std::vector<bool>{false, false}));
    EXPECT_EQ(fake_.plain, before + 2);
    fake_.refuse_launches = false;
    EXPECT_TRUE(repeats(0, 0));  // a refusal may pass
    fake_.refuse_launches = true;
    static_cast<void>(repeats(0, 0, 5));
    fake_.refuse_launches = false;
    EXPECT_FALSE(repeats(0, 0));  // many do not
}

TEST_F(RepeatedLaunchesTest, AFailedLaunchIsAnsweredAndNotRemembered) {
    static_cast<void>(repeats(5, 5, 2));
    fake_.refuse_plain = true;
    for (int i = 0; i < 3; ++i) EXPECT_EQ(launch(0, 0), cudaErrorInvalidConfiguration);
    fake_.refuse_plain = false;
    EXPECT_EQ(repeats(0, 0, 2), (std::vector<bool>{false, true}));
}

TEST_F(RepeatedLaunchesTest, AsManyGraphsAsTheDriverMakes) {
    fake_.makings_that_succeed = 3;
    for (int turn = 0; turn < 3; ++turn) {
        for (int k = 0; k < 5; ++k) static_cast<void>(repeats(0, k));
    }
    int kept = 0;
    for (int k = 0; k < 5; ++k) kept += repeats(0, k) ? 1 : 0;
    EXPECT_EQ(kept, 3);
    EXPECT_EQ(fake_.made, 3);
}

TEST_F(RepeatedLaunchesTest, StreamsOfAGreenContextKeepPlainLaunches) {
    fake_.green_stream = stream(0);
    EXPECT_EQ(repeats(0, 0, 5), std::vector<bool>(5, false));
    EXPECT_EQ(repeats(1, 0, 3), (std::vector<bool>{false, true, true}));
}

TEST_F(RepeatedLaunchesTest, ThreadsShareThem) {
    constexpr int THREADS = 6, LAUNCHES = 20000;
    std::vector<std::thread> threads;
    for (int t = 0; t < THREADS; ++t) {
        threads.emplace_back([&, t] {
            unsigned random = static_cast<unsigned>(t) + 1;
            for (int i = 0; i < LAUNCHES; ++i) {
                random = random * 1664525 + 1013904223;
                EXPECT_EQ(launch(static_cast<int>(random >> 16 & 3), static_cast<int>((random >> 24) % 20)), cudaSuccess);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(fake_.plain + fake_.graphs, THREADS * LAUNCHES);
    EXPECT_GT(fake_.graphs, 0);
    EXPECT_EQ(fake_.overlaps, 0);  // no graph is set while another thread launches it
    EXPECT_EQ(fake_.made, MOST);
    expect_streams_of_their_own();
}

}  // namespace
}  // namespace tandem::api
