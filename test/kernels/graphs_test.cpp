/// Captured fills: every draw, in every capture mode.

#include <gtest/gtest.h>

#include "kernels/fill.hpp"
#include "kernels/fill_batch.hpp"
#include "support/reference.hpp"
#include "support/samples.hpp"

namespace tandem::test {
namespace {

constexpr uint64_t N = 1001;

class KernelGraphs : public testing::TestWithParam<cudaStreamCaptureMode> {
  protected:
    void SetUp() override {
        if (const std::string missing = gpus_missing(1); !missing.empty()) GTEST_SKIP() << missing;
        TANDEM_CUDA_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    void TearDown() override {
        if (stream_ != nullptr) cudaStreamDestroy(stream_);
    }

    cudaStream_t stream_ = nullptr;
};

TEST_P(KernelGraphs, EveryLaunchRepeatsTheFill) {
    std::vector<DrawSample> samples = plain_samples();
    samples.insert(samples.end(), derived_samples().begin(), derived_samples().end());
    for (std::size_t i = 0; i < 2 * samples.size(); ++i) {
        const DrawSample& sample = samples[i / 2];
        const kernels::Path path = i % 2 == 0 ? kernels::Path::best : kernels::Path::lists;
        Fill fill = sample.fill;
        fill.key = Key{{9, 8, 7, 6}};
        fill.position = 4099;
        fill.n = N;
        const std::vector<uint8_t> expected = reference_fill(fill);
        std::unique_ptr<DeviceTable> table;
        if (fill.draw == Draw::choice) {
            table = std::make_unique<DeviceTable>(fill.choice);
            fill.choice = table->view();
        }
        const DeviceBytes out(expected.size());
        fill.out = out.data();
        const DeviceBytes scratch(kernels::scratch_bytes(fill, path));

        cudaGraph_t graph = nullptr;
        cudaGraphExec_t exec = nullptr;
        TANDEM_CUDA_OK(cudaStreamBeginCapture(stream_, GetParam()));
        EXPECT_EQ(kernels::launch(fill, {nullptr, scratch.data(), stream_, path}), cudaSuccess) << sample.name;
        TANDEM_CUDA_OK(cudaStreamEndCapture(stream_, &graph));
        TANDEM_CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
        EXPECT_EQ(out.read(), std::vector<uint8_t>(expected.size(), DeviceBytes::POISON)) << "ran while being captured";
        for (int launch = 0; launch < 2; ++launch) {
            TANDEM_CUDA_OK(cudaMemset(out.data(), launch, expected.size()));
            TANDEM_CUDA_OK(cudaDeviceSynchronize());
            TANDEM_CUDA_OK(cudaGraphLaunch(exec, stream_));
            EXPECT_EQ(out.read(), expected) << sample.name << ", launch " << launch;
        }
        TANDEM_CUDA_OK(cudaGraphExecDestroy(exec));
        TANDEM_CUDA_OK(cudaGraphDestroy(graph));
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, KernelGraphs,
                         testing::Values(cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                                         cudaStreamCaptureModeRelaxed));

}  // namespace
}  // namespace tandem::test
