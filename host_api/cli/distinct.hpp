#pragma once

/// `tandem distinct`: how many distinct keys there are in files, images of sketches, or draws.

#include <string>
#include <vector>

#include "host_api/cli/job.hpp"
#include "tandem/theta.h"

namespace tandem::cli {

/// The options of `distinct` with one value each; source_options() apply to draws.
const std::vector<OptionInfo>& distinct_options();

/// The bytes of a file that must be an image.
struct DistinctImage {
    std::string path;
    std::vector<unsigned char> bytes;
};

/// A count without its sketch.
struct DistinctJob {
    uint32_t lg_k = 0;
    uint64_t hash_seed = 0;
    float p = 1;
    BackendName backend = BackendName::automatic;
    tandemThetaKey_t type = TANDEM_THETA_KEY_U64;
    std::size_t key_bytes = 8;
    std::vector<std::string> files;
    std::vector<DistinctImage> images;
    bool draws = false;  ///< count draws of `type` from `source`
    Source source;
    uint64_t count = 0;
    std::string save;  ///< empty: nowhere
};

/// Throws OptionError for whatever cannot be done as typed, files and images that cannot be read included.
DistinctJob make_distinct_job(const Arguments& arguments);

/// Counts, and prints the estimate and its bounds.
void run_distinct(const DistinctJob& job);

}  // namespace tandem::cli
