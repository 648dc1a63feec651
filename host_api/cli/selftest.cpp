#include "host_api/cli/selftest.hpp"

#include <cstdio>
#include <exception>
#include <string>

#include "host_api/cli/errors.hpp"
#include "host_api/cli/generate.hpp"
#include "host_api/cli/numbers.hpp"
#include "host_api/cli/selftest_cases.hpp"

namespace tandem::cli {
namespace {

Arguments parse_options(const std::string& text) {
    Arguments arguments;
    const auto words = split_at(text, ' ');
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        for (const auto* options : {&output_options(), &source_options(), &parameter_options()}) {
            for (const OptionInfo& option : *options) {
                if (words[i] == option.name) arguments.*option.text = std::string(words[i + 1]);
            }
        }
    }
    return arguments;
}

std::string output_of(Backend& backend, const Job& job, std::size_t piece_bytes) {
    std::string hex;
    fill_in_pieces(backend, job.work, piece_bytes, [&](const void* data, std::size_t n) {
        const auto* bytes = static_cast<const unsigned char*>(data);
        for (std::size_t i = 0; i < n * job.work.element_bytes; ++i) {
            constexpr char digits[] = "0123456789abcdef";
            hex += digits[bytes[i] >> 4];
            hex += digits[bytes[i] & 15];
        }
    });
    return hex;
}

// Whether a case holds, in one piece and cut into small ones; 20 bytes are an odd number of f32 elements, which pairs do not
// allow.
bool holds(Backend& backend, const SelftestCase& known) {
    const Job job = make_job(parse_options(known.options));
    if (job.end_position != known.end_position) return false;
    for (std::size_t piece_bytes : {std::size_t{1} << 20, std::size_t{20}}) {
        if (output_of(backend, job, piece_bytes) != known.bytes) return false;
    }
    return true;
}

bool test_backend(const Place& place) {
    const std::unique_ptr<Backend> backend = make_backend(place);
    std::size_t wrong = 0;
    for (const SelftestCase& known : selftest_cases()) {
        if (holds(*backend, known)) continue;
        ++wrong;
        std::printf("%s: wrong: %s\n", backend->name().c_str(), known.options);
    }
    const std::size_t all = selftest_cases().size();
    std::printf("%s: %zu of %zu cases right\n", backend->name().c_str(), all - wrong, all);
    return wrong == 0;
}

}  // namespace

bool run_selftest() {
    bool good = true;
    for (const Place& place : present_places()) {
        try {
            good = test_backend(place) && good;
        } catch (const std::exception& error) {
            std::printf("%s: failed: %s\n", place.backend == BackendName::cuda ? "cuda" : "host", error.what());
            good = false;
        }
    }
    return good;
}

}  // namespace tandem::cli
