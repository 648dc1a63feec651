#pragma once

/// The calls of cuRAND that stand beside Tandem's rows.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tandem::bench {

/// cuRAND's nearest call to a draw.
enum class PeerCall { none, u32, f32, f64, normal_f32, normal_f64, lognormal_f32, lognormal_f64, poisson_10, poisson_1e4 };

std::size_t element_bytes_of(PeerCall call);

/// One call of one kind of generator.
struct Peer {
    std::string name;                                    ///< for people: "curandGenerate philox dynamic"
    std::string id;                                      ///< for names of benchmarks: "philox_dynamic/curandGenerate"
    std::function<void(void* out, std::size_t n)> call;  ///< throws when cuRAND refuses
};

/// The generators, each made when first used and kept.
class PeerGenerators;
std::shared_ptr<PeerGenerators> make_peer_generators();

/// The kinds of generators to measure for a call: every type in both orderings when `all`, otherwise Philox and XORWOW in the
/// dynamic one.
std::vector<Peer> peers_of(PeerCall call, const std::shared_ptr<PeerGenerators>& generators, bool all);

int curand_version();

}  // namespace tandem::bench
