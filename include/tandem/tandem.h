#ifndef TANDEM_TANDEM_H
#define TANDEM_TANDEM_H

/**
 * The C interface of Tandem: random numbers into arrays, on a GPU or on the CPU. C99; needs no CUDA header.
 *
 * The values. A generator is a key, a position in bits and a chunk length K, and nothing else. These three fix every value, bit
 * for bit, on every backend, whatever the size of the calls: element i of a call is draw i from the generator's position, the
 * position then moves by what the call uses (said at each function), and consecutive calls of any mix continue one stream. A draw
 * of w bits starts at the next position that is a multiple of w.
 *
 * Checks. A refused call writes nothing, launches nothing and leaves the position. What is wrong first in this order decides the
 * status: the handle (101), the type (103), a parameter (104), the end of the stream at position 2^64 (104), and, unless n is 0,
 * the pointer (104: null, or not aligned to its element). n = 0 is a success. A destroyed handle is recognised and answered with
 * 101. Beyond these a call answers 102 when memory is short, 201 when the GPU refused a launch, 202 when it reports the failure
 * of earlier work, 203 when there is no usable GPU or driver, 204 when the library holds no code for the GPU. After a failure
 * tandemGetLastErrorMessage() says which argument was wrong and what is allowed.
 *
 * Devices and streams. A device generator belongs to the device that was current when it was created; every call may be made with
 * any device current and leaves it so. Generate calls enqueue their work on the generator's stream and return; they synchronise
 * nothing, and allocate nothing once two calls like them have run on that stream. From then on a call's kernel is enqueued as a
 * graph of its own, which takes the driver half the time: the first 32 kernels of streams on a device that repeat, and later ones
 * of the same streams in the place of some that no longer run, on streams of no green context. The second call on a device makes
 * these graphs (half a millisecond, 4 MB; a driver that has to get memory for it waits for the kernels that run). Order, values
 * and errors are those of the kernel's launch; profilers show a graph. Outputs are memory that the generator's device can reach.
 * A pending CUDA error of the caller's is neither reported nor cleared. Host generators fill host memory before they return,
 * never touch CUDA, ignore their stream, and work in a child of fork(). A host pointer handed to a device generator is refused
 * (104) when the environment variable TANDEM_CHECK_POINTERS is 1, except while the stream is being captured.
 *
 * Graphs. Generate calls may be captured from a stream in every capture mode. Each launch of the graph writes fresh numbers
 * (tandemSetGraphMode() can make them repeat): launch 0 those that the call would have written at once, launch r >= 1 those of
 * the generator whose key is split(r) of sub(0x5245504c4159) of the generator's, at the same position. The position moves once,
 * at the capture. A captured call counts its launches by itself, over all executable graphs made of the captured one; launches of
 * two of these must not overlap, as they write the same output. A seed, key or state set after the capture gives the key to the
 * launches that follow in the order of the generator's stream, and starts no new count; set while that stream is being captured,
 * it holds for the calls captured after it, and those before it keep their key for good. What a captured call reads stays alive
 * with the graph: generators and distributions may be destroyed before a launch.
 *
 * Threads. Threads may share a generator: each call reserves its part of the stream and enqueues under the generator's lock.
 * Functions that set something or destroy a handle must not run at the same time as another call on that handle when it matters
 * which comes first; destroying a handle that another thread is using is an error.
 */

#include <stddef.h>
#include <stdint.h>

#define TANDEM_VERSION_MAJOR 0
#define TANDEM_VERSION_MINOR 1
#define TANDEM_VERSION_PATCH 0
#define TANDEM_VERSION (TANDEM_VERSION_MAJOR * 1000 + TANDEM_VERSION_MINOR * 100 + TANDEM_VERSION_PATCH)

#if defined(__GNUC__)
#define TANDEM_API __attribute__((visibility("default")))
#else
#define TANDEM_API
#endif

