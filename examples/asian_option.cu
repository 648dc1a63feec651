// An Asian call option: each path has a generator of its own, keyed by a 128-bit draw; prices are summed in a fused reduction.
// The option on the geometric average has a price in closed form to compare with.

#include <cmath>
#include <tandem/algorithm.cuh>
#include <tandem/device.cuh>

#include "gpu_example.hpp"

namespace {

constexpr int DATES = 64;  // at which the price is averaged
constexpr double SPOT = 100, STRIKE = 100, RATE = 0.05, VOLATILITY = 0.2, YEARS = 1;

struct Payoff {
    double arithmetic, geometric;
};

struct Path {
    __device__ Payoff operator()(const tandem::U128& draw) const {
        const tandem::Key key{{static_cast<uint32_t>(draw.lo), static_cast<uint32_t>(draw.lo >> 32),
                               static_cast<uint32_t>(draw.hi), static_cast<uint32_t>(draw.hi >> 32)}};
        tandem::ChunkRng rng(key, 0);
        constexpr float dt = YEARS / DATES;
        const float drift = static_cast<float>(RATE - VOLATILITY * VOLATILITY / 2) * dt;
        const float scale = static_cast<float>(VOLATILITY) * sqrtf(dt);
        float log_price = logf(static_cast<float>(SPOT)), sum = 0, log_sum = 0;
#pragma unroll 4
        for (int date = 0; date < DATES; date += 2) {
            const tandem::Pair<float> z = rng.normalf2();
            log_price += drift + scale * z.x;
            sum += expf(log_price);
            log_sum += log_price;
            log_price += drift + scale * z.y;
            sum += expf(log_price);
            log_sum += log_price;
        }
        const double discount = exp(-RATE * YEARS);
        return {discount * fmax(sum / DATES - STRIKE, 0.0),
                discount * fmax(exp(static_cast<double>(log_sum / DATES)) - STRIKE, 0.0)};
    }
};

struct Plus {
    __device__ Payoff operator()(const Payoff& a, const Payoff& b) const {
        return {a.arithmetic + b.arithmetic, a.geometric + b.geometric};
    }
};

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

double geometric_price() {
    const double m = DATES;
    const double variance = VOLATILITY * VOLATILITY * YEARS * (m + 1) * (2 * m + 1) / (6 * m * m);
    const double mean = std::log(SPOT) + (RATE - VOLATILITY * VOLATILITY / 2) * YEARS * (m + 1) / (2 * m);
    const double d2 = (mean - std::log(STRIKE)) / std::sqrt(variance), d1 = d2 + std::sqrt(variance);
    return std::exp(-RATE * YEARS) * (std::exp(mean + variance / 2) * normal_cdf(d1) - STRIKE * normal_cdf(d2));
}

}  // namespace

int main() {
    require_gpu();
    constexpr uint64_t PATHS = 1u << 22;
    const auto paths = tandem::mapped(tandem::uniform<tandem::U128>(tandem::key_of_seed(7, 0)), Path{});

    Payoff* const sum = managed<Payoff>();
    std::size_t temp_bytes = 0;
    tandem::reduce(nullptr, temp_bytes, paths, PATHS, sum, Payoff{0, 0}, Plus{});
    void* temp = nullptr;
    require(cudaMalloc(&temp, temp_bytes));
    tandem::reduce(temp, temp_bytes, paths, PATHS, sum, Payoff{0, 0}, Plus{});
    require(cudaDeviceSynchronize());

    const double arithmetic = sum->arithmetic / PATHS, geometric = sum->geometric / PATHS, exact = geometric_price();
    std::printf("Asian call on the arithmetic average: %.4f\n", arithmetic);
    std::printf("on the geometric average: %.4f, in closed form %.4f\n", geometric, exact);
    require(cudaFree(temp));
    require(cudaFree(sum));
    const bool right = std::fabs(geometric - exact) < 0.02 && arithmetic > geometric && arithmetic < geometric + 1;
    return right ? 0 : 1;
}
