/// A program whose first calls of the library are captured: first_capture MODE, with MODE 0 (global), 1 (thread-local) or 2
/// (relaxed). Status 0 when the graph writes what the CPU computes, 77 without a GPU.

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kernels/fill.hpp"
#include "support/reference.hpp"
#include "support/samples.hpp"

namespace {

using namespace tandem;

constexpr uint64_t N = 1001;

#define STOP_UNLESS_OK(call)                                                    \
    do {                                                                        \
        if (const cudaError_t error = (call); error != cudaSuccess) {           \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
            return 1;                                                           \
        }                                                                       \
    } while (false)

struct Work {
    std::string name;
    Fill fill;
    std::vector<uint8_t> expected;
};

std::vector<Work> make_work() {
    std::vector<Work> work;
    for (const auto* samples : {&test::plain_samples(), &test::derived_samples()}) {
        for (const test::DrawSample& sample : *samples) {
            if (sample.fill.draw == Draw::choice) continue;  // its table is made by calls that a capture may forbid
            Work w{sample.name, sample.fill, {}};
            w.fill.key = Key{{4, 3, 2, 1}};
            w.fill.position = 77;
            w.fill.n = N;
            w.expected = test::reference_fill(w.fill);
            work.push_back(std::move(w));
        }
    }
    return work;
}

int run(cudaStreamCaptureMode mode) {
    std::vector<Work> work = make_work();
    cudaStream_t stream = nullptr;
    STOP_UNLESS_OK(cudaStreamCreate(&stream));
    for (Work& w : work) STOP_UNLESS_OK(cudaMalloc(&w.fill.out, w.expected.size()));

    STOP_UNLESS_OK(cudaStreamBeginCapture(stream, mode));
    for (const Work& w : work) {
        if (const cudaError_t error = kernels::launch(w.fill, {nullptr, nullptr, stream}); error != cudaSuccess) {
            std::fprintf(stderr, "%s: %s\n", w.name.c_str(), cudaGetErrorString(error));
            return 1;
        }
    }
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    STOP_UNLESS_OK(cudaStreamEndCapture(stream, &graph));
    STOP_UNLESS_OK(cudaGraphInstantiate(&exec, graph, 0));
    STOP_UNLESS_OK(cudaGraphLaunch(exec, stream));
    STOP_UNLESS_OK(cudaStreamSynchronize(stream));

    int wrong = 0;
    for (const Work& w : work) {
        std::vector<uint8_t> got(w.expected.size());
        STOP_UNLESS_OK(cudaMemcpy(got.data(), w.fill.out, got.size(), cudaMemcpyDeviceToHost));
        if (got == w.expected) continue;
        std::fprintf(stderr, "%s: wrong values\n", w.name.c_str());
        wrong = 1;
    }
    return wrong;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return 77;
    return run(static_cast<cudaStreamCaptureMode>(std::atoi(argv[1])));
}
