#pragma once

/// A progress bar on standard error.

#include <chrono>
#include <cstdint>

namespace tandem::cli {

/// Draws a bar once a second has passed, where `wanted` and standard error is a terminal; otherwise nothing. The destructor wipes
/// it.
class Progress {
  public:
    Progress(uint64_t total, bool wanted);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    /// So much of the total is done.
    void update(uint64_t done);

  private:
    using Clock = std::chrono::steady_clock;

    uint64_t total_;
    bool terminal_;
    bool drawn_ = false;
    Clock::time_point next_;
};

}  // namespace tandem::cli
