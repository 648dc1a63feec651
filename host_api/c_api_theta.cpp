#include "host_api/api_handles.hpp"
#include "host_api/theta/sketch.hpp"
#include "tandem/theta.h"

namespace tandem::api {
namespace {

HandleTable<ThetaSketch, 13> sketches;

using Maker = std::unique_ptr<ThetaSketch> (*)(const ThetaParameters&);

/// The sketch of a handle; throws error with 101.
ThetaSketch& sketch_of(const char* kind, tandemTheta_t handle) {
    ThetaSketch* sketch = sketches.find(handle);
    if (sketch == nullptr) refuse_handle(kind, handle);
    return *sketch;
}

template <class Body>
tandemStatus_t with_sketch(const char* function, tandemTheta_t handle, Body&& body) noexcept {
    return guarded(function, [&] { body(sketch_of("sketch", handle)); });
}

ThetaKey kind_of(tandemThetaKey_t type) {
    static_assert(static_cast<int>(ThetaKey::i64) == TANDEM_THETA_KEY_I64 &&
                  static_cast<int>(ThetaKey::f32) == TANDEM_THETA_KEY_F32);
    if (type < TANDEM_THETA_KEY_U64 || type > TANDEM_THETA_KEY_F32) {
        throw error(TANDEM_STATUS_TYPE_ERROR, "type is " + text_of(int64_t{type}) +
                                                  "; it must be one of TANDEM_THETA_KEY_U64 (0) to TANDEM_THETA_KEY_F32 (9)");
    }
    return static_cast<ThetaKey>(type);
}

tandemStatus_t create(const char* function, tandemTheta_t* place, const ThetaParameters& parameters, Maker make) noexcept {
    return guarded(function, [&] {
        need_place("sketch", place);
        *place = static_cast<tandemTheta_t>(sketches.add(make(parameters)));
    });
}

tandemStatus_t deserialize(const char* function, tandemTheta_t* place, const void* image, size_t bytes,
                           const ThetaParameters& parameters, Maker make) noexcept {
    return guarded(function, [&] {
        need_place("sketch", place);
        std::unique_ptr<ThetaSketch> sketch = make(parameters);
        need("image", image);
        sketch->deserialize(static_cast<const uint8_t*>(image), bytes);
        *place = static_cast<tandemTheta_t>(sketches.add(std::move(sketch)));
    });
}

tandemStatus_t combine(const char* function, tandemTheta_t handle, tandemTheta_t other, CUstream_st* stream,
                       void (ThetaSketch::*operation)(ThetaSketch&, CUstream_st*)) noexcept {
    return with_sketch(function, handle, [&](ThetaSketch& s) { (s.*operation)(sketch_of("other", other), stream); });
}

void check_deviations(uint32_t deviations) {
    if (deviations < 1 || deviations > 3) refuse("deviations", text_of(uint64_t{deviations}), "it must be 1, 2 or 3");
}

void serialize(ThetaSketch& sketch, void* image, size_t* bytes) {
    size_t size = 0;
    sketch.serialize([&](std::size_t needed) {
        if (image != nullptr && *bytes < needed) {
            refuse("bytes", text_of(uint64_t{*bytes}), "the image has " + text_of(uint64_t{needed}));
        }
        size = needed;
        return static_cast<uint8_t*>(image);
    });
    *bytes = size;
}

}  // namespace
}  // namespace tandem::api

using namespace tandem::api;

