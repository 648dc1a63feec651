#include "benchmark/gpu_rows.hpp"

#include <stdexcept>

#include "tandem/fill.hpp"
#include "tandem/tandem.hpp"

namespace tandem::bench {

class Subject {
  public:
    Subject() : exact(Generator::device()), fast(Generator::device()) {
        fast.set_normal_mode(TANDEM_NORMAL_FAST);
        std::vector<double> weights(1000);
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(1 + i * 7919 % 1009);
        choice = std::make_unique<Distribution>(weights.data(), weights.size());
    }

    Generator exact, fast;
    std::unique_ptr<Distribution> choice;
    uint64_t char_position = 0;
};

namespace {

void check(tandemStatus_t status) {
    if (status != TANDEM_STATUS_SUCCESS) throw std::runtime_error(tandemGetLastErrorMessage());
}

/// What is measured at every size.
struct DrawCall {
    const char* name;
    uint32_t width;  ///< bits of a draw
    std::size_t element_bytes;
    PeerCall peer;
    void (*call)(Subject& s, void* out, std::size_t n);
    bool poisson = false;
};

template <class V>
V* as(void* out) {
    return static_cast<V*>(out);
}

constexpr uint64_t RANGE = 1000003;  // rejects less than 0.03 % of 32-bit draws
using P = PeerCall;
using S = Subject;

const DrawCall DRAWS[] = {
    {"u8", 8, 1, P::none,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateChar(s.exact.get(), as<unsigned char>(o), n)); }},
    {"u16", 16, 2, P::none,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateShort(s.exact.get(), as<unsigned short>(o), n)); }},
    {"u32", 32, 4, P::u32, [](S& s, void* o, std::size_t n) { check(tandemGenerate(s.exact.get(), as<unsigned>(o), n)); }},
    {"u64", 64, 8, P::none,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateLongLong(s.exact.get(), as<unsigned long long>(o), n)); }},
    {"f16", 16, 2, P::none,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateUniformHalf(s.exact.get(), as<uint16_t>(o), n)); }},
    {"f32", 32, 4, P::f32, [](S& s, void* o, std::size_t n) { check(tandemGenerateUniform(s.exact.get(), as<float>(o), n)); }},
    {"f64", 64, 8, P::f64,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateUniformDouble(s.exact.get(), as<double>(o), n)); }},
    {"bool", 1, 1, P::none,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateBool(s.exact.get(), as<unsigned char>(o), n)); }},
    {"char", 64, 4, P::none,
     [](S& s, void* o, std::size_t n) { s.char_position = fill_char(s.exact.key(), s.char_position, 32, as<char32_t>(o), n); }},
    {"u32_below", 32, 4, P::none,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateBelow(s.exact.get(), as<unsigned>(o), n, RANGE)); }},
    {"u32_below_wide", 32, 8, P::none,
     [](S& s, void* o, std::size_t n) {
         check(tandemGenerateLongLongRange(s.exact.get(), as<long long>(o), n, -500, static_cast<long long>(RANGE) - 501));
     }},
    {"u64_below", 64, 8, P::none,
     [](S& s, void* o, std::size_t n) {
         check(tandemGenerateBelowLongLong(s.exact.get(), as<unsigned long long>(o), n, RANGE));
     }},
    {"u32_below_worst", 32, 4, P::none,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateBelow(s.exact.get(), as<unsigned>(o), n, 0x80000001u)); }},
    {"u64_below_worst", 64, 8, P::none,
     [](S& s, void* o, std::size_t n) {
         check(tandemGenerateBelowLongLong(s.exact.get(), as<unsigned long long>(o), n, (uint64_t{1} << 63) + 1));
     }},
    {"normal_f64", 64, 8, P::normal_f64,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateNormalDouble(s.exact.get(), as<double>(o), n, 0, 1)); }},
    {"normal_f32_exact", 32, 4, P::normal_f32,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateNormal(s.exact.get(), as<float>(o), n, 0, 1)); }},
    {"normal_f32_fast", 32, 4, P::normal_f32,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateNormal(s.fast.get(), as<float>(o), n, 0, 1)); }},
    {"exponential_f64", 64, 8, P::none,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateExponentialDouble(s.exact.get(), as<double>(o), n, 1)); }},
    {"exponential_f32", 32, 4, P::none,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateExponential(s.exact.get(), as<float>(o), n, 1)); }},
    {"lognormal_f64", 64, 8, P::lognormal_f64,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateLogNormalDouble(s.exact.get(), as<double>(o), n, 0, 1)); }},
    {"lognormal_f32", 32, 4, P::lognormal_f32,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateLogNormal(s.exact.get(), as<float>(o), n, 0, 1)); }},
    {"lognormal_f32_fast", 32, 4, P::lognormal_f32,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateLogNormal(s.fast.get(), as<float>(o), n, 0, 1)); }},
    {"choice", 64, 4, P::none,
     [](S& s, void* o, std::size_t n) { check(tandemGenerateDiscrete(s.exact.get(), as<unsigned>(o), n, s.choice->get())); }},
    {"poisson_10", 64, 4, P::poisson_10,
     [](S& s, void* o, std::size_t n) { check(tandemGeneratePoisson(s.exact.get(), as<unsigned>(o), n, 10)); }, true},
    {"poisson_1e4", 64, 4, P::poisson_1e4,
     [](S& s, void* o, std::size_t n) { check(tandemGeneratePoisson(s.exact.get(), as<unsigned>(o), n, 1e4)); }, true},
};

