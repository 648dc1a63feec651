#include "kernels/fill.hpp"

#include "kernels/families.hpp"
#include "kernels/policies.hpp"

namespace tandem::kernels {

std::size_t scratch_bytes(const Fill& fill, Path path, const Architecture* given) {
    const Architecture& architecture = given != nullptr ? *given : measured_architecture();
    switch (fill.draw) {
        case Draw::below32:
        case Draw::below64: return bounded_scratch(fill, path, architecture);
        case Draw::normal64:
        case Draw::lognormal64: return normal64_scratch(fill, path, architecture);
        default: return 0;
    }
}

cudaError_t launch(const Fill& fill, const LaunchOptions& options) {
    if (options.scratch != nullptr && scratch_bytes(fill, options.path, options.architecture) == 0) {
        LaunchOptions without = options;
        without.scratch = nullptr;
        return launch(fill, without);
    }
    switch (fill.draw) {
        case Draw::boolean: return launch_bits(fill, options);
        case Draw::u8:
        case Draw::u16:
        case Draw::u32:
        case Draw::u64:
        case Draw::u128:
        case Draw::f16:
        case Draw::f32:
        case Draw::f64:
        case Draw::c32:
        case Draw::c64:
        case Draw::character: return launch_plain(fill, options);
        case Draw::below32:
        case Draw::below64: return launch_bounded(fill, options);
        case Draw::normal64:
        case Draw::lognormal64: return launch_normal64(fill, options);
        case Draw::normal32:
        case Draw::lognormal32: return launch_normal32(fill, options);
        case Draw::exponential64:
        case Draw::exponential32: return launch_exponential(fill, options);
        case Draw::choice: return launch_choice(fill, options);
    }
    return cudaErrorInvalidValue;
}

}  // namespace tandem::kernels
