#include "tandem/kokkos.hpp"

double sum_of_fills(tandem::Rng& rng);

double sum_of_fills(tandem::Rng& rng) {
    Kokkos::View<double*, Kokkos::HostSpace> values("values", 100);
    double sum = 0;
    tandem::fill(values, rng);
    for (int i = 0; i < 100; ++i) sum += values(i);
    tandem::fill_normal(values, rng);
    for (int i = 0; i < 100; ++i) sum += values(i);
    return sum;
}
