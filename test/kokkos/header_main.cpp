/// With header_other.cpp: the header in two translation units of one program.

#include <cstdio>

#include "tandem/kokkos.hpp"

double sum_of_fills(tandem::Rng& rng);

int main(int argc, char** argv) {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    tandem::Rng here(7), there(7);
    Kokkos::View<double*, Kokkos::HostSpace> values("values", 100);
    double sum = 0;
    tandem::fill(values, here);
    for (int i = 0; i < 100; ++i) sum += values(i);
    tandem::fill_normal(values, here);
    for (int i = 0; i < 100; ++i) sum += values(i);
    const bool same = sum == sum_of_fills(there) && here.position() == there.position();
    std::printf("%s\n", same ? "same" : "different");
    return same ? 0 : 1;
}
