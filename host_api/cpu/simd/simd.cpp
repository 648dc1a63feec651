/// The vector engine, compiled once a target.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host_api/cpu/simd/simd.cpp"
// SSE4 serves every x86 processor of the last fifteen years; the scalar engine serves the others.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "host_api/cpu/targets.hpp"

#ifndef TANDEM_CPU_SIMD_NAME_OF
#define TANDEM_CPU_SIMD_NAME_OF
namespace tandem::cpu {
namespace {

/// Highway's name of a target in lower case.
const char* name_of(int64_t target) {
    switch (target) {
#if HWY_ARCH_X86
        case HWY_SSE4: return "sse4";
        case HWY_AVX2: return "avx2";
        case HWY_AVX3: return "avx3";
#elif HWY_ARCH_ARM
        case HWY_NEON: return "neon";
        case HWY_SVE: return "sve";
        case HWY_SVE2: return "sve2";
        case HWY_SVE_256: return "sve_256";
        case HWY_SVE2_128: return "sve2_128";
#endif
        case HWY_EMU128:
        case HWY_SCALAR: return "scalar";
        default: return hwy::TargetName(target);
    }
}

}  // namespace
}  // namespace tandem::cpu
#endif

// Where Highway would compile without vectors, the portable engine is as good.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "host_api/cpu/simd/bounded-inl.h"
#include "host_api/cpu/simd/choice-inl.h"
#include "host_api/cpu/simd/plain-inl.h"
#include "host_api/cpu/simd/real-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace tandem::cpu {
namespace HWY_NAMESPACE {

void map(const Job& job, const Piece& piece, RowSource& source) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
    map_scalar(job, piece, source);
#else
    switch (job.fill->draw) {
        case Draw::below32:
        case Draw::below64: map_bounded(job, piece, source); break;
        case Draw::choice: map_choice(job, piece, source); break;
        case Draw::normal64:
        case Draw::normal32:
        case Draw::lognormal64:
        case Draw::lognormal32:
        case Draw::exponential64:
        case Draw::exponential32: map_reals(job, piece, source); break;
        default: map_plain(job, piece, source); break;
    }
#endif
}

const char* run(const Job& job, const Piece& piece) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
    run_scalar(job, piece);
#else
    if (job.fill->draw <= Draw::character) {
        run_plain(job, piece);
    } else {
        VectorSource source(job, piece);
        map(job, piece, source);
    }
    if (job.stream) hwy::FlushStream();
#endif
    return name_of(HWY_TARGET);
}

}  // namespace HWY_NAMESPACE
}  // namespace tandem::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem::cpu {

HWY_EXPORT(run);
HWY_EXPORT(map);

std::vector<Target> vector_targets() {
    std::vector<Target> found;
    const int64_t portable = HWY_EMU128 | HWY_SCALAR;
    for (int64_t left = hwy::SupportedTargets() & HWY_TARGETS & ~portable; left != 0; left &= left - 1) {
        const int64_t target = left & -left;  // the best has the lowest bit
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
        found.push_back(Target{name_of(target), &HWY_STATIC_DISPATCH(run), &HWY_STATIC_DISPATCH(map)});
#else
        hwy::ChosenTarget chosen;
        chosen.Update(target);
        const size_t index = chosen.GetIndex();
        found.push_back(Target{name_of(target), HWY_DISPATCH_TABLE(run)[index], HWY_DISPATCH_TABLE(map)[index]});
#endif
    }
    return found;
}

}  // namespace tandem::cpu
#endif
