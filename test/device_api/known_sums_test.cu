/// Sums by operators that reduce() knows, beside the same sums by one that it does not.

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstring>
#include <cuda/std/functional>

#include "host_api/cuda_memory.hpp"
#include "tandem/algorithm.cuh"

namespace tandem::test {
namespace {

const Key KEY{{0xdeadbeefu, 0x00c0ffeeu, 0x12345678u, 0x9abcdef0u}};

class KnownSums : public testing::Test {
    void SetUp() override {
        const std::string missing = gpus_missing(1);
        if (!missing.empty()) GTEST_SKIP() << missing;
    }
};

struct Plus {
    template <class V>
    __device__ V operator()(V a, V b) const {
        return a + b;
    }
};

struct ShortPlus {
    __device__ short operator()(short a, short b) const { return static_cast<short>(a + b); }
};

struct NegativeZero {
    __device__ float operator()(float) const { return -0.0f; }
};

template <class T, class S, class Op>
T reduced(const S& source, uint64_t n, T init, Op op) {
    std::size_t bytes = 0;
    reduce(nullptr, bytes, source, n, static_cast<T*>(nullptr), init, op);
    DeviceBytes temp(bytes), out(sizeof(T));
    reduce(temp.data(), bytes, source, n, out.as<T>(), init, op);
    T sum;
    std::memcpy(&sum, out.read().data(), sizeof sum);
    return sum;
}

/// Bit by bit, so that zeros of both signs are told apart.
template <class T>
void expect_equal(T found, T expected) {
    EXPECT_EQ(std::memcmp(&found, &expected, sizeof expected), 0) << found << " is not " << expected;
}

template <class T, class S>
void expect_known_sums(const S& source, T init) {
    for (const uint64_t n : {0ull, 1ull, 7ull, 4101ull, (1ull << 21) + 3}) {
        SCOPED_TRACE(n);
        const T expected = reduced<T>(source, n, init, Plus{});
        expect_equal(reduced<T>(source, n, init, cuda::std::plus<>{}), expected);
        expect_equal(reduced<T>(source, n, init, cuda::std::plus<T>{}), expected);
    }
}

TEST_F(KnownSums, OfIntegers) {
    for (const uint64_t position : {0ull, 32ull, 4096ull * 7 + 96}) {
        SCOPED_TRACE(position);
        expect_known_sums<uint32_t>(uniform<uint32_t>(KEY, position), 9u);
        expect_known_sums<int>(uniform<uint32_t>(KEY, position), -9);
        expect_known_sums<uint64_t>(uniform<uint32_t>(KEY, position), 9u);
        expect_known_sums<uint32_t>(below<uint32_t>(1000003, KEY, position), 0u);
    }
}

TEST_F(KnownSums, OfFloats) {
    for (const uint64_t position : {0ull, 32ull, 640ull}) {
        SCOPED_TRACE(position);
        expect_known_sums<float>(uniform<float>(KEY, position), 0.0f);
        expect_known_sums<float>(normal<float>(KEY, position), -0.0f);
        expect_known_sums<double>(normal<double>(KEY, position), 0.0);
    }
    expect_known_sums<float>(mapped(uniform<float>(KEY), NegativeZero{}), -0.0f);
}

// plus of another type adds in that type.
TEST_F(KnownSums, ByAnOperatorOfAnotherType) {
    const uniform<uint32_t> source(KEY, 32);
    expect_equal(reduced<int>(source, 100003, 1, cuda::std::plus<short>{}), reduced<int>(source, 100003, 1, ShortPlus{}));
}

}  // namespace
}  // namespace tandem::test
