#pragma once

/// The C interface as move-only C++ objects. Functions mean what those of tandem.h mean and throw tandem::error where those
/// answer another status than success; the rules for streams, graphs and threads are those of tandem.h.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tandem/core/children.hpp"
#include "tandem/error.hpp"

namespace tandem {

namespace detail {

inline void succeed(tandemStatus_t status) {
    if (status != TANDEM_STATUS_SUCCESS) throw error(status, tandemGetLastErrorMessage());
}

}  // namespace detail

/// A discrete distribution. Empty after it was moved from.
class Distribution {
  public:
    /// Indices offset + i, i < m, with probability proportional to weights[i].
    Distribution(const double* weights, std::size_t m, uint32_t offset = 0) {
        detail::succeed(tandemCreateDiscreteDistribution(weights, m, offset, &handle_));
    }
    explicit Distribution(const std::vector<double>& weights, uint32_t offset = 0)
        : Distribution(weights.data(), weights.size(), offset) {}

    static Distribution poisson(double lambda) {
        Distribution made;
        detail::succeed(tandemCreatePoissonDistribution(lambda, &made.handle_));
        return made;
    }
    static Distribution binomial(uint32_t trials, double p) {
        Distribution made;
        detail::succeed(tandemCreateBinomialDistribution(trials, p, &made.handle_));
        return made;
    }
    static Distribution geometric(double p) {
        Distribution made;
        detail::succeed(tandemCreateGeometricDistribution(p, &made.handle_));
        return made;
    }

