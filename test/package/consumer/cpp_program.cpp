// The C++ faces of the library on host memory: the published words of seed 0, and refusals that arrive as exceptions.

#include <cstdint>
#include <tandem/fill.hpp>
#include <tandem/tandem.hpp>
#include <vector>

namespace {

const unsigned long long EXPECTED[4] = {0x658b0a3ea304b274u, 0xbd07705ca7f912adu, 0xafece278bf09ddaau, 0x7da7f528a8ae308eu};

int check_generator() {
    unsigned long long values[4] = {};
    tandem::Generator generator = tandem::Generator::host();
    generator.generate(values, 4);
    for (int i = 0; i < 4; ++i) {
        if (values[i] != EXPECTED[i]) return 1;
    }
    try {
        generator.set_chunk_length(33);
        return 2;
    } catch (const tandem::error& refused) {
        return refused.status() == TANDEM_STATUS_OUT_OF_RANGE ? 0 : 3;
    }
}

int check_fills() {
    const tandem::Key key{{0x379bbbfau, 0x5f03a381u, 0xc1d1e602u, 0xabbda2b0u}};
    std::vector<std::uint64_t> values(4);
    if (tandem::host::fill_u64(key, 0, 32, values.data(), values.size()) != 256) return 4;
    for (int i = 0; i < 4; ++i) {
        if (values[static_cast<std::size_t>(i)] != EXPECTED[i]) return 5;
    }
    try {
        tandem::host::fill_u64(key, 0, 33, values.data(), values.size());
        return 6;
    } catch (const tandem::error& refused) {
        return refused.status() == TANDEM_STATUS_OUT_OF_RANGE ? 0 : 7;
    }
}

}  // namespace

int main() {
    const int failed = check_generator();
    return failed != 0 ? failed : check_fills();
}
