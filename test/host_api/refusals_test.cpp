#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <regex>
#include <set>
#include <sstream>

#include "host_api/backend_under_test.hpp"

namespace tandem::test {
namespace {

class Refusals : public BackendTest {};

constexpr double NAN64 = std::numeric_limits<double>::quiet_NaN();
constexpr double INF64 = std::numeric_limits<double>::infinity();
constexpr float NAN32 = std::numeric_limits<float>::quiet_NaN();
constexpr float INF32 = std::numeric_limits<float>::infinity();

/// A function that takes a generator, called with arguments that are right except perhaps for the generator.
struct Function {
    const char* name;
    std::function<tandemStatus_t(tandemGenerator_t, void* out)> call;
};

tandemDistribution_t small_distribution() {
    static tandemDistribution_t distribution = nullptr;
    if (distribution == nullptr) tandemCreatePoissonDistribution(3, &distribution);
    return distribution;
}

uint32_t KEY[4] = {1, 2, 3, 4};
unsigned char STATE[TANDEM_STATE_BYTES] = {1, 0, 0, 0, 32};

const std::vector<Function>& functions() {
    using G = tandemGenerator_t;
    static const std::vector<Function> all = {
        {"tandemDestroyGenerator", [](G g, void*) { return tandemDestroyGenerator(g); }},
        {"tandemSetPseudoRandomGeneratorSeed", [](G g, void*) { return tandemSetPseudoRandomGeneratorSeed(g, 1); }},
        {"tandemSetSeed128", [](G g, void*) { return tandemSetSeed128(g, 1, 2); }},
        {"tandemSetKey", [](G g, void*) { return tandemSetKey(g, KEY); }},
        {"tandemGetKey", [](G g, void*) { return tandemGetKey(g, KEY); }},
        {"tandemSetGeneratorOffset", [](G g, void*) { return tandemSetGeneratorOffset(g, 1); }},
        {"tandemSetPosition", [](G g, void*) { return tandemSetPosition(g, 1); }},
        {"tandemGetPosition",
         [](G g, void*) {
             uint64_t bits;
             return tandemGetPosition(g, &bits);
         }},
        {"tandemSetChunkLength", [](G g, void*) { return tandemSetChunkLength(g, 32); }},
        {"tandemSetStream", [](G g, void*) { return tandemSetStream(g, nullptr); }},
        {"tandemGetStream",
         [](G g, void*) {
             CUstream_st* stream;
             return tandemGetStream(g, &stream);
         }},
        {"tandemSetGeneratorOrdering", [](G g, void*) { return tandemSetGeneratorOrdering(g, TANDEM_ORDERING_PSEUDO_BEST); }},
        {"tandemGenerateSeeds", [](G g, void*) { return tandemGenerateSeeds(g); }},
        {"tandemSetUniformInterval", [](G g, void*) { return tandemSetUniformInterval(g, TANDEM_UNIFORM_CLOSED_OPEN); }},
        {"tandemSetNormalMode", [](G g, void*) { return tandemSetNormalMode(g, TANDEM_NORMAL_EXACT); }},
        {"tandemSetGraphMode", [](G g, void*) { return tandemSetGraphMode(g, TANDEM_GRAPH_REPEAT); }},
        {"tandemSetHostThreads", [](G g, void*) { return tandemSetHostThreads(g, 3); }},
        {"tandemSaveState", [](G g, void*) { return tandemSaveState(g, STATE); }},
        {"tandemRestoreState", [](G g, void*) { return tandemRestoreState(g, STATE); }},
        {"tandemSplitGenerator",
         [](G g, void*) {
             G child = nullptr;
             return tandemSplitGenerator(g, 0, &child);
         }},
        {"tandemSubGenerator",
         [](G g, void*) {
             G child = nullptr;
             return tandemSubGenerator(g, 0, &child);
         }},
        {"tandemForkGenerators", [](G g, void*) { return tandemForkGenerators(g, 0, nullptr); }},
        {"tandemGenerate", [](G g, void* out) { return tandemGenerate(g, static_cast<unsigned*>(out), 1); }},
        {"tandemGenerateLongLong",
         [](G g, void* out) { return tandemGenerateLongLong(g, static_cast<unsigned long long*>(out), 1); }},
        {"tandemGenerateShort", [](G g, void* out) { return tandemGenerateShort(g, static_cast<unsigned short*>(out), 1); }},
        {"tandemGenerateChar", [](G g, void* out) { return tandemGenerateChar(g, static_cast<unsigned char*>(out), 1); }},
        {"tandemGenerateBool", [](G g, void* out) { return tandemGenerateBool(g, static_cast<unsigned char*>(out), 1); }},
        {"tandemGenerateUniform", [](G g, void* out) { return tandemGenerateUniform(g, static_cast<float*>(out), 1); }},
        {"tandemGenerateUniformDouble",
         [](G g, void* out) { return tandemGenerateUniformDouble(g, static_cast<double*>(out), 1); }},
        {"tandemGenerateUniformHalf",
         [](G g, void* out) { return tandemGenerateUniformHalf(g, static_cast<uint16_t*>(out), 1); }},
        {"tandemGenerateBelow", [](G g, void* out) { return tandemGenerateBelow(g, static_cast<unsigned*>(out), 1, 6); }},
        {"tandemGenerateBelowLongLong",
         [](G g, void* out) { return tandemGenerateBelowLongLong(g, static_cast<unsigned long long*>(out), 1, 6); }},
        {"tandemGenerateIntRange", [](G g, void* out) { return tandemGenerateIntRange(g, static_cast<int*>(out), 1, -1, 1); }},
        {"tandemGenerateLongLongRange",
         [](G g, void* out) { return tandemGenerateLongLongRange(g, static_cast<long long*>(out), 1, -1, 1); }},
        {"tandemGenerateNormal", [](G g, void* out) { return tandemGenerateNormal(g, static_cast<float*>(out), 1, 0, 1); }},
        {"tandemGenerateNormalDouble",
         [](G g, void* out) { return tandemGenerateNormalDouble(g, static_cast<double*>(out), 1, 0, 1); }},
        {"tandemGenerateLogNormal", [](G g, void* out) { return tandemGenerateLogNormal(g, static_cast<float*>(out), 1, 0, 1); }},
        {"tandemGenerateLogNormalDouble",
         [](G g, void* out) { return tandemGenerateLogNormalDouble(g, static_cast<double*>(out), 1, 0, 1); }},
        {"tandemGenerateExponential",
         [](G g, void* out) { return tandemGenerateExponential(g, static_cast<float*>(out), 1, 1); }},
        {"tandemGenerateExponentialDouble",
         [](G g, void* out) { return tandemGenerateExponentialDouble(g, static_cast<double*>(out), 1, 1); }},
        {"tandemGenerateDiscrete",
         [](G g, void* out) { return tandemGenerateDiscrete(g, static_cast<unsigned*>(out), 1, small_distribution()); }},
        {"tandemGeneratePoisson", [](G g, void* out) { return tandemGeneratePoisson(g, static_cast<unsigned*>(out), 1, 3); }},
        {"tandemGenerateBinomial",
         [](G g, void* out) { return tandemGenerateBinomial(g, static_cast<unsigned*>(out), 1, 9, 0.5); }},
        {"tandemGenerateGeometric",
         [](G g, void* out) { return tandemGenerateGeometric(g, static_cast<unsigned*>(out), 1, 0.5); }},
        {"tandemGetScratchBytes",
         [](G g, void*) {
             size_t bytes;
             return tandemGetScratchBytes(g, &bytes);
         }},
        {"tandemReleaseScratch", [](G g, void*) { return tandemReleaseScratch(g); }},
    };
    return all;
}

/// A call with one wrong argument.
struct Misuse {
    const char* function;
    const char* words;  ///< must be in the message
    std::function<tandemStatus_t(tandemGenerator_t, void* out)> call;
    tandemStatus_t status = TANDEM_STATUS_OUT_OF_RANGE;
};

template <class T>
T* as(void* out) {
    return static_cast<T*>(out);
}

template <class T>
T* misaligned(void* out) {
    return reinterpret_cast<T*>(static_cast<char*>(out) + 1);
}

using G = tandemGenerator_t;

std::vector<Misuse> parameter_misuses() {
    std::vector<Misuse> all = {
        {"tandemGenerateBelow", "range is 4294967297",
         [](G g, void* o) { return tandemGenerateBelow(g, as<unsigned>(o), 8, (1ull << 32) + 1); }},
        {"tandemGenerateIntRange", "low is 2", [](G g, void* o) { return tandemGenerateIntRange(g, as<int>(o), 8, 2, 1); }},
        {"tandemGenerateLongLongRange", "low is -1",
         [](G g, void* o) { return tandemGenerateLongLongRange(g, as<long long>(o), 8, -1, -2); }},
        {"tandemSetChunkLength", "chunk_length is 0", [](G g, void*) { return tandemSetChunkLength(g, 0); }},
        {"tandemSetChunkLength", "chunk_length is 33", [](G g, void*) { return tandemSetChunkLength(g, 33); }},
        {"tandemSetChunkLength", "chunk_length is 131072", [](G g, void*) { return tandemSetChunkLength(g, 131072); }},
        {"tandemSetPosition", "bits is 9223372036854775808", [](G g, void*) { return tandemSetPosition(g, 1ull << 63); }},
        {"tandemSetGeneratorOffset", "offset is 288230376151711744",
         [](G g, void*) { return tandemSetGeneratorOffset(g, 1ull << 58); }},
        {"tandemSetGeneratorOrdering", "ordering is 99",
         [](G g, void*) { return tandemSetGeneratorOrdering(g, static_cast<tandemOrdering_t>(99)); }},
        {"tandemSetGeneratorOrdering", "ordering is 201",
         [](G g, void*) { return tandemSetGeneratorOrdering(g, static_cast<tandemOrdering_t>(201)); }},
        {"tandemSetUniformInterval", "interval is 2",
         [](G g, void*) { return tandemSetUniformInterval(g, static_cast<tandemUniformInterval_t>(2)); }},
        {"tandemSetHostThreads", "threads is 1025", [](G g, void*) { return tandemSetHostThreads(g, 1025); }},
        {"tandemSetNormalMode", "mode is -1",
         [](G g, void*) { return tandemSetNormalMode(g, static_cast<tandemNormalMode_t>(-1)); }},
        {"tandemSetGraphMode", "mode is 2", [](G g, void*) { return tandemSetGraphMode(g, static_cast<tandemGraphMode_t>(2)); }},
        {"tandemSetGraphMode", "mode is -1",
         [](G g, void*) { return tandemSetGraphMode(g, static_cast<tandemGraphMode_t>(-1)); }},
        {"tandemForkGenerators", "n is 8589934593",
         [](G g, void*) {
             G child;
             return tandemForkGenerators(g, (1ull << 33) + 1, &child);
         }},
        {"tandemGenerateBinomial", "p is nan",
         [](G g, void* o) { return tandemGenerateBinomial(g, as<unsigned>(o), 8, 5, NAN64); }},
        {"tandemGenerateBinomial", "p is 1.5",
         [](G g, void* o) { return tandemGenerateBinomial(g, as<unsigned>(o), 8, 5, 1.5); }},
        {"tandemGenerateBinomial", "p is -0.5",
         [](G g, void* o) { return tandemGenerateBinomial(g, as<unsigned>(o), 8, 5, -0.5); }},
        {"tandemGenerateGeometric", "p is 0", [](G g, void* o) { return tandemGenerateGeometric(g, as<unsigned>(o), 8, 0); }},
        {"tandemGenerateGeometric", "p is 1.5", [](G g, void* o) { return tandemGenerateGeometric(g, as<unsigned>(o), 8, 1.5); }},
        {"tandemGenerateGeometric", "p is nan",
         [](G g, void* o) { return tandemGenerateGeometric(g, as<unsigned>(o), 8, NAN64); }},
        {"tandemGenerateDiscrete", "distribution is null",
         [](G g, void* o) { return tandemGenerateDiscrete(g, as<unsigned>(o), 8, nullptr); }, TANDEM_STATUS_NOT_INITIALIZED},
        {"tandemSplitGenerator", "child is null", [](G g, void*) { return tandemSplitGenerator(g, 0, nullptr); },
         TANDEM_STATUS_NOT_INITIALIZED},
        {"tandemSubGenerator", "child is null", [](G g, void*) { return tandemSubGenerator(g, 0, nullptr); },
         TANDEM_STATUS_NOT_INITIALIZED},
        {"tandemForkGenerators", "n is 8589934593",
         [](G g, void*) { return tandemForkGenerators(g, (1ull << 33) + 1, nullptr); }},
        {"tandemForkGenerators", "children is null", [](G g, void*) { return tandemForkGenerators(g, 1, nullptr); },
         TANDEM_STATUS_NOT_INITIALIZED},
    };
    for (double lambda : {0.0, -1.0, NAN64, INF64, 0x1p31 + 1}) {
        all.push_back({"tandemGeneratePoisson", "lambda is ",
                       [lambda](G g, void* o) { return tandemGeneratePoisson(g, as<unsigned>(o), 8, lambda); }});
    }
    for (double bad : {NAN64, INF64, -INF64}) {
        all.push_back({"tandemGenerateNormalDouble", "mean is ",
                       [bad](G g, void* o) { return tandemGenerateNormalDouble(g, as<double>(o), 8, bad, 1); }});
        all.push_back({"tandemGenerateLogNormalDouble", "mean is ",
                       [bad](G g, void* o) { return tandemGenerateLogNormalDouble(g, as<double>(o), 8, bad, 1); }});
    }
    for (float bad : {NAN32, INF32, -INF32}) {
        all.push_back({"tandemGenerateNormal", "mean is ",
                       [bad](G g, void* o) { return tandemGenerateNormal(g, as<float>(o), 8, bad, 1); }});
        all.push_back({"tandemGenerateLogNormal", "mean is ",
                       [bad](G g, void* o) { return tandemGenerateLogNormal(g, as<float>(o), 8, bad, 1); }});
    }
    for (double bad : {-1.0, NAN64, INF64}) {
        const auto bad32 = static_cast<float>(bad);
        all.push_back({"tandemGenerateNormalDouble", "stddev is ",
                       [bad](G g, void* o) { return tandemGenerateNormalDouble(g, as<double>(o), 8, 0, bad); }});
        all.push_back({"tandemGenerateLogNormalDouble", "stddev is ",
                       [bad](G g, void* o) { return tandemGenerateLogNormalDouble(g, as<double>(o), 8, 0, bad); }});
        all.push_back({"tandemGenerateNormal", "stddev is ",
                       [bad32](G g, void* o) { return tandemGenerateNormal(g, as<float>(o), 8, 0, bad32); }});
        all.push_back({"tandemGenerateLogNormal", "stddev is ",
                       [bad32](G g, void* o) { return tandemGenerateLogNormal(g, as<float>(o), 8, 0, bad32); }});
    }
    for (double bad : {0.0, -1.0, NAN64, INF64}) {
        const auto bad32 = static_cast<float>(bad);
        all.push_back({"tandemGenerateExponentialDouble", "scale is ",
                       [bad](G g, void* o) { return tandemGenerateExponentialDouble(g, as<double>(o), 8, bad); }});
        all.push_back({"tandemGenerateExponential", "scale is ",
                       [bad32](G g, void* o) { return tandemGenerateExponential(g, as<float>(o), 8, bad32); }});
    }
    return all;
}

std::vector<Misuse> pointer_misuses() {
    std::vector<Misuse> all = {
        {"tandemSetKey", "key is null", [](G g, void*) { return tandemSetKey(g, nullptr); }},
        {"tandemGetKey", "key is null", [](G g, void*) { return tandemGetKey(g, nullptr); }},
        {"tandemGetPosition", "bits is null", [](G g, void*) { return tandemGetPosition(g, nullptr); }},
        {"tandemGetStream", "stream is null", [](G g, void*) { return tandemGetStream(g, nullptr); }},
        {"tandemSaveState", "state is null", [](G g, void*) { return tandemSaveState(g, nullptr); }},
        {"tandemRestoreState", "state is null", [](G g, void*) { return tandemRestoreState(g, nullptr); }},
        {"tandemGetScratchBytes", "bytes is null", [](G g, void*) { return tandemGetScratchBytes(g, nullptr); }},
        {"tandemGenerateShort", "multiple of the element's 2",
         [](G g, void* o) { return tandemGenerateShort(g, misaligned<unsigned short>(o), 4); }},
        {"tandemGenerateUniformHalf", "multiple of the element's 2",
         [](G g, void* o) { return tandemGenerateUniformHalf(g, misaligned<uint16_t>(o), 4); }},
        {"tandemGenerate", "multiple of the element's 4",
         [](G g, void* o) { return tandemGenerate(g, misaligned<unsigned>(o), 4); }},
        {"tandemGenerateUniform", "multiple of the element's 4",
         [](G g, void* o) { return tandemGenerateUniform(g, misaligned<float>(o), 4); }},
        {"tandemGenerateNormal", "multiple of the element's 4",
         [](G g, void* o) { return tandemGenerateNormal(g, misaligned<float>(o), 4, 0, 1); }},
        {"tandemGenerateLogNormal", "multiple of the element's 4",
         [](G g, void* o) { return tandemGenerateLogNormal(g, misaligned<float>(o), 4, 0, 1); }},
        {"tandemGenerateExponential", "multiple of the element's 4",
         [](G g, void* o) { return tandemGenerateExponential(g, misaligned<float>(o), 4, 1); }},
        {"tandemGenerateBelow", "multiple of the element's 4",
         [](G g, void* o) { return tandemGenerateBelow(g, misaligned<unsigned>(o), 4, 6); }},
        {"tandemGenerateIntRange", "multiple of the element's 4",
         [](G g, void* o) { return tandemGenerateIntRange(g, misaligned<int>(o), 4, 0, 6); }},
        {"tandemGeneratePoisson", "multiple of the element's 4",
         [](G g, void* o) { return tandemGeneratePoisson(g, misaligned<unsigned>(o), 4, 6); }},
        {"tandemGenerateDiscrete", "multiple of the element's 4",
         [](G g, void* o) { return tandemGenerateDiscrete(g, misaligned<unsigned>(o), 4, small_distribution()); }},
        {"tandemGenerateLongLong", "multiple of the element's 8",
         [](G g, void* o) { return tandemGenerateLongLong(g, misaligned<unsigned long long>(o), 4); }},
        {"tandemGenerateUniformDouble", "multiple of the element's 8",
         [](G g, void* o) { return tandemGenerateUniformDouble(g, misaligned<double>(o), 4); }},
        {"tandemGenerateNormalDouble", "multiple of the element's 8",
         [](G g, void* o) { return tandemGenerateNormalDouble(g, misaligned<double>(o), 4, 0, 1); }},
        {"tandemGenerateLogNormalDouble", "multiple of the element's 8",
         [](G g, void* o) { return tandemGenerateLogNormalDouble(g, misaligned<double>(o), 4, 0, 1); }},
        {"tandemGenerateExponentialDouble", "multiple of the element's 8",
         [](G g, void* o) { return tandemGenerateExponentialDouble(g, misaligned<double>(o), 4, 1); }},
        {"tandemGenerateBelowLongLong", "multiple of the element's 8",
         [](G g, void* o) { return tandemGenerateBelowLongLong(g, misaligned<unsigned long long>(o), 4, 6); }},
        {"tandemGenerateLongLongRange", "multiple of the element's 8",
         [](G g, void* o) { return tandemGenerateLongLongRange(g, misaligned<long long>(o), 4, 0, 6); }},
    };
    for (const Function& function : functions()) {
        const std::string name = function.name;
        if (name.rfind("tandemGenerate", 0) != 0 || name == "tandemGenerateSeeds") continue;
        all.push_back({function.name, "out is null", [&function](G g, void*) { return function.call(g, nullptr); }});
    }
    return all;
}

bool starts_with(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }

void expect_refusals(const std::vector<Misuse>& misuses) {
    const TestGenerator g;
    ASSERT_EQ(tandemSetPosition(g, 777), TANDEM_STATUS_SUCCESS);
    const auto room = make_room(256);
    for (const Misuse& misuse : misuses) {
        EXPECT_EQ(misuse.call(g, room->data()), misuse.status) << misuse.function << ", " << misuse.words;
        const std::string message = tandemGetLastErrorMessage();
        EXPECT_TRUE(starts_with(message, std::string(misuse.function) + ": ")) << message;
        EXPECT_NE(message.find(misuse.words), std::string::npos) << message << " lacks " << misuse.words;
        EXPECT_EQ(g.position(), 777u) << misuse.function << ", " << misuse.words;
    }
    EXPECT_TRUE(room->untouched());
    EXPECT_EQ(g.key(), key_of_seed(0, 0));
}

TEST_F(Refusals, BadParameters) { expect_refusals(parameter_misuses()); }
TEST_F(Refusals, BadPointers) { expect_refusals(pointer_misuses()); }

// The table above names every function of tandem.h whose first parameter is a generator: a new one cannot be forgotten.
TEST_F(Refusals, TheTableIsComplete) {
    std::ifstream file(TANDEM_TEST_HEADER);
    std::stringstream text;
    text << file.rdbuf();
    const std::string header = text.str();
    std::set<std::string> declared, tabled;
    const std::regex declaration("TANDEM_API tandemStatus_t (\\w+)\\(tandemGenerator_t \\w+");
    for (std::sregex_iterator it(header.begin(), header.end(), declaration), end; it != end; ++it) declared.insert((*it)[1]);
    for (const Function& function : functions()) tabled.insert(function.name);
    EXPECT_GT(declared.size(), 40u);
    EXPECT_EQ(declared, tabled);
}

TEST_F(Refusals, EveryFunctionAcceptsALiveGenerator) {
    const auto room = make_room(256);
    for (const Function& function : functions()) {
        tandemGenerator_t g = nullptr;
        ASSERT_EQ(create_generator(&g, TANDEM_RNG_PSEUDO_DEFAULT), TANDEM_STATUS_SUCCESS);
        EXPECT_EQ(function.call(g, room->data()), TANDEM_STATUS_SUCCESS) << function.name << ": " << tandemGetLastErrorMessage();
        if (std::string(function.name) != "tandemDestroyGenerator") {
            EXPECT_EQ(tandemDestroyGenerator(g), TANDEM_STATUS_SUCCESS) << function.name;
        }
    }
}

TEST_F(Refusals, NullDestroyedAndForeignHandles) {
    tandemGenerator_t destroyed = nullptr;
    ASSERT_EQ(create_generator(&destroyed, TANDEM_RNG_PSEUDO_DEFAULT), TANDEM_STATUS_SUCCESS);
    ASSERT_EQ(tandemDestroyGenerator(destroyed), TANDEM_STATUS_SUCCESS);
    const TestGenerator reuses_the_place;
    const auto distribution = reinterpret_cast<tandemGenerator_t>(small_distribution());
    const auto stray = reinterpret_cast<tandemGenerator_t>(&destroyed);
    const auto room = make_room(256);
    for (const tandemGenerator_t handle : {tandemGenerator_t{}, destroyed, distribution, stray}) {
        for (const Function& function : functions()) {
            EXPECT_EQ(function.call(handle, room->data()), TANDEM_STATUS_NOT_INITIALIZED) << function.name << " " << handle;
            EXPECT_TRUE(starts_with(tandemGetLastErrorMessage(), std::string(function.name) + ": generator is "));
        }
        // The handle is looked at before anything else.
        EXPECT_EQ(tandemGenerateNormal(handle, nullptr, 1, NAN32, 1), TANDEM_STATUS_NOT_INITIALIZED);
    }
    EXPECT_TRUE(room->untouched());
}

TEST_F(Refusals, CreationChecksThePlaceThenTheType) {
    tandemGenerator_t g = reinterpret_cast<tandemGenerator_t>(&g);
    const tandemGenerator_t before = g;
    for (int type : {-1, 0, 99, 101, 161, 200, 999}) {
        EXPECT_EQ(create_generator(&g, static_cast<tandemRngType_t>(type)), TANDEM_STATUS_TYPE_ERROR);
        EXPECT_NE(std::string(tandemGetLastErrorMessage()).find("type is " + std::to_string(type)), std::string::npos);
        EXPECT_EQ(create_generator(nullptr, static_cast<tandemRngType_t>(type)), TANDEM_STATUS_NOT_INITIALIZED);
    }
    EXPECT_EQ(g, before);
    EXPECT_EQ(create_generator(nullptr, TANDEM_RNG_PSEUDO_DEFAULT), TANDEM_STATUS_NOT_INITIALIZED);
}

TEST_F(Refusals, ParametersComeBeforeTheEndOfTheStreamAndThatBeforeThePointer) {
    const TestGenerator g;
    g.restore(Key{{1, 2, 3, 4}}, 32, ~0ull);
    const auto last_says = [](const char* words) {
        return std::string(tandemGetLastErrorMessage()).find(words) != std::string::npos;
    };
    EXPECT_EQ(tandemGenerateNormal(g, nullptr, 4, 0, -1), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_TRUE(last_says("stddev is"));
    EXPECT_EQ(tandemGenerateNormal(g, nullptr, 4, 0, 1), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_TRUE(last_says("n is 4"));
    EXPECT_EQ(tandemGeneratePoisson(g, nullptr, 4, -1), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_TRUE(last_says("lambda is"));
    // An empty fill that would align past the end is refused too; one that leaves the position is a success.
    EXPECT_EQ(tandemGenerate(g, nullptr, 0), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(tandemGenerateNormal(g, nullptr, 0, 0, 1), TANDEM_STATUS_SUCCESS);
    EXPECT_EQ(tandemGenerateNormal(g, nullptr, 0, 0, -1), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(g.position(), ~0ull);
    tandemGenerator_t child = nullptr;
    EXPECT_EQ(tandemForkGenerators(g, 1, &child), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(child, nullptr);
}

TEST_F(Refusals, HugeCountsAreRefusedBeforeAnythingIsWritten) {
    const TestGenerator g;
    const auto room = make_room(64);
    EXPECT_EQ(tandemGenerate(g, static_cast<unsigned*>(room->data()), SIZE_MAX), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(tandemGenerateNormal(g, static_cast<float*>(room->data()), SIZE_MAX, 0, 1), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(tandemGenerateNormalDouble(g, static_cast<double*>(room->data()), 1ull << 58, 0, 1), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_TRUE(room->untouched());
    EXPECT_EQ(g.position(), 0u);
}

TEST_F(Refusals, EmptyFillsNeedNoPointerAndMoveByTheTable) {
    const TestGenerator g;
    const auto moved = [&](auto call) {
        EXPECT_EQ(tandemSetPosition(g, 3), TANDEM_STATUS_SUCCESS);
        EXPECT_EQ(call(), TANDEM_STATUS_SUCCESS) << tandemGetLastErrorMessage();
        return g.position();
    };
    EXPECT_EQ(moved([&] { return tandemGenerateBool(g, nullptr, 0); }), 3u);
    EXPECT_EQ(moved([&] { return tandemGenerateChar(g, nullptr, 0); }), 8u);
    EXPECT_EQ(moved([&] { return tandemGenerateShort(g, nullptr, 0); }), 16u);
    EXPECT_EQ(moved([&] { return tandemGenerateUniformHalf(g, nullptr, 0); }), 16u);
    EXPECT_EQ(moved([&] { return tandemGenerate(g, nullptr, 0); }), 32u);
    EXPECT_EQ(moved([&] { return tandemGenerateUniform(g, nullptr, 0); }), 32u);
    EXPECT_EQ(moved([&] { return tandemGenerateLongLong(g, nullptr, 0); }), 64u);
    EXPECT_EQ(moved([&] { return tandemGenerateUniformDouble(g, nullptr, 0); }), 64u);
    EXPECT_EQ(moved([&] { return tandemGenerateNormalDouble(g, nullptr, 0, 0, 1); }), 64u);
    EXPECT_EQ(moved([&] { return tandemGenerateLogNormalDouble(g, nullptr, 0, 0, 1); }), 64u);
    EXPECT_EQ(moved([&] { return tandemGeneratePoisson(g, nullptr, 0, 5); }), 64u);
    EXPECT_EQ(moved([&] { return tandemGenerateDiscrete(g, nullptr, 0, small_distribution()); }), 64u);
    EXPECT_EQ(moved([&] { return tandemGenerateBelow(g, nullptr, 0, 5); }), 3u);
    EXPECT_EQ(moved([&] { return tandemGenerateBelowLongLong(g, nullptr, 0, 5); }), 3u);
    EXPECT_EQ(moved([&] { return tandemGenerateIntRange(g, nullptr, 0, 0, 5); }), 3u);
    EXPECT_EQ(moved([&] { return tandemGenerateNormal(g, nullptr, 0, 0, 1); }), 3u);
    EXPECT_EQ(moved([&] { return tandemGenerateLogNormal(g, nullptr, 0, 0, 1); }), 3u);
    EXPECT_EQ(moved([&] { return tandemGenerateExponential(g, nullptr, 0, 1); }), 3u);
    EXPECT_EQ(moved([&] { return tandemGenerateExponentialDouble(g, nullptr, 0, 1); }), 3u);
}

TEST_F(Refusals, PureFills) {
    Fill fill;
    const auto room = make_room(64);
    fill.out = room->data();
    fill.n = 4;
    const auto status_of = [](const Fill& f) {
        try {
            pure_fill(f);
        } catch (const error& e) {
            EXPECT_FALSE(std::string(e.what()).empty());
            return e.status();
        }
        return TANDEM_STATUS_SUCCESS;
    };
    const auto with = [&](auto change) {
        Fill changed = fill;
        change(changed);
        return status_of(changed);
    };
    EXPECT_EQ(with([](Fill& f) { f.chunk_length = 3; }), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(with([](Fill& f) { f.out = nullptr; }), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(with([](Fill& f) { f.out = static_cast<char*>(f.out) + 2; }), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(with([](Fill& f) { f.draw = Draw::u128, f.out = static_cast<char*>(f.out) + 8; }), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(with([](Fill& f) { f.position = ~0ull - 31; }), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(with([](Fill& f) { f.draw = Draw::choice; }), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(with([](Fill& f) { f.draw = Draw::below32, f.element_bytes = 3; }), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(with([](Fill& f) { f.draw = Draw::normal32, f.mean = 0.1; }), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_TRUE(room->untouched());
    EXPECT_EQ(status_of(fill), TANDEM_STATUS_SUCCESS);
}

}  // namespace
}  // namespace tandem::test
