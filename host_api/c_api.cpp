#include <algorithm>

#include "host_api/api_handles.hpp"
#include "tandem/tandem.h"

namespace tandem::api {

HandleTable<Generator, 5> generators;

namespace {

tandemGenerator_t handle_of(std::unique_ptr<Generator> generator) {
    return static_cast<tandemGenerator_t>(generators.add(std::move(generator)));
}

void check_type(tandemRngType_t type) {
    if (type == TANDEM_RNG_PSEUDO_DEFAULT || type == TANDEM_RNG_PSEUDO_TANDEM8X32) return;
    throw error(TANDEM_STATUS_TYPE_ERROR, "type is " + std::to_string(static_cast<int>(type)) +
                                              "; it must be TANDEM_RNG_PSEUDO_DEFAULT or TANDEM_RNG_PSEUDO_TANDEM8X32");
}

void create(tandemGenerator_t* place, tandemRngType_t type, Backend& (*backend)()) {
    need_place("generator", place);
    check_type(type);
    *place = handle_of(std::make_unique<Generator>(backend()));
}

/// The value of an enumeration whose values lie from `first` to `last`; refuses others.
template <class Enum>
int choice_of_enum(const char* argument, Enum value, Enum first, Enum last) {
    if (value < first || value > last) {
        refuse(argument, text_of(int64_t{value}), "it must be from " + text_of(int64_t{first}) + " to " + text_of(int64_t{last}));
    }
    return value;
}

void fork(Generator& parent, uint64_t n, tandemGenerator_t* places) {
    const auto check_place = [&] {
        need_place("children", places);
        if (n > generators.MAX_HANDLES) throw std::bad_alloc();  // before anything is made for children that have no handles
    };
    parent.fork(n, check_place, [&](std::vector<std::unique_ptr<Generator>> children) {
        std::vector<tandemGenerator_t> handles;
        handles.reserve(children.size());
        try {
            for (auto& child : children) handles.push_back(handle_of(std::move(child)));
        } catch (...) {
            for (tandemGenerator_t handle : handles) generators.remove(handle);
            throw;
        }
        std::copy(handles.begin(), handles.end(), places);
    });
}

}  // namespace
}  // namespace tandem::api

using namespace tandem::api;

