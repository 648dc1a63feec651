// Normals and log-normals of single precision: Box-Muller on pairs of draws.

#include <cmath>
#include <type_traits>

#include "kernels/families.hpp"
#include "kernels/launch.cuh"
#include "kernels/op.cuh"
#include "tandem/core/exp.hpp"
#include "tandem/core/normal.hpp"

namespace tandem::kernels {
namespace {

template <NormalMode kMode, Form kForm>
struct Normal32Op : OpBase {
    static constexpr int WIDTH = 32;
    static constexpr bool PAIRS = true;
    using Element = float;

    float mean, stddev;
    bool in_range;  // of exp32_tame, for every normal: their size is below 6
    explicit Normal32Op(const Fill& fill)
        : mean(static_cast<float>(fill.mean)),
          stddev(static_cast<float>(fill.stddev)),
          in_range(std::fabs(fill.mean) + 6 * fill.stddev < EXP32_TAME) {}

    __device__ Pair<float> pair(uint32_t a, uint32_t b) const {
        const Pair<float> x = parametrised_pair(a, b);
        return is_log(kForm) ? Pair<float>{exp32(x.x), exp32(x.y)} : x;
    }

    __device__ bool unit(const uint32_t (&raw)[4], uint4& value) const {
        const Pair<float> p = parametrised_pair(raw[0], raw[1]), q = parametrised_pair(raw[2], raw[3]);
        if constexpr (!is_log(kForm)) {
            value = packed(p.x, p.y, q.x, q.y);
        } else if (!has_parameters(kForm) || in_range ||
                   (exp32_is_tame(p.x) && exp32_is_tame(p.y) && exp32_is_tame(q.x) && exp32_is_tame(q.y))) {
            value = packed(exp32_tame(p.x), exp32_tame(p.y), exp32_tame(q.x), exp32_tame(q.y));
        } else {
            value = packed(exp32(p.x), exp32(p.y), exp32(q.x), exp32(q.y));
        }
        return false;
    }

    /// Elements e to e + 3.
    template <class S>
    __device__ uint4 pairs(const uint32_t* words, int e) const {
        if constexpr (!std::is_same<S, OddPairs>::value) {
            uint32_t raw[4];
            load_shifted<S>(words, e * 32, raw);
            uint4 value;
            unit(raw, value);
            return value;
        } else {
            const uint32_t* from = words + e - 1;
            const Pair<float> p = pair(from[0], from[1]), q = pair(from[2], from[3]), r = pair(from[4], from[5]);
            return packed(p.y, q.x, q.y, r.x);
        }
    }

    __device__ float half(uint32_t a, uint32_t b, int second) const {
        const Pair<float> p = pair(a, b);
        return second != 0 ? p.y : p.x;
    }

  private:
    __device__ float parametrised(float z) const { return has_parameters(kForm) ? ieee::fma_gradual(z, stddev, mean) : z; }
    __device__ Pair<float> parametrised_pair(uint32_t a, uint32_t b) const {
        const Pair<float> z = box_muller2_f32(a, b, kMode);
        return {parametrised(z.x), parametrised(z.y)};
    }
};

template <NormalMode kMode, Form kForm>
cudaError_t launch_form(const Fill& fill, const LaunchOptions& options) {
    using Policy = std::conditional_t<kForm == Form::log_standard, LogNormal32Policy, DerivedPolicy>;
    return launch_derived<Normal32Op<kMode, kForm>, Policy>(fill, options, fill.n, Normal32Op<kMode, kForm>(fill));
}

template <NormalMode kMode>
cudaError_t launch_mode(const Fill& fill, const LaunchOptions& options) {
    const bool standard = fill.mean == 0.0 && fill.stddev == 1.0;
    if (fill.draw == Draw::lognormal32) {
        return standard ? launch_form<kMode, Form::log_standard>(fill, options) : launch_form<kMode, Form::log>(fill, options);
    }
    if (standard) return launch_form<kMode, Form::standard>(fill, options);
    return launch_form<kMode, Form::scaled>(fill, options);
}

}  // namespace

cudaError_t launch_normal32(const Fill& fill, const LaunchOptions& options) {
    if (fill.mode == NormalMode::fast) return launch_mode<NormalMode::fast>(fill, options);
    return launch_mode<NormalMode::exact>(fill, options);
}

}  // namespace tandem::kernels
