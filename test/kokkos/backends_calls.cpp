/// The public calls alone, for tests that compile them with other flags.

#include <ostream>

#include "kokkos/backends.hpp"

namespace tandem::test {

const std::vector<Backend>& backends() {
    static const std::vector<Backend> all = [] {
        std::vector<Backend> found;
        add_serial_calls(found);
        add_threaded_calls(found);
        return found;
    }();
    return all;
}

std::ostream& operator<<(std::ostream& out, const Backend& backend) { return out << backend.name; }

}  // namespace tandem::test
