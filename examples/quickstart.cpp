// Fills arrays on the CPU and, where there is one, on the GPU: shows the first values, that both agree bit for bit, and the
// speed.

#include <tandem/tandem.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#if QUICKSTART_CUDA
#include <cuda_runtime_api.h>
#endif

namespace {

constexpr std::size_t COUNT = std::size_t{1} << 25;
constexpr int REPEATS = 5;

struct Draw {
    const char* name;
    std::size_t element_bytes;
    tandemStatus_t (*generate)(tandemGenerator_t generator, void* out);
    std::string (*show)(const void* element);
};

template <class T>
std::string shown(const char* format, const void* element) {
    T value;
    std::memcpy(&value, element, sizeof(value));
    char text[64];
    std::snprintf(text, sizeof(text), format, value);
    return text;
}

const Draw DRAWS[] = {
    {"u32 integers", 4, [](tandemGenerator_t g, void* out) { return tandemGenerate(g, static_cast<unsigned*>(out), COUNT); },
     [](const void* e) { return shown<unsigned>("%u", e); }},
    {"f32 uniforms", 4, [](tandemGenerator_t g, void* out) { return tandemGenerateUniform(g, static_cast<float*>(out), COUNT); },
     [](const void* e) { return shown<float>("%.7f", e); }},
    {"f64 uniforms", 8,
     [](tandemGenerator_t g, void* out) { return tandemGenerateUniformDouble(g, static_cast<double*>(out), COUNT); },
     [](const void* e) { return shown<double>("%.10f", e); }},
};

void require(tandemStatus_t status) {
    if (status == TANDEM_STATUS_SUCCESS) return;
    std::fprintf(stderr, "quickstart: %s\n", tandemGetLastErrorMessage());
    std::exit(1);
}

double gib_per_second(const Draw& draw, double seconds) {
    return static_cast<double>(COUNT * draw.element_bytes) / seconds / (1024.0 * 1024.0 * 1024.0);
}

// Every repeat starts at position 0 and so writes the same values.
double host_fill(tandemGenerator_t generator, const Draw& draw, void* out) {
    double best = 1e300;
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        require(tandemSetPosition(generator, 0));
        const auto start = std::chrono::steady_clock::now();
        require(draw.generate(generator, out));
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return gib_per_second(draw, best);
}

#if QUICKSTART_CUDA
void require(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "quickstart: %s\n", cudaGetErrorString(status));
    std::exit(1);
}

// Fills device memory and copies it to `out`; GiB/s of the fill alone.
double device_fill(tandemGenerator_t generator, const Draw& draw, void* out) {
    void* memory = nullptr;
    require(cudaMalloc(&memory, COUNT * draw.element_bytes));
    cudaEvent_t start, stop;
    require(cudaEventCreate(&start));
    require(cudaEventCreate(&stop));
    float best = 1e30f;
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        require(tandemSetPosition(generator, 0));
        require(cudaEventRecord(start));
        require(draw.generate(generator, memory));
        require(cudaEventRecord(stop));
        require(cudaEventSynchronize(stop));
        float milliseconds = 0;
        require(cudaEventElapsedTime(&milliseconds, start, stop));
        best = std::min(best, milliseconds);
    }
    require(cudaMemcpy(out, memory, COUNT * draw.element_bytes, cudaMemcpyDeviceToHost));
    require(cudaEventDestroy(start));
    require(cudaEventDestroy(stop));
    require(cudaFree(memory));
    return gib_per_second(draw, static_cast<double>(best) * 1e-3);
}
#else
double device_fill(tandemGenerator_t, const Draw&, void*) { return 0; }
#endif

}  // namespace

int main() {
    tandemGenerator_t host = nullptr, device = nullptr;
    require(tandemCreateGeneratorHost(&host, TANDEM_RNG_PSEUDO_DEFAULT));
    require(tandemSetPseudoRandomGeneratorSeed(host, 2026));
    const bool has_gpu = tandemCreateGenerator(&device, TANDEM_RNG_PSEUDO_DEFAULT) == TANDEM_STATUS_SUCCESS;
    if (has_gpu) {
        require(tandemSetPseudoRandomGeneratorSeed(device, 2026));
    } else {
        std::printf("CPU only: %s\n", tandemGetLastErrorMessage());
    }

    bool agree = true;
    for (const Draw& draw : DRAWS) {
        std::vector<unsigned char> on_host(COUNT * draw.element_bytes);
        const double host_speed = host_fill(host, draw, on_host.data());
        std::printf("%s:", draw.name);
        for (std::size_t i = 0; i < 4; ++i) std::printf(" %s", draw.show(&on_host[i * draw.element_bytes]).c_str());
        std::printf(" ...\n  CPU %.2f GiB/s", host_speed);
        if (has_gpu) {
            std::vector<unsigned char> on_device(on_host.size());
            const double device_speed = device_fill(device, draw, on_device.data());
            const bool same = on_host == on_device;
            agree = agree && same;
            std::printf(", GPU %.0f GiB/s, %zu values %s", device_speed, COUNT, same ? "agree bit for bit" : "DISAGREE");
        }
        std::printf("\n");
    }
    if (has_gpu) require(tandemDestroyGenerator(device));
    require(tandemDestroyGenerator(host));
    return agree ? 0 : 1;
}
