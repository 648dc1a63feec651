#pragma once

/// Eight chunks of a group, stepped together: each step yields a row, 1024 consecutive bits of the stream.

#include "tandem/core/row_vector.hpp"

namespace tandem {

/// The states of a group's eight chunks, word by word, so that they step as vectors. The values do not depend on
/// TANDEM_ROW_VECTORS, nor does the layout.
struct Row {
    uint32_t o[4][LANES];
    uint32_t h[4][LANES];

    /// The states before the first row of a group (chunks 8*group to 8*group + 7).
    TANDEM_FN void seed(const Key& key, uint64_t group) {
#if TANDEM_ROW_VECTORS
        for (int half = 0; half < LANES; half += 4) {
            vectors::Words exposed[4], hidden[4];
            vectors::seed_chunks(key, group * LANES + static_cast<uint64_t>(half), exposed, hidden);
            put(half, exposed, hidden);
        }
#else
        for (int lane = 0; lane < LANES; ++lane) {
            const State s = chunk_start(key, group * LANES + static_cast<uint64_t>(lane));
            for (int i = 0; i < 4; ++i) {
                o[i][lane] = s.o[i];
                h[i][lane] = s.h[i];
            }
        }
#endif
    }

    /// One step of all eight chunks.
    TANDEM_FN void step() {
#if TANDEM_ROW_VECTORS
        run(1, [](uint64_t, int, const vectors::Words&) {});
#else
        for (int lane = 0; lane < LANES; ++lane) {
            State s{{o[0][lane], o[1][lane], o[2][lane], o[3][lane]}, {h[0][lane], h[1][lane], h[2][lane], h[3][lane]}};
            T(s);
            for (int i = 0; i < 4; ++i) {
                o[i][lane] = s.o[i];
                h[i][lane] = s.h[i];
            }
        }
#endif
    }

    /// The row of the last step in stream order.
    TANDEM_FN void store(Block out[LANES]) const {
        for (int lane = 0; lane < LANES; ++lane) {
            for (int i = 0; i < 4; ++i) out[lane].w[i] = o[i][lane];
        }
    }

    /// n steps; the rows go to `out` one after another, n * LANES blocks in stream order.
    TANDEM_FN void rows(uint64_t n, Block* out) {
#if TANDEM_ROW_VECTORS
        run(n, [out](uint64_t row, int lane, const vectors::Words& block) { vectors::store(block, out + row * LANES + lane); });
#else
        for (uint64_t row = 0; row < n; ++row) {
            step();
            store(out + row * LANES);
        }
#endif
    }

#if TANDEM_ROW_VECTORS
    /// n steps; `sink(row, lane, words)` is given each block of each row, the first four lanes of all rows before the others:
    /// eight vectors of state are what 16 registers hold beside the step.
    template <class Sink>
    TANDEM_VECTOR_FN void run(uint64_t n, Sink sink) {
        for (int half = 0; half < LANES; half += 4) {
            vectors::Words exposed[4], hidden[4], block[4];
            for (int i = 0; i < 4; ++i) {
                exposed[i] = vectors::load(o[i] + half);
                hidden[i] = vectors::load(h[i] + half);
            }
            for (uint64_t row = 0; row < n; ++row) {
                vectors::step(exposed, hidden);
                vectors::transpose(exposed, block);
                for (int lane = 0; lane < 4; ++lane) sink(row, half + lane, block[lane]);
            }
            put(half, exposed, hidden);
        }
    }

  private:
    TANDEM_VECTOR_FN void put(int half, const vectors::Words (&exposed)[4], const vectors::Words (&hidden)[4]) {
        for (int i = 0; i < 4; ++i) {
            vectors::store(exposed[i], o[i] + half);
            vectors::store(hidden[i], h[i] + half);
        }
    }
#endif
};

}  // namespace tandem
