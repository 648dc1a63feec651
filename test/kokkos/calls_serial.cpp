#include "kokkos/call_backends.hpp"

namespace tandem::test {

void add_serial_calls(std::vector<Backend>& all) {
#if defined(KOKKOS_ENABLE_SERIAL)
    all.push_back({"serial_call", 1, true, false, call<Kokkos::Serial>});
#else
    (void)all;
#endif
}

}  // namespace tandem::test
