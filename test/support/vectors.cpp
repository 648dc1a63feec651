#include "support/vectors.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>

#include "support/reference.hpp"
#include "support/sha256.hpp"
#include "tandem/core/children.hpp"

namespace tandem::test {
namespace {

using nlohmann::json;

const std::map<std::string, Draw> DRAWS = {{"bool", Draw::boolean},
                                           {"u8", Draw::u8},
                                           {"u16", Draw::u16},
                                           {"u32", Draw::u32},
                                           {"u64", Draw::u64},
                                           {"u128", Draw::u128},
                                           {"f16", Draw::f16},
                                           {"f32", Draw::f32},
                                           {"f64", Draw::f64},
                                           {"c32", Draw::c32},
                                           {"c64", Draw::c64},
                                           {"char", Draw::character},
                                           {"u32_below", Draw::below32},
                                           {"u64_below", Draw::below64},
                                           {"normal_f64", Draw::normal64},
                                           {"normal_f64_affine", Draw::normal64},
                                           {"normal_f32", Draw::normal32},
                                           {"normal_f32_affine", Draw::normal32},
                                           {"exponential_f64", Draw::exponential64},
                                           {"exponential_f32", Draw::exponential32},
                                           {"choice", Draw::choice},
                                           {"poisson", Draw::choice},
                                           {"binomial", Draw::choice},
                                           {"geometric", Draw::choice},
                                           {"lognormal_f64", Draw::lognormal64},
                                           {"lognormal_f32", Draw::lognormal32}};

/// A decimal number of up to 128 bits.
U128 decimal(const std::string& digits) {
    __extension__ unsigned __int128 value = 0;
    for (char c : digits) value = value * 10 + static_cast<unsigned>(c - '0');
    return U128{static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64)};
}

uint64_t hexadecimal(const std::string& digits) { return std::stoull(digits, nullptr, 16); }

/// Big-endian hexadecimal digits as little-endian bytes.
void append_bytes(const std::string& digits, std::vector<uint8_t>& bytes) {
    for (std::size_t i = digits.size(); i > 0; i -= 2)
        bytes.push_back(static_cast<uint8_t>(hexadecimal(digits.substr(i - 2, 2))));
}

void read_key(const json& j, VectorCase& c) {
    if (j.contains("seed")) {
        const U128 seed = decimal(j["seed"]);
        c.has_seed = true;
        c.seed_low = seed.lo;
        c.seed_high = seed.hi;
        c.root = key_of_seed(seed.lo, seed.hi);
    } else {
        for (std::size_t i = 0; i < 4; ++i) c.root.w[i] = static_cast<uint32_t>(hexadecimal(j["key"][i]));
    }
    c.fill.key = c.root;
    for (const std::string step : j.value("child", json::array())) {
        const ChildStep child{step.rfind("split:", 0) == 0, decimal(step.substr(step.find(':') + 1)).lo};
        c.child.push_back(child);
        c.fill.key = child.split ? split_key(c.fill.key, child.value) : sub_key(c.fill.key, child.value);
    }
}

void read_range(const json& j, VectorCase& c) {
    U128 range{};  // 2^64 needs the upper half
    if (c.draw == "int_range") {
        const std::string low = j["low"], high = j["high"];
        c.int_range = true;
        c.range_low = std::stoll(low);
        c.range_high = std::stoll(high);
        const uint64_t last = static_cast<uint64_t>(c.range_high) - static_cast<uint64_t>(c.range_low);
        range = last == ~0ull ? U128{0, 1} : U128{last + 1, 0};
        c.fill.draw = last < (uint64_t{1} << 32) ? Draw::below32 : Draw::below64;
        c.fill.low = static_cast<uint64_t>(c.range_low);
        c.fill.element_bytes = 8;
    } else {
        range = decimal(j["range"]);
        c.fill.element_bytes = c.fill.draw == Draw::below32 ? 4 : 8;
    }
    const U128 whole = c.fill.draw == Draw::below32 ? U128{uint64_t{1} << 32, 0} : U128{0, 1};
    c.fill.full_range = range == whole;
    c.fill.range = c.fill.full_range ? 0 : range.lo;
}

void read_table(const json& j, VectorCase& c) {
    TableSpec& t = c.table;
    using Kind = TableSpec::Kind;
    t.kind = c.draw == "poisson"     ? Kind::poisson
             : c.draw == "binomial"  ? Kind::binomial
             : c.draw == "geometric" ? Kind::geometric
                                     : Kind::weights;
    for (const std::string weight : j.value("weights", json::array())) t.weights.push_back(std::strtod(weight.c_str(), nullptr));
    t.lambda = j.value("lambda", 0.0);
    t.trials = j.value("trials", uint64_t{0});
    t.p = j.value("p", 0.0);
    t.has_expectations = j.contains("capacity");
    if (t.has_expectations) t.capacity = hexadecimal(j["capacity"]);
    t.low = j.value("low", uint64_t{0});
    t.entries = j.value("entries", uint64_t{0});
}

VectorCase read_case(const json& j, const std::string& where) {
    VectorCase c;
    c.draw = j["draw"];
    c.name = where + " " + c.draw;
    if (c.draw != "int_range") {
        const auto found = DRAWS.find(c.draw);
        if (found == DRAWS.end()) throw std::runtime_error(c.name + ": unknown draw");
        c.fill.draw = found->second;
    }
    read_key(j, c);
    c.fill.chunk_length = j["K"];
    c.fill.position = j["start"];
    c.fill.n = j["n"];
    c.fill.mean = j.value("mean", 0.0);
    c.fill.stddev = j.value("stddev", 1.0);
    if (c.draw == "int_range" || j.contains("range")) read_range(j, c);
    if (c.fill.draw == Draw::choice) read_table(j, c);

    c.end = j["end"];
    c.rejected = j.value("rejected", int64_t{-1});
    c.missed = j.value("missed", std::vector<uint64_t>{});
    for (const std::string value : j.value("values", json::array())) append_bytes(value, c.bytes);
    c.sha256 = j.value("sha256", std::string());
    c.output_bytes = element_size(c.fill) * c.fill.n;
    const std::size_t published = c.sha256.empty() ? c.bytes.size() : j["bytes"].get<std::size_t>();
    if (published != c.output_bytes) throw std::runtime_error(c.name + ": the size of the output is not that of n elements");
    return c;
}

}  // namespace

