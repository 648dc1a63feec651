#include "kernels/policies.hpp"

#include <gtest/gtest.h>

#include <iterator>

// The figures of the launch policies against what the architectures have, so that no entry asks for what a card cannot give.

namespace tandem::kernels {
namespace {

constexpr uint32_t REGISTERS = 65536;         // of a multiprocessor, on all architectures here
constexpr std::size_t RESERVED_BYTES = 1024;  // of shared memory, in every block, by the driver

/// What a family keeps in the shared memory of a block besides its stage.
constexpr std::size_t LARGEST_QUEUE = 4 * (2 * 32 + 4);  // of a warp
constexpr std::size_t ZIGGURAT_TABLE = 1024 * (8 + 4);
constexpr std::size_t CHOICE_TABLE = 3072 * 8;

template <class Policy>
std::size_t block_bytes(const Architecture& a, std::size_t table) {
    return table + static_cast<std::size_t>(Policy::WARPS) * (16 * STAGE_VECTORS<Policy> + LARGEST_QUEUE) +
           Policy::spare_bytes(a);
}

template <class Policy>
std::size_t resident_blocks(const Architecture& a, std::size_t table) {
    return a.has.memory_bytes / (block_bytes<Policy>(a, table) + RESERVED_BYTES);
}

template <class Policy>
void expect_memory(std::size_t table) {
    for (const Architecture& a : ARCHITECTURES) {
        EXPECT_LE(block_bytes<Policy>(a, table), std::size_t{48} * 1024) << a.capability;
        // One block stores while another generates.
        EXPECT_GE(resident_blocks<Policy>(a, table), 2u) << a.capability;
    }
}

template <class Policy>
void expect_registers(uint32_t fewest = 64) {
    for (const Architecture& a : ARCHITECTURES) {
        const uint32_t threads = static_cast<uint32_t>(Policy::WARPS * 32 * Policy::BLOCKS);
        EXPECT_LE(threads, a.has.threads) << a.capability;
        EXPECT_GE(REGISTERS / threads, fewest) << a.capability;
    }
}

TEST(Policies, ArchitecturesAreThoseOfTheirCards) {
    struct Card {
        uint32_t capability, count, kib, threads;
    };
    constexpr Card CARDS[] = {{80, 108, 164, 2048}, {89, 142, 100, 1536}, {90, 132, 228, 2048}, {100, 148, 228, 2048}};
    ASSERT_EQ(std::size(ARCHITECTURES), std::size(CARDS));
    for (std::size_t i = 0; i < std::size(CARDS); ++i) {
        EXPECT_EQ(ARCHITECTURES[i].capability, CARDS[i].capability);
        EXPECT_EQ(ARCHITECTURES[i].has.count, CARDS[i].count);
        EXPECT_EQ(ARCHITECTURES[i].has.memory_bytes, CARDS[i].kib * 1024);
        EXPECT_EQ(ARCHITECTURES[i].has.threads, CARDS[i].threads);
        EXPECT_EQ(ARCHITECTURES[i].measured, CARDS[i].capability == 90);
    }
}

TEST(Policies, UnknownArchitecturesTakeTheNextLower) {
    constexpr uint32_t PAIRS[][2] = {{75, 80}, {80, 80}, {86, 80},   {87, 80},   {89, 89},
                                     {90, 90}, {91, 90}, {100, 100}, {103, 100}, {120, 100}};
    for (const auto& [asked, taken] : PAIRS) EXPECT_EQ(architecture_of(asked).capability, taken) << asked;
    EXPECT_EQ(measured_architecture().capability, 90u);
}

TEST(Policies, ThresholdsOfTheMeasuredCard) {
    const Architecture& a = measured_architecture();
    EXPECT_EQ(a.small_steps, 1048576u);
    EXPECT_EQ(a.divided_warps, 2048u);
    EXPECT_EQ(a.few_tiles, 1024u);
    EXPECT_EQ(a.many_tiles, 16384u);
    EXPECT_EQ(a.listed_tiles, 49152u);
    EXPECT_EQ(a.spare_bytes, 39936u);
}

TEST(Policies, DerivedThresholdsKeepTheWorkOfAMultiprocessor) {
    for (const Architecture& a : ARCHITECTURES) {
        const auto expect_scaled = [&](uint64_t derived, uint64_t measured) {
            EXPECT_NEAR(static_cast<double>(derived) / a.has.count, static_cast<double>(measured) / 132, 0.01) << a.capability;
        };
        expect_scaled(a.small_steps, 1048576);
        expect_scaled(a.divided_warps, 2048);
        expect_scaled(a.few_tiles, 1024);
        expect_scaled(a.many_tiles, 16384);
        expect_scaled(a.listed_tiles, 49152);
        // Grids are counted in 32 bits: the blocks of a short fill fit, whatever the chunk length.
        EXPECT_LT(a.small_steps / 16, uint64_t{1} << 31) << a.capability;
    }
}

TEST(Policies, BlocksHaveRoomInSharedMemory) {
    expect_memory<PlainPolicy>(0);
    expect_memory<BitsPolicy>(0);
    expect_memory<DerivedPolicy>(0);
    expect_memory<BoundedPolicy>(0);
    expect_memory<RejectingPolicy>(0);
    expect_memory<ChoicePolicy>(CHOICE_TABLE);
    expect_memory<ZigguratPolicy>(ZIGGURAT_TABLE);
}

TEST(Policies, FourBlocksOfBooleansAreOpen) {
    for (const Architecture& a : ARCHITECTURES) EXPECT_EQ(resident_blocks<BitsPolicy>(a, 0), 4u) << a.capability;
}

TEST(Policies, ThreadsHaveRegisters) {
    expect_registers<PlainPolicy>();
    expect_registers<BitsPolicy>();
    expect_registers<DerivedPolicy>();
    expect_registers<DerivedPolicy::Direct>();
    expect_registers<BoundedPolicy>();
    expect_registers<BoundedPolicy::Direct>();
    expect_registers<RejectingPolicy>();
    expect_registers<ChoicePolicy>();
    expect_registers<ChoicePolicy::Direct>();
    expect_registers<ZigguratPolicy>();
    expect_registers<ZigguratPolicy::Direct>();
    expect_registers<ZigguratPolicy::Regrouped>();
    expect_registers<LogNormal64Policy::Direct>();
    expect_registers<LogNormal32Policy::Direct>(48);
}

TEST(Policies, MemoryIsBoundedByTheLargestSpare) {
    EXPECT_EQ(most_memory<PlainPolicy>(1000), 1000u);
    EXPECT_EQ(most_memory<BitsPolicy>(1000), 1000u + 39936u);
}

}  // namespace
}  // namespace tandem::kernels
