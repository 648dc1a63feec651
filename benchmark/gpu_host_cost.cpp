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

struct WarmCall {
    std::string what;
    std::function<void()> call;
    std::vector<double> times;
};

/// The medians of batches, taken of all calls in turn, so that the processor's clock at a time favours none. Few enough calls a
/// batch that none waits for room in the stream.
std::vector<HostCost> medians_of(std::vector<WarmCall> calls) {
    constexpr int BATCHES = 101, CALLS = 100;
    for (int batch = 0; batch < BATCHES; ++batch) {
        for (WarmCall& warm : calls) {
            warm.call();
            wait();
            warm.times.push_back(microseconds_of([&] {
                                     for (int i = 0; i < CALLS; ++i) warm.call();
                                 }) /
                                 CALLS);
            wait();
        }
    }
    std::vector<HostCost> costs;
    for (WarmCall& warm : calls) {
        std::nth_element(warm.times.begin(), warm.times.begin() + BATCHES / 2, warm.times.end());
        costs.push_back({warm.what, warm.times[BATCHES / 2]});
    }
    return costs;
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
    std::vector<WarmCall> calls;
    const DeviceMemory out(8 * N);
    auto* const words = reinterpret_cast<unsigned*>(out.data());
    auto* const floats = reinterpret_cast<float*>(out.data());
    auto* const doubles = reinterpret_cast<double*>(out.data());
    const auto add = [&](const std::string& what, const std::function<void()>& call) { calls.push_back({what, call, {}}); };

    const Generator generator = Generator::device();
    tandemGenerator_t const g = generator.get();
    add("tandemGenerate", [&] { succeed(tandemGenerate(g, words, N)); });
    add("tandemGenerateUniform", [&] { succeed(tandemGenerateUniform(g, floats, N)); });
    add("tandemGenerateNormal", [&] { succeed(tandemGenerateNormal(g, floats, N, 0, 1)); });
    add("tandemGenerateNormalDouble", [&] { succeed(tandemGenerateNormalDouble(g, doubles, N, 0, 1)); });
    add("tandemGeneratePoisson", [&] { succeed(tandemGeneratePoisson(g, words, N, 10)); });
    const Curand in_default_order(CURAND_ORDERING_PSEUDO_DEFAULT), in_dynamic_order(CURAND_ORDERING_PSEUDO_DYNAMIC);
    const std::pair<std::string, curandGenerator_t> peers[] = {{" philox default", in_default_order.get()},
                                                               {" philox dynamic", in_dynamic_order.get()}};
    for (const auto& [kind, made] : peers) {
        curandGenerator_t const peer = made;
        add("curandGenerate" + kind, [=] { succeed(curandGenerate(peer, words, N)); });
        add("curandGenerateUniform" + kind, [=] { succeed(curandGenerateUniform(peer, floats, N)); });
        add("curandGenerateNormal" + kind, [=] { succeed(curandGenerateNormal(peer, floats, N, 0, 1)); });
        add("curandGenerateNormalDouble" + kind, [=] { succeed(curandGenerateNormalDouble(peer, doubles, N, 0, 1)); });
        add("curandGeneratePoisson" + kind, [=] { succeed(curandGeneratePoisson(peer, words, N, 10)); });
    }
    return medians_of(std::move(calls));
}

}  // namespace tandem::bench
