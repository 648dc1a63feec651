#include "host_api/cli/job.hpp"

#include <limits>
#include <stdexcept>

#include "host_api/cli/errors.hpp"
#include "host_api/cli/numbers.hpp"
#include "host_api/cli/output.hpp"
#include "tandem/core/laws.hpp"

namespace tandem::cli {
namespace {

constexpr uint64_t MAX_U64 = std::numeric_limits<uint64_t>::max();
constexpr uint32_t MAX_U32 = std::numeric_limits<uint32_t>::max();
constexpr unsigned MAX_THREADS = 1024;

const std::string& needed(const std::string& option, const Arguments::Text& text, const std::string& who) {
    if (!text) throw OptionError(option + " is missing: " + who + " needs it");
    return *text;
}

void refuse_strangers(const Arguments& arguments, const DrawInfo& info) {
    for (const OptionInfo& option : parameter_options()) {
        if ((arguments.*option.text) && !(info.parameters & option.parameter)) {
            throw OptionError(std::string(option.name) + " does not apply to --draw " + info.name);
        }
    }
}

// The range of a bounded draw, `wide` values from 0 to 2^width.
void set_range(Fill& fill, Wide range, unsigned width) {
    fill.full_range = range == Wide{1} << width;
    fill.range = fill.full_range ? 0 : static_cast<uint64_t>(range);
}

void set_bounds(Fill& fill, int64_t low, int64_t high) {
    if (low > high) throw OptionError("--low: " + std::to_string(low) + " is above --high " + std::to_string(high));
    const Wide range = Wide{static_cast<uint64_t>(high) - static_cast<uint64_t>(low)} + 1;
    const bool narrow = range <= Wide{1} << 32;
    fill.draw = narrow ? Draw::below32 : Draw::below64;
    fill.low = static_cast<uint64_t>(low);
    set_range(fill, range, narrow ? 32 : 64);
}

double real_for(const std::string& option, const std::string& text, bool single) {
    return single ? static_cast<double>(parse_real<float>(option, text)) : parse_real<double>(option, text);
}

void set_normal(Fill& fill, const Arguments& arguments, bool single) {
    if (arguments.mean) fill.mean = real_for("--mean", *arguments.mean, single);
    if (arguments.stddev) fill.stddev = real_for("--stddev", *arguments.stddev, single);
    if (fill.stddev < 0) throw OptionError("--stddev: '" + *arguments.stddev + "' is negative");
}

void set_scale(Fill& fill, const Arguments& arguments, bool single) {
    if (arguments.scale) fill.scale = real_for("--scale", *arguments.scale, single);
    if (!(fill.scale > 0)) throw OptionError("--scale: '" + *arguments.scale + "' is not above 0");
}

ChoiceTable table_of(const DrawInfo& info, const Arguments& arguments, const std::string& who) {
    switch (info.law) {
        case Law::poisson: return poisson_table(parse_real<double>("--lambda", needed("--lambda", arguments.lambda, who)));
        case Law::geometric: return geometric_table(parse_real<double>("--p", needed("--p", arguments.p, who)));
        case Law::binomial: {
            const Wide trials = parse_unsigned("--trials", needed("--trials", arguments.trials, who), 0, MAX_U32);
            return binomial_table(static_cast<uint32_t>(trials), parse_real<double>("--p", needed("--p", arguments.p, who)));
        }
        case Law::weights:
        case Law::none: break;
    }
    const std::vector<double> weights = parse_weights("--weights", needed("--weights", arguments.weights, who));
    return choice_build(weights.data(), weights.size());
}

std::shared_ptr<const ChoiceTable> make_table(const DrawInfo& info, const Arguments& arguments, const std::string& who) {
    try {
        return std::make_shared<const ChoiceTable>(table_of(info, arguments, who));
    } catch (const std::invalid_argument& refusal) {
        const std::string text = refusal.what();  // "function: argument is value; allowed are ..."
        const std::size_t colon = text.find(": ");
        throw OptionError(who + (colon == std::string::npos ? ": " + text : text.substr(colon)));
    }
}

void set_parameters(Job& job, const Arguments& arguments) {
    const DrawInfo& info = *job.info;
    Fill& fill = job.work.fill;
    const std::string who = std::string("--draw ") + info.name;
    const bool single = info.element == Element::f32;
    if (info.parameters & RANGE) {
        const unsigned width = info.draw == Draw::below32 ? 32 : 64;
        set_range(fill, parse_unsigned("--range", needed("--range", arguments.range, who), 0, Wide{1} << width), width);
    }
    if (info.parameters & BOUNDS) {
        const int64_t low = parse_signed("--low", needed("--low", arguments.low, who));
        set_bounds(fill, low, parse_signed("--high", needed("--high", arguments.high, who)));
    }
    if (info.parameters & MEAN_STDDEV) set_normal(fill, arguments, single);
    if (info.parameters & SCALE) set_scale(fill, arguments, single);
    if (arguments.mode)
        fill.mode = parse_name("--mode", *arguments.mode, {"exact", "fast"}) ? NormalMode::fast : NormalMode::exact;
    if (info.law != Law::none) job.work.table = make_table(info, arguments, who);
}

}  // namespace

Place make_place(const Arguments& arguments) {
    Place place;
    if (arguments.backend) place.backend = BackendName(parse_name("--backend", *arguments.backend, {"auto", "host", "cuda"}));
    if (arguments.threads) place.threads = static_cast<unsigned>(parse_unsigned("--threads", *arguments.threads, 1, MAX_THREADS));
    return place;
}

Source make_source(const Arguments& arguments) {
    Source source;
    if (arguments.seed && arguments.key) throw OptionError("--seed and --key exclude each other");
    if (arguments.key) {
        source.key = parse_key("--key", *arguments.key);
    } else {
        const Wide seed = arguments.seed ? parse_seed("--seed", *arguments.seed) : 0;
        source.key = key_of_seed(static_cast<uint64_t>(seed), static_cast<uint64_t>(seed >> 64));
    }
    if (arguments.position) {
        source.position = static_cast<uint64_t>(parse_unsigned("--position", *arguments.position, 0, MAX_PLACED_POSITION - 1));
    }
    if (arguments.chunk) {
        source.chunk_length = static_cast<uint32_t>(parse_unsigned("--chunk", *arguments.chunk, 1, MAX_CHUNK_LENGTH));
        if (!valid_chunk_length(source.chunk_length)) throw OptionError("--chunk: " + *arguments.chunk + " is no power of two");
    }
    if (arguments.child) {
        for (const ChildStep& step : parse_children("--child", *arguments.child)) {
            const bool split = step.kind == ChildStep::Kind::split;
            source.key = split ? split_key(source.key, step.index) : sub_key(source.key, step.index);
        }
    }
    return source;
}

Job make_job(const Arguments& arguments) {
    Job job;
    job.info = &find_draw("--draw", needed("--draw", arguments.draw, "generate"));
    job.work.fill.n =
        static_cast<uint64_t>(parse_unsigned("--count", needed("--count", arguments.count, "generate"), 0, MAX_U64));
    job.work.fill.draw = job.info->draw;
    job.work.element_bytes = bytes_of(job.info->element);
    job.work.fill.element_bytes = static_cast<uint32_t>(job.work.element_bytes);

    const Source source = make_source(arguments);
    job.work.fill.key = source.key;
    job.work.fill.chunk_length = source.chunk_length;
    job.work.fill.position = source.position;
    job.place = make_place(arguments);
    if (arguments.format) job.format = Format(parse_name("--format", *arguments.format, {"raw", "text", "npy"}));
    if (arguments.output) job.output = *arguments.output;
    if (arguments.report) job.report = *arguments.report;
    if (job.output.empty()) throw OptionError("--output: '' is no file name");
    if (arguments.report && (job.report.empty() || job.report == "-")) {
        throw OptionError("--report: '" + job.report + "' is no file name");
    }
    if (!job.report.empty() && job.output != "-" && same_file(job.output, job.report)) {
        throw OptionError("--report: '" + job.report + "' is the --output file");
    }

    refuse_strangers(arguments, *job.info);
    set_parameters(job, arguments);
    const Span span = fill_span(job.work.fill.draw, job.work.fill.position, job.work.fill.n);
    if (!span.ok)
        throw OptionError("--count: " + *arguments.count + " elements from this position pass the end of the stream, 2^64 bits");
    job.end_position = span.end;
    return job;
}

}  // namespace tandem::cli
