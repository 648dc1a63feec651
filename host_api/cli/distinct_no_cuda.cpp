#include "host_api/cli/distinct_place.hpp"
#include "host_api/cli/errors.hpp"

namespace tandem::cli {

std::unique_ptr<DistinctPlace> make_distinct_cuda_place() { throw RunError("cuda: this build has no CUDA backend"); }

}  // namespace tandem::cli
