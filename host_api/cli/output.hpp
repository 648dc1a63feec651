#pragma once

/// Where a command writes: standard output or a file that appears only when it is whole.

#include <cstddef>
#include <string>

namespace tandem::cli {

/// An open output. A regular file is written under its name with ".<process id>.partial" added and takes its own name in
/// commit(); without commit() the destructor removes it, and what had the name before is untouched. Devices and pipes are written
/// directly.
class Output {
  public:
    /// Opens a path; "-" is standard output. Throws OptionError, which names `option`, when it cannot be written.
    Output(const std::string& option, const std::string& path);
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output();

    /// True when a person sees what is written.
    bool is_terminal() const;

    /// Writes all bytes. Throws ClosedOutput when a pipe has been closed, RunError when the system refuses.
    void write(const void* data, std::size_t bytes);

    /// Ends a complete output; the file gets its name. Throws RunError when the system refuses.
    void commit();

  private:
    [[noreturn]] void fail(int error) const;

    std::string shown_;    // the name in messages
    std::string target_;   // the final name of a partial file, otherwise empty
    std::string partial_;  // the name of a partial file, otherwise empty
    int descriptor_ = -1;
};

/// True when both paths lead to one regular file, existing or not.
bool same_file(const std::string& a, const std::string& b);

}  // namespace tandem::cli
