#include "host_api/theta/sketch.hpp"

#include "host_api/status.hpp"
#include "host_api/theta/image.hpp"

namespace tandem::api {
namespace {

using Lock = std::lock_guard<std::mutex>;

void check_parameters(const ThetaParameters& parameters) {
    if (parameters.lg_k < MIN_LG_K || parameters.lg_k > MAX_LG_K) {
        refuse("lg_k", text_of(uint64_t{parameters.lg_k}), "it must be from 5 to 26");
    }
    if (!valid_theta_p(parameters.p)) {
        refuse("p", text_of(static_cast<double>(parameters.p)), "it must be from 2^-63 to 1");
    }
}

void check_keys(const void* keys, ThetaKey kind) {
    if (keys == nullptr) refuse("keys", "null", "it must point to n keys");
    const uint32_t bytes = theta_key_bytes(kind);
    if (reinterpret_cast<uintptr_t>(keys) % bytes != 0) {
        refuse("keys", text_of(keys), "it must be a multiple of the key's " + text_of(uint64_t{bytes}) + " bytes");
    }
}

Draw draw_of(ThetaKey kind) {
    switch (theta_signed(kind)) {
        case ThetaKey::i32: return Draw::u32;
        case ThetaKey::i16: return Draw::u16;
        case ThetaKey::i8: return Draw::u8;
        case ThetaKey::f64: return Draw::f64;
        case ThetaKey::f32: return Draw::f32;
        default: break;
    }
    return Draw::u64;
}

}  // namespace

std::unique_ptr<ThetaSketch> ThetaSketch::on_host(const ThetaParameters& parameters) {
    check_parameters(parameters);
    return std::unique_ptr<ThetaSketch>(new ThetaSketch(parameters, host_backend(), make_host_theta_set(parameters)));
}

std::unique_ptr<ThetaSketch> ThetaSketch::on_current_device(const ThetaParameters& parameters) {
    check_parameters(parameters);
    std::unique_ptr<ThetaSet> set = make_device_theta_set(parameters);
    return std::unique_ptr<ThetaSketch>(new ThetaSketch(parameters, current_device_backend(), std::move(set)));
}

void ThetaSketch::update(const void* keys, uint64_t n, ThetaKey kind, CUstream_st* stream) {
    if (n == 0) return;
    check_keys(keys, kind);
    const Lock lock(mutex_);
    set_->check_keys(keys, kind, n, stream);
    set_->update(keys, kind, n, stream);
}

void ThetaSketch::update_draws(Generator& generator, ThetaKey kind, uint64_t n) {
    Backend& host = host_backend();
    const bool same_place = &generator.backend() == &backend_;
    if (!same_place && &generator.backend() != &host && &backend_ != &host) {
        refuse("generator", "on another device than the sketch", "it must be on the same one, or a host generator");
    }
    const Lock lock(mutex_);
    generator.lend(draw_of(kind), n, [&](const Fill& fill, RunOptions options) {
        if (!same_place) options = RunOptions{};  // its stream and graph key mean nothing here
        set_->update_draws(fill, kind, options);
    });
}

void ThetaSketch::combine_locked(ThetaSketch& other, Operation operation, SeedsMatter seeds_matter, CUstream_st* stream) {
    if (backend_.capturing(stream)) {
        // What launches of the graph will find is not known here.
        if (&other == this || !set_->near(*other.set_)) {
            refuse("other", "the sketch itself, or one that lives elsewhere",
                   "while the stream is being captured it must be another sketch on the same device");
        }
        if (parameters_.seed != other.parameters_.seed) {
            refuse("other", "a sketch of seed " + text_of(other.parameters_.seed),
                   "while the stream is being captured its seed must be that of the sketch, " + text_of(parameters_.seed));
        }
    }
    if (parameters_.seed != other.parameters_.seed && seeds_matter(set_->summary(), other.set_->summary())) {
        refuse("other", "a sketch of seed " + text_of(other.parameters_.seed),
               "its seed must be that of the sketch, " + text_of(parameters_.seed));
    }
    if (&other != this && set_->near(*other.set_)) return ((*set_).*operation)(*other.set_, stream);
    const std::unique_ptr<ThetaSet> copy = set_->make_near(other.parameters_);
    copy->write(other.set_->read(), stream);
    ((*set_).*operation)(*copy, stream);
}

void ThetaSketch::combine(ThetaSketch& other, Operation operation, SeedsMatter seeds_matter, CUstream_st* stream) {
    if (&other == this) {
        const Lock lock(mutex_);
        return combine_locked(other, operation, seeds_matter, stream);
    }
    const std::scoped_lock lock(mutex_, other.mutex_);
    combine_locked(other, operation, seeds_matter, stream);
}

void ThetaSketch::merge(ThetaSketch& other, CUstream_st* stream) {
    const SeedsMatter seeds_matter = [](const ThetaSummary&, const ThetaSummary& b) { return !b.empty; };
    combine(other, &ThetaSet::merge, seeds_matter, stream);
}

void ThetaSketch::intersect(ThetaSketch& other, CUstream_st* stream) {
    const SeedsMatter seeds_matter = [](const ThetaSummary& a, const ThetaSummary& b) { return !a.empty && !b.empty; };
    combine(other, &ThetaSet::intersect, seeds_matter, stream);
}

void ThetaSketch::a_not_b(ThetaSketch& other, CUstream_st* stream) {
    const SeedsMatter seeds_matter = [](const ThetaSummary& a, const ThetaSummary& b) {
        return !a.empty && !(b.empty && a.retained > 0);
    };
    combine(other, &ThetaSet::a_not_b, seeds_matter, stream);
}

void ThetaSketch::reset(CUstream_st* stream) {
    const Lock lock(mutex_);
    set_->reset(stream);
}

ThetaSummary ThetaSketch::summary() {
    const Lock lock(mutex_);
    return set_->summary();
}

void ThetaSketch::serialize(const std::function<uint8_t*(std::size_t)>& place) {
    const Lock lock(mutex_);
    const std::size_t bytes = theta_image_bytes(set_->summary());
    uint8_t* const image = place(bytes);
    if (image == nullptr) return;
    const ThetaState state = set_->read();
    if (theta_image_bytes({state.empty, state.theta, state.hashes.size()}) != bytes) {
        refuse("sketch", "being changed", "the graphs that update it must be done before it is serialized");
    }
    write_theta_image(state, parameters_.seed, image);
}

void ThetaSketch::deserialize(const uint8_t* image, std::size_t bytes) {
    const ThetaState state = read_theta_image(image, bytes, parameters_.seed);
    const Lock lock(mutex_);
    set_->write(state, nullptr);
}

}  // namespace tandem::api
