#include "host_api/cpu/targets.hpp"

#include <atomic>
#include <cstdlib>
#include <stdexcept>

namespace tandem::cpu {
namespace {

const char* run_portable(const Job& job, const Piece& piece) {
    run_scalar(job, piece);
    return "scalar";
}

std::vector<Target> find_targets() {
    std::vector<Target> all;
#if TANDEM_HAS_HIGHWAY && !defined(TANDEM_NO_SIMD)
    all = vector_targets();
#endif
    all.push_back(Target{"scalar", &run_portable, &map_scalar});
    return all;
}

const Target& target_named(const std::string& name, const char* from) {
    std::string known;
    for (const Target& target : targets()) {
        if (name == target.name) return target;
        known += (known.empty() ? "" : ", ") + std::string(target.name);
    }
    throw std::invalid_argument(std::string(from) + " is \"" + name + "\"; this machine has " + known);
}

const Target& default_target() {
    static const std::string variable = [] {
        const char* value = std::getenv("TANDEM_FORCE_TARGET");
        return std::string(value == nullptr ? "" : value);
    }();
    return variable.empty() ? targets().front() : target_named(variable, "TANDEM_FORCE_TARGET");
}

std::atomic<const Target*> active{nullptr};

}  // namespace

const std::vector<Target>& targets() {
    static const std::vector<Target> all = find_targets();
    return all;
}

const Target& active_target() {
    const Target* target = active.load(std::memory_order_acquire);
    if (target != nullptr) return *target;
    const Target& found = default_target();
    active.store(&found, std::memory_order_release);
    return found;
}

void force_target(const std::string& name) {
    active.store(name.empty() ? nullptr : &target_named(name, "the target"), std::memory_order_release);
}

}  // namespace tandem::cpu