#if defined(__cplusplus)
#define TANDEM_ENUM_BASE : int
extern "C" {
#else
#define TANDEM_ENUM_BASE
#endif

/** CUDA's stream: cudaStream_t and CUstream are pointers to it. */
struct CUstream_st;

/** A table of a discrete law. Made by the Create..Distribution functions, ended by tandemDestroyDistribution(). */
typedef struct tandemDistribution_st* tandemDistribution_t;

/** A generator. Made by the Create, Split, Sub and Fork functions, ended by tandemDestroyGenerator(). */
typedef struct tandemGenerator_st* tandemGenerator_t;

/** Results of every function; cuRAND's numbers. */
enum tandemStatus TANDEM_ENUM_BASE {
    TANDEM_STATUS_SUCCESS = 0,
    TANDEM_STATUS_VERSION_MISMATCH = 100,          /**< never returned */
    TANDEM_STATUS_NOT_INITIALIZED = 101,           /**< a handle that is null, was destroyed or never was one */
    TANDEM_STATUS_ALLOCATION_FAILED = 102,         /**< memory is short, or may not be had while capturing */
    TANDEM_STATUS_TYPE_ERROR = 103,                /**< no such generator type */
    TANDEM_STATUS_OUT_OF_RANGE = 104,              /**< an argument outside what is allowed */
    TANDEM_STATUS_LENGTH_NOT_MULTIPLE = 105,       /**< never returned: any length is allowed */
    TANDEM_STATUS_DOUBLE_PRECISION_REQUIRED = 106, /**< never returned */
    TANDEM_STATUS_LAUNCH_FAILURE = 201,            /**< the GPU refused the launch */
    TANDEM_STATUS_PREEXISTING_FAILURE = 202,       /**< earlier work has failed and the GPU's context cannot be used any more */
    TANDEM_STATUS_INITIALIZATION_FAILED = 203,     /**< no usable GPU or driver, or a build without CUDA */
    TANDEM_STATUS_ARCH_MISMATCH = 204,             /**< the library holds no code for this GPU */
    TANDEM_STATUS_INTERNAL_ERROR = 999
};
typedef enum tandemStatus tandemStatus_t;

/** Types of generators; there is one algorithm. */
enum tandemRngType TANDEM_ENUM_BASE {
    TANDEM_RNG_PSEUDO_DEFAULT = 100,    /**< Tandem8x32 */
    TANDEM_RNG_PSEUDO_TANDEM8X32 = 171, /**< Tandem8x32 */
};
typedef enum tandemRngType tandemRngType_t;

/** Orderings, for ports from cuRAND. There is one order; all of these mean it. */
enum tandemOrdering TANDEM_ENUM_BASE {
    TANDEM_ORDERING_PSEUDO_BEST = 100,
    TANDEM_ORDERING_PSEUDO_DEFAULT = 101,
    TANDEM_ORDERING_PSEUDO_SEEDED = 102,
    TANDEM_ORDERING_PSEUDO_LEGACY = 103,
    TANDEM_ORDERING_PSEUDO_DYNAMIC = 104,
};
typedef enum tandemOrdering tandemOrdering_t;

/** Parts of the version, for tandemGetProperty(). */
enum tandemProperty TANDEM_ENUM_BASE {
    TANDEM_PROPERTY_MAJOR_VERSION = 0,
    TANDEM_PROPERTY_MINOR_VERSION = 1,
    TANDEM_PROPERTY_PATCH_LEVEL = 2,
};
typedef enum tandemProperty tandemProperty_t;

/** Which end of the unit interval uniform floats include. */
enum tandemUniformInterval TANDEM_ENUM_BASE {
    TANDEM_UNIFORM_CLOSED_OPEN = 0, /**< u in [0, 1) */
    TANDEM_UNIFORM_OPEN_CLOSED = 1, /**< 1 - u in (0, 1], exact, as cuRAND's */
};
typedef enum tandemUniformInterval tandemUniformInterval_t;

/** How f32 normals are computed. */
enum tandemNormalMode TANDEM_ENUM_BASE {
    TANDEM_NORMAL_EXACT = 0, /**< the same bits everywhere */
    TANDEM_NORMAL_FAST = 1,  /**< faster on devices; within 16*2^-23*|x| + 2.1e-6 of the exact value x */
};
typedef enum tandemNormalMode tandemNormalMode_t;

/** What the launches of a captured call write. */
enum tandemGraphMode TANDEM_ENUM_BASE {
    TANDEM_GRAPH_FRESH = 0,  /**< each launch its own numbers */
    TANDEM_GRAPH_REPEAT = 1, /**< each launch the numbers of the captured call */
};
typedef enum tandemGraphMode tandemGraphMode_t;

/* ---- Versions and errors ---- */

/** The library's version, TANDEM_VERSION of the header that it was built with, into *version; 104 when version is null. */
TANDEM_API tandemStatus_t tandemGetVersion(int* version);

/** A part of the library's version into *value; 104 for an unknown property or when value is null. */
TANDEM_API tandemStatus_t tandemGetProperty(tandemProperty_t property, int* value);

/** The name of a status, such as "TANDEM_STATUS_OUT_OF_RANGE"; a fixed text for other numbers. Never null. */
TANDEM_API const char* tandemGetStatusString(tandemStatus_t status);

/**
 * What went wrong in the last call that failed in this thread: the function, the argument, its value and what is allowed. Empty
 * when none has failed; calls that succeed leave it. Valid until the next failure in this thread. Never null.
 */
TANDEM_API const char* tandemGetLastErrorMessage(void);

/* ---- Life ---- */

/**
 * Creates a generator that fills device memory, on the current device, with seed 0, position 0, K = 32 and the default stream.
 * Costs no device memory and launches nothing. 101 when generator is null, 103 for an unknown type, 203 where there is no GPU or
 * driver. On failure *generator is untouched.
 */
TANDEM_API tandemStatus_t tandemCreateGenerator(tandemGenerator_t* generator, tandemRngType_t type);

/** The same for a generator that fills host memory; needs no GPU, driver or CUDA. */
TANDEM_API tandemStatus_t tandemCreateGeneratorHost(tandemGenerator_t* generator, tandemRngType_t type);

/** Ends a generator. Work that it has enqueued still completes. 101 when it was destroyed before. */
TANDEM_API tandemStatus_t tandemDestroyGenerator(tandemGenerator_t generator);

/* ---- State. What sets the key of a device generator of which fresh calls have been captured (see "Graphs" above) enqueues a
 * small kernel on its stream and can answer 201 to 204; it launches nothing otherwise. ---- */

/** Takes the key of a 64-bit seed and sets position 0 (cuRAND keeps the position). Any seed is as good as any other. */
TANDEM_API tandemStatus_t tandemSetPseudoRandomGeneratorSeed(tandemGenerator_t generator, unsigned long long seed);

/** The same for a 128-bit seed, high * 2^64 + low. */
TANDEM_API tandemStatus_t tandemSetSeed128(tandemGenerator_t generator, uint64_t low, uint64_t high);

/** Takes a key of four words and sets position 0. 104 when key is null. */
TANDEM_API tandemStatus_t tandemSetKey(tandemGenerator_t generator, const uint32_t key[4]);

/** The four words of the key into key[0..3]. 104 when key is null. */
TANDEM_API tandemStatus_t tandemGetKey(tandemGenerator_t generator, uint32_t key[4]);

/** Moves to a position counted in 32-bit draws from the start of the stream, below 2^58; 104 beyond. */
TANDEM_API tandemStatus_t tandemSetGeneratorOffset(tandemGenerator_t generator, unsigned long long offset);

/** Moves to a position in bits, below 2^63; 104 beyond. */
TANDEM_API tandemStatus_t tandemSetPosition(tandemGenerator_t generator, uint64_t bits);

/** The position in bits into *bits, any value of 64 bits: drawing may go on to 2^64. 104 when bits is null. */
TANDEM_API tandemStatus_t tandemGetPosition(tandemGenerator_t generator, uint64_t* bits);

/**
 * Sets the chunk length K, a power of two from 1 to 65536; 104 otherwise. The position stays. Streams of one key with different K
 * share blocks of numbers in another order, so never draw from one key with two chunk lengths.
 */
TANDEM_API tandemStatus_t tandemSetChunkLength(tandemGenerator_t generator, uint32_t chunk_length);

/**
 * The stream that later calls enqueue on; null is the default stream. The position lives on the host, so work on the old stream
 * and on the new one need no ordering. Host generators keep the stream and ignore it.
 */
TANDEM_API tandemStatus_t tandemSetStream(tandemGenerator_t generator, struct CUstream_st* stream);

/** The stream into *stream. 104 when stream is null. */
TANDEM_API tandemStatus_t tandemGetStream(tandemGenerator_t generator, struct CUstream_st** stream);

/** Accepts every ordering of tandemOrdering_t, without effect; 104 for others. */
TANDEM_API tandemStatus_t tandemSetGeneratorOrdering(tandemGenerator_t generator, tandemOrdering_t ordering);

/** Does nothing: a generator has no state to prepare. */
TANDEM_API tandemStatus_t tandemGenerateSeeds(tandemGenerator_t generator);

/** Which end of the unit interval GenerateUniform, UniformDouble and UniformHalf include; [0, 1) at first. 104 for other values.
 */
TANDEM_API tandemStatus_t tandemSetUniformInterval(tandemGenerator_t generator, tandemUniformInterval_t interval);

/** How f32 normals are computed; exact at first. Host generators accept it without effect. 104 for other values. */
TANDEM_API tandemStatus_t tandemSetNormalMode(tandemGenerator_t generator, tandemNormalMode_t mode);

/**
 * Whether launches of the calls captured from now on write fresh numbers, as at first, or repeat (see "Graphs" above). A fresh
 * call costs a small kernel a launch, and its capture some bytes of device memory. Host generators accept it without effect. 104
 * for other values.
 */
TANDEM_API tandemStatus_t tandemSetGraphMode(tandemGenerator_t generator, tandemGraphMode_t mode);

/**
 * How many threads share the fills of a host generator, the calling one included, at most 1024; 0, as at first, takes as many as
 * the size of a fill pays for. The values do not depend on it. Device generators accept it without effect. 104 above 1024.
 */
TANDEM_API tandemStatus_t tandemSetHostThreads(tandemGenerator_t generator, uint32_t threads);

/** Bytes of a saved state. */
#define TANDEM_STATE_BYTES 32

/**
 * Writes the generator's state in its transport form, TANDEM_STATE_BYTES bytes, little-endian: u32 version = 1, u32 K, u32
 * key[4], u64 position. Any alignment. Stream and modes are not part of it. 104 when state is null.
 */
TANDEM_API tandemStatus_t tandemSaveState(tandemGenerator_t generator, void* state);

/** Takes key, position and K from a saved state. 104 when state is null, or its version is not 1 or its K not valid. */
TANDEM_API tandemStatus_t tandemRestoreState(tandemGenerator_t generator, const void* state);

/* ---- Children: independent generators made from one, by rule. They start at position 0 and take the parent's K, backend,
 * device, stream and modes. 101 when the parent is no generator or the place for a child is null; 102 when memory is short. ----
 */

/** Child i, any 64-bit index. The parent stays as it is. */
TANDEM_API tandemStatus_t tandemSplitGenerator(tandemGenerator_t parent, uint64_t i, tandemGenerator_t* child);

/** The child for a purpose, any 64-bit number. The parent stays as it is. */
TANDEM_API tandemStatus_t tandemSubGenerator(tandemGenerator_t parent, uint64_t purpose, tandemGenerator_t* child);

/**
 * Writes n children, n <= 2^33, and moves the parent to the start of the next block of 128 bits, also when n is 0. The children
 * depend on the block in which the parent's position lies. All or none are made. 104 when n is larger or the next block would
 * start at 2^64.
 */
TANDEM_API tandemStatus_t tandemForkGenerators(tandemGenerator_t parent, size_t n, tandemGenerator_t* children);

/* ---- Plain draws: n elements from n draws of the element's width (bool: one bit) ---- */

/** Uniform 32-bit integers; n draws of 32 bits. */
TANDEM_API tandemStatus_t tandemGenerate(tandemGenerator_t generator, unsigned int* out, size_t n);

/** Uniform 64-bit integers; n draws of 64 bits. */
TANDEM_API tandemStatus_t tandemGenerateLongLong(tandemGenerator_t generator, unsigned long long* out, size_t n);

/** Uniform 16-bit integers; n draws of 16 bits. */
TANDEM_API tandemStatus_t tandemGenerateShort(tandemGenerator_t generator, unsigned short* out, size_t n);

/** Uniform 8-bit integers; n draws of 8 bits. */
TANDEM_API tandemStatus_t tandemGenerateChar(tandemGenerator_t generator, unsigned char* out, size_t n);

/** Bits, stored as a byte 0 or 1 each; n draws of 1 bit. */
TANDEM_API tandemStatus_t tandemGenerateBool(tandemGenerator_t generator, unsigned char* out, size_t n);

/** Floats in [0, 1), multiples of 2^-24 (or their reflection, tandemSetUniformInterval()); n draws of 32 bits. */
TANDEM_API tandemStatus_t tandemGenerateUniform(tandemGenerator_t generator, float* out, size_t n);

/** Doubles in [0, 1), multiples of 2^-53 (or their reflection); n draws of 64 bits. */
TANDEM_API tandemStatus_t tandemGenerateUniformDouble(tandemGenerator_t generator, double* out, size_t n);

/** The bits of binary16 numbers in [0, 1), multiples of 2^-11 (or their reflection); n draws of 16 bits. */
TANDEM_API tandemStatus_t tandemGenerateUniformHalf(tandemGenerator_t generator, uint16_t* out, size_t n);

/* ---- Bounded integers, exactly uniform; n draws whatever is rejected. n = 0 leaves the position. ---- */

/** Integers in [0, range), range <= 2^32, from 32-bit draws. Range 0 gives zeros. 104 when range is larger. */
TANDEM_API tandemStatus_t tandemGenerateBelow(tandemGenerator_t generator, unsigned int* out, size_t n, uint64_t range);

/** Integers in [0, range) from 64-bit draws, also for small ranges. Range 0 gives zeros. */
TANDEM_API tandemStatus_t tandemGenerateBelowLongLong(tandemGenerator_t generator, unsigned long long* out, size_t n,
                                                      uint64_t range);

/** Integers in [low, high], both included, from 32-bit draws. 104 when low > high. */
TANDEM_API tandemStatus_t tandemGenerateIntRange(tandemGenerator_t generator, int* out, size_t n, int low, int high);

/**
 * Integers in [low, high], both included, from 32-bit draws when there are at most 2^32 values and from 64-bit draws otherwise.
 * 104 when low > high.
 */
TANDEM_API tandemStatus_t tandemGenerateLongLongRange(tandemGenerator_t generator, long long* out, size_t n, long long low,
                                                      long long high);

/* ---- Normals. mean and stddev are finite and stddev >= 0; 104 otherwise. Outputs are finite for mean 0 and stddev 1. ---- */

/**
 * f32 normals by Box-Muller; n draws of 32 bits, n + 1 for odd n. Cut after an even number of elements, calls join to one; the
 * second half of an odd call's last pair is not kept. n = 0 leaves the position.
 */
TANDEM_API tandemStatus_t tandemGenerateNormal(tandemGenerator_t generator, float* out, size_t n, float mean, float stddev);

/** f64 normals by a ziggurat of 1024 layers; n draws of 64 bits. */
TANDEM_API tandemStatus_t tandemGenerateNormalDouble(tandemGenerator_t generator, double* out, size_t n, double mean,
                                                     double stddev);

/** exp of the f32 normals of mean `mean` and deviation `stddev`; draws and cuts as tandemGenerateNormal(). */
TANDEM_API tandemStatus_t tandemGenerateLogNormal(tandemGenerator_t generator, float* out, size_t n, float mean, float stddev);

/** exp of the f64 normals; draws as tandemGenerateNormalDouble(). */
TANDEM_API tandemStatus_t tandemGenerateLogNormalDouble(tandemGenerator_t generator, double* out, size_t n, double mean,
                                                        double stddev);

/* ---- Exponentials of the mean `scale`, finite and > 0; 104 otherwise. n = 0 leaves the position. ---- */

/** f32 exponentials; n draws of 32 bits. */
TANDEM_API tandemStatus_t tandemGenerateExponential(tandemGenerator_t generator, float* out, size_t n, float scale);

/** f64 exponentials; n draws of 64 bits. */
TANDEM_API tandemStatus_t tandemGenerateExponentialDouble(tandemGenerator_t generator, double* out, size_t n, double scale);

/* ---- Discrete laws: unsigned integers through a table; n draws of 64 bits. A distribution is built once on the host, is never
 * changed, and serves host generators and the generators of every device; creating one touches no GPU. A device's copy of the
 * table is made, and waited for, by the first call that needs it there. Destroying a distribution is safe while work that reads
 * it is enqueued, and after a fill that reads it was captured. Creation answers 101 when distribution is null, 102 when memory is
 * short, and leaves *distribution untouched on failure. ---- */

/** Indices offset + i, i < m, with probability proportional to weights[i]: m from 1 to 2^32 - 1 finite weights, none negative and
 * not all 0, offset + m <= 2^32; 104 otherwise. The weights are copied. */
TANDEM_API tandemStatus_t tandemCreateDiscreteDistribution(const double* weights, size_t m, uint32_t offset,
                                                           tandemDistribution_t* distribution);

/** The Poisson law of mean lambda, 0 < lambda <= 2^31; 104 otherwise. */
TANDEM_API tandemStatus_t tandemCreatePoissonDistribution(double lambda, tandemDistribution_t* distribution);

/** Successes among `trials` trials of probability p, 0 <= p <= 1; 104 otherwise. */
TANDEM_API tandemStatus_t tandemCreateBinomialDistribution(uint32_t trials, double p, tandemDistribution_t* distribution);

/** Failures before the first success of probability p, 2^-20 <= p <= 1; 104 otherwise. */
TANDEM_API tandemStatus_t tandemCreateGeometricDistribution(double p, tandemDistribution_t* distribution);

/** Ends a distribution. 101 when it was destroyed before. */
TANDEM_API tandemStatus_t tandemDestroyDistribution(tandemDistribution_t distribution);

/** n values of a distribution. 101 when either handle is none. */
TANDEM_API tandemStatus_t tandemGenerateDiscrete(tandemGenerator_t generator, unsigned int* out, size_t n,
                                                 tandemDistribution_t distribution);

/**
 * n values of the law that the Create function of the name describes, with its limits. The generator keeps the table of its last
 * law, so calls with the same parameters build nothing. 102 when the table would have to be built while the stream is being
 * captured: create a distribution before and use tandemGenerateDiscrete(), or call this once before. The capture stays valid.
 */
TANDEM_API tandemStatus_t tandemGeneratePoisson(tandemGenerator_t generator, unsigned int* out, size_t n, double lambda);
TANDEM_API tandemStatus_t tandemGenerateBinomial(tandemGenerator_t generator, unsigned int* out, size_t n, uint32_t trials,
                                                 double p);
TANDEM_API tandemStatus_t tandemGenerateGeometric(tandemGenerator_t generator, unsigned int* out, size_t n, double p);

/**
 * A distribution's table for the caller's own code, an alias table in integers. A 64-bit draw r selects the column
 * j = floor(r * m / 2^64) and the level floor(((r * m) mod 2^64) * capacity / 2^64); the value is low + j when the level is below
 * cut[j], and low + alias[j] otherwise.
 */
typedef struct tandemDistributionView {
    const uint64_t* cut;   /**< m cuts, each at most capacity */
    const uint32_t* alias; /**< m indices below m */
    uint64_t capacity;
    uint32_t m;
    uint32_t low;
} tandemDistributionView_t;

/**
 * The table in the memory of the current device into *view, valid until the distribution is destroyed; work that reads it must
 * have ended by then. 104 when view is null, 203 where there is no GPU or driver.
 */
TANDEM_API tandemStatus_t tandemGetDistributionView(tandemDistribution_t distribution, tandemDistributionView_t* view);

/** The same for the table in host memory; touches no GPU. */
TANDEM_API tandemStatus_t tandemGetDistributionViewHost(tandemDistribution_t distribution, tandemDistributionView_t* view);

/* ---- Memory ---- */

/**
 * The bytes of device memory that the library keeps for lists of elements in progress on the generator's device, into *bytes:
 * kept between calls, shared by all generators of the device. 0 for host generators. 104 when bytes is null.
 */
TANDEM_API tandemStatus_t tandemGetScratchBytes(tandemGenerator_t generator, size_t* bytes);

/** Frees what no enqueued work uses of that memory; may wait for the device. Host generators have none. */
TANDEM_API tandemStatus_t tandemReleaseScratch(tandemGenerator_t generator);

#if defined(__cplusplus)
}
#endif

#endif
