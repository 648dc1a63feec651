#pragma once

/// The calls of Tandem that are measured, one row each.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "benchmark/gpu_peers.hpp"

namespace tandem::bench {

/// The generators and tables that the rows share.
class Subject;

/// A fill through the interface that users call.
struct Row {
    std::string name;  ///< the draw; unaligned variants add _start<elements> or _out<bytes>
    uint64_t n = 0;    ///< elements
    std::size_t element_bytes = 0;
    PeerCall peer = PeerCall::none;
    std::size_t out_offset = 0;  ///< bytes beyond a multiple of 256
    std::function<void()> prepare;
    std::function<void(void* out)> call;
};

/// The rows at 2^28 elements (2^26 for Poisson) and, unless `quick`, the same at smaller sizes and from unaligned starts to
/// unaligned outputs. `subject` must outlive them.
std::vector<Row> make_rows(Subject& subject, bool quick);

std::shared_ptr<Subject> make_subject();

}  // namespace tandem::bench
