#include "host_api/cli/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "host_api/cli/errors.hpp"

namespace tandem::cli {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

// The file that a path names, through symbolic links, so that a rename replaces the file and not the link.
std::string resolved(const std::string& path) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(fs::absolute(path), error);
    return error ? path : real.string();
}

}  // namespace

Output::Output(const std::string& option, const std::string& path) : shown_(path == "-" ? "standard output" : path) {
    if (path == "-") {
        descriptor_ = STDOUT_FILENO;
        return;
    }
    const auto refuse = [&](int error) -> OptionError {
        return OptionError(option + ": '" + path + "' cannot be written: " + reason(error));
    };
    struct stat status {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (!exists && errno != ENOENT) throw refuse(errno);
    if (exists && S_ISDIR(status.st_mode)) throw refuse(EISDIR);
    if (exists && !S_ISREG(status.st_mode)) {
        descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor_ < 0) throw refuse(errno);
        return;
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) throw refuse(errno);
    target_ = resolved(path);
    const std::string partial = target_ + "." + std::to_string(::getpid()) + ".partial";
    descriptor_ = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw refuse(errno);
    partial_ = partial;
    if (exists) static_cast<void>(::fchmod(descriptor_, status.st_mode & 07777));
}

Output::~Output() {
    if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
    if (!partial_.empty()) ::unlink(partial_.c_str());
}

bool Output::is_terminal() const { return ::isatty(descriptor_) == 1; }

void Output::fail(int error) const {
    if (error == EPIPE) throw ClosedOutput{};
    throw RunError(shown_ + " cannot be written: " + reason(error));
}

void Output::write(const void* data, std::size_t bytes) {
    const char* at = static_cast<const char*>(data);
    while (bytes > 0) {
        constexpr std::size_t most = std::size_t{1} << 30;  // Linux writes at most 2 GiB a call
        const ssize_t written = ::write(descriptor_, at, std::min(bytes, most));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(errno);
        at += written;
        bytes -= static_cast<std::size_t>(written);
    }
}

void Output::commit() {
    if (descriptor_ != STDOUT_FILENO) {
        const int closed = ::close(descriptor_);
        descriptor_ = -1;
        if (closed != 0) fail(errno);
    }
    if (partial_.empty()) return;
    if (std::rename(partial_.c_str(), target_.c_str()) != 0) fail(errno);
    partial_.clear();
}

bool same_file(const std::string& a, const std::string& b) {
    std::error_code error;
    if (fs::exists(a, error) && !fs::is_regular_file(a, error)) return false;
    return resolved(a) == resolved(b) || fs::equivalent(a, b, error);
}

}  // namespace tandem::cli
