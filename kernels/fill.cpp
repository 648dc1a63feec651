#include "kernels/fill.hpp"

#include "kernels/families.hpp"

namespace tandem::kernels {

std::size_t scratch_bytes(const Fill&) { return 0; }

cudaError_t launch(const Fill& fill, const Key* device_key, void* /*scratch*/, cudaStream_t stream) {
    switch (fill.draw) {
        case Draw::boolean: return launch_bits(fill, device_key, stream);
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
        case Draw::character: return launch_plain(fill, device_key, stream);
        case Draw::below32:
        case Draw::below64: return launch_bounded(fill, device_key, stream);
        case Draw::normal64:
        case Draw::lognormal64: return launch_normal64(fill, device_key, stream);
        case Draw::normal32:
        case Draw::lognormal32: return launch_normal32(fill, device_key, stream);
        case Draw::exponential64:
        case Draw::exponential32: return launch_exponential(fill, device_key, stream);
        case Draw::choice: return launch_choice(fill, device_key, stream);
    }
    return cudaErrorInvalidValue;
}

}  // namespace tandem::kernels
