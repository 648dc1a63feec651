#include "host_api/backend_under_test.hpp"
#include "support/guarded.hpp"

namespace tandem::test {
namespace {

class HostRoom final : public Room {
  public:
    HostRoom(std::size_t size, std::size_t offset) : buffer_(size, offset) {}
    void* data() override { return buffer_.data(); }
    std::vector<uint8_t> read() override { return {buffer_.bytes(), buffer_.bytes() + buffer_.size()}; }
    bool intact() override { return buffer_.intact(); }
    bool untouched() override { return buffer_.untouched(); }

  private:
    GuardedBuffer buffer_;
};

}  // namespace

std::string backend_missing() { return {}; }

tandemStatus_t create_generator(tandemGenerator_t* generator, tandemRngType_t type) {
    return tandemCreateGeneratorHost(generator, type);
}

std::unique_ptr<Room> make_room(std::size_t size, std::size_t offset) { return std::make_unique<HostRoom>(size, offset); }

uint64_t pure_fill(const Fill& fill) { return host::fill(fill); }

tandemStatus_t view_of(tandemDistribution_t distribution, tandemDistributionView_t* view) {
    return tandemGetDistributionViewHost(distribution, view);
}

}  // namespace tandem::test
