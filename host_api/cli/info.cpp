#include "host_api/cli/info.hpp"

#include <cstdio>
#include <thread>

#include "host_api/cli/backend.hpp"
#include "tandem/fill.hpp"
#include "tandem/tandem.h"

namespace tandem::cli {
namespace {

void print_line(const char* name, const std::string& value) { std::printf("%-9s %s\n", name, value.c_str()); }

}  // namespace

std::string version_text() {
    std::string text = "tandem";
    char separator = ' ';
    for (tandemProperty_t part : {TANDEM_PROPERTY_MAJOR_VERSION, TANDEM_PROPERTY_MINOR_VERSION, TANDEM_PROPERTY_PATCH_LEVEL}) {
        int number = 0;
        tandemGetProperty(part, &number);
        text += separator + std::to_string(number);
        separator = '.';
    }
    return text;
}

void print_info() {
    print_line("version", version_text());
    print_line("stream", "Tandem8x32, chunk length " + std::to_string(DEFAULT_CHUNK_LENGTH) + " by default");
    print_line("host", std::string(host::instruction_set()) + " engine, " + std::to_string(std::thread::hardware_concurrency()) +
                           " hardware threads");
    for (const std::string& line : describe_devices()) print_line("cuda", line);
}

}  // namespace tandem::cli
