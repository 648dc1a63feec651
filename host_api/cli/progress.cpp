#include "host_api/cli/progress.hpp"

#include <unistd.h>

#include <cstdio>
#include <string>

namespace tandem::cli {

Progress::Progress(uint64_t total, bool wanted)
    : total_(total),
      terminal_(wanted && total > 0 && ::isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + std::chrono::seconds(1)) {}

Progress::~Progress() {
    if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void Progress::update(uint64_t done) {
    if (!terminal_) return;
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    constexpr int width = 40;
    const double part = static_cast<double>(done) / static_cast<double>(total_);
    const auto full = static_cast<std::size_t>(part * width);
    const std::string bar = std::string(full, '#') + std::string(width - full, '.');
    std::fprintf(stderr, "\r[%s] %3.0f %%", bar.c_str(), part * 100);
    drawn_ = true;
}

}  // namespace tandem::cli
