#include <cuda_runtime_api.h>

#include <string>

#include "host_api/cli/distinct_place.hpp"
#include "host_api/cli/errors.hpp"

namespace tandem::cli {
namespace {

void check(cudaError_t error, const char* what) {
    if (error != cudaSuccess) throw RunError(std::string("cuda: ") + what + ": " + cudaGetErrorString(error));
}

class CudaPlace final : public DistinctPlace {
  public:
    CudaPlace() { check(cudaSetDevice(0), "the first GPU cannot be used"); }
    ~CudaPlace() override { cudaFree(keys_); }

    ThetaSketch make_sketch(uint32_t lg_k, uint64_t seed, float p) override { return ThetaSketch::device(lg_k, seed, p); }
    Generator make_generator() override { return Generator::device(); }

    void offer(const ThetaSketch& sketch, const void* keys, std::size_t n, tandemThetaKey_t type, std::size_t bytes) override {
        reserve(bytes);
        check(cudaMemcpy(keys_, keys, bytes, cudaMemcpyHostToDevice), "the keys cannot be copied");
        detail::succeed(tandemThetaUpdate(sketch.get(), keys_, n, type, nullptr));
        check(cudaStreamSynchronize(nullptr), "the update failed");
    }

    uint64_t draws_a_step() const override { return uint64_t{1} << 32; }

  private:
    void reserve(std::size_t bytes) {
        if (bytes <= bytes_) return;
        cudaFree(keys_);
        keys_ = nullptr;
        bytes_ = 0;
        check(cudaMalloc(&keys_, bytes), "no memory");
        bytes_ = bytes;
    }

    void* keys_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<DistinctPlace> make_distinct_cuda_place() {
    int count = 0;
    check(cudaGetDeviceCount(&count), "no GPU");
    if (count == 0) throw RunError("cuda: no GPU");
    return std::make_unique<CudaPlace>();
}

}  // namespace tandem::cli
