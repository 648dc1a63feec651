#pragma once

/// The draws of the command line: one table of what each is called, what it writes and which options it takes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tandem/core/fill.hpp"

namespace tandem::cli {

/// The types of output elements.
enum class Element : uint8_t { boolean, u8, i8, u16, i16, u32, i32, u64, i64, u128, i128, f16, f32, f64, c32, c64 };

std::size_t bytes_of(Element element);

/// The type as .npy headers name it, little-endian: a quoted name, or a list of fields for what numpy has no name for.
std::string npy_type(Element element);

/// Parameters of draws; a set of them is a sum.
enum Parameter : unsigned {
    RANGE = 1,         ///< --range, needed
    BOUNDS = 2,        ///< --low and --high, needed
    MEAN_STDDEV = 4,   ///< --mean and --stddev, 0 and 1 when not given
    SCALE = 8,         ///< --scale, 1 when not given
    LAMBDA = 16,       ///< --lambda, needed
    TRIALS = 32,       ///< --trials, needed
    PROBABILITY = 64,  ///< --p, needed
    WEIGHTS = 128,     ///< --weights, needed
    MODE = 256,        ///< --mode, exact when not given
};

/// Where the table of a draw through a table comes from.
enum class Law : uint8_t { none, weights, poisson, binomial, geometric };

struct DrawInfo {
    const char* name;
    Draw draw;
    Element element;
    unsigned parameters;
    Law law;
    const char* about;  ///< for --help
};

const std::vector<DrawInfo>& draw_table();

/// The draw of a name; throws OptionError with the names there are.
const DrawInfo& find_draw(const std::string& option, const std::string& name);

}  // namespace tandem::cli
