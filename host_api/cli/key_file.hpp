#pragma once

/// Files that are read in pieces.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tandem::cli {

/// An open file, or standard input for "-".
class KeyFile {
  public:
    /// Throws OptionError, which names `option`, when the path cannot be read.
    KeyFile(const std::string& option, const std::string& path);
    KeyFile(KeyFile&& other) noexcept;
    KeyFile& operator=(KeyFile&&) = delete;
    ~KeyFile();

    const std::string& name() const { return shown_; }

    /// True for regular files, which have a size in bytes.
    bool sized() const { return sized_; }
    uint64_t size() const { return size_; }

    /// Reads bytes until so many are there or the file ends; returns how many are there. Throws RunError when the system refuses.
    std::size_t read(void* to, std::size_t bytes);

  private:
    std::string shown_;  // the name in messages
    int descriptor_ = -1;
    bool sized_ = false;
    uint64_t size_ = 0;
};

/// All bytes of a file. Throws as KeyFile does, and OptionError for one above `most` bytes.
std::vector<unsigned char> read_whole(const std::string& option, const std::string& path, uint64_t most);

}  // namespace tandem::cli
