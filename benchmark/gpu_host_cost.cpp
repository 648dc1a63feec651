#include "benchmark/gpu_host_cost.hpp"

#include <curand.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <stdexcept>

#include "benchmark/gpu_measure.hpp"
#include "tandem/tandem.hpp"

namespace tandem::bench {
namespace {

constexpr std::size_t N = 1024;
using Clock = std::chrono::steady_clock;

double microseconds_of(const std::function<void()>& body) {
    const auto start = Clock::now();
    body();
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

void succeed(curandStatus_t status) {
    if (status != CURAND_STATUS_SUCCESS) throw std::runtime_error("cuRAND: status " + std::to_string(status));
}

void succeed(tandemStatus_t status) {
    if (status != TANDEM_STATUS_SUCCESS) throw std::runtime_error(tandemGetLastErrorMessage());
}

void wait() { check(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }

class Curand {
  public:
    explicit Curand(curandOrdering_t ordering) {
        succeed(curandCreateGenerator(&generator_, CURAND_RNG_PSEUDO_PHILOX4_32_10));
        succeed(curandSetGeneratorOrdering(generator_, ordering));
    }
    Curand(const Curand&) = delete;
    Curand& operator=(const Curand&) = delete;
    ~Curand() { curandDestroyGenerator(generator_); }
    curandGenerator_t get() const { return generator_; }

  private:
    curandGenerator_t generator_ = nullptr;
};

/// Few enough calls a batch that none waits for room in the stream.
double warm_microseconds(const std::function<void()>& call) {
    constexpr int BATCHES = 101, CALLS = 100;
    std::vector<double> times;
    for (int batch = 0; batch < BATCHES; ++batch) {
        wait();
        times.push_back(microseconds_of([&] {
                            for (int i = 0; i < CALLS; ++i) call();
                        }) /
                        CALLS);
    }
    wait();
    std::nth_element(times.begin(), times.begin() + BATCHES / 2, times.end());
    return times[BATCHES / 2];
}

}  // namespace

std::vector<HostCost> measure_cold_calls() {
    std::vector<HostCost> costs;
    const auto add = [&](const char* what, const std::function<void()>& body) { costs.push_back({what, microseconds_of(body)}); };
    add("cudaFree(0): the context", [] { check(cudaFree(nullptr), "cudaFree"); });
    const DeviceMemory out(8 * N);
    auto* const words = reinterpret_cast<unsigned*>(out.data());
    auto* const doubles = reinterpret_cast<double*>(out.data());

    tandemGenerator_t generator = nullptr;
    add("tandemCreateGenerator", [&] { succeed(tandemCreateGenerator(&generator, TANDEM_RNG_PSEUDO_DEFAULT)); });
    add("first tandemGenerate, with its end", [&] { succeed(tandemGenerate(generator, words, N)), wait(); });
    add("first tandemGenerateNormalDouble, with its end",
        [&] { succeed(tandemGenerateNormalDouble(generator, doubles, N, 0, 1)), wait(); });
    succeed(tandemDestroyGenerator(generator));

    curandGenerator_t peer = nullptr;
    add("curandCreateGenerator philox", [&] { succeed(curandCreateGenerator(&peer, CURAND_RNG_PSEUDO_PHILOX4_32_10)); });
    add("first curandGenerate, with its end", [&] { succeed(curandGenerate(peer, words, N)), wait(); });
    add("first curandGenerateNormalDouble, with its end",
        [&] { succeed(curandGenerateNormalDouble(peer, doubles, N, 0, 1)), wait(); });
    succeed(curandDestroyGenerator(peer));
    return costs;
}

std::vector<HostCost> measure_warm_calls() {
    std::vector<HostCost> costs;
    const DeviceMemory out(8 * N);
    auto* const words = reinterpret_cast<unsigned*>(out.data());
    auto* const floats = reinterpret_cast<float*>(out.data());
    auto* const doubles = reinterpret_cast<double*>(out.data());
    const auto add = [&](const std::string& what, const std::function<void()>& call) {
        costs.push_back({what, warm_microseconds(call)});
    };

    const Generator generator = Generator::device();
    tandemGenerator_t const g = generator.get();
    add("tandemGenerate", [&] { succeed(tandemGenerate(g, words, N)); });
    add("tandemGenerateUniform", [&] { succeed(tandemGenerateUniform(g, floats, N)); });
    add("tandemGenerateNormal", [&] { succeed(tandemGenerateNormal(g, floats, N, 0, 1)); });
    add("tandemGenerateNormalDouble", [&] { succeed(tandemGenerateNormalDouble(g, doubles, N, 0, 1)); });
    add("tandemGeneratePoisson", [&] { succeed(tandemGeneratePoisson(g, words, N, 10)); });
    for (const bool dynamic : {false, true}) {
        const Curand peer(dynamic ? CURAND_ORDERING_PSEUDO_DYNAMIC : CURAND_ORDERING_PSEUDO_DEFAULT);
        const std::string kind = dynamic ? " philox dynamic" : " philox default";
        add("curandGenerate" + kind, [&] { succeed(curandGenerate(peer.get(), words, N)); });
        add("curandGenerateUniform" + kind, [&] { succeed(curandGenerateUniform(peer.get(), floats, N)); });
        add("curandGenerateNormal" + kind, [&] { succeed(curandGenerateNormal(peer.get(), floats, N, 0, 1)); });
        add("curandGenerateNormalDouble" + kind, [&] { succeed(curandGenerateNormalDouble(peer.get(), doubles, N, 0, 1)); });
        add("curandGeneratePoisson" + kind, [&] { succeed(curandGeneratePoisson(peer.get(), words, N, 10)); });
    }
    return costs;
}

}  // namespace tandem::bench
