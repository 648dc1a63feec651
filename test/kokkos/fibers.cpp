#include "kokkos/fibers.hpp"

#include <cstdint>
#include <stdexcept>

namespace tandem::test {
namespace {

constexpr std::size_t STACK_BYTES = 64 * 1024;

}  // namespace

Fibers::Fibers(int count) : fibers_(static_cast<std::size_t>(count)) {
    for (Fiber& fiber : fibers_) fiber.stack = std::make_unique<unsigned char[]>(STACK_BYTES);
}

void Fibers::entry(unsigned high, unsigned low) {
    auto& self = *reinterpret_cast<Fibers*>(static_cast<std::uintptr_t>(high) << 32 | low);
    (*self.body_)(static_cast<int>(self.running_));
    self.fibers_[self.running_].ended = true;
}

void Fibers::run(const std::function<void(int)>& body) {
    body_ = &body;
    const auto address = reinterpret_cast<std::uintptr_t>(this);
    for (Fiber& fiber : fibers_) {
        fiber.ended = false;
        getcontext(&fiber.context);
        fiber.context.uc_stack.ss_sp = fiber.stack.get();
        fiber.context.uc_stack.ss_size = STACK_BYTES;
        fiber.context.uc_link = &scheduler_;
        // makecontext hands over ints only.
        makecontext(&fiber.context, reinterpret_cast<void (*)()>(&Fibers::entry), 2, static_cast<unsigned>(address >> 32),
                    static_cast<unsigned>(address));
    }
    const std::size_t count = fibers_.size();
    for (std::size_t round = 0;; ++round) {
        std::size_t ended = 0;
        for (std::size_t i = 0; i < count; ++i) {
            running_ = round % 2 == 0 ? (i + 37 * round) % count : count - 1 - (i + 11 * round) % count;
            swapcontext(&scheduler_, &fibers_[running_].context);
            ended += fibers_[running_].ended ? 1 : 0;
        }
        if (ended == count) return;
        if (ended != 0) throw std::logic_error("some threads of the team wait at a barrier that others never reach");
    }
}

void Fibers::wait() { swapcontext(&fibers_[running_].context, &scheduler_); }

}  // namespace tandem::test
