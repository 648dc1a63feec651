#include "host_api/cli/distinct_place.hpp"

#include "host_api/cli/cuda_backend.hpp"

namespace tandem::cli {
namespace {

class HostPlace final : public DistinctPlace {
  public:
    ThetaSketch make_sketch(uint32_t lg_k, uint64_t seed, float p) override { return ThetaSketch::host(lg_k, seed, p); }
    Generator make_generator() override { return Generator::host(); }

    void offer(const ThetaSketch& sketch, const void* keys, std::size_t n, tandemThetaKey_t type, std::size_t) override {
        detail::succeed(tandemThetaUpdate(sketch.get(), keys, n, type, nullptr));
    }

    uint64_t draws_a_step() const override { return uint64_t{1} << 24; }
};

}  // namespace

std::unique_ptr<DistinctPlace> make_distinct_place(BackendName backend) {
    if (backend == BackendName::cuda || (backend == BackendName::automatic && cuda_device_count() > 0)) {
        return make_distinct_cuda_place();
    }
    return std::make_unique<HostPlace>();
}

}  // namespace tandem::cli
