// Photons in a scattering medium, each with a child generator of its own: where they end depends on the seed and on nothing else,
// neither on the launch shape nor on which thread follows which particle.

#include <cmath>
#include <cstring>
#include <tandem/device.cuh>

#include "gpu_example.hpp"

namespace {

constexpr unsigned PARTICLES = 100000;

struct Place {
    float x, y, z;
};

__global__ void scatter(tandem::Key key, Place* ends) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < PARTICLES; i += gridDim.x * blockDim.x) {
        tandem::RowRng rng(tandem::split_key(key, i));
        Place at{0, 0, 0};
        // Absorbed with probability 1/10 at each collision; free paths are exponential, directions isotropic.
        do {
            const float path = rng.exponentialf();
            const float height = 2 * rng.frand() - 1, radius = sqrtf(1 - height * height);
            float sine, cosine;
            sincospif(2 * rng.frand(), &sine, &cosine);
            at.x += path * radius * cosine;
            at.y += path * radius * sine;
            at.z += path * height;
        } while (rng.urand(10) != 0);
        ends[i] = at;
    }
}

}  // namespace

int main() {
    require_gpu();
    const tandem::Key key = tandem::key_of_seed(1905, 0);
    Place* const ends = managed<Place>(PARTICLES);
    Place* const others = managed<Place>(PARTICLES);
    scatter<<<400, 256>>>(key, ends);
    scatter<<<7, 96>>>(key, others);
    require(cudaDeviceSynchronize());

    const bool same = std::memcmp(ends, others, PARTICLES * sizeof(Place)) == 0;
    double square = 0;
    for (unsigned i = 0; i < PARTICLES; ++i) square += ends[i].x * ends[i].x + ends[i].y * ends[i].y + ends[i].z * ends[i].z;
    // Ten collisions on average, each adding a squared path of mean 2.
    const double mean_square = square / PARTICLES;
    std::printf("mean square distance %.2f (20 expected); the same for every launch shape: %s\n", mean_square,
                same ? "yes" : "NO");
    require(cudaFree(ends));
    require(cudaFree(others));
    return same && std::fabs(mean_square - 20) < 1 ? 0 : 1;
}
