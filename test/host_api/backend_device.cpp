#include <algorithm>

#include "host_api/backend_under_test.hpp"
#include "host_api/cuda_memory.hpp"

namespace tandem::test {
namespace {

constexpr std::size_t STRIP = 256;

class DeviceRoom final : public Room {
  public:
    DeviceRoom(std::size_t size, std::size_t offset)
        : memory_(size + offset % STRIP + 2 * STRIP), begin_(STRIP + offset % STRIP), size_(size) {}
    void* data() override { return memory_.data() + begin_; }
    std::vector<uint8_t> read() override {
        const std::vector<uint8_t> all = memory_.read();
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(begin_);
        return {begin, begin + static_cast<std::ptrdiff_t>(size_)};
    }
    bool intact() override {
        const std::vector<uint8_t> all = memory_.read();
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(begin_);
        return poison(all.begin(), begin) && poison(begin + static_cast<std::ptrdiff_t>(size_), all.end());
    }
    bool untouched() override {
        const std::vector<uint8_t> all = memory_.read();
        return poison(all.begin(), all.end());
    }

  private:
    using Iterator = std::vector<uint8_t>::const_iterator;
    static bool poison(Iterator begin, Iterator end) {
        return std::all_of(begin, end, [](uint8_t byte) { return byte == DeviceBytes::POISON; });
    }

    DeviceBytes memory_;
    std::size_t begin_;
    std::size_t size_;
};

}  // namespace

std::string backend_missing() { return gpus_missing(1); }

tandemStatus_t create_generator(tandemGenerator_t* generator, tandemRngType_t type) {
    return tandemCreateGenerator(generator, type);
}

std::unique_ptr<Room> make_room(std::size_t size, std::size_t offset) { return std::make_unique<DeviceRoom>(size, offset); }

uint64_t pure_fill(const Fill& fill) { return tandem::fill(fill); }

tandemStatus_t view_of(tandemDistribution_t distribution, tandemDistributionView_t* view) {
    return tandemGetDistributionView(distribution, view);
}

}  // namespace tandem::test
