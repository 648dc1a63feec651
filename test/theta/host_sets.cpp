#include "theta/host_kind.hpp"

namespace tandem::test {
namespace {

const SketchKind HOST_SETS{"sets", nothing_missing, make_set_sketch, place_on_host, api::make_host_theta_set};

INSTANTIATE_TEST_SUITE_P(Host, ThetaSuite, ::testing::Values(HOST_SETS), sketch_kind_name);

}  // namespace
}  // namespace tandem::test
