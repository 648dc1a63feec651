// Random numbers as iterators: any Thrust or CUB algorithm reads them.

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

#include <cmath>
#include <cub/device/device_reduce.cuh>
#include <tandem/core/rng.hpp>
#include <tandem/thrust.cuh>

#include "gpu_example.hpp"

namespace {

struct Dice {
    __host__ __device__ int operator()(uint32_t face) const { return static_cast<int>(face) + 1; }
};

}  // namespace

int main() {
    require_gpu();
    constexpr int N = 1 << 20;
    const tandem::Key key = tandem::key_of_seed(42, 0);
    const auto uniforms = tandem::make_iterator(tandem::uniform<float>(key));
    const auto faces = tandem::make_iterator(tandem::below<uint32_t>(6, tandem::sub_key(key, 1)));
    const auto normals = tandem::make_iterator(tandem::normal<double>(tandem::sub_key(key, 2)));

    const double mean = thrust::reduce(thrust::device, uniforms, uniforms + N, 0.0) / N;
    const thrust::device_vector<float> copied(uniforms, uniforms + 100);
    thrust::device_vector<int> dice(N);
    thrust::transform(thrust::device, faces, faces + N, dice.begin(), Dice{});
    const double spots = static_cast<double>(thrust::reduce(dice.begin(), dice.end())) / N;

    double* const largest = managed<double>();
    std::size_t bytes = 0;
    require(cub::DeviceReduce::Max(nullptr, bytes, normals, largest, N));
    thrust::device_vector<char> temp(bytes);
    require(cub::DeviceReduce::Max(thrust::raw_pointer_cast(temp.data()), bytes, normals, largest, N));
    require(cudaDeviceSynchronize());

    std::printf("mean %.4f, spots a die %.4f, largest of a million normals %.3f\n", mean, spots, *largest);
    // On the host the same elements, from the same key.
    tandem::Rng rng(key);
    bool same = true;
    for (int i = 0; i < 100; ++i) same = same && copied[static_cast<std::size_t>(i)] == rng.frand();
    const bool right = same && std::fabs(mean - 0.5) < 2e-3 && std::fabs(spots - 3.5) < 1e-2 && *largest > 4.2 && *largest < 6.5;
    require(cudaFree(largest));
    return right ? 0 : 1;
}
