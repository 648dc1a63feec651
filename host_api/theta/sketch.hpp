#pragma once

/// What a sketch handle stands for.

#include <functional>
#include <memory>
#include <mutex>

#include "host_api/generator.hpp"
#include "host_api/theta/estimate.hpp"
#include "host_api/theta/set.hpp"

namespace tandem::api {

/// A set and what it was made with. Each function holds the sketch's lock for its whole run, and those with an operand the
/// operand's too, so threads may share sketches. What cannot be done throws error and changes nothing.
class ThetaSketch {
  public:
    /// Makes the set of a backend; refuses lg_k and p that are not allowed.
    static std::unique_ptr<ThetaSketch> on_host(const ThetaParameters& parameters);
    static std::unique_ptr<ThetaSketch> on_current_device(const ThetaParameters& parameters);

    ThetaSketch(const ThetaSketch&) = delete;
    ThetaSketch& operator=(const ThetaSketch&) = delete;

    void update(const void* keys, uint64_t n, ThetaKey kind, CUstream_st* stream);

    /// Offers the generator's next n draws of a kind, computed where the sketch lives; the generator moves past them.
    void update_draws(Generator& generator, ThetaKey kind, uint64_t n);

    void merge(ThetaSketch& other, CUstream_st* stream);
    void intersect(ThetaSketch& other, CUstream_st* stream);
    void a_not_b(ThetaSketch& other, CUstream_st* stream);
    void reset(CUstream_st* stream);

    ThetaSummary summary();

    /// Calls `place` with the size of the image in bytes; writes the image to what it returns, unless that is null.
    void serialize(const std::function<uint8_t*(std::size_t)>& place);

    /// Takes the state of an image of this sketch's seed.
    void deserialize(const uint8_t* image, std::size_t bytes);

  private:
    ThetaSketch(const ThetaParameters& parameters, Backend& backend, std::unique_ptr<ThetaSet> set)
        : parameters_(parameters), backend_(backend), set_(std::move(set)) {}

    using Operation = void (ThetaSet::*)(ThetaSet&, CUstream_st*);
    using SeedsMatter = bool (*)(const ThetaSummary&, const ThetaSummary&);

    void combine(ThetaSketch& other, Operation operation, SeedsMatter seeds_matter, CUstream_st* stream);
    void combine_locked(ThetaSketch& other, Operation operation, SeedsMatter seeds_matter, CUstream_st* stream);

    ThetaParameters parameters_;
    Backend& backend_;
    std::mutex mutex_;
    std::unique_ptr<ThetaSet> set_;
};

}  // namespace tandem::api
