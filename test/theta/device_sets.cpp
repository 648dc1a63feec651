#include "theta/device_kinds.hpp"

namespace tandem::test {
namespace {

template <int kTuning>
SketchKind tuned(const char* name) {
    return {name, gpu_missing, make_set_sketch, place_on_device, make_tuned_set<kTuning>};
}

INSTANTIATE_TEST_SUITE_P(Device, ThetaSuite,
                         ::testing::Values(tuned<0>("sets"), tuned<1>("one_block"), tuned<2>("seven_blocks"),
                                           tuned<3>("small_tables"), tuned<4>("large_tables")),
                         sketch_kind_name);

}  // namespace
}  // namespace tandem::test
