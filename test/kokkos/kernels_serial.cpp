#include "kokkos/kernel_backends.hpp"

namespace tandem::test {

void add_serial(std::vector<Backend>& all) {
#if defined(KOKKOS_ENABLE_SERIAL)
    add_kernels<Kokkos::Serial>("serial", all);
#else
    (void)all;
#endif
}

}  // namespace tandem::test
