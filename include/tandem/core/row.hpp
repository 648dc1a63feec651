#pragma once

/// Eight chunks of a group, stepped together: each step yields a row, 1024 consecutive bits of the stream.

#include "tandem/core/stream.hpp"

namespace tandem {

/// The states of a group's eight chunks, word by word, so that compilers step them as vectors.
struct Row {
    uint32_t o[4][LANES];
    uint32_t h[4][LANES];

    /// The states before the first row of a group (chunks 8*group to 8*group + 7).
    TANDEM_FN void seed(const Key& key, uint64_t group) {
        for (int lane = 0; lane < LANES; ++lane) {
            const State s = chunk_start(key, group * LANES + static_cast<uint64_t>(lane));
            for (int i = 0; i < 4; ++i) {
                o[i][lane] = s.o[i];
                h[i][lane] = s.h[i];
            }
        }
    }

    /// One step of all eight chunks.
    TANDEM_FN void step() {
        for (int lane = 0; lane < LANES; ++lane) {
            State s{{o[0][lane], o[1][lane], o[2][lane], o[3][lane]}, {h[0][lane], h[1][lane], h[2][lane], h[3][lane]}};
            T(s);
            for (int i = 0; i < 4; ++i) {
                o[i][lane] = s.o[i];
                h[i][lane] = s.h[i];
            }
        }
    }

    /// The row of the last step in stream order.
    TANDEM_FN void store(Block out[LANES]) const {
        for (int lane = 0; lane < LANES; ++lane) {
            for (int i = 0; i < 4; ++i) out[lane].w[i] = o[i][lane];
        }
    }
};

}  // namespace tandem
