#include "host_api/curand_shim/curand_generator.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tandem/core/children.hpp"

namespace tandem::curand {

api::HandleTable<CurandGenerator, 7> generators;

namespace {

// Of the fields of a saved state.
constexpr int KEY_OFFSET = 8;
constexpr int POSITION_OFFSET = 24;

/// cuRAND refuses offsets to these types, so that a seed is all that their users have to start anew with.
bool restarts(curandRngType_t type) { return type == CURAND_RNG_PSEUDO_MTGP32 || type == CURAND_RNG_PSEUDO_MT19937; }

/// The type whose stream generators of `type` draw from; throws error with 103 for types that are not served.
curandRngType_t served_type(curandRngType_t type) {
    switch (type) {
        case CURAND_RNG_PSEUDO_DEFAULT: return CURAND_RNG_PSEUDO_XORWOW;
        case CURAND_RNG_TEST:
        case CURAND_RNG_PSEUDO_XORWOW:
        case CURAND_RNG_PSEUDO_MRG32K3A:
        case CURAND_RNG_PSEUDO_MTGP32:
        case CURAND_RNG_PSEUDO_MT19937:
        case CURAND_RNG_PSEUDO_PHILOX4_32_10: return type;
        case CURAND_RNG_QUASI_DEFAULT:
        case CURAND_RNG_QUASI_SOBOL32:
        case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
        case CURAND_RNG_QUASI_SOBOL64:
        case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
            throw error(TANDEM_STATUS_TYPE_ERROR, "type is " + api::text_of(int64_t{type}) +
                                                      ", a quasi-random one; Tandem serves the pseudo-random types only");
    }
    throw error(TANDEM_STATUS_TYPE_ERROR,
                "type is " + api::text_of(int64_t{type}) + "; it must be a pseudo-random type of cuRAND");
}

}  // namespace

CurandGenerator::CurandGenerator(Create create, curandRngType_t type) : type_(type) {
    check(create(&generator_, TANDEM_RNG_PSEUDO_DEFAULT));
    try {
        type_ = served_type(type);
        check(tandemSetUniformInterval(generator_, TANDEM_UNIFORM_OPEN_CLOSED));
        set_seed(0);
    } catch (...) {
        tandemDestroyGenerator(generator_);
        throw;
    }
}

void CurandGenerator::set_seed(uint64_t seed) {
    const Key key = sub_key(key_of_seed(seed, 0), purpose_of(type_));
    // tandemSetKey() would move to position 0.
    unsigned char state[TANDEM_STATE_BYTES];
    check(tandemSaveState(generator_, state));
    for (int byte = 0; byte < 16; ++byte) {
        state[KEY_OFFSET + byte] = static_cast<unsigned char>(key.w[byte / 4] >> (byte % 4 * 8));
    }
    if (restarts(type_)) std::memset(state + POSITION_OFFSET, 0, 8);
    check(tandemRestoreState(generator_, state));
}

void show_failure(tandemStatus_t status) noexcept {
    const char* wanted = std::getenv("TANDEM_CURAND_MESSAGES");
    if (wanted == nullptr || std::strcmp(wanted, "1") != 0) return;
    std::fprintf(stderr, "tandem: status %d from %s\n", static_cast<int>(status), tandemGetLastErrorMessage());
}

}  // namespace tandem::curand
