#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "emulation/device.hpp"
#include "kernels/theta_draws.cu"
#include "kernels/theta_merge.cu"
#include "kernels/theta_update.cu"
#include "support/reference.hpp"

// The kernel of theta_kernel.cuh on a CPU, against a plain set: keys, draws and hashes, tables and fronts so small that they are
// cut and forget, hash seeds on both sides of the screen's forms, sets that begin with hashes of their own: few, too many, or
// crowded.

namespace tandem::kernels {

ulonglong2 tandem_theta_front[1];  // of theta_kernel(), which is compiled and not called

namespace {

std::mt19937_64 random_bits;
uint64_t random_below(uint64_t n) { return random_bits() % n; }

/// Memory that ends where its page does, so that reading past the end ends the test.
class Guarded {
  public:
    explicit Guarded(std::size_t bytes) {
        const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const std::size_t inside = (bytes + page - 1) / page * page;
        size_ = inside + page;
        base_ = static_cast<char*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        EXPECT_EQ(mprotect(base_ + inside, page, PROT_NONE), 0);
        data_ = base_ + inside - bytes;
    }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;
    ~Guarded() { munmap(base_, size_); }
    char* data() const { return data_; }

  private:
    char *base_, *data_;
    std::size_t size_;
};

struct Case {
    uint64_t k, hash_seed, theta;
    unsigned blocks;
    uint32_t lg_slots, lg_front;  // 0: no front
    std::vector<uint64_t> own;
};

Case random_case() {
    Case c;
    const uint64_t seeds[] = {9001, 8, 0, random_below(65536), 65535, 65536, random_bits(), ~0ull};
    c.k = uint64_t{32} << random_below(3);
    c.hash_seed = seeds[random_below(8)];
    c.theta = random_below(3) != 0 ? MAX_THETA : MAX_THETA >> random_below(6);
    c.blocks = 1 + static_cast<unsigned>(random_below(2));
    c.lg_slots = 10 + static_cast<uint32_t>(random_below(2));
    c.lg_front = random_below(4) == 0 ? 0 : 9 + static_cast<uint32_t>(random_below(3));
    std::set<uint64_t> own;
    uint64_t n = 0;
    std::function<uint64_t()> hash;
    switch (random_below(6)) {
        case 0:  // more than a table has room for, as a graph may find them
            n = (uint64_t{1} << c.lg_slots) / 2 + random_below(3000);
            hash = [&] { return theta_hash(random_bits(), c.hash_seed); };
            break;
        case 1: {  // with the same first digits, and also more than the list of a cut has room for
            const bool large = random_below(2) == 0;
            c.lg_slots = large ? 14 : 10;
            c.k = uint64_t{32} << random_below(large ? 8 : 4);
            n = 1 + random_below(7000);
            const uint64_t first = random_below(c.theta / 2);
            hash = [=] { return first + random_below(1 << 18); };
            break;
        }
        case 2:
        case 3:
            n = random_below(c.k + 1);
            hash = [&] { return theta_hash(random_below(30000), c.hash_seed); };
            break;
        default: break;
    }
    while (own.size() < n) {
        const uint64_t next = hash();
        if (next != 0 && next < c.theta) own.insert(next);
    }
    c.own.assign(own.begin(), own.end());
    std::shuffle(c.own.begin(), c.own.end(), random_bits);
    return c;
}

/// Runs an update and compares its theta and hashes with those of a plain set of the hashes, of which only those below `theta`
/// count.
template <class Source>
void expect_hashes(const Case& c, const typename Source::Args& from, const std::vector<uint64_t>& hashes, uint64_t theta) {
    const uint64_t slots = uint64_t{1} << c.lg_slots;
    std::vector<uint64_t> table(slots, 0), own = c.own, out(c.own.size() + hashes.size() + c.k);
    ThetaControl control{};
    ThetaWords words{c.theta, own.size(), own.data(), own.empty() ? 1u : 0u};
    ThetaTable of_kernel{};
    of_kernel.slots = table.data();
    of_kernel.mask = slots - 1;
    of_kernel.limit = slots / 8 * 5;
    of_kernel.shift = 64 - c.lg_slots;
    of_kernel.control = &control;
    const uint32_t front_shift = c.lg_front == 0 ? 0 : 64 - (c.lg_front - 1);
    const ThetaArgs args{&words,      out.data(), out.size(), c.k, c.hash_seed, c.hash_seed ^ sizeof(uint64_t),
                         front_shift, of_kernel};
    std::vector<ThetaBlock> blocks(c.blocks);
    std::vector<std::vector<unsigned long long>> fronts(c.blocks, std::vector<unsigned long long>(std::size_t{1} << 12, 0x5a5a));
    test::run_grid(c.blocks, THETA_THREADS, random_bits(), [&] {
        update_set<Source>(args, from, {fronts[blockIdx.x].data(), front_shift}, blocks[blockIdx.x]);
    });

    std::set<uint64_t> expected(c.own.begin(), c.own.end());
    expected.insert(hashes.begin(), hashes.end());
    expected.erase(0);
    expected.erase(expected.lower_bound(theta), expected.end());
    std::vector<uint64_t> kept(expected.begin(), expected.end());
    if (kept.size() > c.k) {
        theta = kept[c.k];
        kept.resize(c.k);
    }
    EXPECT_EQ(words.theta, theta);
    ASSERT_EQ(words.retained, kept.size());
    std::sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(words.retained));
    out.resize(words.retained);
    EXPECT_EQ(out, kept);
}

template <class Source>
void expect_update(const Case& c, const typename Source::Args& from, const std::vector<uint64_t>& canonical) {
    std::vector<uint64_t> hashes;
    for (const uint64_t key : canonical) hashes.push_back(theta_hash(key, c.hash_seed));
    expect_hashes<Source>(c, from, hashes, c.theta);
}

/// Pieces of every size, from few keys.
struct SmallShape {
    static constexpr uint32_t LG_COLUMNS = 1, LG_MANY = 2, LG_FEW = 1, LAST_ROWS = 3;
};

template <class Source>
void expect_keys(const Case& c, ThetaKey kind, uint64_t n) {
    const uint32_t bytes = theta_key_bytes(kind);
    const Guarded memory(n * bytes);
    const uint64_t range = random_below(3) == 0 ? ~0ull : 1 + random_below(1 + (uint64_t{1} << random_below(15)));
    const uint64_t order = random_below(6);
    std::vector<uint64_t> canonical;
    for (uint64_t i = 0; i < n; ++i) {
        uint64_t bits = random_below(10) == 0 ? random_bits() : random_below(range);
        if (order == 0) bits = i % range;
        if (order == 1) bits = i / 2048 * 3 + i % 40;  // a few that keep coming, slowly others
        std::memcpy(memory.data() + i * bytes, &bits, bytes);
        bits = bytes == 8 ? bits : bits & ((uint64_t{1} << (8 * bytes)) - 1);
        canonical.push_back(theta_canonical(kind, bits));
    }
    expect_update<Source>(c, KeyArgs{memory.data(), n, kind}, canonical);
}

TEST(EmulatedThetaKernel, Keys) {
    for (uint64_t seed = 0; seed < 60 && !HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        random_bits.seed(seed);
        const Case c = random_case();
        const uint64_t step = uint64_t{THETA_KEYS} * WARP;
        const uint64_t n = random_below(4) == 0   ? 1 + random_below(1100)
                           : random_below(4) == 0 ? step * (1 + random_below(60))
                                                  : 1 + random_below(40000);
        switch (random_below(8)) {
            case 0: expect_keys<KeySource<KindReader<unsigned char>, SmallShape>>(c, ThetaKey::i8, n); break;
            case 1: expect_keys<KeySource<KindReader<unsigned short>, SmallShape>>(c, ThetaKey::u16, n); break;
            case 2: expect_keys<KeySource<KindReader<unsigned int>, SmallShape>>(c, ThetaKey::f32, n); break;
            case 3: expect_keys<KeySource<KindReader<unsigned long long>, SmallShape>>(c, ThetaKey::f64, n); break;
            case 4: expect_keys<KeySource<WordReader>>(c, ThetaKey::i64, n); break;
            default: expect_keys<KeySource<WordReader, SmallShape>>(c, ThetaKey::i64, n); break;
        }
    }
}

TEST(EmulatedThetaKernel, Hashes) {
    for (uint64_t seed = 2000; seed < 2030 && !HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        random_bits.seed(seed);
        Case c = random_case();
        c.lg_front = 0;
        const uint64_t theta = random_below(2) == 0 ? MAX_THETA : MAX_THETA >> random_below(8);
        std::set<uint64_t> hashes(c.own.begin(), c.own.begin() + static_cast<std::ptrdiff_t>(c.own.size() / 2));
        hashes.erase(hashes.lower_bound(theta), hashes.end());
        for (uint64_t i = random_below(20000); i > 0; --i) hashes.insert(1 + random_below(theta - 1));
        std::vector<uint64_t> other(hashes.begin(), hashes.end());
        std::shuffle(other.begin(), other.end(), random_bits);
        const ThetaWords words{theta, other.size(), other.data(), 0};
        expect_hashes<MergeSource>(c, MergeSource::Args{&words}, other, std::min(theta, c.theta));
    }
}

TEST(EmulatedThetaKernel, Draws) {
    for (uint64_t seed = 1000; seed < 1040 && !HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        random_bits.seed(seed);
        const Case c = random_case();
        const Draw draws[] = {Draw::u8, Draw::u16, Draw::u32, Draw::u64};
        Fill fill;
        fill.draw = draws[random_below(4)];
        for (uint32_t& word : fill.key.w) word = static_cast<uint32_t>(random_bits());
        fill.chunk_length = 1u << random_below(11);
        fill.n = 1 + random_below(random_below(3) == 0 ? 200 : 20000);
        fill.position = random_below(1 << 20);
        const uint32_t width = rule_of(fill.draw).width;
        const ThetaKey kinds[] = {ThetaKey::u8, ThetaKey::u16, ThetaKey::u32, ThetaKey::u64};
        const ThetaKey kind = kinds[width == 8 ? 0 : width == 16 ? 1 : width == 32 ? 2 : 3];
        const DrawArgs args = draw_args(fill, nullptr, kind);
        const std::vector<uint8_t> bytes = test::reference_fill(fill);
        std::vector<uint64_t> canonical;
        for (std::size_t at = 0; at < bytes.size(); at += width / 8) {
            uint64_t raw = 0;
            std::memcpy(&raw, &bytes[at], width / 8);
            canonical.push_back(theta_canonical(kind, raw));
        }
        switch (width) {
            case 8: expect_update<DrawSource<8, false>>(c, args, canonical); break;
            case 16: expect_update<DrawSource<16, false>>(c, args, canonical); break;
            case 32: expect_update<DrawSource<32, false>>(c, args, canonical); break;
            default: expect_update<DrawSource<64, true>>(c, args, canonical); break;
        }
    }
}

}  // namespace
}  // namespace tandem::kernels
