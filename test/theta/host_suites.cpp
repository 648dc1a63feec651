#include "support/guarded.hpp"
#include "theta/set_suite.hpp"

namespace tandem::test {
namespace {

std::string nothing_missing() { return {}; }

PlacedKeys place_on_host(const void* keys, std::size_t bytes, uint32_t bytes_a_key) {
    const auto room = std::make_shared<GuardedBuffer>(bytes, bytes_a_key);
    if (bytes > 0) std::memcpy(room->data(), keys, bytes);
    return PlacedKeys(room, room->data());
}

const SketchKind HOST_SET{"set", nothing_missing, place_on_host, api::make_host_theta_set, nullptr, nullptr, nullptr};
const SketchKind HOST_API{"api",  nothing_missing, place_on_host, nullptr, tandemThetaCreateHost, tandemCreateGeneratorHost,
                          nullptr};

INSTANTIATE_TEST_SUITE_P(Host, ThetaSuite, ::testing::Values(HOST_SET, HOST_API), sketch_kind_name);

}  // namespace
}  // namespace tandem::test
