/// The values of other.json that the core determines.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/core_fill.hpp"
#include "support/sha256.hpp"

namespace tandem::test {
namespace {

using nlohmann::json;

const json& published() {
    static const json values = json::parse(std::ifstream(std::string(TANDEM_TEST_DATA) + "/other.json"));
    return values;
}

uint64_t hex(const json& text) { return std::stoull(text.get<std::string>(), nullptr, 16); }

Key key_from(const json& words) {
    Key key{};
    for (std::size_t i = 0; i < 4; ++i) key.w[i] = static_cast<uint32_t>(hex(words.at(i)));
    return key;
}

Key key_of_decimal(const std::string& seed) {
    uint64_t low = 0, high = 0;
    for (const char digit : seed) {
        const uint64_t carry = mul_hi(low, 10);
        low *= 10;
        high = high * 10 + carry;
        const uint64_t value = static_cast<uint64_t>(digit - '0');
        high += low + value < low;
        low += value;
    }
    return key_of_seed(low, high);
}

std::vector<double> weights_of(const json& texts) {
    std::vector<double> weights;
    for (const json& text : texts) weights.push_back(std::strtod(text.get<std::string>().c_str(), nullptr));
    return weights;
}

template <class V>
std::string digest(const std::vector<V>& values) {
    return sha256_hex(values.data(), values.size() * sizeof(V));
}

void expect_digests(const json& expected, const ChoiceTable& table) {
    EXPECT_EQ(table.capacity, hex(expected.at("capacity")));
    EXPECT_EQ(digest(table.cut), expected.at("sha256_cut").get<std::string>());
    EXPECT_EQ(digest(table.alias), expected.at("sha256_alias").get<std::string>());
}

TEST(OtherVectors, Seeds) {
    ASSERT_FALSE(published().at("seeds").empty());
    for (const json& c : published().at("seeds")) {
        EXPECT_TRUE(key_of_decimal(c.at("seed").get<std::string>()) == key_from(c.at("key"))) << c;
    }
}

TEST(OtherVectors, Forks) {
    ASSERT_FALSE(published().at("forks").empty());
    for (const json& c : published().at("forks")) {
        const auto k = c.at("K").get<uint32_t>();
        Rng parent(key_from(c.at("key")), c.at("start").get<uint64_t>(), k);
        std::vector<Rng> children(c.at("n").get<std::size_t>());
        ASSERT_TRUE(parent.fork(children.size(), children.data()));
        EXPECT_EQ(parent.position(), c.at("end").get<uint64_t>());
        ASSERT_EQ(children.size(), c.at("keys").size());
        for (std::size_t i = 0; i < children.size(); ++i) {
            EXPECT_TRUE(children[i].key() == key_from(c.at("keys").at(i))) << c << " child " << i;
            EXPECT_EQ(children[i].position(), 0u);
            EXPECT_EQ(children[i].chunk_length(), k);
        }
    }
}

void expect_mixed_widths(Rng& rng, const json& values) {
    for (const json& step : values) {
        const std::string raw = step.at(1).get<std::string>();
        switch (step.at(0).get<int>()) {
            case 1: EXPECT_EQ(rng.bit(), raw == "01"); break;
            case 8: EXPECT_EQ(rng.next<uint8_t>(), hex(raw)); break;
            case 16: EXPECT_EQ(rng.next<uint16_t>(), hex(raw)); break;
            case 32: EXPECT_EQ(rng.next<uint32_t>(), hex(raw)); break;
            case 64: EXPECT_EQ(rng.next<uint64_t>(), hex(raw)); break;
            case 128: EXPECT_TRUE((rng.next<U128>() == U128{hex(raw.substr(16)), hex(raw.substr(0, 16))})); break;
            default: FAIL() << step;
        }
        EXPECT_EQ(rng.position(), step.at(2).get<uint64_t>());
    }
}

TEST(OtherVectors, ScalarDraws) {
    ASSERT_FALSE(published().at("scalars").empty());
    for (const json& c : published().at("scalars")) {
        Rng rng(key_of_decimal(c.at("seed").get<std::string>()), c.at("start").get<uint64_t>(), c.at("K").get<uint32_t>());
        const std::string draw = c.at("draw").get<std::string>();
        if (draw == "mixed widths") {
            expect_mixed_widths(rng, c.at("values"));
            continue;
        }
        const uint64_t range = std::stoull(c.at("range").get<std::string>());
        ASSERT_TRUE(draw == "urand(range)" || draw == "urand64(range)");
        for (const json& step : c.at("values")) {
            const uint64_t value = draw == "urand(range)" ? rng.urand(static_cast<uint32_t>(range)) : rng.urand64(range);
            EXPECT_EQ(value, hex(step.at(0))) << c;
            EXPECT_EQ(rng.position(), step.at(1).get<uint64_t>()) << c;
        }
    }
}

TEST(OtherVectors, AliasTables) {
    ASSERT_FALSE(published().at("tables").empty());
    for (const json& c : published().at("tables")) {
        if (c.contains("weights")) {
            const std::vector<double> weights = weights_of(c.at("weights"));
            const ChoiceTable table = choice_build(weights.data(), weights.size());
            EXPECT_EQ(table.capacity, hex(c.at("capacity"))) << c;
            EXPECT_EQ(table.m, weights.size());
            EXPECT_EQ(table.low, 0u);
            EXPECT_EQ(table.alias, c.at("alias").get<std::vector<uint32_t>>()) << c;
            ASSERT_EQ(table.cut.size(), c.at("cut").size());
            for (std::size_t i = 0; i < table.cut.size(); ++i) EXPECT_EQ(table.cut[i], hex(c.at("cut").at(i))) << c;
            continue;
        }
        ASSERT_EQ(c.at("rule"), "weight i = 0 where i mod 3 = 0, else 1/(i+1) rounded, i from 0");
        std::vector<double> weights(c.at("m").get<std::size_t>());
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = i % 3 == 0 ? 0.0 : 1.0 / static_cast<double>(i + 1);
        expect_digests(c, choice_build(weights.data(), weights.size()));
    }
}

TEST(OtherVectors, ChoiceOf) {
    ASSERT_FALSE(published().at("choice_of").empty());
    for (const json& c : published().at("choice_of")) {
        const std::vector<double> weights = weights_of(c.at("weights"));
        const ChoiceTable table = choice_build(weights.data(), weights.size());
        const ChoiceTable moved = choice_build(weights.data(), weights.size(), 1000);
        for (std::size_t i = 0; i < c.at("raw").size(); ++i) {
            const auto index = c.at("index").at(i).get<uint32_t>();
            EXPECT_EQ(choice_of(table.view(), hex(c.at("raw").at(i))), index);
            EXPECT_EQ(choice_of(moved.view(), hex(c.at("raw").at(i))), index + 1000);
        }
    }
}

TEST(OtherVectors, Laws) {
    ASSERT_EQ(published().at("laws").size(), 7u);
    for (const json& c : published().at("laws")) {
        const std::string law = c.at("law").get<std::string>();
        ChoiceTable table;
        if (law == "poisson 3.5") table = poisson_table(3.5);
        if (law == "poisson 10000") table = poisson_table(10000.0);
        if (law == "poisson 2^22+0.5") table = poisson_table(4194304.5);
        if (law == "binomial 10 0.75") table = binomial_table(10, 0.75);
        if (law == "binomial 1000000 0.3") table = binomial_table(1000000, 0.3);
        if (law == "geometric 0.01") table = geometric_table(0.01);
        if (law == "geometric 0.5") table = geometric_table(0.5);
        ASSERT_GT(table.m, 0u) << law;
        EXPECT_EQ(table.low, c.at("low").get<uint32_t>()) << law;
        EXPECT_EQ(table.m, c.at("entries").get<uint32_t>()) << law;
        expect_digests(c, table);
    }
}

TEST(OtherVectors, ChunkOrder) {
    ASSERT_FALSE(published().at("chunk_order").empty());
    for (const json& c : published().at("chunk_order")) {
        const Key key = sub_key(key_from(c.at("key")), PURPOSE_CHUNK);
        const uint64_t chunk = c.at("chunk").get<uint64_t>(), first = c.at("first").get<uint64_t>();
        for (std::size_t n = 0; n < c.at("words").size(); ++n) {
            const uint64_t i = first + n;
            const uint64_t place = (chunk + ((i >> 18) << 32)) & ((1ull << 41) - 1);
            const uint32_t step = static_cast<uint32_t>(i >> 2) & 0xffff;
            EXPECT_EQ(block(key, place, step).w[i & 3], hex(c.at("words").at(n))) << c << " word " << n;
            const uint64_t position = c.at("position_of_word").at(n).get<uint64_t>();
            EXPECT_EQ((block_of_place(place, step, 16) << 7) + ((i & 3) << 5), position);
            EXPECT_EQ(Rng(key, position, 65536).urand(), hex(c.at("words").at(n)));
        }
    }
}

TEST(OtherVectors, GraphLaunches) {
    ASSERT_FALSE(published().at("graph_launches").empty());
    for (const json& c : published().at("graph_launches")) {
        EXPECT_TRUE(launch_key(key_from(c.at("key")), c.at("launch").get<uint64_t>()) == key_from(c.at("key_used"))) << c;
    }
}

TEST(OtherVectors, States) {
    ASSERT_FALSE(published().at("states").empty());
    for (const json& c : published().at("states")) {
        const Rng rng(key_of_decimal(c.at("seed").get<std::string>()), c.at("position").get<uint64_t>(),
                      c.at("K").get<uint32_t>());
        Bytes state;
        state.put(uint32_t{1});
        state.put(rng.chunk_length());
        state.put(rng.key());
        state.put(rng.position());
        std::string text;
        for (const uint8_t byte : state.take()) {
            text += "0123456789abcdef"[byte >> 4];
            text += "0123456789abcdef"[byte & 15];
        }
        EXPECT_EQ(text, c.at("bytes").get<std::string>());
    }
}

}  // namespace
}  // namespace tandem::test
