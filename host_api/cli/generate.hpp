#pragma once

/// The commands that write elements.

#include <cstddef>
#include <functional>

#include "host_api/cli/backend.hpp"
#include "host_api/cli/job.hpp"

namespace tandem::cli {

/// Computes the elements piece by piece, at most `piece_bytes` of memory at once (but at least two elements), and hands each
/// piece to `use(elements, n)` in order. The pieces have the values of the whole.
void fill_in_pieces(Backend& backend, const Work& work, std::size_t piece_bytes,
                    const std::function<void(const void*, std::size_t)>& use);

/// `tandem generate`: writes the elements, then the report.
void run_generate(const Job& job);

/// `tandem stream`: writes 32-bit words to standard output until it is closed or the stream ends.
void run_stream(const Source& source, const Place& place);

}  // namespace tandem::cli
