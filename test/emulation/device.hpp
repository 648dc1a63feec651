#pragma once

/// Enough of CUDA's device side to run a kernel's source on a CPU, so that its logic is tested where there is no GPU: each thread
/// of the grid is a fiber of one host thread, and a random one goes on whenever threads could meet (collectives, atomics, reads
/// of what others may write). What is caught besides wrong results: collectives that only a part of a warp reaches, barriers that
/// some never reach, asynchronous copies that are read or whose place is reused before they are waited for.

#include <cuda_runtime_api.h>
#include <vector_functions.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>

#undef __forceinline__
#define __forceinline__ inline
#undef __launch_bounds__
#define __launch_bounds__(...)

using std::max;
using std::min;

namespace tandem::test {

/// Runs body() on every thread of a grid, in an order that `seed` decides. Fails the test, and ends the process, where a GPU
/// would hang or be undefined.
void run_grid(unsigned blocks, unsigned threads, uint64_t seed, const std::function<void()>& body);

unsigned thread_index();
unsigned block_index();
unsigned grid_size();

/// Lets another thread go on, now and then.
void maybe_switch();

/// What all lanes of the caller's warp brought to a collective; `kind` must agree.
struct Lanes {
    uint64_t of[32];
};
Lanes exchange(int kind, uint64_t mine);

void wait_for_block();
void wait_for_grid();

void copy_later(void* to, const void* from, std::size_t bytes);
void commit_copies();
void finish_copies(uint64_t but);  ///< but for so many groups of the last ones

}  // namespace tandem::test

/// Something whose member x is asked of the running thread.
template <unsigned (*kAsk)()>
struct AskedIndex {
    struct {
        operator unsigned() const { return kAsk(); }
    } x;
};
inline constexpr AskedIndex<&tandem::test::thread_index> threadIdx{};
inline constexpr AskedIndex<&tandem::test::block_index> blockIdx{};
inline constexpr AskedIndex<&tandem::test::grid_size> gridDim{};

inline uint32_t __ballot_sync(unsigned, bool mine) {
    const tandem::test::Lanes lanes = tandem::test::exchange(1, mine ? 1 : 0);
    uint32_t all = 0;
    for (unsigned i = 0; i < 32; ++i) all |= static_cast<uint32_t>(lanes.of[i]) << i;
    return all;
}
inline bool __any_sync(unsigned mask, bool mine) { return __ballot_sync(mask, mine) != 0; }
inline void __syncwarp() { tandem::test::exchange(2, 0); }
inline void __syncthreads() { tandem::test::wait_for_block(); }
template <class T>
T __shfl_sync(unsigned, T mine, unsigned lane) {
    return static_cast<T>(tandem::test::exchange(3, static_cast<uint64_t>(mine)).of[lane]);
}
template <class T>
T __shfl_up_sync(unsigned, T mine, unsigned by) {
    const unsigned lane = threadIdx.x % 32;
    return static_cast<T>(tandem::test::exchange(4, static_cast<uint64_t>(mine)).of[lane >= by ? lane - by : lane]);
}

namespace cooperative_groups {
struct Grid {
    void sync() const { tandem::test::wait_for_grid(); }
};
inline Grid this_grid() { return {}; }
}  // namespace cooperative_groups

/// One step for all threads, as they are fibers of one.
template <class T, class Change>
T change_at_once(T* at, Change change) {
    tandem::test::maybe_switch();
    const T before = *at;
    *at = change(before);
    return before;
}
template <class T>
T atomicAdd(T* at, T more) {
    return change_at_once(at, [=](T before) { return static_cast<T>(before + more); });
}
template <class T>
T atomicMax(T* at, T other) {
    return change_at_once(at, [=](T before) { return std::max(before, other); });
}
template <class T, class U>
T atomicExch(T* at, U value) {
    return change_at_once(at, [=](T) { return static_cast<T>(value); });
}
template <class T, class U>
T atomicCAS(T* at, T expected, U value) {
    return change_at_once(at, [=](T before) { return before == expected ? static_cast<T>(value) : before; });
}

inline uint32_t __float_as_uint(float x) {
    uint32_t bits;
    std::memcpy(&bits, &x, sizeof(bits));
    return bits;
}
inline int __popc(uint32_t x) { return __builtin_popcount(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t by) {
    return static_cast<uint32_t>((static_cast<uint64_t>(high) << 32 | low) << (by & 31) >> 32);
}
inline uint32_t __vimin3_u32(uint32_t a, uint32_t b, uint32_t c) { return std::min(a, std::min(b, c)); }
inline uint32_t __vimax3_u32(uint32_t a, uint32_t b, uint32_t c) { return std::max(a, std::max(b, c)); }
template <class T>
T __ldcs(const T* from) {
    return *from;
}

inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes) { tandem::test::copy_later(to, from, bytes); }
inline void __pipeline_commit() { tandem::test::commit_copies(); }
inline void __pipeline_wait_prior(unsigned but) { tandem::test::finish_copies(but); }
