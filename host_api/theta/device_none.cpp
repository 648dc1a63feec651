#include "host_api/status.hpp"
#include "host_api/theta/set.hpp"

namespace tandem::api {

std::unique_ptr<ThetaSet> make_device_theta_set(const ThetaParameters&) {
    throw error(TANDEM_STATUS_INITIALIZATION_FAILED,
                "sketches of device memory are not in this build of Tandem; host sketches work");
}

}  // namespace tandem::api
