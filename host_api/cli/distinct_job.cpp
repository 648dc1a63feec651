#include <algorithm>
#include <limits>

#include "host_api/cli/distinct.hpp"
#include "host_api/cli/errors.hpp"
#include "host_api/cli/key_file.hpp"
#include "host_api/cli/numbers.hpp"
#include "host_api/cli/output.hpp"
#include "tandem/core/theta.hpp"

namespace tandem::cli {
namespace {

constexpr uint64_t MAX_U64 = std::numeric_limits<uint64_t>::max();
constexpr uint64_t MOST_IMAGE_BYTES = uint64_t{1} << 31;  // more than any sketch writes

const std::vector<std::string>& type_names() {
    static const std::vector<std::string> names = {"u64", "i64", "u32", "i32", "u16", "i16", "u8", "i8", "f64", "f32"};
    return names;
}

/// A type of keys, or the draw of that name.
void set_type(DistinctJob& job, const std::string& option, const std::string& text) {
    const std::size_t type = parse_name(option, text, type_names());
    job.type = static_cast<tandemThetaKey_t>(type);
    job.key_bytes = theta_key_bytes(static_cast<ThetaKey>(type));
}

void refuse_with(const std::string& what, const std::vector<std::pair<const char*, const Arguments::Text*>>& options) {
    for (const auto& [name, text] : options) {
        if (*text) throw OptionError(std::string(name) + " does not apply to " + what);
    }
}

void set_draws(DistinctJob& job, const Arguments& arguments) {
    if (!arguments.files.empty()) throw OptionError("--draws and FILE exclude each other");
    refuse_with("--draws", {{"--type", &arguments.type}});
    job.draws = true;
    set_type(job, "--draws", *arguments.draws);
    if (!arguments.count) throw OptionError("--count is missing: --draws needs it");
    job.count = static_cast<uint64_t>(parse_unsigned("--count", *arguments.count, 0, MAX_U64));
    job.source = make_source(arguments);
    const uint32_t width = static_cast<uint32_t>(8 * job.key_bytes);
    if (!span_of(job.source.position, width, job.count).ok) {
        throw OptionError("--count: " + *arguments.count + " draws from this position pass the end of the stream, 2^64 bits");
    }
}

void set_files(DistinctJob& job, const Arguments& arguments) {
    refuse_with("files", {{"--count", &arguments.count},
                          {"--key", &arguments.key},
                          {"--child", &arguments.child},
                          {"--position", &arguments.position},
                          {"--chunk", &arguments.chunk}});
    if (arguments.seed && arguments.hash_seed) throw OptionError("--seed and --hash-seed mean the same for files: give one");
    if (arguments.seed) job.hash_seed = static_cast<uint64_t>(parse_unsigned("--seed", *arguments.seed, 0, MAX_U64));
    job.files = arguments.files;
    if (job.files.empty()) {
        refuse_with("images alone", {{"--type", &arguments.type}});
        if (arguments.merge.empty()) throw OptionError("nothing to count: give FILE, --draws or --merge");
        return;
    }
    if (!arguments.type) throw OptionError("--type is missing: FILE needs it");
    set_type(job, "--type", *arguments.type);
}

void set_sketch(DistinctJob& job, const Arguments& arguments) {
    job.lg_k = DEFAULT_LG_K;
    job.hash_seed = DEFAULT_THETA_SEED;
    if (arguments.lg_k) job.lg_k = static_cast<uint32_t>(parse_unsigned("--lg-k", *arguments.lg_k, MIN_LG_K, MAX_LG_K));
    if (arguments.hash_seed) {
        job.hash_seed = static_cast<uint64_t>(parse_unsigned("--hash-seed", *arguments.hash_seed, 0, MAX_U64));
    }
    if (arguments.p) job.p = parse_real<float>("--p", *arguments.p);
    if (!valid_theta_p(job.p)) throw OptionError("--p: '" + *arguments.p + "' is out of range (allowed: 2^-63 to 1)");
}

void set_save(DistinctJob& job, const Arguments& arguments) {
    if (!arguments.save) return;
    job.save = *arguments.save;
    if (job.save.empty() || job.save == "-") throw OptionError("--save: '" + job.save + "' is no file name");
    for (const std::string& file : job.files) {
        if (file != "-" && same_file(file, job.save)) throw OptionError("--save: '" + job.save + "' is a FILE to count");
    }
}

}  // namespace

const std::vector<OptionInfo>& distinct_options() {
    static const std::vector<OptionInfo> options = {
        {"--type", &Arguments::type, "TYPE", "type of the keys in FILE, little-endian: u8 to u64, i8 to i64, f32 or f64"},
        {"--draws", &Arguments::draws, "TYPE", "instead of files: count plain draws of this type, which are stored nowhere"},
        {"--count", &Arguments::count, "N", "how many draws"},
        {"--lg-k", &Arguments::lg_k, "LGK", "keep the 2^LGK smallest hashes: 5 to 26, 12 when not given"},
        {"--hash-seed", &Arguments::hash_seed, "S", "the seed of the hashes, 64 bits; 9001 when not given"},
        {"--p", &Arguments::p, "P", "keep each key with this probability from the start, 2^-63 to 1; 1 when not given"},
        {"--save", &Arguments::save, "FILE", "write the sketch: a compact image as Apache DataSketches reads it"},
        {"--backend", &Arguments::backend, "NAME",
         "auto (the GPU where there is one, the default), host or cuda; the results are equal"},
    };
    return options;
}

DistinctJob make_distinct_job(const Arguments& arguments) {
    DistinctJob job;
    set_sketch(job, arguments);
    job.backend = make_place(arguments).backend;
    if (arguments.draws) {
        set_draws(job, arguments);
    } else {
        set_files(job, arguments);
    }
    set_save(job, arguments);
    for (const std::string& path : arguments.merge) {
        job.images.push_back({path, read_whole("--merge", path, MOST_IMAGE_BYTES)});
    }
    return job;
}

}  // namespace tandem::cli
