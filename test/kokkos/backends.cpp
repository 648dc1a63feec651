#include "kokkos/backends.hpp"

#include <ostream>

namespace tandem::test {

const std::vector<Backend>& backends() {
    static const std::vector<Backend> all = [] {
        std::vector<Backend> found;
        add_serial_calls(found);
        add_serial(found);
        add_threaded_calls(found);
        add_threaded(found);
        add_fibers(found);
        return found;
    }();
    return all;
}

std::ostream& operator<<(std::ostream& out, const Backend& backend) { return out << backend.name; }

}  // namespace tandem::test
