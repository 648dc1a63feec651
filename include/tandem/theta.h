#ifndef TANDEM_THETA_H
#define TANDEM_THETA_H

/**
 * Theta sketches in C: how many distinct keys there are, in little memory, and unions, intersections and differences of what was
 * counted. C99; needs no CUDA header. Results and images are those of Apache DataSketches, bit for bit.
 *
 * What a sketch is. Each key has a hash of 63 bits under the sketch's seed. A sketch keeps the k = 2^lg_k smallest distinct ones,
 * and theta, which is the next one; up to k distinct keys all are kept, theta is 2^63 - 1 and counts are exact. What it keeps
 * depends on the set of keys only: not on their order, their repeats, the size of the calls or the backend. Beyond k keys the
 * relative standard error of the estimate is about 1/sqrt(k). A sketch made with p < 1 samples: it takes theta 2^63 * p from the
 * start. An empty sketch, to which no key was ever offered, reports theta 2^63 - 1 whatever p.
 *
 * Keys. Integers of one value are one key whatever their signed type; unsigned types mean the signed type of their width with
 * the same bits, so that u32 4294967295, u8 255 and i64 -1 are one key. A float is the double of its value; both zeros are one
 * key, and so are all NaNs.
 *
 * Rules. Checks, statuses and messages are those of tandem.h: the handle (101), the type (103), a parameter (104), the end of the
 * generator's stream (104), and, unless n is 0, the pointer (104). A refused call changes nothing. n = 0 is a success and offers
 * nothing. Keys are aligned to their type.
 *
 * Devices and streams. A device sketch belongs to the device that was current when it was created, and reads keys that this
 * device can reach; calls may be made with any device current. What changes a sketch is enqueued on the stream of the call and
 * takes effect in the order of the calls, on whatever streams they are made. What reports a result waits for that work. Keys must
 * stay as they are until the work has read them. Host sketches read host memory before they return, never touch CUDA, ignore
 * streams and work in a child of fork().
 *
 * Graphs. Functions with a stream, and tandemThetaUpdateDraws(), may be captured. A captured set operation answers 104 when its
 * operand is the sketch itself, lives elsewhere or has another seed, whatever the two hold. The launches of a graph are not
 * ordered with other calls on its sketches by themselves: let all of these follow one another on one stream, and wait for the
 * launches before asking for a result.
 *
 * Threads. Threads may share sketches: each call holds the lock of the sketch, and of the operand. Destroying one that another
 * thread is using is an error.
 */

#include "tandem/tandem.h"

