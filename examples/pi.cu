// Pi from 2^28 points in a square, in one fused reduction: no point is ever stored.

#include <cmath>
#include <tandem/algorithm.cuh>

#include "gpu_example.hpp"

namespace {

// A 128-bit draw is a point: its halves are two doubles in [0, 1).
struct InCircle {
    __device__ unsigned long long operator()(const tandem::U128& draw) const {
        const double x = tandem::to_f64(draw.lo), y = tandem::to_f64(draw.hi);
        return x * x + y * y < 1.0 ? 1 : 0;
    }
};

struct Plus {
    __device__ unsigned long long operator()(unsigned long long a, unsigned long long b) const { return a + b; }
};

}  // namespace

int main() {
    require_gpu();
    constexpr unsigned long long POINTS = 1ull << 28;
    const auto points = tandem::mapped(tandem::uniform<tandem::U128>(tandem::key_of_seed(2026, 0)), InCircle{});

    auto* const inside = managed<unsigned long long>();
    std::size_t temp_bytes = 0;
    tandem::reduce(nullptr, temp_bytes, points, POINTS, inside, 0ull, Plus{});
    void* temp = nullptr;
    require(cudaMalloc(&temp, temp_bytes));
    tandem::reduce(temp, temp_bytes, points, POINTS, inside, 0ull, Plus{});
    require(cudaDeviceSynchronize());

    const double pi = 4.0 * static_cast<double>(*inside) / static_cast<double>(POINTS);
    std::printf("pi is about %.6f\n", pi);
    require(cudaFree(temp));
    require(cudaFree(inside));
    return std::fabs(pi - 3.14159265358979) < 5e-4 ? 0 : 1;  // five standard deviations
}
