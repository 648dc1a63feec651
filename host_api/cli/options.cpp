#include "host_api/cli/job.hpp"

namespace tandem::cli {

const std::vector<OptionInfo>& output_options() {
    static const std::vector<OptionInfo> options = {
        {"--draw", &Arguments::draw, "DRAW", "what to draw: a name of the list below"},
        {"--count", &Arguments::count, "N", "how many elements"},
        {"--format", &Arguments::format, "FORMAT",
         "raw (little-endian bytes, the default), text (a line an element) or npy (numpy's file format, version 1.0)"},
        {"--output", &Arguments::output, "FILE", "where to write; - is standard output, the default"},
        {"--report", &Arguments::report, "FILE",
         "write a JSON object: key, position, end_position, backend, seconds, bytes written"},
    };
    return options;
}

const std::vector<OptionInfo>& source_options() {
    static const std::vector<OptionInfo> options = {
        {"--seed", &Arguments::seed, "S|0xS", "the seed: decimal up to 64 bits, hexadecimal up to 128; 0 when not given"},
        {"--key", &Arguments::key, "W,W,W,W", "instead of a seed: the key, four hexadecimal words"},
        {"--child", &Arguments::child, "STEPS",
         "use a child of the generator: split:i and sub:u between commas, from the root on"},
        {"--position", &Arguments::position, "BITS", "where to start in the stream, in bits, below 2^63; 0 when not given"},
        {"--chunk", &Arguments::chunk, "K",
         "the chunk length, a power of two from 1 to 65536; 32 when not given. Use one only with each key: streams of one key "
         "and "
         "different chunk lengths share blocks"},
    };
    return options;
}

const std::vector<OptionInfo>& parameter_options() {
    static const std::vector<OptionInfo> options = [] {
        const std::vector<OptionInfo> known = {
            {"--range", &Arguments::range, "R", "values from 0 to R - 1; up to 2^32 or 2^64, the draw's width", RANGE},
            {"--low", &Arguments::low, "L", "the lowest value, 64 bits with a sign", BOUNDS},
            {"--high", &Arguments::high, "H", "the highest value, included", BOUNDS},
            {"--mean", &Arguments::mean, "M", "mean of the normal; 0 when not given", MEAN_STDDEV},
            {"--stddev", &Arguments::stddev, "S", "standard deviation of the normal, not negative; 1 when not given",
             MEAN_STDDEV},
            {"--mode", &Arguments::mode, "MODE", "exact (the default) or fast; fast takes effect on GPUs and is not bit-exact",
             MODE},
            {"--scale", &Arguments::scale, "S", "mean of the exponential, above 0; 1 when not given", SCALE},
            {"--lambda", &Arguments::lambda, "L", "mean of the Poisson law, above 0, at most 2^31", LAMBDA},
            {"--trials", &Arguments::trials, "N", "trials of the binomial law, below 2^32", TRIALS},
            {"--p", &Arguments::p, "P", "probability of a success, from 0 to 1", PROBABILITY},
            {"--weights", &Arguments::weights, "W,W,...|FILE", "weights of the indices 0, 1, ...: a list, or a file with numbers",
             WEIGHTS},
        };
        std::vector<OptionInfo> used;
        for (const OptionInfo& option : known) {
            for (const DrawInfo& draw : draw_table()) {
                if (!(draw.parameters & option.parameter)) continue;
                used.push_back(option);
                break;
            }
        }
        return used;
    }();
    return options;
}

const std::vector<OptionInfo>& place_options() {
    static const std::vector<OptionInfo> options = {
        {"--backend", &Arguments::backend, "NAME",
         "auto (the GPU where there is one, the default), host or cuda; the values are equal"},
        {"--threads", &Arguments::threads, "T", "threads of the host backend, 1 to 1024; the values do not depend on it"},
    };
    return options;
}

}  // namespace tandem::cli