#if defined(__cplusplus)
extern "C" {
#endif

/** A sketch. Made by the Create and Deserialize functions, ended by tandemThetaDestroy(). */
typedef struct tandemTheta_st* tandemTheta_t;

/** Types of keys. */
enum tandemThetaKey TANDEM_ENUM_BASE {
    TANDEM_THETA_KEY_U64 = 0,
    TANDEM_THETA_KEY_I64 = 1,
    TANDEM_THETA_KEY_U32 = 2,
    TANDEM_THETA_KEY_I32 = 3,
    TANDEM_THETA_KEY_U16 = 4,
    TANDEM_THETA_KEY_I16 = 5,
    TANDEM_THETA_KEY_U8 = 6,
    TANDEM_THETA_KEY_I8 = 7,
    TANDEM_THETA_KEY_F64 = 8,
    TANDEM_THETA_KEY_F32 = 9,
};
typedef enum tandemThetaKey tandemThetaKey_t;

#define TANDEM_THETA_DEFAULT_LG_K 12
#define TANDEM_THETA_DEFAULT_SEED 9001

/* ---- Life. Creation answers 101 when sketch is null, 102 when memory is short, and leaves *sketch untouched on failure. ---- */

/**
 * Creates an empty sketch on the current device: lg_k from 5 to 26; any seed, which sketches that are to be combined share; a
 * sampling probability p from 2^-63 to 1, where 1 samples nothing away. 104 for others, 203 where there is no GPU or driver.
 */
TANDEM_API tandemStatus_t tandemThetaCreate(tandemTheta_t* sketch, uint32_t lg_k, uint64_t seed, float p);

/** The same in host memory; needs no GPU, driver or CUDA. */
TANDEM_API tandemStatus_t tandemThetaCreateHost(tandemTheta_t* sketch, uint32_t lg_k, uint64_t seed, float p);

/** Ends a sketch. Work that it has enqueued still completes. 101 when it was destroyed before. */
TANDEM_API tandemStatus_t tandemThetaDestroy(tandemTheta_t sketch);

/* ---- Changes ---- */

/** Offers n keys of a type, in the memory that the sketch lives in. 103 for an unknown type. */
TANDEM_API tandemStatus_t tandemThetaUpdate(tandemTheta_t sketch, const void* keys, size_t n, tandemThetaKey_t type,
                                            struct CUstream_st* stream);

/**
 * Offers the next n plain draws of a generator, as they are made and without storing them: the integers of the type, or the
 * uniform floats. The generator's position moves as by the Generate function of that type, and the launches of a captured call
 * draw fresh or repeated numbers as those of that function do. The draws are made where the sketch lives: on the generator's
 * stream when the generator is of the sketch's device, on the default stream when it is a host generator, and on the CPU, by the
 * generator's host threads, when the sketch is a host sketch. 104 when both are of different devices.
 */
TANDEM_API tandemStatus_t tandemThetaUpdateDraws(tandemTheta_t sketch, tandemGenerator_t generator, tandemThetaKey_t type,
                                                 size_t n);

/* ---- Set operations, in place: the sketch is the first operand and takes the result. The other sketch stays; it may have
 * another lg_k or p, live elsewhere (the call then waits for it), or be the sketch itself. 101 when either handle is none, 104
 * when their seeds differ, which is not looked at where an empty operand alone decides. The result can be updated and combined
 * again. An operation that leaves the sketch empty gives it its starting theta back. ---- */

/** Union: the keys of both, cut to this sketch's k. */
TANDEM_API tandemStatus_t tandemThetaMerge(tandemTheta_t sketch, tandemTheta_t other, struct CUstream_st* stream);

/** Intersection: the keys that both have. */
TANDEM_API tandemStatus_t tandemThetaIntersect(tandemTheta_t sketch, tandemTheta_t other, struct CUstream_st* stream);

/** Difference: the keys that the other has not. */
TANDEM_API tandemStatus_t tandemThetaANotB(tandemTheta_t sketch, tandemTheta_t other, struct CUstream_st* stream);

/** Makes the sketch empty. */
TANDEM_API tandemStatus_t tandemThetaReset(tandemTheta_t sketch, struct CUstream_st* stream);

/* ---- Results. 104 when a place for a result is null. ---- */

/** The estimated number of distinct keys into *estimate; exact while theta is 2^63 - 1. */
TANDEM_API tandemStatus_t tandemThetaGetEstimate(tandemTheta_t sketch, double* estimate);

/**
 * Bounds of the number of distinct keys, with the confidence that a normal law has within 1, 2 or 3 standard deviations (104 for
 * other numbers), into *lower and *upper; both are the exact number while theta is 2^63 - 1.
 */
TANDEM_API tandemStatus_t tandemThetaGetBounds(tandemTheta_t sketch, uint32_t deviations, double* lower, double* upper);

/** Theta into *theta, from 1 to 2^63 - 1: theta / (2^63 - 1) is the fraction of the distinct keys whose hashes are kept. */
TANDEM_API tandemStatus_t tandemThetaGetTheta(tandemTheta_t sketch, uint64_t* theta);

/** The number of hashes kept into *retained. */
TANDEM_API tandemStatus_t tandemThetaGetRetained(tandemTheta_t sketch, uint64_t* retained);

/** 1 into *empty when the sketch is empty, otherwise 0. A sketch to which a key was offered is not empty, also when it keeps
 * none. */
TANDEM_API tandemStatus_t tandemThetaGetEmpty(tandemTheta_t sketch, int* empty);

/* ---- Images: compact, version 3, uncompressed, ordered, little-endian. They hold neither lg_k, nor p, nor the whole seed. ----
 */

/**
 * With a null image, the size of the image in bytes into *bytes. Otherwise *bytes is the room at `image` (104 when it is too
 * small) and becomes the size of the image, which is written there, at any alignment. `image` and `bytes` are host memory.
 */
TANDEM_API tandemStatus_t tandemThetaSerialize(tandemTheta_t sketch, void* image, size_t* bytes);

/**
 * Creates a sketch on the current device from an image of `bytes` bytes in host memory, which must be whole and of a sketch with
 * this seed; 104 for whatever is not, such as images of other versions, unordered or corrupt ones. The sketch has p = 1. Images
 * may have more than 2^lg_k hashes: all are kept until the next update or union. 101 to 104 and 203 as tandemThetaCreate().
 */
TANDEM_API tandemStatus_t tandemThetaDeserialize(tandemTheta_t* sketch, const void* image, size_t bytes, uint32_t lg_k,
                                                 uint64_t seed);

/** The same in host memory; needs no GPU, driver or CUDA. */
TANDEM_API tandemStatus_t tandemThetaDeserializeHost(tandemTheta_t* sketch, const void* image, size_t bytes, uint32_t lg_k,
                                                     uint64_t seed);

#if defined(__cplusplus)
}
#endif

#endif
