#pragma once

/// Many threads of one team on one thread of the host, so that a kernel's barriers are proved where no GPU is: each fiber runs
/// until it waits or ends, in an order that changes from barrier to barrier.

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include <ucontext.h>

namespace tandem::test {

class Fibers {
  public:
    explicit Fibers(int count);

    /// Calls body(rank) for every rank from 0 to count - 1. Throws std::logic_error when some wait at a barrier and others have
    /// ended, which would hang a team.
    void run(const std::function<void(int)>& body);

    /// To be called by bodies: returns once all have called it.
    void wait();

  private:
    struct Fiber {
        ucontext_t context;
        std::unique_ptr<unsigned char[]> stack;
        bool ended = false;
    };

    static void entry(unsigned high, unsigned low);

    std::vector<Fiber> fibers_;
    const std::function<void(int)>* body_ = nullptr;
    ucontext_t scheduler_{};
    std::size_t running_ = 0;
};

}  // namespace tandem::test