    Distribution(Distribution&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Distribution& operator=(Distribution&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Distribution() {
        if (handle_ != nullptr) static_cast<void>(tandemDestroyDistribution(handle_));
    }

    /// The table in the memory of the current device.
    tandemDistributionView_t view() const {
        tandemDistributionView_t view;
        detail::succeed(tandemGetDistributionView(handle_, &view));
        return view;
    }
    /// The table in host memory.
    tandemDistributionView_t host_view() const {
        tandemDistributionView_t view;
        detail::succeed(tandemGetDistributionViewHost(handle_, &view));
        return view;
    }

    /// The C handle, still owned by this object.
    tandemDistribution_t get() const noexcept { return handle_; }

  private:
    Distribution() = default;

    tandemDistribution_t handle_ = nullptr;
};

/// A generator. Empty after it was moved from: every function then throws an error of status 101.
class Generator {
  public:
    /// A generator that fills memory of the current device.
    static Generator device() {
        Generator made;
        detail::succeed(tandemCreateGenerator(&made.handle_, TANDEM_RNG_PSEUDO_DEFAULT));
        return made;
    }
    /// A generator that fills host memory.
    static Generator host() {
        Generator made;
        detail::succeed(tandemCreateGeneratorHost(&made.handle_, TANDEM_RNG_PSEUDO_DEFAULT));
        return made;
    }
    /// Takes over a C handle.
    explicit Generator(tandemGenerator_t handle) noexcept : handle_(handle) {}

    Generator(Generator&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Generator& operator=(Generator&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Generator() {
        if (handle_ != nullptr) static_cast<void>(tandemDestroyGenerator(handle_));
    }

    /// The C handle, still owned by this object.
    tandemGenerator_t get() const noexcept { return handle_; }
    /// Gives the C handle up.
    tandemGenerator_t release() noexcept { return std::exchange(handle_, nullptr); }

    /// Takes the key of a seed and sets position 0; `high` is the upper half of a 128-bit seed.
    void set_seed(uint64_t low, uint64_t high = 0) { detail::succeed(tandemSetSeed128(handle_, low, high)); }
    void set_key(const Key& key) { detail::succeed(tandemSetKey(handle_, key.w)); }
    Key key() const {
        Key key;
        detail::succeed(tandemGetKey(handle_, key.w));
        return key;
    }
    void set_offset(uint64_t draws_of_32_bits) { detail::succeed(tandemSetGeneratorOffset(handle_, draws_of_32_bits)); }
    void set_position(uint64_t bits) { detail::succeed(tandemSetPosition(handle_, bits)); }
    uint64_t position() const {
        uint64_t bits;
        detail::succeed(tandemGetPosition(handle_, &bits));
        return bits;
    }
    void set_chunk_length(uint32_t k) { detail::succeed(tandemSetChunkLength(handle_, k)); }
    void set_stream(CUstream_st* stream) { detail::succeed(tandemSetStream(handle_, stream)); }
    CUstream_st* stream() const {
        CUstream_st* stream;
        detail::succeed(tandemGetStream(handle_, &stream));
        return stream;
    }
    void set_uniform_interval(tandemUniformInterval_t interval) { detail::succeed(tandemSetUniformInterval(handle_, interval)); }
    void set_normal_mode(tandemNormalMode_t mode) { detail::succeed(tandemSetNormalMode(handle_, mode)); }
    void set_graph_mode(tandemGraphMode_t mode) { detail::succeed(tandemSetGraphMode(handle_, mode)); }
    void set_host_threads(uint32_t threads) { detail::succeed(tandemSetHostThreads(handle_, threads)); }

    using SavedState = std::array<unsigned char, TANDEM_STATE_BYTES>;
    SavedState save() const {
        SavedState state;
        detail::succeed(tandemSaveState(handle_, state.data()));
        return state;
    }
    void restore(const SavedState& state) { detail::succeed(tandemRestoreState(handle_, state.data())); }

    /// Child `i`; this generator stays.
    Generator split(uint64_t i) const {
        Generator child;
        detail::succeed(tandemSplitGenerator(handle_, i, &child.handle_));
        return child;
    }
    /// The child for a purpose; this generator stays.
    Generator sub(uint64_t purpose) const {
        Generator child;
        detail::succeed(tandemSubGenerator(handle_, purpose, &child.handle_));
        return child;
    }
    /// n children; this generator moves to the next block of 128 bits.
    std::vector<Generator> fork(std::size_t n) {
        std::vector<tandemGenerator_t> handles(n);
        std::vector<Generator> children;
        children.reserve(n);
        detail::succeed(tandemForkGenerators(handle_, n, handles.data()));
        for (tandemGenerator_t handle : handles) children.emplace_back(handle);
        return children;
    }

    void generate(unsigned int* out, std::size_t n) { detail::succeed(tandemGenerate(handle_, out, n)); }
    void generate(unsigned long long* out, std::size_t n) { detail::succeed(tandemGenerateLongLong(handle_, out, n)); }
    void generate(unsigned short* out, std::size_t n) { detail::succeed(tandemGenerateShort(handle_, out, n)); }
    void generate(unsigned char* out, std::size_t n) { detail::succeed(tandemGenerateChar(handle_, out, n)); }
    void bits(unsigned char* out, std::size_t n) { detail::succeed(tandemGenerateBool(handle_, out, n)); }
    void uniform(float* out, std::size_t n) { detail::succeed(tandemGenerateUniform(handle_, out, n)); }
    void uniform(double* out, std::size_t n) { detail::succeed(tandemGenerateUniformDouble(handle_, out, n)); }
    void uniform_half(uint16_t* out, std::size_t n) { detail::succeed(tandemGenerateUniformHalf(handle_, out, n)); }

    void below(unsigned int* out, std::size_t n, uint64_t range) { detail::succeed(tandemGenerateBelow(handle_, out, n, range)); }
    void below(unsigned long long* out, std::size_t n, uint64_t range) {
        detail::succeed(tandemGenerateBelowLongLong(handle_, out, n, range));
    }
    void int_range(int* out, std::size_t n, int low, int high) {
        detail::succeed(tandemGenerateIntRange(handle_, out, n, low, high));
    }
    void int_range(long long* out, std::size_t n, long long low, long long high) {
        detail::succeed(tandemGenerateLongLongRange(handle_, out, n, low, high));
    }

    void normal(float* out, std::size_t n, float mean = 0, float stddev = 1) {
        detail::succeed(tandemGenerateNormal(handle_, out, n, mean, stddev));
    }
    void normal(double* out, std::size_t n, double mean = 0, double stddev = 1) {
        detail::succeed(tandemGenerateNormalDouble(handle_, out, n, mean, stddev));
    }
    void log_normal(float* out, std::size_t n, float mean = 0, float stddev = 1) {
        detail::succeed(tandemGenerateLogNormal(handle_, out, n, mean, stddev));
    }
    void log_normal(double* out, std::size_t n, double mean = 0, double stddev = 1) {
        detail::succeed(tandemGenerateLogNormalDouble(handle_, out, n, mean, stddev));
    }
    void exponential(float* out, std::size_t n, float scale = 1) {
        detail::succeed(tandemGenerateExponential(handle_, out, n, scale));
    }
    void exponential(double* out, std::size_t n, double scale = 1) {
        detail::succeed(tandemGenerateExponentialDouble(handle_, out, n, scale));
    }

    void discrete(unsigned int* out, std::size_t n, const Distribution& distribution) {
        detail::succeed(tandemGenerateDiscrete(handle_, out, n, distribution.get()));
    }
    void poisson(unsigned int* out, std::size_t n, double lambda) {
        detail::succeed(tandemGeneratePoisson(handle_, out, n, lambda));
    }
    void binomial(unsigned int* out, std::size_t n, uint32_t trials, double p) {
        detail::succeed(tandemGenerateBinomial(handle_, out, n, trials, p));
    }
    void geometric(unsigned int* out, std::size_t n, double p) { detail::succeed(tandemGenerateGeometric(handle_, out, n, p)); }

    /// The bytes of device memory kept for the device's fills, and the release of what is idle of them.
    std::size_t scratch_bytes() const {
        std::size_t bytes;
        detail::succeed(tandemGetScratchBytes(handle_, &bytes));
        return bytes;
    }
    void release_scratch() { detail::succeed(tandemReleaseScratch(handle_)); }

  private:
    Generator() = default;

    tandemGenerator_t handle_ = nullptr;
};

}  // namespace tandem
