#include "host_api/cli/info.hpp"

#include <cstdio>
#include <thread>

#include "host_api/cli/backend.hpp"
#include "tandem/tandem.h"

namespace tandem::cli {
namespace {

void print_line(const char* name, const std::string& value) { std::printf("%-9s %s\n", name, value.c_str()); }

}  // namespace

std::string version_text() {
    return "tandem " + std::to_string(TANDEM_VERSION_MAJOR) + "." + std::to_string(TANDEM_VERSION_MINOR) + "." +
           std::to_string(TANDEM_VERSION_PATCH);
}

void print_info() {
    print_line("version", version_text());
    print_line("stream", "Tandem8x32, chunk length " + std::to_string(DEFAULT_CHUNK_LENGTH) + " by default");
    print_line("host", "scalar engine, " + std::to_string(std::thread::hardware_concurrency()) + " hardware threads");
    for (const std::string& line : describe_devices()) print_line("cuda", line);
}

}  // namespace tandem::cli
