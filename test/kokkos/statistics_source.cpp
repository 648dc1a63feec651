/// The suites of test/statistics over the kernel of host spaces.

#include <stdexcept>

#include "kokkos/call_backends.hpp"
#include "statistics/source.hpp"

namespace tandem::test {

std::string source_missing() { return ""; }

uint64_t sample_size() { return 1000000; }

void draw_bytes(const Fill& fill, void* out, std::size_t) {
    Fill into = fill;
    into.out = out;
    call<Kokkos::DefaultHostExecutionSpace>(into);
}

}  // namespace tandem::test
