// Compiles one source file under NVRTC with the options given before it: headers_nvrtc OPTION... FILE. NVRTC needs no GPU. A
// diagnostic of any kind is printed and fails.

#include <nvrtc.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::string log_of(nvrtcProgram program) {
    size_t size = 0;
    if (nvrtcGetProgramLogSize(program, &size) != NVRTC_SUCCESS || size <= 1) return {};
    std::string log(size, '\0');
    if (nvrtcGetProgramLog(program, log.data()) != NVRTC_SUCCESS) return "no log";
    log.resize(size - 1);
    return log;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: headers_nvrtc OPTION... FILE\n");
        return 2;
    }
    std::ifstream file(argv[argc - 1]);
    std::stringstream source;
    source << file.rdbuf();
    if (!file) {
        std::fprintf(stderr, "cannot read %s\n", argv[argc - 1]);
        return 2;
    }
    std::vector<const char*> options(argv + 1, argv + argc - 1);
    options.push_back("--gpu-architecture=compute_90");

    nvrtcProgram program = nullptr;
    nvrtcResult result = nvrtcCreateProgram(&program, source.str().c_str(), argv[argc - 1], 0, nullptr, nullptr);
    if (result == NVRTC_SUCCESS) result = nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
    const std::string log = log_of(program);
    if (!log.empty()) std::printf("%s\n", log.c_str());
    if (result != NVRTC_SUCCESS) std::printf("NVRTC: %s\n", nvrtcGetErrorString(result));
    nvrtcDestroyProgram(&program);
    return result == NVRTC_SUCCESS && log.empty() ? 0 : 1;
}