std::vector<VectorCase> load_vectors() {
    std::vector<VectorCase> cases;
    for (const std::string file : {"short.json", "long.json"}) {
        std::ifstream in(std::string(TANDEM_TEST_DATA) + "/" + file);
        if (!in) throw std::runtime_error("cannot read " + file + " in " + TANDEM_TEST_DATA);
        std::size_t number = 0;
        const json data = json::parse(in);
        for (const json& j : data["cases"]) cases.push_back(read_case(j, file + " " + std::to_string(number++)));
    }
    return cases;
}

std::vector<VectorCase> load_plain_vectors() {
    std::vector<VectorCase> plain;
    for (VectorCase& c : load_vectors()) {
        if (c.fill.draw <= Draw::character) plain.push_back(std::move(c));
    }
    return plain;
}

std::string difference(const VectorCase& expected, const void* output) {
    if (!expected.sha256.empty()) {
        const std::string digest = sha256_hex(output, expected.output_bytes);
        return digest == expected.sha256 ? "" : "the digest is " + digest + ", not " + expected.sha256;
    }
    const auto* bytes = static_cast<const uint8_t*>(output);
    for (std::size_t i = 0; i < expected.output_bytes; ++i) {
        if (bytes[i] != expected.bytes[i]) return "element " + std::to_string(i / element_size(expected.fill)) + " differs";
    }
    return "";
}

std::ostream& operator<<(std::ostream& out, const VectorCase& value) { return out << value.name; }

}  // namespace tandem::test