extern "C" {

tandemStatus_t tandemGetVersion(int* version) {
    return guarded(__func__, [=] {
        need("version", version);
        *version = TANDEM_VERSION;
    });
}

tandemStatus_t tandemGetProperty(tandemProperty_t property, int* value) {
    return guarded(__func__, [=] {
        constexpr int PROPERTIES[] = {TANDEM_VERSION_MAJOR, TANDEM_VERSION_MINOR, TANDEM_VERSION_PATCH};
        const int index = choice_of_enum("property", property, TANDEM_PROPERTY_MAJOR_VERSION, TANDEM_PROPERTY_PATCH_LEVEL);
        need("value", value);
        *value = PROPERTIES[index];
    });
}

tandemStatus_t tandemCreateGenerator(tandemGenerator_t* generator, tandemRngType_t type) {
    return guarded(__func__, [=] { create(generator, type, current_device_backend); });
}

tandemStatus_t tandemCreateGeneratorHost(tandemGenerator_t* generator, tandemRngType_t type) {
    return guarded(__func__, [=] { create(generator, type, host_backend); });
}

tandemStatus_t tandemDestroyGenerator(tandemGenerator_t generator) {
    return guarded(__func__, [=] {
        if (generators.remove(generator) == nullptr) refuse_handle("generator", generator);
    });
}

tandemStatus_t tandemSetPseudoRandomGeneratorSeed(tandemGenerator_t generator, unsigned long long seed) {
    return with_generator(__func__, generator, [=](Generator& g) { g.set_key(tandem::key_of_seed(seed, 0)); });
}

tandemStatus_t tandemSetSeed128(tandemGenerator_t generator, uint64_t low, uint64_t high) {
    return with_generator(__func__, generator, [=](Generator& g) { g.set_key(tandem::key_of_seed(low, high)); });
}

tandemStatus_t tandemSetKey(tandemGenerator_t generator, const uint32_t key[4]) {
    return with_generator(__func__, generator, [=](Generator& g) {
        need("key", key);
        g.set_key(tandem::Key{{key[0], key[1], key[2], key[3]}});
    });
}

tandemStatus_t tandemGetKey(tandemGenerator_t generator, uint32_t key[4]) {
    return with_generator(__func__, generator, [=](Generator& g) {
        need("key", key);
        const tandem::Key value = g.key();
        std::copy(value.w, value.w + 4, key);
    });
}

tandemStatus_t tandemSetGeneratorOffset(tandemGenerator_t generator, unsigned long long offset) {
    return with_generator(__func__, generator, [=](Generator& g) {
        if (offset >= tandem::MAX_PLACED_POSITION / 32) refuse("offset", text_of(uint64_t{offset}), "it must be below 2^58");
        g.set_position(offset * 32);
    });
}

tandemStatus_t tandemSetPosition(tandemGenerator_t generator, uint64_t bits) {
    return with_generator(__func__, generator, [=](Generator& g) { g.set_position(bits); });
}

tandemStatus_t tandemGetPosition(tandemGenerator_t generator, uint64_t* bits) {
    return with_generator(__func__, generator, [=](Generator& g) {
        need("bits", bits);
        *bits = g.position();
    });
}

tandemStatus_t tandemSetChunkLength(tandemGenerator_t generator, uint32_t chunk_length) {
    return with_generator(__func__, generator, [=](Generator& g) { g.set_chunk_length(chunk_length); });
}

tandemStatus_t tandemSetStream(tandemGenerator_t generator, struct CUstream_st* stream) {
    return with_generator(__func__, generator, [=](Generator& g) { g.set_stream(stream); });
}

tandemStatus_t tandemGetStream(tandemGenerator_t generator, struct CUstream_st** stream) {
    return with_generator(__func__, generator, [=](Generator& g) {
        need("stream", stream);
        *stream = g.stream();
    });
}

tandemStatus_t tandemSetGeneratorOrdering(tandemGenerator_t generator, tandemOrdering_t ordering) {
    return with_generator(__func__, generator, [=](Generator&) {
        choice_of_enum("ordering", ordering, TANDEM_ORDERING_PSEUDO_BEST, TANDEM_ORDERING_PSEUDO_DYNAMIC);
    });
}

tandemStatus_t tandemGenerateSeeds(tandemGenerator_t generator) {
    return with_generator(__func__, generator, [](Generator&) {});
}

tandemStatus_t tandemSetUniformInterval(tandemGenerator_t generator, tandemUniformInterval_t interval) {
    return with_generator(__func__, generator, [=](Generator& g) {
        g.set_reflected(choice_of_enum("interval", interval, TANDEM_UNIFORM_CLOSED_OPEN, TANDEM_UNIFORM_OPEN_CLOSED) != 0);
    });
}

tandemStatus_t tandemSetNormalMode(tandemGenerator_t generator, tandemNormalMode_t mode) {
    return with_generator(__func__, generator, [=](Generator& g) {
        const bool fast = choice_of_enum("mode", mode, TANDEM_NORMAL_EXACT, TANDEM_NORMAL_FAST) != 0;
        g.set_normal_mode(fast ? tandem::NormalMode::fast : tandem::NormalMode::exact);
    });
}

tandemStatus_t tandemSetGraphMode(tandemGenerator_t generator, tandemGraphMode_t mode) {
    return with_generator(__func__, generator, [=](Generator& g) {
        g.set_fresh_graphs(choice_of_enum("mode", mode, TANDEM_GRAPH_FRESH, TANDEM_GRAPH_REPEAT) == TANDEM_GRAPH_FRESH);
    });
}

tandemStatus_t tandemSetHostThreads(tandemGenerator_t generator, uint32_t threads) {
    return with_generator(__func__, generator, [=](Generator& g) { g.set_host_threads(threads); });
}

tandemStatus_t tandemSaveState(tandemGenerator_t generator, void* state) {
    return with_generator(__func__, generator, [=](Generator& g) {
        need("state", state);
        g.save(state);
    });
}

tandemStatus_t tandemRestoreState(tandemGenerator_t generator, const void* state) {
    return with_generator(__func__, generator, [=](Generator& g) {
        need("state", state);
        g.restore(state);
    });
}

tandemStatus_t tandemSplitGenerator(tandemGenerator_t parent, uint64_t i, tandemGenerator_t* child) {
    return with_generator(__func__, parent, [=](Generator& g) {
        need_place("child", child);
        *child = handle_of(g.split(i));
    });
}

tandemStatus_t tandemSubGenerator(tandemGenerator_t parent, uint64_t purpose, tandemGenerator_t* child) {
    return with_generator(__func__, parent, [=](Generator& g) {
        need_place("child", child);
        *child = handle_of(g.sub(purpose));
    });
}

tandemStatus_t tandemForkGenerators(tandemGenerator_t parent, size_t n, tandemGenerator_t* children) {
    return with_generator(__func__, parent, [=](Generator& g) { fork(g, n, children); });
}

tandemStatus_t tandemGetScratchBytes(tandemGenerator_t generator, size_t* bytes) {
    return with_generator(__func__, generator, [=](Generator& g) {
        need("bytes", bytes);
        *bytes = g.scratch_bytes();
    });
}

tandemStatus_t tandemReleaseScratch(tandemGenerator_t generator) {
    return with_generator(__func__, generator, [](Generator& g) { g.release_scratch(); });
}

}  // extern "C"
