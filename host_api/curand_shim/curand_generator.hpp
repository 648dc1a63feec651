#pragma once

/// What a generator handle of the drop-in stands for, and the frame of its functions.

#include <cstdint>

#include "host_api/handles.hpp"
#include "host_api/status.hpp"
#include "tandem/curand_types.h"

namespace tandem::curand {

/// The purpose whose child of a seed's key generators of a type draw from: "cuRAND" in ASCII, then 16 bits of the type. Types
/// have streams of their own, as in cuRAND, so that two generators of one seed are independent.
constexpr uint64_t purpose_of(curandRngType_t type) { return 0x637552414e44ull << 16 | static_cast<uint64_t>(type); }

/// A generator of tandem.h under cuRAND's habits: uniforms in (0, 1], a key for its type, a position that seeds leave where
/// cuRAND's do.
class CurandGenerator {
  public:
    using Create = tandemStatus_t (*)(tandemGenerator_t*, tandemRngType_t);

    /// Throws error: 203 where `create` finds no GPU, and otherwise 103 for a type that is not pseudo-random.
    CurandGenerator(Create create, curandRngType_t type);
    CurandGenerator(const CurandGenerator&) = delete;
    CurandGenerator& operator=(const CurandGenerator&) = delete;
    ~CurandGenerator() { tandemDestroyGenerator(generator_); }

    tandemGenerator_t generator() const { return generator_; }

    /// Takes the key of a seed and keeps the position; the Mersenne Twisters' types go back to position 0.
    void set_seed(uint64_t seed);

  private:
    tandemGenerator_t generator_ = nullptr;
    curandRngType_t type_;
};

extern api::HandleTable<CurandGenerator, 7> generators;

/// Throws the failure of a function of tandem.h in its own words.
inline void check(tandemStatus_t status) {
    if (status != TANDEM_STATUS_SUCCESS) throw error(status, tandemGetLastErrorMessage());
}

/// Writes this thread's last failure to stderr when the environment variable TANDEM_CURAND_MESSAGES is 1: cuRAND's interface has
/// no place for words.
void show_failure(tandemStatus_t status) noexcept;

/// Runs the body of a function of the interface; what it throws becomes a status and a message.
template <class Body>
curandStatus_t guarded(const char* function, Body&& body) noexcept {
    const tandemStatus_t status = api::guarded(function, body);
    if (status != TANDEM_STATUS_SUCCESS) show_failure(status);
    return static_cast<curandStatus_t>(static_cast<int>(status));
}

/// The same on the generator of a handle; a handle that is none becomes 101.
template <class Body>
curandStatus_t with_generator(const char* function, const void* handle, Body&& body) noexcept {
    return guarded(function, [&] {
        CurandGenerator* found = generators.find(handle);
        if (found == nullptr) api::refuse_handle("generator", handle);
        body(*found);
    });
}

}  // namespace tandem::curand
