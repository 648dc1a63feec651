// The header-only core alone, without the library: the published words of seed 0.

#include <tandem/core.hpp>

int main() {
    const tandem::uint64_t expected[4] = {0x658b0a3ea304b274u, 0xbd07705ca7f912adu, 0xafece278bf09ddaau, 0x7da7f528a8ae308eu};
    tandem::Rng rng(0);
    for (const auto value : expected) {
        if (rng.urand64() != value) return 1;
    }
    return rng.position() == 256 ? 0 : 2;
}
