#include "theta/device_place.hpp"
#include "theta/large_suite.hpp"

namespace tandem::test {
namespace {

const SketchKind DEVICE_HANDLES{"handles", gpu_missing,       make_api_sketch,      place_on_device,
                                nullptr,   tandemThetaCreate, tandemCreateGenerator};

INSTANTIATE_TEST_SUITE_P(Device, ThetaSuite, ::testing::Values(DEVICE_HANDLES), sketch_kind_name);
INSTANTIATE_TEST_SUITE_P(Device, ThetaApiSuite, ::testing::Values(DEVICE_HANDLES), sketch_kind_name);
INSTANTIATE_TEST_SUITE_P(Device, ThetaLarge, ::testing::Values(LargeCase{DEVICE_HANDLES, 20, 23}), large_case_name);

}  // namespace
}  // namespace tandem::test
