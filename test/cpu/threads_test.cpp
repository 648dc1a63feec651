#include <gtest/gtest.h>
#if defined(__linux__)
#include <sched.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "host_api/cpu/engine.hpp"
#include "support/guarded.hpp"
#include "support/reference.hpp"
#include "support/samples.hpp"
#include "tandem/core/children.hpp"

namespace tandem::test {
namespace {

Fill large_fill(Draw draw, uint64_t n) {
    Fill fill;
    fill.draw = draw;
    fill.key = key_of_seed(99, 0);
    fill.n = n;
    fill.position = 12345;
    return fill;
}

std::vector<uint8_t> output_of(Fill fill, unsigned threads) {
    std::vector<uint8_t> out(fill.n * element_size(fill));
    fill.out = out.data();
    cpu::fill(fill, threads);
    return out;
}

TEST(CpuThreads, AutomaticCountGivesTheSameBits) {
    for (const Draw draw : {Draw::u32, Draw::boolean, Draw::normal64, Draw::normal32}) {
        const Fill fill = large_fill(draw, 3000001);
        const std::vector<uint8_t> one = output_of(fill, 1);
        EXPECT_EQ(output_of(fill, 0), one);
        EXPECT_EQ(output_of(fill, 7), one);
        Fill part = fill;
        part.n = 2000;
        const std::vector<uint8_t> expected = reference_fill(part);
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), one.begin()));
    }
}

TEST(CpuThreads, MoreThreadsThanGroups) {
    Fill fill = large_fill(Draw::u64, 100);
    EXPECT_EQ(output_of(fill, 4000000000u), reference_fill(fill));
    fill.chunk_length = 1;
    fill.n = 40000;
    EXPECT_EQ(output_of(fill, 4000000000u), reference_fill(fill));
}

TEST(CpuThreads, AsManyAsTheSizePaysFor) {
    EXPECT_EQ(cpu::threads_of(large_fill(Draw::u32, 100000)), 1u);
    EXPECT_EQ(cpu::threads_of(large_fill(Draw::u32, 100), 7), 1u);  // they lie in one group
    EXPECT_EQ(cpu::threads_of(large_fill(Draw::u32, 1 << 20), 7), 7u);
    EXPECT_EQ(cpu::threads_of(large_fill(Draw::u32, 1 << 30), 4000000000u), 1024u);
    EXPECT_GE(cpu::threads_of(large_fill(Draw::normal64, 1 << 30)), 1u);
    EXPECT_LE(cpu::threads_of(large_fill(Draw::normal64, 1 << 30)), std::thread::hardware_concurrency());
}

#if defined(__linux__)

TEST(CpuThreads, NoMoreThanTheProcessorsOfTheCaller) {
    cpu_set_t allowed;
    ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
    const Fill fill = large_fill(Draw::u32, 1 << 30);
    EXPECT_EQ(cpu::threads_of(fill), static_cast<unsigned>(std::min(1024, CPU_COUNT(&allowed))));
    std::thread([&] {
        int first = 0;
        while (!CPU_ISSET(first, &allowed)) ++first;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(first, &one);
        ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
        EXPECT_EQ(cpu::threads_of(fill), 1u);
        EXPECT_EQ(cpu::threads_of(fill, 5), 5u);
    }).join();
}

#endif

TEST(CpuThreads, ManyCallersAtOnce) {
    const Fill fill = large_fill(Draw::f64, 200000);
    const std::vector<uint8_t> expected = output_of(fill, 1);
    std::vector<std::vector<uint8_t>> outputs(8);
    std::vector<std::thread> callers;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        callers.emplace_back([&outputs, &fill, i] { outputs[i] = output_of(fill, 1 + static_cast<unsigned>(i) % 3); });
    }
    for (std::thread& caller : callers) caller.join();
    for (const std::vector<uint8_t>& output : outputs) EXPECT_EQ(output, expected);
}

TEST(CpuThreads, WorksInAForkedChild) {
    const Fill fill = large_fill(Draw::u32, 3000000);
    const std::vector<uint8_t> expected = output_of(fill, 2);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(output_of(fill, 2) == expected && output_of(fill, 0) == expected ? 0 : 1);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace tandem::test
