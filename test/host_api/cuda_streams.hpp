#pragma once

/// Streams and launchable graphs, for tests.

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace tandem::test {

/// A stream that does not wait for the default stream.
class TestStream {
  public:
    TestStream() { EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess); }
    TestStream(const TestStream&) = delete;
    TestStream& operator=(const TestStream&) = delete;
    ~TestStream() { cudaStreamDestroy(stream_); }
    operator cudaStream_t() const { return stream_; }

  private:
    cudaStream_t stream_ = nullptr;
};

/// What a stream has captured, as graphs that can be launched.
class Graph {
  public:
    /// Ends the capture of a stream.
    explicit Graph(cudaStream_t captured, int instances = 1) {
        cudaGraph_t graph = nullptr;
        EXPECT_EQ(cudaStreamEndCapture(captured, &graph), cudaSuccess);
        for (int i = 0; i < instances && i < MAX_INSTANCES; ++i) {
            EXPECT_EQ(cudaGraphInstantiate(&instances_[i], graph, 0), cudaSuccess);
        }
        EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph() {
        for (cudaGraphExec_t instance : instances_) {
            if (instance != nullptr) cudaGraphExecDestroy(instance);
        }
    }

    void launch(cudaStream_t stream, int instance = 0) const {
        EXPECT_EQ(cudaGraphLaunch(instances_[instance], stream), cudaSuccess);
    }

  private:
    static constexpr int MAX_INSTANCES = 2;
    cudaGraphExec_t instances_[MAX_INSTANCES] = {};
};

}  // namespace tandem::test
