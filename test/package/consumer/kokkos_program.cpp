#include <cstdio>

#include "tandem/kokkos.hpp"

int main(int argc, char** argv) {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    Kokkos::View<double*, Kokkos::HostSpace> values("values", 3);
    tandem::Rng rng(2026), same(2026);
    tandem::fill(values, rng);
    for (std::size_t i = 0; i < values.extent(0); ++i) {
        if (values(i) != same.drand()) return 1;
    }
    std::printf("%.17g\n", values(0));
    return 0;
}
