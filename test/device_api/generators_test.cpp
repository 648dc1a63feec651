/// RowRng and ChunkRng on the host: against the reference stream, Rng and the published words of chunk order.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/reference.hpp"
#include "support/tables.hpp"
#include "tandem/chunk_rng.cuh"
#include "tandem/row_rng.cuh"

namespace tandem::test {
namespace {

const Key KEY{{0xdeadbeefu, 0x00c0ffeeu, 0x12345678u, 0x9abcdef0u}};
constexpr uint32_t LENGTHS[] = {1, 2, 8, 32, 512, 65536};
constexpr uint32_t WIDTHS[] = {1, 8, 16, 32, 64, 128};

/// A sequence of small numbers that repeats nothing of the library's.
class Picker {
  public:
    explicit Picker(uint64_t seed) : state_(seed) {}
    uint32_t below(uint32_t n) {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<uint32_t>(state_ >> 33) % n;
    }

  private:
    uint64_t state_;
};

template <class G>
U128 raw_draw(G& rng, uint32_t width) {
    if (width == 128) return rng.next_128();
    return {width == 64 ? rng.next_64() : rng.next_bits(width), 0};
}

uint64_t group_bits(uint32_t k) { return 8ull * 128 * k; }

TEST(RowRng, ReadsTheStreamAtMixedWidthsFromAnyPosition) {
    for (const uint32_t k : LENGTHS) {
        const uint64_t starts[] = {
            0, 1, 31, 32, 96, 127, 128, 992, 1000, 1023, 1024, group_bits(k) - 1, group_bits(k) - 40, 1ull << 40};
        ReferenceStream reference(KEY, k);
        for (const uint64_t start : starts) {
            RowRng rng(KEY, start, k);
            EXPECT_EQ(rng.position(), start);
            Picker pick(start + k);
            uint64_t p = start;
            for (int i = 0; i < 2000; ++i) {
                const uint32_t width = WIDTHS[i < 1000 ? pick.below(6) : 3 + pick.below(3)];
                p = (p + width - 1) / width * width;
                ASSERT_EQ(raw_draw(rng, width), reference.raw(p, width)) << k << " " << start << " " << i << " " << width;
                p += width;
                ASSERT_EQ(rng.position(), p);
                ASSERT_EQ(rng.drawn_position(width), p - width);
            }
        }
    }
}

TEST(RowRng, ShortRunsFromEveryBitOfARow) {
    ReferenceStream reference(KEY, 2);
    for (uint64_t start = 1024; start < 2048 + 1024; ++start) {
        for (const uint32_t width : WIDTHS) {
            RowRng rng(KEY, start, 2);
            const uint64_t p = (start + width - 1) / width * width;
            ASSERT_EQ(raw_draw(rng, width), reference.raw(p, width)) << start << " " << width;
            ASSERT_EQ(rng.position(), p + width);
        }
    }
}

TEST(RowRng, GivesEveryDrawOfRng) {
    const ChoiceTable table = choice_build(std::vector<double>{1, 0, 2.5, 1e-3}.data(), 4, 7);
    for (const uint32_t k : LENGTHS) {
        for (const uint64_t start : {0ull, 77ull, 5000ull, ~0ull - 3000}) {
            Rng plain(KEY, start, k);
            RowRng row(plain);
            Picker pick(k + start);
            for (int i = 0; i < 2000; ++i) {
                switch (pick.below(14)) {
                    case 0: ASSERT_EQ(row.bit(), plain.bit()); break;
                    case 1: ASSERT_EQ(row.frand(), plain.frand()); break;
                    case 2: ASSERT_EQ(row.drand(), plain.drand()); break;
                    case 3: ASSERT_EQ(row.f16_bits(), plain.f16_bits()); break;
                    case 4: ASSERT_EQ(row.character(), plain.character()); break;
                    case 5: ASSERT_EQ(row.urand(0x80000001u), plain.urand(0x80000001u)); break;
                    case 6: ASSERT_EQ(row.urand64((1ull << 63) + 1), plain.urand64((1ull << 63) + 1)); break;
                    case 7: ASSERT_EQ(row.normal(), plain.normal()); break;
                    case 8: ASSERT_EQ(row.normalf(2.0f, 3.0f), plain.normalf(2.0f, 3.0f)); break;
                    case 9: ASSERT_EQ(row.lognormal(0.5, 0.25), plain.lognormal(0.5, 0.25)); break;
                    case 10: ASSERT_EQ(row.exponential(3.0), plain.exponential(3.0)); break;
                    case 11: ASSERT_EQ(row.exponentialf(), plain.exponentialf()); break;
                    case 12: ASSERT_EQ(row.choice(table.view()), plain.choice(table.view())); break;
                    default: ASSERT_EQ(row.next<uint8_t>(), plain.next<uint8_t>()); break;
                }
                ASSERT_EQ(row.position(), plain.position());
            }
        }
    }
}

TEST(RowRng, RepeatIsNDraws) {
    for (const uint32_t k : LENGTHS) {
        for (const uint64_t start : {0ull, 5ull, 64ull, 1000ull, 1024ull}) {
            for (const uint64_t n : {0ull, 1ull, 15ull, 32ull, 100ull, 1500ull}) {
                RowRng row(KEY, start, k);
                Rng plain(KEY, start, k);
                row.repeat<uint32_t>(n, [&](uint32_t v) { ASSERT_EQ(v, plain.urand()); });
                row.repeat<double>(n, [&](double v) { ASSERT_EQ(v, plain.drand()); });
                row.repeat<U128>(n, [&](U128 v) { ASSERT_EQ(v, plain.next_128()); });
                ASSERT_EQ(row.position(), plain.position());
                ASSERT_EQ(row.bit(), plain.bit());
            }
        }
    }
}

TEST(RowRng, MovesAndHasTheChildrenOfRng) {
    Rng plain(KEY, 1234, 8);
    RowRng row(KEY, 1234, 8);
    EXPECT_FALSE(row.set_position(1ull << 63));
    EXPECT_EQ(row.position(), 1234u);
    EXPECT_EQ(row.split(5).key(), plain.split(5).key());
    EXPECT_EQ(row.sub(9).key(), plain.sub(9).key());
    EXPECT_EQ(row.split(5).chunk_length(), 8u);
    Rng children[3], expected[3];
    EXPECT_TRUE(row.fork(3, children));
    EXPECT_TRUE(plain.fork(3, expected));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(children[i].key(), expected[i].key());
    EXPECT_EQ(row.position(), plain.position());
    for (const uint64_t p : {0ull, 640ull, 77ull, (1ull << 63) - 1, 4096ull}) {
        EXPECT_TRUE(row.set_position(p));
        EXPECT_TRUE(plain.set_position(p));
        for (int i = 0; i < 70; ++i) ASSERT_EQ(row.urand(), plain.urand());
    }
}

TEST(RowRng, WrapsAt2To64) {
    for (const uint32_t k : LENGTHS) {
        RowRng row(KEY, ~0ull - 31, k);
        Rng last(KEY, ~0ull - 31, k), first(KEY, 0, k);
        EXPECT_EQ(row.urand(), last.urand());
        EXPECT_EQ(row.position(), 0u);
        for (int i = 0; i < 40; ++i) ASSERT_EQ(row.urand(), first.urand());
    }
}

uint32_t hex(const nlohmann::json& text) { return static_cast<uint32_t>(std::stoul(text.get<std::string>(), nullptr, 16)); }

TEST(ChunkRng, GivesThePublishedWordsAndPositions) {
    std::ifstream file(TANDEM_TEST_DATA "/other.json");
    const nlohmann::json cases = nlohmann::json::parse(file).at("chunk_order");
    ASSERT_FALSE(cases.empty());
    for (const auto& c : cases) {
        Key key;
        for (std::size_t i = 0; i < 4; ++i) key.w[i] = hex(c.at("key").at(i));
        const uint64_t first = c.at("first").get<uint64_t>();
        ChunkRng rng(key, c.at("chunk").get<uint32_t>());
        rng.skip(first);
        for (std::size_t i = 0; i < c.at("words").size(); ++i) {
            EXPECT_EQ(rng.position_of(first + i), c.at("position_of_word").at(i).get<uint64_t>());
            EXPECT_EQ(rng.urand(), hex(c.at("words").at(i))) << c;
        }
    }
}

/// Word i of a run by the definition: from its place in the generator that is read.
uint32_t word_at(ReferenceStream& reference, uint64_t run, uint64_t i) {
    const uint64_t chunk = (run + ((i >> 18) << 32)) & ((1ull << 41) - 1);
    const uint64_t position = ((((chunk >> 3) << 16) + ((i >> 2) & 0xffff)) << 10) + ((chunk & 7) << 7) + ((i & 3) << 5);
    return static_cast<uint32_t>(reference.raw(position, 32).lo);
}

TEST(ChunkRng, MixedWidthsTakeTheWordsOfTheContract) {
    const Key child = sub_key(KEY, 0x4348554e4b);
    for (const uint32_t run : {0u, 5u, 4096u, ~0u}) {
        ReferenceStream reference(child, 65536);
        ChunkRng rng{ChunkStream(KEY), run};
        Picker pick(run);
        uint64_t i = 0;
        for (int n = 0; n < 4000; ++n) {
            const uint32_t width = WIDTHS[pick.below(6)];
            const uint32_t words = width <= 32 ? 1 : width / 32;
            i = (i + words - 1) / words * words;
            uint32_t w[4] = {};
            for (uint32_t j = 0; j < words; ++j) w[j] = word_at(reference, run, i + j);
            U128 expected{w[0] | static_cast<uint64_t>(w[1]) << 32, w[2] | static_cast<uint64_t>(w[3]) << 32};
            if (width < 32) expected.lo &= (1u << width) - 1;
            ASSERT_EQ(raw_draw(rng, width), expected) << run << " " << n << " " << width;
            i += words;
            ASSERT_EQ(rng.word(), i);
            if (width >= 32) {
                ASSERT_EQ(rng.drawn_position(width), rng.position_of(i - words));
            }
        }
    }
}

TEST(ChunkRng, SkipsWithinAndAcrossChunks) {
    constexpr unsigned long long CHUNK = 1ull << 18;
    for (const uint64_t from : {0ull, 1ull, 4ull, 1001ull, CHUNK - 3, CHUNK, CHUNK + 2, 3 * CHUNK - 4}) {
        for (const uint64_t by : {0ull, 1ull, 2ull, 3ull, 4ull, 7ull, CHUNK - 2, CHUNK, CHUNK + 1, 2 * CHUNK + 5,
                                  (1ull << 27) - 1, (1ull << 27), (1ull << 40) + 9}) {
            ChunkRng skipped(KEY, 77), direct(KEY, 77);
            skipped.skip(from);
            skipped.skip(by);
            direct.skip((from + by) % (1ull << 27));
            ASSERT_EQ(skipped.word(), (from + by) % (1ull << 27));
            for (int i = 0; i < 9; ++i) ASSERT_EQ(skipped.urand(), direct.urand()) << from << " " << by;
        }
    }
    ReferenceStream reference(sub_key(KEY, 0x4348554e4b), 65536);
    ChunkRng walked(KEY, 77);
    walked.skip(CHUNK - 6);
    for (uint64_t i = CHUNK - 6; i < CHUNK + 20; ++i) ASSERT_EQ(walked.urand(), word_at(reference, 77, i)) << i;
}

TEST(ChunkRng, NormalsAreThoseOfTheGeneratorAtTheirPositions) {
    const Key child = sub_key(KEY, 0x4348554e4b);
    ChunkRng rng(KEY, 3);
    Rng scalar(child, 0, 65536);
    int misses = 0;
    for (uint64_t i = 0; i < 3000; ++i) {
        ASSERT_TRUE(scalar.set_position(rng.position_of(2 * i)));
        const uint64_t raw = scalar.next_64();
        const ZigguratSplit split = ziggurat_split(raw);
        misses += ziggurat_hit(split, ziggurat_tables().kx[split.layer]) ? 0 : 1;
        Fill fill;
        fill.draw = Draw::normal64;
        fill.key = child;
        fill.chunk_length = 65536;
        fill.position = rng.position_of(2 * i);
        fill.n = 1;
        const std::vector<uint8_t> bytes = reference_fill(fill);
        double expected;
        std::memcpy(&expected, bytes.data(), sizeof expected);
        ASSERT_EQ(rng.normal(), expected) << i;
    }
    EXPECT_GT(misses, 3);
}

template <int N, class G>
void expect_normals_are_single_ones(G batch) {
    G single = batch;
    for (int i = 0; i < 20000 / N; ++i) {
        double z[N];
        batch.normals(z);
        for (const double x : z) ASSERT_EQ(x, single.normal()) << N << " " << i;
    }
    EXPECT_EQ(batch.urand64(), single.urand64());
}

TEST(Draws, NormalsInBatchesAreSingleOnes) {
    expect_normals_are_single_ones<1>(Rng(KEY, 64, 32));
    expect_normals_are_single_ones<4>(Rng(KEY, 7, 1));
    expect_normals_are_single_ones<16>(RowRng(KEY, 32, 32));
    expect_normals_are_single_ones<32>(RowRng(KEY, 0, 512));
    expect_normals_are_single_ones<8>(ChunkRng(KEY, 1));
    expect_normals_are_single_ones<16>(ChunkRng(KEY, 2));
    expect_normals_are_single_ones<32>(ChunkRng(KEY, 3));
}

}  // namespace
}  // namespace tandem::test
