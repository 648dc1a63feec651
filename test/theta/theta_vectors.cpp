#include "theta/theta_vectors.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "support/sha256.hpp"

namespace tandem::test {
namespace {

using nlohmann::json;

const json& vectors() {
    static const json* const parsed = new json(json::parse(theta_vectors_text()));
    return *parsed;
}

uint64_t hexadecimal(const json& digits) { return std::stoull(digits.get<std::string>(), nullptr, 16); }

double real(const json& text) { return std::strtod(text.get<std::string>().c_str(), nullptr); }

std::vector<uint8_t> bytes_of_hex(const std::string& digits) {
    std::vector<uint8_t> bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        bytes.push_back(static_cast<uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

uint64_t integer(const json& value) {
    return value.is_number_unsigned() ? value.get<uint64_t>() : static_cast<uint64_t>(value.get<int64_t>());
}

uint64_t splitmix(uint64_t j) {
    uint64_t z = (j + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

using Shape = ThetaKeyRule::Shape;

ThetaKeyRule read_rule(const json& gen, const std::string& type) {
    static const std::map<std::string, Shape> shapes = {{"seq", Shape::seq}, {"mod", Shape::mod},      {"div", Shape::div},
                                                        {"mix", Shape::mix}, {"inv8", Shape::inverse}, {"list", Shape::list}};
    ThetaKeyRule rule;
    rule.shape = shapes.at(gen["kind"]);
    rule.kind = theta_kind(type);
    rule.n = gen["n"];
    if (gen.contains("start")) rule.start = integer(gen["start"]);
    if (gen.contains("m")) rule.m = integer(gen["m"]);
    for (const json& bits : gen.value("bits", json::array())) rule.list.push_back(hexadecimal(bits));
    return rule;
}

/// Key i, before the cast to the key's type.
uint64_t value_of(const ThetaKeyRule& rule, uint64_t i) {
    switch (rule.shape) {
        case Shape::mod: return rule.start + i % rule.m;
        case Shape::div: return rule.start + i / rule.m;
        case Shape::mix: return splitmix(rule.start + i);
        case Shape::inverse: return theta_key_of_hash(rule.start + i * rule.m);
        case Shape::list: return rule.list.at(i);
        case Shape::seq: break;
    }
    return rule.start + i;
}

/// The bits of a key of the rule's type, in the low bytes.
uint64_t key_bits(const ThetaKeyRule& rule, uint64_t value) {
    const bool real_number = rule.kind == ThetaKey::f64 || rule.kind == ThetaKey::f32;
    if (!real_number || rule.shape == Shape::list) return value;
    const double quarter = static_cast<double>(static_cast<int64_t>(value)) * 0.25;
    if (rule.kind == ThetaKey::f64) return bit_cast<uint64_t>(quarter);
    return bit_cast<uint32_t>(static_cast<float>(quarter));
}

std::vector<double> read_bounds(const json& record) {
    std::vector<double> bounds;
    if (!record.contains("bounds")) return bounds;
    for (const json& bound : record["bounds"]) bounds.push_back(real(bound));
    return bounds;
}

ThetaResult read_result(const json& record) {
    ThetaResult result;
    result.refused = record.contains("error");
    if (result.refused) return result;
    result.empty = record["empty"];
    result.retained = record["retained"];
    // The contract reports the largest theta for an empty union, where the reference reports the starting one.
    result.theta = result.empty ? MAX_THETA : hexadecimal(record["theta64"]);
    result.estimate = real(record["estimate"]);
    result.bounds = read_bounds(record);
    result.bytes = record["bytes"];
    result.image = bytes_of_hex(record.value("hex", std::string()));
    result.sha256 = record.value("sha256", std::string());
    return result;
}

}  // namespace

ThetaKeys ThetaKeyRule::keys() const {
    ThetaKeys keys;
    keys.kind = kind;
    keys.n = n;
    const uint32_t size = theta_key_bytes(kind);
    keys.bytes.resize(n * size);
    for (uint64_t i = 0; i < n; ++i) {
        const uint64_t bits = key_bits(*this, value_of(*this, i));
        std::memcpy(keys.bytes.data() + i * size, &bits, size);
    }
    return keys;
}

std::string theta_vectors_text() {
    std::ifstream in(std::string(TANDEM_TEST_DATA) + "/theta/vectors.json");
    if (!in) throw std::runtime_error(std::string("cannot read theta/vectors.json in ") + TANDEM_TEST_DATA);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

ThetaKey theta_kind(const std::string& name) {
    static const std::map<std::string, ThetaKey> kinds = {
        {"u64", ThetaKey::u64}, {"i64", ThetaKey::i64}, {"u32", ThetaKey::u32}, {"i32", ThetaKey::i32}, {"u16", ThetaKey::u16},
        {"i16", ThetaKey::i16}, {"u8", ThetaKey::u8},   {"i8", ThetaKey::i8},   {"f64", ThetaKey::f64}, {"f32", ThetaKey::f32}};
    return kinds.at(name);
}

uint64_t theta_key_of_hash(uint64_t hash) {
    uint64_t k = hash;
    k = (k ^ (k >> 33)) * 0x9cb4b2f8129337dbu;
    k = (k ^ (k >> 33)) * 0x4f74430c22a54005u;
    k = (k ^ (k >> 33)) * 0xa81e14edd9de2c7fu;
    k = k >> 31 | k << 33;
    return k * 0xa98409e882ce4d7du;
}

std::string image_difference(const ThetaResult& expected, const std::vector<uint8_t>& image) {
    if (image.size() != expected.bytes) {
        return "the image has " + std::to_string(image.size()) + " bytes, not " + std::to_string(expected.bytes);
    }
    if (!expected.sha256.empty()) return sha256_hex(image) == expected.sha256 ? "" : "the digest of the image differs";
    for (std::size_t i = 0; i < image.size(); ++i) {
        if (image[i] != expected.image.at(i)) return "byte " + std::to_string(i) + " of the image differs";
    }
    return "";
}

std::vector<ThetaSketchCase> load_theta_sketches() {
    std::vector<ThetaSketchCase> cases;
    for (const json& record : vectors()["sketches"]) {
        ThetaSketchCase c;
        c.name = record["id"].get<std::string>() + " " + record["type"].get<std::string>() + " " + record["gen"].dump();
        c.lg_k = record["lg_k"];
        c.seed = hexadecimal(record["seed"]);
        c.p = static_cast<float>(real(record["p"]));
        c.rule = read_rule(record["gen"], record["type"]);
        c.result = read_result(record);
        cases.push_back(std::move(c));
    }
    return cases;
}

std::vector<ThetaOperations> load_theta_operations() {
    std::vector<ThetaOperations> cases;
    for (const json& record : vectors()["setops"]) {
        ThetaOperations c;
        c.name = record["name"];
        for (const json& in : record["in"]) {
            ThetaOperand operand;
            operand.lg_k = in["lg_k"];
            operand.seed = hexadecimal(in["seed"]);
            operand.p = static_cast<float>(real(in["p"]));
            operand.trimmed = in["trimmed"];
            operand.rule = read_rule(in["gen"], "u64");
            c.operands.push_back(std::move(operand));
        }
        c.union_lg_k = record["union_lg_k"];
        c.union_seed = hexadecimal(record["op_seed"]);
        c.union_p = static_cast<float>(real(record["union_p"]));
        c.united = read_result(record["union"]);
        c.intersection = read_result(record["intersection"]);
        c.difference = read_result(record["a_not_b"]);
        cases.push_back(std::move(c));
    }
    return cases;
}

std::vector<ThetaImageCase> load_theta_images() {
    std::vector<ThetaImageCase> cases;
    for (const json& record : vectors()["images"]) {
        ThetaImageCase c;
        c.name = record["name"];
        c.seed = hexadecimal(record["seed"]);
        c.image = bytes_of_hex(record["image"]);
        c.accepted = record["ours"] == "accept";
        const json& read = record["cpp"];
        if (c.accepted) {
            c.unchanged = read["reserialized_equal"];
            c.empty = read["empty"];
            c.retained = read["retained"];
            c.theta = hexadecimal(read["theta64"]);
        }
        cases.push_back(std::move(c));
    }
    return cases;
}

std::vector<ThetaBoundsCase> load_theta_bounds() {
    std::vector<ThetaBoundsCase> cases;
    for (const json& record : vectors()["bounds"]) {
        cases.push_back({record["retained"], hexadecimal(record["theta64"]), real(record["estimate"]), read_bounds(record)});
    }
    return cases;
}

}  // namespace tandem::test
