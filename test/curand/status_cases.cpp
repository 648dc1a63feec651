#include "curand/status_cases.hpp"

#include <cstdint>
#include <limits>

namespace tandem::test {
namespace {

using Lib = CurandLibrary;
using Gen = CurandLibrary::Generator;
using Call = std::function<int(const Lib&, Gen)>;

struct Type {
    const char* name;
    int number;
};
constexpr Type XORWOW{"XORWOW", 101};
constexpr Type MRG32K3A{"MRG32K3A", 121};
constexpr Type MTGP32{"MTGP32", 141};
constexpr Type MT19937{"MT19937", 142};
constexpr Type PHILOX{"PHILOX4_32_10", 161};

constexpr double NOT_A_NUMBER = std::numeric_limits<double>::quiet_NaN();
constexpr double INFINITE = std::numeric_limits<double>::infinity();

const char* const QUASI = "Tandem has no quasi-random sequences";
const char* const ALL_ORDERINGS = "there is one order and every pseudo-random value means it";
const char* const CHECKED_HANDLE = "a handle that was destroyed or never was one is recognised instead of followed";
const char* const CHECKED_POINTER = "a null pointer is refused instead of written to";
const char* const ALIGNED = "outputs are aligned to their element; devices could not write others";
const char* const NEEDLESS_TYPE = "64-bit integers need no quasi-random generator";
const char* const NEEDLESS_LENGTH = "any number of elements is allowed";
const char* const FINITE = "a NaN or infinite parameter is a fault of the caller's, and would only give such numbers";

// The outputs of this process's calls, aligned for every element, with room for those that start later.
alignas(64) unsigned char room[4096];

template <class T>
T* output() {
    return reinterpret_cast<T*>(room);
}

class Table {
  public:
    void same(const std::string& name, int status, std::function<int(const Lib&)> run) {
        rows_.push_back({name, std::move(run), status, status, ""});
    }
    void differ(const std::string& name, int ours, int nvidias, const char* reason, std::function<int(const Lib&)> run) {
        rows_.push_back({name, std::move(run), ours, nvidias, reason});
    }
    std::vector<StatusCase> rows() { return std::move(rows_); }