extern "C" {

tandemStatus_t tandemThetaCreate(tandemTheta_t* sketch, uint32_t lg_k, uint64_t seed, float p) {
    return create(__func__, sketch, {lg_k, seed, p}, ThetaSketch::on_current_device);
}

tandemStatus_t tandemThetaCreateHost(tandemTheta_t* sketch, uint32_t lg_k, uint64_t seed, float p) {
    return create(__func__, sketch, {lg_k, seed, p}, ThetaSketch::on_host);
}

tandemStatus_t tandemThetaDestroy(tandemTheta_t sketch) {
    return guarded(__func__, [=] {
        if (sketches.remove(sketch) == nullptr) refuse_handle("sketch", sketch);
    });
}

tandemStatus_t tandemThetaUpdate(tandemTheta_t sketch, const void* keys, size_t n, tandemThetaKey_t type, CUstream_st* stream) {
    return with_sketch(__func__, sketch, [=](ThetaSketch& s) { s.update(keys, n, kind_of(type), stream); });
}

tandemStatus_t tandemThetaUpdateDraws(tandemTheta_t sketch, tandemGenerator_t generator, tandemThetaKey_t type, size_t n) {
    return with_sketch(__func__, sketch, [=](ThetaSketch& s) {
        Generator* found = generators.find(generator);
        if (found == nullptr) refuse_handle("generator", generator);
        s.update_draws(*found, kind_of(type), n);
    });
}

tandemStatus_t tandemThetaMerge(tandemTheta_t sketch, tandemTheta_t other, CUstream_st* stream) {
    return combine(__func__, sketch, other, stream, &ThetaSketch::merge);
}

tandemStatus_t tandemThetaIntersect(tandemTheta_t sketch, tandemTheta_t other, CUstream_st* stream) {
    return combine(__func__, sketch, other, stream, &ThetaSketch::intersect);
}

tandemStatus_t tandemThetaANotB(tandemTheta_t sketch, tandemTheta_t other, CUstream_st* stream) {
    return combine(__func__, sketch, other, stream, &ThetaSketch::a_not_b);
}

tandemStatus_t tandemThetaReset(tandemTheta_t sketch, CUstream_st* stream) {
    return with_sketch(__func__, sketch, [=](ThetaSketch& s) { s.reset(stream); });
}

tandemStatus_t tandemThetaGetEstimate(tandemTheta_t sketch, double* estimate) {
    return with_sketch(__func__, sketch, [=](ThetaSketch& s) {
        need("estimate", estimate);
        *estimate = theta_estimate(s.summary());
    });
}

tandemStatus_t tandemThetaGetBounds(tandemTheta_t sketch, uint32_t deviations, double* lower, double* upper) {
    return with_sketch(__func__, sketch, [=](ThetaSketch& s) {
        check_deviations(deviations);
        need("lower", lower);
        need("upper", upper);
        const ThetaBounds bounds = theta_bounds(s.summary(), deviations);
        *lower = bounds.lower;
        *upper = bounds.upper;
    });
}

tandemStatus_t tandemThetaGetTheta(tandemTheta_t sketch, uint64_t* theta) {
    return with_sketch(__func__, sketch, [=](ThetaSketch& s) {
        need("theta", theta);
        *theta = s.summary().theta;
    });
}

tandemStatus_t tandemThetaGetRetained(tandemTheta_t sketch, uint64_t* retained) {
    return with_sketch(__func__, sketch, [=](ThetaSketch& s) {
        need("retained", retained);
        *retained = s.summary().retained;
    });
}

tandemStatus_t tandemThetaGetEmpty(tandemTheta_t sketch, int* empty) {
    return with_sketch(__func__, sketch, [=](ThetaSketch& s) {
        need("empty", empty);
        *empty = s.summary().empty ? 1 : 0;
    });
}

tandemStatus_t tandemThetaSerialize(tandemTheta_t sketch, void* image, size_t* bytes) {
    return with_sketch(__func__, sketch, [=](ThetaSketch& s) {
        need("bytes", bytes);
        serialize(s, image, bytes);
    });
}

tandemStatus_t tandemThetaDeserialize(tandemTheta_t* sketch, const void* image, size_t bytes, uint32_t lg_k, uint64_t seed) {
    return deserialize(__func__, sketch, image, bytes, {lg_k, seed, 1.0f}, ThetaSketch::on_current_device);
}

tandemStatus_t tandemThetaDeserializeHost(tandemTheta_t* sketch, const void* image, size_t bytes, uint32_t lg_k, uint64_t seed) {
    return deserialize(__func__, sketch, image, bytes, {lg_k, seed, 1.0f}, ThetaSketch::on_host);
}

}  // extern "C"
