#pragma once

/// The calls of cuRAND's that tests capture, and what they have to write, from fills of host memory.

#include <curand.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "host_api/cuda_memory.hpp"
#include "tandem/core/laws.hpp"
#include "tandem/fill.hpp"

namespace tandem::test {

constexpr uint32_t K = 32;
constexpr double LAMBDA = 12.5;

/// The key of a seed for generators of a type, by the words of the documentation.
inline Key key_of(curandRngType_t type, unsigned long long seed) {
    const auto number = static_cast<uint64_t>(type == CURAND_RNG_PSEUDO_DEFAULT ? CURAND_RNG_PSEUDO_XORWOW : type);
    return sub_key(key_of_seed(seed, 0), 0x637552414e440000u + number);
}

using Bytes = std::vector<uint8_t>;

/// A call of cuRAND's, and the same fill of host memory, which returns the position after it.
struct Call {
    const char* name;
    std::size_t element;
    std::function<curandStatus_t(curandGenerator_t, void*, std::size_t)> generate;
    std::function<uint64_t(const Key&, uint64_t, void*, std::size_t)> fill;
};

template <class T>
void reflect(void* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) static_cast<T*>(out)[i] = T{1} - static_cast<T*>(out)[i];
}

inline uint64_t fill_poisson(const Key& key, uint64_t position, void* out, std::size_t n) {
    static const ChoiceTable table = poisson_table(LAMBDA);
    return host::fill_choice(key, position, K, static_cast<uint32_t*>(out), n, table.view());
}

inline const std::vector<Call>& calls() {
    using G = curandGenerator_t;
    const auto f = [](void* out) { return static_cast<float*>(out); };
    const auto d = [](void* out) { return static_cast<double*>(out); };
    const auto u = [](void* out) { return static_cast<unsigned*>(out); };
    static const std::vector<Call> all = {
        {"Generate", 4, [=](G g, void* out, std::size_t n) { return curandGenerate(g, u(out), n); },
         [=](const Key& key, uint64_t at, void* out, std::size_t n) { return host::fill_u32(key, at, K, u(out), n); }},
        {"GenerateUniform", 4, [=](G g, void* out, std::size_t n) { return curandGenerateUniform(g, f(out), n); },
         [=](const Key& key, uint64_t at, void* out, std::size_t n) {
             const uint64_t end = host::fill_f32(key, at, K, f(out), n);
             reflect<float>(out, n);
             return end;
         }},
        {"GenerateUniformDouble", 8, [=](G g, void* out, std::size_t n) { return curandGenerateUniformDouble(g, d(out), n); },
         [=](const Key& key, uint64_t at, void* out, std::size_t n) {
             const uint64_t end = host::fill_f64(key, at, K, d(out), n);
             reflect<double>(out, n);
             return end;
         }},
        {"GenerateNormal", 4, [=](G g, void* out, std::size_t n) { return curandGenerateNormal(g, f(out), n, 2.0f, 0.5f); },
         [=](const Key& key, uint64_t at, void* out, std::size_t n) {
             return host::fill_normal_f32(key, at, K, f(out), n, 2.0f, 0.5f);
         }},
        {"GenerateNormalDouble", 8,
         [=](G g, void* out, std::size_t n) { return curandGenerateNormalDouble(g, d(out), n, -1.0, 3.0); },
         [=](const Key& key, uint64_t at, void* out, std::size_t n) {
             return host::fill_normal_f64(key, at, K, d(out), n, -1.0, 3.0);
         }},
        {"GenerateLogNormal", 4,
         [=](G g, void* out, std::size_t n) { return curandGenerateLogNormal(g, f(out), n, 0.25f, 0.5f); },
         [=](const Key& key, uint64_t at, void* out, std::size_t n) {
             return host::fill_lognormal_f32(key, at, K, f(out), n, 0.25f, 0.5f);
         }},
        {"GenerateLogNormalDouble", 8,
         [=](G g, void* out, std::size_t n) { return curandGenerateLogNormalDouble(g, d(out), n, 0.0, 1.0); },
         [=](const Key& key, uint64_t at, void* out, std::size_t n) {
             return host::fill_lognormal_f64(key, at, K, d(out), n, 0.0, 1.0);
         }},
        {"GeneratePoisson", 4, [=](G g, void* out, std::size_t n) { return curandGeneratePoisson(g, u(out), n, LAMBDA); },
         fill_poisson},
    };
    return all;
}

/// What all calls of a row write, from a position on, which moves to the end.
inline std::vector<Bytes> expected_of(const Key& key, uint64_t& position, std::size_t n) {
    std::vector<Bytes> all;
    for (const Call& call : calls()) {
        Bytes bytes(n * call.element);
        position = call.fill(key, position, bytes.data(), n);
        all.push_back(std::move(bytes));
    }
    return all;
}

inline std::vector<Bytes> expected_at(const Key& key, uint64_t position, std::size_t n) { return expected_of(key, position, n); }

/// The first n integers from a position on.
inline Bytes integers_of(const Key& key, uint64_t position, std::size_t n) {
    Bytes bytes(n * 4);
    calls()[0].fill(key, position, bytes.data(), n);
    return bytes;
}

/// Device memory for the output of each call.
class Outputs {
  public:
    explicit Outputs(std::size_t n) : n_(n) {
        for (const Call& call : calls()) memory_.push_back(std::make_unique<DeviceBytes>(n * call.element));
    }
    void generate(curandGenerator_t generator) const {
        for (std::size_t i = 0; i < calls().size(); ++i) {
            EXPECT_EQ(calls()[i].generate(generator, memory_[i]->data(), n_), CURAND_STATUS_SUCCESS) << calls()[i].name;
        }
    }
    void poison() const {
        for (std::size_t i = 0; i < calls().size(); ++i) {
            EXPECT_EQ(cudaMemset(memory_[i]->data(), DeviceBytes::POISON, n_ * calls()[i].element), cudaSuccess);
        }
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
    std::vector<Bytes> read() const {
        std::vector<Bytes> all;
        for (const auto& memory : memory_) all.push_back(memory->read());
        return all;
    }

  private:
    std::size_t n_;
    std::vector<std::unique_ptr<DeviceBytes>> memory_;
};

inline void expect_equal(const std::vector<Bytes>& got, const std::vector<Bytes>& expected) {
    for (std::size_t i = 0; i < calls().size(); ++i) EXPECT_TRUE(got[i] == expected[i]) << calls()[i].name;
}

}  // namespace tandem::test
