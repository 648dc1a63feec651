#include "benchmark/gpu_peers.hpp"

#include <curand.h>

#include <map>
#include <stdexcept>
#include <utility>

namespace tandem::bench {
namespace {

void check(curandStatus_t status, const std::string& what) {
    if (status != CURAND_STATUS_SUCCESS) throw std::runtime_error(what + ": status " + std::to_string(status));
}

struct Kind {
    const char* name;
    curandRngType_t type;
};

constexpr Kind PHILOX = {"philox", CURAND_RNG_PSEUDO_PHILOX4_32_10};
constexpr Kind XORWOW = {"xorwow", CURAND_RNG_PSEUDO_XORWOW};
constexpr Kind OTHERS[] = {
    {"mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A}, {"mtgp32", CURAND_RNG_PSEUDO_MTGP32}, {"mt19937", CURAND_RNG_PSEUDO_MT19937}};

const char* function_of(PeerCall call) {
    switch (call) {
        case PeerCall::u32: return "curandGenerate";
        case PeerCall::f32: return "curandGenerateUniform";
        case PeerCall::f64: return "curandGenerateUniformDouble";
        case PeerCall::normal_f32: return "curandGenerateNormal";
        case PeerCall::normal_f64: return "curandGenerateNormalDouble";
        case PeerCall::lognormal_f32: return "curandGenerateLogNormal";
        case PeerCall::lognormal_f64: return "curandGenerateLogNormalDouble";
        case PeerCall::poisson_10: return "curandGeneratePoisson(10)";
        case PeerCall::poisson_1e4: return "curandGeneratePoisson(1e4)";
        case PeerCall::none: break;
    }
    return "";
}

curandStatus_t generate(curandGenerator_t g, PeerCall call, void* out, std::size_t n) {
    switch (call) {
        case PeerCall::u32: return curandGenerate(g, static_cast<unsigned*>(out), n);
        case PeerCall::f32: return curandGenerateUniform(g, static_cast<float*>(out), n);
        case PeerCall::f64: return curandGenerateUniformDouble(g, static_cast<double*>(out), n);
        case PeerCall::normal_f32: return curandGenerateNormal(g, static_cast<float*>(out), n, 0, 1);
        case PeerCall::normal_f64: return curandGenerateNormalDouble(g, static_cast<double*>(out), n, 0, 1);
        case PeerCall::lognormal_f32: return curandGenerateLogNormal(g, static_cast<float*>(out), n, 0, 1);
        case PeerCall::lognormal_f64: return curandGenerateLogNormalDouble(g, static_cast<double*>(out), n, 0, 1);
        case PeerCall::poisson_10: return curandGeneratePoisson(g, static_cast<unsigned*>(out), n, 10);
        case PeerCall::poisson_1e4: return curandGeneratePoisson(g, static_cast<unsigned*>(out), n, 1e4);
        case PeerCall::none: break;
    }
    return CURAND_STATUS_TYPE_ERROR;
}

}  // namespace

class PeerGenerators {
  public:
    PeerGenerators() = default;
    PeerGenerators(const PeerGenerators&) = delete;
    PeerGenerators& operator=(const PeerGenerators&) = delete;
    ~PeerGenerators() {
        for (const auto& entry : made_) curandDestroyGenerator(entry.second);
    }

    /// The generator of a type and ordering; throws when cuRAND has none.
    curandGenerator_t of(curandRngType_t type, curandOrdering_t ordering) {
        const auto found = made_.find({type, ordering});
        if (found != made_.end()) return found->second;
        curandGenerator_t generator = nullptr;
        check(curandCreateGenerator(&generator, type), "curandCreateGenerator");
        if (const curandStatus_t status = curandSetGeneratorOrdering(generator, ordering); status != CURAND_STATUS_SUCCESS) {
            curandDestroyGenerator(generator);
            check(status, "curandSetGeneratorOrdering");
        }
        made_[{type, ordering}] = generator;
        return generator;
    }

  private:
    std::map<std::pair<curandRngType_t, curandOrdering_t>, curandGenerator_t> made_;
};

std::size_t element_bytes_of(PeerCall call) {
    return call == PeerCall::f64 || call == PeerCall::normal_f64 || call == PeerCall::lognormal_f64 ? 8 : 4;
}

std::shared_ptr<PeerGenerators> make_peer_generators() { return std::make_shared<PeerGenerators>(); }

std::vector<Peer> peers_of(PeerCall call, const std::shared_ptr<PeerGenerators>& generators, bool all) {
    std::vector<Peer> peers;
    const auto add = [&](const Kind& kind, curandOrdering_t ordering) {
        const char* order = ordering == CURAND_ORDERING_PSEUDO_DYNAMIC ? "dynamic" : "default";
        const std::string function = function_of(call);
        peers.push_back({function + " " + kind.name + " " + order, std::string(kind.name) + "_" + order + "/" + function,
                         [generators, call, function, type = kind.type, ordering](void* out, std::size_t n) {
                             check(generate(generators->of(type, ordering), call, out, n), function);
                         }});
    };
    if (call == PeerCall::none) return peers;
    for (const Kind& kind : {PHILOX, XORWOW}) {
        add(kind, CURAND_ORDERING_PSEUDO_DYNAMIC);
        if (all) add(kind, CURAND_ORDERING_PSEUDO_DEFAULT);
    }
    if (!all) return peers;
    for (const Kind& kind : OTHERS) {
        add(kind, CURAND_ORDERING_PSEUDO_DYNAMIC);
        add(kind, CURAND_ORDERING_PSEUDO_DEFAULT);
    }
    return peers;
}

int curand_version() {
    int version = 0;
    check(curandGetVersion(&version), "curandGetVersion");
    return version;
}

}  // namespace tandem::bench