  private:
    std::vector<StatusCase> rows_;
};

/// The status of a call on a new host generator; 10000 more than the creation's when that fails.
std::function<int(const Lib&)> on(Type type, Call call) {
    return [=](const Lib& lib) {
        Gen g = nullptr;
        const int created = lib.CreateGeneratorHost(&g, type.number);
        return created != 0 ? 10000 + created : call(lib, g);
    };
}

/// A call with a generator for each function that takes one, for the misuses that all of them share.
struct NamedCall {
    const char* name;
    Call call;
};

/// Generate calls of n elements into `out`.
std::vector<NamedCall> generate_calls(unsigned char* out, std::size_t n) {
    unsigned* const words = reinterpret_cast<unsigned*>(out);
    float* const floats = reinterpret_cast<float*>(out);
    double* const doubles = reinterpret_cast<double*>(out);
    return {
        {"Generate", [=](const Lib& l, Gen g) { return l.Generate(g, words, n); }},
        {"GenerateUniform", [=](const Lib& l, Gen g) { return l.GenerateUniform(g, floats, n); }},
        {"GenerateUniformDouble", [=](const Lib& l, Gen g) { return l.GenerateUniformDouble(g, doubles, n); }},
        {"GeneratePoisson", [=](const Lib& l, Gen g) { return l.GeneratePoisson(g, words, n, 3.0); }},
        {"GeneratePoissonMethod", [=](const Lib& l, Gen g) { return l.GeneratePoissonMethod(g, words, n, 3.0, 9); }},
        {"GenerateNormal", [=](const Lib& l, Gen g) { return l.GenerateNormal(g, floats, n, 1.0f, 2.0f); }},
        {"GenerateNormalDouble", [=](const Lib& l, Gen g) { return l.GenerateNormalDouble(g, doubles, n, 1.0, 2.0); }},
        {"GenerateLogNormal", [=](const Lib& l, Gen g) { return l.GenerateLogNormal(g, floats, n, 1.0f, 2.0f); }},
        {"GenerateLogNormalDouble", [=](const Lib& l, Gen g) { return l.GenerateLogNormalDouble(g, doubles, n, 1.0, 2.0); }},
    };
}

Call generate_u64(unsigned char* out, std::size_t n) {
    return [=](const Lib& l, Gen g) { return l.GenerateLongLong(g, reinterpret_cast<unsigned long long*>(out), n); };
}

std::vector<NamedCall> calls_with_a_generator() {
    std::vector<NamedCall> calls = generate_calls(room, 4);
    calls.push_back({"GenerateLongLong", generate_u64(room, 4)});
    calls.push_back({"DestroyGenerator", [](const Lib& l, Gen g) { return l.DestroyGenerator(g); }});
    calls.push_back({"SetStream", [](const Lib& l, Gen g) { return l.SetStream(g, nullptr); }});
    calls.push_back({"SetPseudoRandomGeneratorSeed", [](const Lib& l, Gen g) { return l.SetPseudoRandomGeneratorSeed(g, 1); }});
    calls.push_back({"SetGeneratorOffset", [](const Lib& l, Gen g) { return l.SetGeneratorOffset(g, 1); }});
    calls.push_back({"SetGeneratorOrdering", [](const Lib& l, Gen g) { return l.SetGeneratorOrdering(g, 101); }});
    calls.push_back(
        {"SetQuasiRandomGeneratorDimensions", [](const Lib& l, Gen g) { return l.SetQuasiRandomGeneratorDimensions(g, 3); }});
    calls.push_back({"GenerateSeeds", [](const Lib& l, Gen g) { return l.GenerateSeeds(g); }});
    return calls;
}

void add_life(Table& table) {
    for (int type : {0, 100, 101, 121, 141, 142, 161}) {
        table.same("CreateGeneratorHost type " + std::to_string(type), 0, on({"", type}, [](const Lib&, Gen) { return 0; }));
    }
    const auto create_host = [](int type) {
        return [=](const Lib& l) {
            Gen g;
            return l.CreateGeneratorHost(&g, type);
        };
    };
    for (int type : {-1, 1, 99, 162, 171, 205, 999}) {
        table.same("CreateGeneratorHost type " + std::to_string(type), 103, create_host(type));
    }
    for (int type : {200, 201, 202, 203, 204}) {
        table.differ("CreateGeneratorHost type " + std::to_string(type), 103, 0, QUASI, create_host(type));
    }
    for (int type : {100, 161, 201, 1}) {
        table.same("CreateGenerator without a GPU, type " + std::to_string(type), 203, [=](const Lib& l) {
            Gen g = reinterpret_cast<Gen>(std::uintptr_t{16});
            const int status = l.CreateGenerator(&g, type);
            return g == reinterpret_cast<Gen>(std::uintptr_t{16}) ? status : 10000 + status;
        });
    }
    table.same("CreateGenerator into null", 101, [](const Lib& l) { return l.CreateGenerator(nullptr, 100); });
    table.same("CreateGeneratorHost into null", 101, [](const Lib& l) { return l.CreateGeneratorHost(nullptr, 100); });
    table.same("CreateGeneratorHost into null of a bad type", 101,
               [](const Lib& l) { return l.CreateGeneratorHost(nullptr, 7); });
    table.same("DestroyGenerator", 0, on(XORWOW, [](const Lib& l, Gen g) { return l.DestroyGenerator(g); }));
}

void add_versions(Table& table) {
    table.same("GetVersion", 10400, [](const Lib& l) {
        int version = -1;
        const int status = l.GetVersion(&version);
        return status == 0 ? version : status;
    });
    const int parts[] = {10, 4, 0};
    for (int i : {0, 1, 2}) {
        table.same("GetProperty " + std::to_string(i), 1000 + parts[i], [=](const Lib& l) {
            int value = -1;
            const int status = l.GetProperty(i, &value);
            return status == 0 ? 1000 + value : status;
        });
    }
    for (int i : {-1, 3}) {
        table.same("GetProperty " + std::to_string(i), 104, [=](const Lib& l) {
            int value;
            return l.GetProperty(i, &value);
        });
    }
    table.same("GetProperty 5 into null", 104, [](const Lib& l) { return l.GetProperty(5, nullptr); });
    table.differ("GetVersion into null", 104, CRASHES, CHECKED_POINTER, [](const Lib& l) { return l.GetVersion(nullptr); });
    table.differ("GetProperty into null", 104, CRASHES, CHECKED_POINTER, [](const Lib& l) { return l.GetProperty(0, nullptr); });
}

void add_handles(Table& table) {
    for (const NamedCall& named : calls_with_a_generator()) {
        const Call call = named.call;
        table.same(std::string(named.name) + " on null", 101, [=](const Lib& l) { return call(l, nullptr); });
        table.differ(std::string(named.name) + " on a destroyed handle", 101, UNDEFINED, CHECKED_HANDLE,
                     on(XORWOW, [=](const Lib& l, Gen g) {
                         l.DestroyGenerator(g);
                         return call(l, g);
                     }));
        table.differ(std::string(named.name) + " on no handle", 101, CRASHES, CHECKED_HANDLE,
                     [=](const Lib& l) { return call(l, reinterpret_cast<Gen>(std::uintptr_t{0x12345670})); });
    }
}

void add_setters(Table& table) {
    const auto ordering = [](int order) { return [=](const Lib& l, Gen g) { return l.SetGeneratorOrdering(g, order); }; };
    for (int order : {0, 99, 105, 200, 201}) {
        table.same("SetGeneratorOrdering " + std::to_string(order), 104, on(XORWOW, ordering(order)));
    }
    for (int order : {100, 101, 102, 103}) {
        table.same("SetGeneratorOrdering " + std::to_string(order), 0, on(XORWOW, ordering(order)));
    }
    for (Type type : {XORWOW, PHILOX}) {
        table.differ(std::string("SetGeneratorOrdering 104 on ") + type.name, 0, 104, ALL_ORDERINGS, on(type, ordering(104)));
    }
    table.differ("SetGeneratorOrdering 102 on PHILOX4_32_10", 0, 104, ALL_ORDERINGS, on(PHILOX, ordering(102)));
    table.differ("SetGeneratorOrdering 100 on MT19937", 0, 104, ALL_ORDERINGS, on(MT19937, ordering(100)));

    const auto offset = [](unsigned long long to) { return [=](const Lib& l, Gen g) { return l.SetGeneratorOffset(g, to); }; };
    for (unsigned long long to : {0ull, 1ull, 1ull << 32, (1ull << 58) - 1}) {
        for (Type type : {XORWOW, PHILOX}) table.same("SetGeneratorOffset " + std::to_string(to), 0, on(type, offset(to)));
    }
    for (unsigned long long to : {1ull << 58, ~0ull}) {
        table.differ("SetGeneratorOffset " + std::to_string(to), 104, 0, "the stream has 2^59 words, half of them for placing",
                     on(PHILOX, offset(to)));
    }
    for (Type type : {MTGP32, MT19937}) {
        table.differ(std::string("SetGeneratorOffset on ") + type.name, 0, 103, "every type has offsets", on(type, offset(5)));
    }
    for (unsigned long long seed : {0ull, ~0ull}) {
        table.same("SetPseudoRandomGeneratorSeed " + std::to_string(seed), 0,
                   on(XORWOW, [=](const Lib& l, Gen g) { return l.SetPseudoRandomGeneratorSeed(g, seed); }));
    }
    for (unsigned dimensions : {0u, 1u, 20001u}) {
        table.same("SetQuasiRandomGeneratorDimensions " + std::to_string(dimensions), 103,
                   on(XORWOW, [=](const Lib& l, Gen g) { return l.SetQuasiRandomGeneratorDimensions(g, dimensions); }));
    }
    table.same("SetStream", 0, on(XORWOW, [](const Lib& l, Gen g) { return l.SetStream(g, nullptr); }));
    table.same("GenerateSeeds", 0, on(XORWOW, [](const Lib& l, Gen g) { return l.GenerateSeeds(g); }));
}

bool pairs(const NamedCall& named) { return std::string(named.name).find("Normal") != std::string::npos; }

void add_lengths(Table& table) {
    for (Type type : {XORWOW, PHILOX}) {
        const std::string of = std::string(" on ") + type.name;
        for (const NamedCall& named : generate_calls(nullptr, 0)) {
            table.same(named.name + of + ", n = 0 into null", 0, on(type, named.call));
        }
        table.same("GenerateLongLong" + of + ", n = 0 into null", 0, on(type, generate_u64(nullptr, 0)));
        for (const NamedCall& named : generate_calls(room, 4)) table.same(named.name + of + ", n = 4", 0, on(type, named.call));
        table.differ("GenerateLongLong" + of, 0, 103, NEEDLESS_TYPE, on(type, generate_u64(room, 4)));
        for (const NamedCall& named : generate_calls(nullptr, 4)) {
            table.differ(named.name + of + " into null", 104, CRASHES, CHECKED_POINTER, on(type, named.call));
        }
        table.differ("GenerateLongLong" + of + " into null", 104, 103, NEEDLESS_TYPE, on(type, generate_u64(nullptr, 4)));
    }
    for (Type type : {XORWOW, MRG32K3A, MTGP32, PHILOX}) {
        const bool refuses = type.number == XORWOW.number || type.number == MRG32K3A.number;
        for (const NamedCall& named : generate_calls(room, 3)) {
            const std::string name = std::string(named.name) + " on " + type.name + ", n = 3";
            if (refuses && pairs(named)) {
                table.differ(name, 0, 105, NEEDLESS_LENGTH, on(type, named.call));
            } else {
                table.same(name, 0, on(type, named.call));
            }
        }
    }
}

void add_alignments(Table& table) {
    const std::vector<NamedCall> one_byte_off = generate_calls(room + 1, 4);
    const std::vector<NamedCall> four_bytes_off = generate_calls(room + 4, 4);
    for (std::size_t i = 0; i < one_byte_off.size(); ++i) {
        const std::string name = one_byte_off[i].name;
        table.differ(name + " one byte off", 104, 0, ALIGNED, on(PHILOX, one_byte_off[i].call));
        if (name.find("Double") == std::string::npos) {
            table.same(name + " four bytes off", 0, on(PHILOX, four_bytes_off[i].call));
        } else {
            table.differ(name + " four bytes off", 104, 0, ALIGNED, on(PHILOX, four_bytes_off[i].call));
        }
    }
    for (const NamedCall& named : generate_calls(room + 8, 4)) {
        const std::string name = std::string(named.name) + " on XORWOW eight bytes off";
        if (pairs(named) && name.find("Double") != std::string::npos) {
            table.differ(name, 0, CRASHES, "any output aligned to its element is written", on(XORWOW, named.call));
        } else {
            table.same(name, 0, on(XORWOW, named.call));
        }
    }
}

/// The four calls with a mean and a standard deviation.
std::vector<NamedCall> normal_calls(std::size_t n, double mean, double stddev) {
    const float m = static_cast<float>(mean);
    const float s = static_cast<float>(stddev);
    return {
        {"GenerateNormal", [=](const Lib& l, Gen g) { return l.GenerateNormal(g, output<float>(), n, m, s); }},
        {"GenerateNormalDouble",
         [=](const Lib& l, Gen g) { return l.GenerateNormalDouble(g, output<double>(), n, mean, stddev); }},
        {"GenerateLogNormal", [=](const Lib& l, Gen g) { return l.GenerateLogNormal(g, output<float>(), n, m, s); }},
        {"GenerateLogNormalDouble",
         [=](const Lib& l, Gen g) { return l.GenerateLogNormalDouble(g, output<double>(), n, mean, stddev); }},
    };
}

void add_parameters(Table& table) {
    const double accepted[][2] = {{0, 0}, {3, 2}, {0, -1}};
    const double refused[][2] = {{0, NOT_A_NUMBER}, {NOT_A_NUMBER, 1}, {0, INFINITE}, {-INFINITE, 1}};
    const auto text = [](const double(&p)[2]) { return " of " + std::to_string(p[0]) + " and " + std::to_string(p[1]); };
    for (const auto& p : accepted) {
        for (const NamedCall& named : normal_calls(4, p[0], p[1])) table.same(named.name + text(p), 0, on(PHILOX, named.call));
    }
    for (const auto& p : refused) {
        for (const NamedCall& named : normal_calls(4, p[0], p[1])) {
            table.differ(named.name + text(p), 104, 0, FINITE, on(PHILOX, named.call));
        }
        for (const NamedCall& named : normal_calls(0, p[0], p[1])) {
            table.same(named.name + text(p) + ", n = 0", 0, on(PHILOX, named.call));
        }
    }
}

void add_poisson(Table& table) {
    const auto poisson = [](double lambda, std::size_t n) {
        return [=](const Lib& l, Gen g) { return l.GeneratePoisson(g, output<unsigned>(), n, lambda); };
    };
    const auto name = [](double lambda) { return "GeneratePoisson of " + std::to_string(lambda); };
    for (double lambda : {1e-300, 0.5, 100.0, 400000.0}) table.same(name(lambda), 0, on(PHILOX, poisson(lambda, 4)));
    for (double lambda : {0.0, -1.0, INFINITE, -INFINITE, 4294967296.0}) {
        table.same(name(lambda), 104, on(PHILOX, poisson(lambda, 4)));
        table.same(name(lambda) + ", n = 0", 0, on(PHILOX, poisson(lambda, 0)));
    }
    for (double lambda : {400001.0, 2147483648.0}) {
        table.differ(name(lambda), 0, 104, "means to 2^31 are served", on(PHILOX, poisson(lambda, 4)));
    }
    table.differ(name(NOT_A_NUMBER), 104, 0, FINITE, on(PHILOX, poisson(NOT_A_NUMBER, 4)));

    for (int method = -1; method <= 14; ++method) {
        const auto run =
            on(PHILOX, [=](const Lib& l, Gen g) { return l.GeneratePoissonMethod(g, output<unsigned>(), 4, 3.0, method); });
        const std::string with_method = "GeneratePoissonMethod " + std::to_string(method);
        const char* one_method = "methods are cuRAND's, and every one gives the same law";
        if (method == 9) {
            table.same(with_method, 0, run);
        } else {
            table.differ(with_method, 0, method == 11 ? 202 : 999, one_method, run);
        }
    }
}

void add_tables(Table& table) {
    const char* foreign = "its tables are read by cuRAND's device header, whose draws are not Tandem's";
    for (double lambda : {-1.0, 3.0, 400001.0}) {
        table.differ("CreatePoissonDistribution without a GPU, " + std::to_string(lambda), 103, 202, foreign, [=](const Lib& l) {
            Lib::Distribution made = nullptr;
            return l.CreatePoissonDistribution(lambda, &made);
        });
    }
    table.differ("CreatePoissonDistribution without a GPU, into null", 101, 202, "the documented answer needs no GPU",
                 [](const Lib& l) { return l.CreatePoissonDistribution(3.0, nullptr); });
    table.same("DestroyDistribution on null", 101, [](const Lib& l) { return l.DestroyDistribution(nullptr); });
    for (int set = 100; set <= 105; ++set) {
        const auto row = [&](const char* name, bool good, std::function<int(const Lib&)> run) {
            table.differ(name + std::to_string(set), 103, good ? 0 : 104, QUASI, std::move(run));
        };
        row("GetDirectionVectors32 ", set == 101 || set == 102, [=](const Lib& l) {
            unsigned(*vectors)[32];
            return l.GetDirectionVectors32(&vectors, set);
        });
        row("GetDirectionVectors64 ", set == 103 || set == 104, [=](const Lib& l) {
            unsigned long long(*vectors)[64];
            return l.GetDirectionVectors64(&vectors, set);
        });
    }
    table.differ("GetDirectionVectors32 into null", 103, CRASHES, QUASI,
                 [](const Lib& l) { return l.GetDirectionVectors32(nullptr, 101); });
    table.differ("GetDirectionVectors64 into null", 103, CRASHES, QUASI,
                 [](const Lib& l) { return l.GetDirectionVectors64(nullptr, 103); });
    table.differ("GetScrambleConstants32", 103, 0, QUASI, [](const Lib& l) {
        unsigned* constants;
        return l.GetScrambleConstants32(&constants);
    });
    table.differ("GetScrambleConstants64", 103, 0, QUASI, [](const Lib& l) {
        unsigned long long* constants;
        return l.GetScrambleConstants64(&constants);
    });
    table.differ("GetScrambleConstants32 into null", 103, CRASHES, QUASI,
                 [](const Lib& l) { return l.GetScrambleConstants32(nullptr); });
    table.differ("GetScrambleConstants64 into null", 103, CRASHES, QUASI,
                 [](const Lib& l) { return l.GetScrambleConstants64(nullptr); });
}

}  // namespace

std::vector<StatusCase> status_cases() {
    Table table;
    add_life(table);
    add_versions(table);
    add_handles(table);
    add_setters(table);
    add_lengths(table);
    add_alignments(table);
    add_parameters(table);
    add_poisson(table);
    add_tables(table);
    return table.rows();
}

}  // namespace tandem::test
