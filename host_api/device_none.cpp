#include "host_api/backend.hpp"
#include "host_api/status.hpp"

namespace tandem::api {

Backend& current_device_backend() {
    throw error(TANDEM_STATUS_INITIALIZATION_FAILED, "this build of Tandem has no CUDA backend; host generators and fills work");
}

}  // namespace tandem::api
