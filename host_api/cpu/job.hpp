#pragma once

/// What the engine's parts hand each other: a fill as draws of the stream, and the pieces that threads share.

#include <cstddef>
#include <cstdint>

#include "tandem/core/fill.hpp"

namespace tandem::cpu {

/// A fill as draws one after another (a complex element is two), with what is computed once a fill.
struct Job {
    const Fill* fill;
    uint32_t log2_k;
    uint32_t width;   ///< bits of a draw
    uint32_t stride;  ///< bytes of output a draw
    bool stream;      ///< larger than the caches: stores may bypass them
    bool in_pairs;    ///< draws first, first + 1 belong together, and so on
    uint64_t first;   ///< number (position / width) of the first draw
    uint64_t draws;   ///< draws that give output; an odd number in pairs reads one more
    Key sub;          ///< bounded and f64 normals: where elements go on that their own draw does not settle
};

Job make_job(const Fill& fill);

/// Sets the bytes of output from which fills stream; 0 returns to the default, the size of the last cache. Values do not depend
/// on it.
void stream_from(uint64_t bytes);

/// Consecutive draws of a job.
struct Piece {
    uint64_t first;  ///< number of the first draw in the stream
    uint64_t draws;
    uint8_t* out;  ///< output of the first draw
};

/// The piece of a job from draw number `first` up to, not including, draw number `end`.
inline Piece piece_of(const Job& job, uint64_t first, uint64_t end) {
    return Piece{first, end - first, static_cast<uint8_t*>(job.fill->out) + (first - job.first) * job.stride};
}

/// Where to cut a job so that the parts cost the same: the number of the first draw of part `i` of `parts`; that of part `parts`
/// is the end. Cuts lie at the first row of a group, which costs no steps to reach, or one draw later to keep a pair whole.
uint64_t cut_of(const Job& job, uint64_t i, uint64_t parts);

/// How many parts a job can be cut into.
uint64_t parts_of(const Job& job);

class RowSource;

/// Fills one piece with the portable code, from the job's stream or from rows that come from elsewhere.
void run_scalar(const Job& job, const Piece& piece);
void map_scalar(const Job& job, const Piece& piece, RowSource& source);

}  // namespace tandem::cpu
