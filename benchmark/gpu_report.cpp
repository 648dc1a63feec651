#include "benchmark/gpu_report.hpp"

#include <cstdio>
#include <ctime>
#include <fstream>
#include <stdexcept>

#include "benchmark/gpu_measure.hpp"
#include "benchmark/gpu_peers.hpp"
#include "tandem/tandem.h"

namespace tandem::bench {
namespace {

/// What a command prints, without the last newline; empty when it fails.
std::string output_of(const char* command) {
    std::string text;
    FILE* pipe = popen(command, "r");
    if (pipe == nullptr) return text;
    char buffer[256];
    while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) text += buffer;
    pclose(pipe);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

std::string query(const char* field) {
    return output_of(("nvidia-smi --query-gpu=" + std::string(field) + " --format=csv,noheader -i 0 2>/dev/null").c_str());
}

double ratio(double value, double base) { return base > 0 ? value / base : 0; }

std::string row_json(const RowResult& r, double roofline) {
    const bool peer = !r.peer.empty();
    return "{\"row\": " + quoted(r.row) + ", \"n\": " + std::to_string(r.n) + ", \"us\": " + number(r.microseconds) +
           ", \"gib_s\": " + number(r.gib_s) + ", \"of_roofline\": " + number(ratio(r.gib_s, roofline)) +
           ", \"of_store_same_size\": " + number(ratio(r.gib_s, r.store_same_size)) +
           ", \"peer\": " + (peer ? quoted(r.peer) : "null") + ", \"peer_gib_s\": " + (peer ? number(r.peer_gib_s) : "null") +
           ", \"ratio\": " + (peer ? number(ratio(r.gib_s, r.peer_gib_s)) : "null") + "}";
}

template <class List, class ToJson>
void write_list(std::ofstream& out, const char* name, const List& list, ToJson to_json) {
    out << quoted(name) << ": [";
    const char* separator = "\n";
    for (const auto& entry : list) {
        out << separator << "  " << to_json(entry);
        separator = ",\n";
    }
    out << "\n]";
}

std::string cost_json(const HostCost& cost) {
    return "{\"call\": " + quoted(cost.call) + ", \"us\": " + number(cost.microseconds) + "}";
}

}  // namespace

std::string quoted(const std::string& text) {
    std::string json = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') json += '\\';
        json += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return json + '"';
}

std::string number(double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.4f", value);
    return text;
}

std::vector<std::pair<std::string, std::string>> describe_machine() {
    cudaDeviceProp properties{};
    int driver = 0, runtime = 0, clock = 0, memory_clock = 0, tandem_version = 0;
    check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    check(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0), "cudaDeviceGetAttribute");
    check(cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, 0), "cudaDeviceGetAttribute");
    tandemGetVersion(&tandem_version);
    char date[32];
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    return {{"gpu", quoted(properties.name)},
            {"sms", std::to_string(properties.multiProcessorCount)},
            {"compute_capability", quoted(std::to_string(properties.major) + "." + std::to_string(properties.minor))},
            {"driver", quoted(query("driver_version"))},
            {"cuda_driver", std::to_string(driver)},
            {"cuda_runtime", std::to_string(runtime)},
            {"curand", std::to_string(curand_version())},
            {"tandem", std::to_string(tandem_version)},
            {"max_sm_clock_mhz", number(clock / 1e3)},
            {"max_memory_clock_mhz", number(memory_clock / 1e3)},
            {"power_limit", quoted(query("power.limit"))},
            {"date", quoted(date)}};
}

void write_json(const Report& report, const std::string& path) {
    std::ofstream out(path);
    out << "{\n\"context\": {";
    const char* separator = "\n";
    for (const auto& [name, value] : report.context) {
        out << separator << "  " << quoted(name) << ": " << value;
        separator = ",\n";
    }
    out << "\n},\n";
    write_list(out, "rows", report.rows, [&](const RowResult& r) { return row_json(r, report.roofline); });
    out << ",\n";
    write_list(out, "peers", report.all_peers, [](const std::pair<std::string, double>& peer) {
        return "{\"peer\": " + quoted(peer.first) + ", \"gib_s\": " + number(peer.second) + "}";
    });
    out << ",\n";
    write_list(out, "warm_calls", report.warm_calls, cost_json);
    out << ",\n";
    write_list(out, "cold_calls", report.cold_calls, cost_json);
    out << "\n}\n";
    out.close();
    if (!out) throw std::runtime_error("cannot write " + path);
}

void print_table(const Report& report) {
    std::printf("\n%-26s %10s %10s %10s %9s %9s %6s  %s\n", "row", "n", "us", "GiB/s", "roofline", "same_size", "ratio", "peer");
    for (const RowResult& r : report.rows) {
        std::printf("%-26s %10zu %10.1f %10.1f %9.3f %9.3f ", r.row.c_str(), r.n, r.microseconds, r.gib_s,
                    ratio(r.gib_s, report.roofline), ratio(r.gib_s, r.store_same_size));
        if (r.peer.empty()) {
            std::printf("%6s\n", "-");
        } else {
            std::printf("%6.2f  %s\n", ratio(r.gib_s, r.peer_gib_s), r.peer.c_str());
        }
    }
    for (const HostCost& cost : report.cold_calls) std::printf("cold %-52s %10.1f us\n", cost.call.c_str(), cost.microseconds);
    for (const HostCost& cost : report.warm_calls) std::printf("warm %-52s %10.2f us\n", cost.call.c_str(), cost.microseconds);
    std::printf("roofline: %.1f GiB/s\n", report.roofline);
}

}  // namespace tandem::bench
