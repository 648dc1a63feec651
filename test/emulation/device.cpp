#include "emulation/device.hpp"

#include <gtest/gtest.h>
#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

namespace tandem::test {
namespace {

constexpr std::size_t STACK_BYTES = std::size_t{64} << 10;
constexpr unsigned char POISON = 0xad;
constexpr uint64_t IDLE_SWITCHES = 5'000'000;  // without any thread getting on: they wait for ever
constexpr unsigned SWITCH_ONE_IN = 8;

struct Copy {
    char* to;
    const void* from;
    std::size_t bytes;
    uint64_t group;
};

struct Fiber {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    unsigned thread, block;
    bool done = false;
    std::vector<Copy> copies;
    uint64_t groups = 0;  // of copies, as far as they are committed
};

/// Threads that meet; those of a warp bring something.
struct Meeting {
    unsigned arrived = 0;
    uint64_t generation = 0;
    int kind = 0;
    Lanes bringing{}, brought{};
};

struct Grid {
    unsigned blocks = 0, threads = 0;
    std::vector<Fiber> fibers;
    std::vector<Meeting> warps, by_block;
    Meeting all;
    const std::function<void()>* body = nullptr;
    std::mt19937_64 random;
    ucontext_t outside;
    std::size_t running = 0;
    std::size_t done = 0;
    uint64_t progress = 0, seen_progress = 0, idle = 0;
};

Grid* grid = nullptr;

[[noreturn]] void fail(const char* what) {
    ADD_FAILURE() << what;
    std::fprintf(stderr, "emulation: %s\n", what);
    std::_Exit(1);
}

Fiber& me() { return grid->fibers[grid->running]; }

// To another thread that has not ended.
void go_elsewhere(ucontext_t& from) {
    if (grid->progress != grid->seen_progress) {
        grid->seen_progress = grid->progress;
        grid->idle = 0;
    } else if (++grid->idle > IDLE_SWITCHES) {
        fail("threads wait for each other for ever");
    }
    const std::size_t count = grid->fibers.size(), first = grid->random() % count;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t next = (first + i) % count;
        if (next == grid->running || grid->fibers[next].done) continue;
        grid->running = next;
        swapcontext(&from, &grid->fibers[next].context);
        return;
    }
}

void run_thread() {
    (*grid->body)();
    Fiber& ended = me();
    if (!ended.copies.empty()) fail("a thread ends before its copies");
    ended.done = true;
    ++grid->progress;
    if (++grid->done == grid->fibers.size()) setcontext(&grid->outside);
    go_elsewhere(ended.context);
}

/// The generation that the caller waits to pass; the last of `count` opens it.
void meet(Meeting& meeting, unsigned count) {
    const uint64_t generation = meeting.generation;
    if (++meeting.arrived == count) {
        meeting.arrived = 0;
        meeting.brought = meeting.bringing;
        ++meeting.generation;
        ++grid->progress;
        return;
    }
    while (meeting.generation == generation) go_elsewhere(me().context);
}

}  // namespace

void run_grid(unsigned blocks, unsigned threads, uint64_t seed, const std::function<void()>& body) {
    Grid mine;
    grid = &mine;
    mine.blocks = blocks;
    mine.threads = threads;
    mine.body = &body;
    mine.random.seed(seed);
    mine.fibers = std::vector<Fiber>(std::size_t{blocks} * threads);
    mine.warps.resize(std::size_t{blocks} * threads / 32);
    mine.by_block.resize(blocks);
    for (std::size_t i = 0; i < mine.fibers.size(); ++i) {
        Fiber& fiber = mine.fibers[i];
        fiber.thread = static_cast<unsigned>(i % threads);
        fiber.block = static_cast<unsigned>(i / threads);
        fiber.stack.reset(new char[STACK_BYTES]);
        getcontext(&fiber.context);
        fiber.context.uc_stack.ss_sp = fiber.stack.get();
        fiber.context.uc_stack.ss_size = STACK_BYTES;
        fiber.context.uc_link = nullptr;
        makecontext(&fiber.context, run_thread, 0);
    }
    mine.running = mine.random() % mine.fibers.size();
    swapcontext(&mine.outside, &me().context);
    grid = nullptr;
}

unsigned thread_index() { return me().thread; }
unsigned block_index() { return me().block; }
unsigned grid_size() { return grid->blocks; }

void maybe_switch() {
    if (grid->random() % SWITCH_ONE_IN != 0) return;
    ++grid->progress;
    go_elsewhere(me().context);
}

Lanes exchange(int kind, uint64_t mine) {
    Fiber& fiber = me();
    Meeting& warp = grid->warps[(std::size_t{fiber.block} * grid->threads + fiber.thread) / 32];
    if (warp.arrived == 0) warp.kind = kind;
    if (warp.kind != kind) fail("lanes of a warp meet in different collectives");
    warp.bringing.of[fiber.thread % 32] = mine;
    meet(warp, 32);
    // Nobody brings the next until all have left: the next meeting takes all of them.
    return warp.brought;
}

void wait_for_block() { meet(grid->by_block[me().block], grid->threads); }
void wait_for_grid() { meet(grid->all, static_cast<unsigned>(grid->fibers.size())); }

void copy_later(void* to, const void* from, std::size_t bytes) {
    if ((bytes != 4 && bytes != 8 && bytes != 16) || reinterpret_cast<uintptr_t>(to) % bytes != 0 ||
        reinterpret_cast<uintptr_t>(from) % bytes != 0) {
        fail("a copy that is not of an aligned word");
    }
    char* const place = static_cast<char*>(to);
    for (const Fiber& fiber : grid->fibers) {
        for (const Copy& copy : fiber.copies) {
            if (copy.to < place + bytes && place < copy.to + copy.bytes) fail("a place is taken before its copy is there");
        }
    }
    std::memset(to, POISON, bytes);
    me().copies.push_back({place, from, bytes, me().groups});
}

void commit_copies() { ++me().groups; }

void finish_copies(uint64_t but) {
    std::vector<Copy> later;
    for (const Copy& copy : me().copies) {
        if (copy.group + but < me().groups) {
            std::memcpy(copy.to, copy.from, copy.bytes);
        } else {
            later.push_back(copy);
        }
    }
    me().copies = later;
    maybe_switch();
}

}  // namespace tandem::test
