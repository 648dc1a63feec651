// Weighted choice and the discrete laws: one draw, one column of an alias table.

#include "kernels/families.hpp"
#include "kernels/launch.cuh"
#include "kernels/op.cuh"
#include "tandem/core/choice.hpp"

namespace tandem::kernels {
namespace {

struct ChoiceOp : OpBase {
    static constexpr int WIDTH = 64;
    using Element = uint32_t;
    ChoiceView view;
    explicit ChoiceOp(const ChoiceView& v) : view(v) {}
    __device__ uint32_t slow(uint64_t raw, int64_t) const { return choice_of(view, raw); }
    __device__ uint32_t unit(const uint32_t (&raw)[8], uint4& value) const {
        value = make_uint4(slow(draw64(raw, 0), 0), slow(draw64(raw, 1), 0), slow(draw64(raw, 2), 0), slow(draw64(raw, 3), 0));
        return 0;
    }
};

}  // namespace

cudaError_t launch_choice(const Fill& fill, const Key* device_key, cudaStream_t stream) {
    return launch_fill<ChoiceOp, DerivedPolicy>(fill, device_key, fill.n, ChoiceOp(fill.choice), stream);
}

}  // namespace tandem::kernels