Row make_row(Subject& s, const DrawCall& draw, uint64_t n, uint64_t start, std::size_t out_offset) {
    Row row;
    row.name = draw.name;
    if (start != 0) row.name += "_start" + std::to_string(start);
    if (out_offset != 0) row.name += "_out" + std::to_string(out_offset);
    row.n = n;
    row.element_bytes = draw.element_bytes;
    row.peer = start == 0 && out_offset == 0 ? draw.peer : PeerCall::none;
    row.out_offset = out_offset;
    // Sizes are powers of two of at least 128 bytes of stream, so every later call starts at the same alignment.
    row.prepare = [&s, position = start * draw.width] {
        s.exact.set_position(position);
        s.fast.set_position(position);
        s.char_position = position;
    };
    row.call = [&s, n, &draw](void* out) { draw.call(s, out, n); };
    return row;
}

void add_unaligned(Subject& s, const DrawCall& draw, std::vector<Row>& rows) {
    constexpr uint64_t N = uint64_t{1} << 28;
    const std::string name = draw.name;
    if (name == "normal_f64") {
        for (uint64_t start = 1; start < 16; ++start) rows.push_back(make_row(s, draw, N, start, 0));
        for (const std::size_t out : {8u, 16u, 24u}) {
            rows.push_back(make_row(s, draw, N, 0, out));
            rows.push_back(make_row(s, draw, N, 1, out));
        }
        return;
    }
    const bool uniform = draw.width == 8 * draw.element_bytes && (name[0] == 'u' || name[0] == 'f') && name.size() <= 3;
    if (!uniform && name != "bool" && name != "normal_f32_fast" && name != "exponential_f64" && name != "u32_below") return;
    const std::size_t e = draw.element_bytes;
    rows.push_back(make_row(s, draw, N, 1, 0));
    rows.push_back(make_row(s, draw, N, 0, e));
    rows.push_back(make_row(s, draw, N, 0, 16 + e));
    rows.push_back(make_row(s, draw, N, 3, 2 * e));
}

}  // namespace

std::vector<Row> make_rows(Subject& subject, bool quick) {
    std::vector<Row> rows;
    for (const DrawCall& draw : DRAWS) {
        rows.push_back(make_row(subject, draw, uint64_t{1} << (draw.poisson ? 26 : 28), 0, 0));
        if (quick) continue;
        for (const int log2_n : {10, 16, 20, 24, 30}) rows.push_back(make_row(subject, draw, uint64_t{1} << log2_n, 0, 0));
        add_unaligned(subject, draw, rows);
    }
    return rows;
}

std::shared_ptr<Subject> make_subject() { return std::make_shared<Subject>(); }

}  // namespace tandem::bench
