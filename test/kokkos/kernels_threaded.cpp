#include "kokkos/kernel_backends.hpp"

namespace tandem::test {

void add_threaded(std::vector<Backend>& all) {
#if defined(KOKKOS_ENABLE_OPENMP)
    using Exec = Kokkos::OpenMP;
    const std::string name = "openmp";
#elif defined(KOKKOS_ENABLE_THREADS)
    using Exec = Kokkos::Threads;
    const std::string name = "threads";
#endif
#if defined(KOKKOS_ENABLE_OPENMP) || defined(KOKKOS_ENABLE_THREADS)
    add_kernels<Exec>(name, all);
    // The tests run with four threads.
    add_team<2, Exec>(name, all);
    add_team<4, Exec>(name, all);
#else
    (void)all;
#endif
}

}  // namespace tandem::test
