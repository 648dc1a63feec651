#include "host_api/cli/cuda_backend.hpp"
#include "host_api/cli/errors.hpp"

namespace tandem::cli {

int cuda_device_count() { return 0; }

std::unique_ptr<Backend> make_cuda_backend() { throw RunError("cuda: this build has no CUDA backend"); }

std::vector<std::string> describe_devices() { return {"not in this build"}; }

}  // namespace tandem::cli
