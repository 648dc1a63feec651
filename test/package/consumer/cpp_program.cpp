// The C++ faces of the library on host memory: the published words of seed 0, and a refusal that arrives as an exception.

#include <cstdint>
#include <tandem/fill.hpp>
#include <vector>

int main() {
    const std::vector<std::uint64_t> expected = {0x658b0a3ea304b274u, 0xbd07705ca7f912adu, 0xafece278bf09ddaau,
                                                 0x7da7f528a8ae308eu};
    const tandem::Key key{{0x379bbbfau, 0x5f03a381u, 0xc1d1e602u, 0xabbda2b0u}};
    std::vector<std::uint64_t> values(4);
    if (tandem::host::fill_u64(key, 0, 32, values.data(), values.size()) != 256 || values != expected) return 1;
    try {
        tandem::host::fill_u64(key, 0, 33, values.data(), values.size());
        return 2;
    } catch (const tandem::error& refused) {
        return refused.status() == TANDEM_STATUS_OUT_OF_RANGE ? 0 : 3;
    }
}
