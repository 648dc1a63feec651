#include "host_api/cli/backend.hpp"

#include "host_api/cli/cuda_backend.hpp"
#include "tandem/fill.hpp"

namespace tandem::cli {
namespace {

class HostBackend : public Backend {
  public:
    explicit HostBackend(unsigned threads) : threads_(threads) {}

    std::string name() const override { return "host"; }
    ChoiceView place_table(const ChoiceTable& table) override { return table.view(); }
    void fill(const Fill& fill, std::size_t) override { host::fill(fill, threads_); }

  private:
    unsigned threads_;
};

}  // namespace

std::unique_ptr<Backend> make_backend(const Place& place) {
    if (place.backend == BackendName::cuda) return make_cuda_backend();
    if (place.backend == BackendName::automatic && cuda_device_count() > 0) return make_cuda_backend();
    return std::make_unique<HostBackend>(place.threads);
}

std::vector<Place> present_places() {
    std::vector<Place> places{Place{BackendName::host, 0}};
    if (cuda_device_count() > 0) places.push_back(Place{BackendName::cuda, 0});
    return places;
}

}  // namespace tandem::cli
