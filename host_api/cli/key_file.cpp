#include "host_api/cli/key_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "host_api/cli/errors.hpp"

namespace tandem::cli {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

}  // namespace

KeyFile::KeyFile(const std::string& option, const std::string& path) : shown_(path == "-" ? "standard input" : path) {
    const auto refuse = [&](int error) { return OptionError(option + ": '" + path + "' cannot be read: " + reason(error)); };
    descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw refuse(errno);
    struct stat status {};
    const int failed = ::fstat(descriptor_, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
    if (failed != 0) {
        if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
        throw refuse(failed);
    }
    // What a caller has read of its standard input does not count.
    sized_ = S_ISREG(status.st_mode) && descriptor_ != STDIN_FILENO;
    size_ = sized_ ? static_cast<uint64_t>(status.st_size) : 0;
}

KeyFile::KeyFile(KeyFile&& other) noexcept
    : shown_(std::move(other.shown_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      sized_(other.sized_),
      size_(other.size_) {}

KeyFile::~KeyFile() {
    if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
}

std::size_t KeyFile::read(void* to, std::size_t bytes) {
    constexpr std::size_t most = std::size_t{1} << 30;  // Linux reads at most 2 GiB a call
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t got = ::read(descriptor_, static_cast<char*>(to) + done, std::min(bytes - done, most));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw RunError(shown_ + " cannot be read: " + reason(errno));
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

std::vector<unsigned char> read_whole(const std::string& option, const std::string& path, uint64_t most) {
    constexpr std::size_t step = std::size_t{1} << 20;
    KeyFile file(option, path);
    std::vector<unsigned char> bytes;
    for (;;) {
        const std::size_t before = bytes.size();
        bytes.resize(before + step);
        const std::size_t got = file.read(bytes.data() + before, step);
        bytes.resize(before + got);
        if (bytes.size() > most) throw OptionError(option + ": '" + path + "' has more than " + std::to_string(most) + " bytes");
        if (got < step) return bytes;
    }
}

}  // namespace tandem::cli
