// One of two translation units that include every header: a definition that is not inline fails the link.

#include "all_headers.hpp"

tandem::uint64_t first_word_elsewhere(tandem::uint64_t seed);

int main() { return tandem::Rng(5).urand64() == first_word_elsewhere(5) ? 0 : 1; }
