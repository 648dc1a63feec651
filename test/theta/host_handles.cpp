#include "theta/host_kind.hpp"

namespace tandem::test {
namespace {

const SketchKind HOST_HANDLES{"handles", nothing_missing,       make_api_sketch,          place_on_host,
                              nullptr,   tandemThetaCreateHost, tandemCreateGeneratorHost};

INSTANTIATE_TEST_SUITE_P(Host, ThetaSuite, ::testing::Values(HOST_HANDLES), sketch_kind_name);
INSTANTIATE_TEST_SUITE_P(Host, ThetaApiSuite, ::testing::Values(HOST_HANDLES), sketch_kind_name);

}  // namespace
}  // namespace tandem::test
