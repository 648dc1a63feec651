#include "all_headers.hpp"

tandem::uint64_t first_word_elsewhere(tandem::uint64_t seed) { return tandem::Rng(seed).urand64(); }
