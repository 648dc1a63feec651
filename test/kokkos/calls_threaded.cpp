#include "kokkos/call_backends.hpp"

namespace tandem::test {

void add_threaded_calls(std::vector<Backend>& all) {
#if defined(KOKKOS_ENABLE_OPENMP)
    all.push_back({"openmp_call", 1, true, false, call<Kokkos::OpenMP>});
#elif defined(KOKKOS_ENABLE_THREADS)
    all.push_back({"threads_call", 1, true, false, call<Kokkos::Threads>});
#else
    (void)all;
#endif
}

}  // namespace tandem::test
