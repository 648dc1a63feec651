#pragma once

/// From options as typed to a checked description of the work.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host_api/cli/draws.hpp"
#include "tandem/core/choice.hpp"
#include "tandem/core/fill.hpp"

namespace tandem::cli {

/// Option values as typed; absent when not given.
struct Arguments {
    using Text = std::optional<std::string>;
    Text draw, count, format, output, report;
    Text seed, key, position, chunk, child;
    Text range, low, high, mean, stddev, scale, lambda, trials, p, weights, mode;
    Text backend, threads;
    Text type, draws, lg_k, hash_seed, save;
    std::vector<std::string> files, merge;
};

/// An option with a value: its name, where the value goes, and how --help shows it.
struct OptionInfo {
    const char* name;
    Arguments::Text Arguments::*text;
    const char* value;
    const char* about;
    unsigned parameter = 0;  ///< of parameter_options: the Parameter that a draw must have for the option to apply
};

const std::vector<OptionInfo>& output_options();     ///< what, how much, and where to
const std::vector<OptionInfo>& source_options();     ///< which stream
const std::vector<OptionInfo>& parameter_options();  ///< of some draws only; those that some draw of draw_table() has
const std::vector<OptionInfo>& place_options();      ///< what computes

enum class BackendName : uint8_t { automatic, host, cuda };
enum class Format : uint8_t { raw, text, npy };

/// Where to compute.
struct Place {
    BackendName backend = BackendName::automatic;
    unsigned threads = 0;  ///< 0: as many as the work deserves
};

/// Which stream, and from which position in bits.
struct Source {
    Key key{};
    uint32_t chunk_length = DEFAULT_CHUNK_LENGTH;
    uint64_t position = 0;
};

/// A fill without its output.
struct Work {
    Fill fill;                                 ///< without `out` and `choice`
    std::size_t element_bytes = 0;             ///< of the output
    std::shared_ptr<const ChoiceTable> table;  ///< of draws through a table, otherwise null
};

/// One `generate`.
struct Job {
    const DrawInfo* info = nullptr;
    Work work;
    uint64_t end_position = 0;
    Place place;
    Format format = Format::raw;
    std::string output = "-";
    std::string report;  ///< empty: none
};

/// These throw OptionError for whatever cannot be done as typed; nothing outside the process changes.
Place make_place(const Arguments& arguments);
Source make_source(const Arguments& arguments);
Job make_job(const Arguments& arguments);

}  // namespace tandem::cli
