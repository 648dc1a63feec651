#include "host_api/cli/generate.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "host_api/cli/errors.hpp"
#include "host_api/cli/npy.hpp"
#include "host_api/cli/output.hpp"
#include "host_api/cli/progress.hpp"
#include "host_api/cli/text.hpp"

namespace tandem::cli {
namespace {

constexpr std::size_t PIECE_BYTES = std::size_t{64} << 20;
constexpr std::size_t TEXT_ELEMENTS = 65536;  // formatted at once

std::string hexadecimal(uint32_t word) {
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x", word);
    return digits;
}

// Writes elements in the format of a job and counts what has been written.
class Writer {
  public:
    Writer(Output& output, const Job& job) : output_(output), job_(job), progress_(job.work.fill.n, !output.is_terminal()) {
        if (job.format == Format::npy) write(npy_header(job.info->element, job.work.fill.n));
    }

    void elements(const void* data, std::size_t n) {
        const std::size_t size = job_.work.element_bytes;
        const char* at = static_cast<const char*>(data);
        const std::size_t step = job_.format == Format::text ? TEXT_ELEMENTS : (std::size_t{1} << 22) / size;
        while (n > 0) {
            const std::size_t count = std::min(n, step);
            if (job_.format == Format::text) {
                text_.clear();
                append_text(text_, job_.info->element, at, count);
                write(text_);
            } else {
                output_.write(at, count * size);
                bytes_ += count * size;
            }
            at += count * size;
            n -= count;
            done_ += count;
            progress_.update(done_);
        }
    }

    uint64_t bytes() const { return bytes_; }

  private:
    void write(const std::string& text) {
        output_.write(text.data(), text.size());
        bytes_ += text.size();
    }

    Output& output_;
    const Job& job_;
    Progress progress_;
    std::string text_;
    uint64_t done_ = 0;
    uint64_t bytes_ = 0;
};

std::string report_of(const Job& job, const std::string& backend, double seconds, uint64_t bytes) {
    nlohmann::ordered_json report;
    report["draw"] = job.info->name;
    report["count"] = job.work.fill.n;
    report["key"] = nlohmann::ordered_json::array();
    for (uint32_t word : job.work.fill.key.w) report["key"].push_back(hexadecimal(word));
    report["chunk"] = job.work.fill.chunk_length;
    report["position"] = job.work.fill.position;
    report["end_position"] = job.end_position;
    report["backend"] = backend;
    report["seconds"] = seconds;
    report["bytes"] = bytes;
    return report.dump(2) + "\n";
}

// Writes the words from a position on, until the output fails or the stream ends.
void stream_words(Backend& backend, const Source& source, Output& output) {
    constexpr uint64_t word_bits = 32;
    constexpr std::size_t first_piece = std::size_t{64} << 10, largest_piece = std::size_t{16} << 20;
    Work work;
    work.element_bytes = sizeof(uint32_t);
    Fill& fill = work.fill;
    fill.key = source.key;
    fill.chunk_length = source.chunk_length;
    fill.position = source.position;
    // The first words come at once; later pieces are large enough for the backend's full speed.
    for (std::size_t piece = first_piece;; piece = std::min(2 * piece, largest_piece)) {
        const uint64_t start = fill_span(fill.draw, fill.position, 0).end;
        fill.n = std::min<uint64_t>(piece / sizeof(uint32_t), (~uint64_t{0} - start) / word_bits);
        if (fill.n == 0) return;
        fill_in_pieces(backend, work, piece, [&](const void* data, std::size_t n) { output.write(data, n * sizeof(uint32_t)); });
        fill.position = fill_span(fill.draw, fill.position, fill.n).end;
    }
}

}  // namespace

void fill_in_pieces(Backend& backend, const Work& work, std::size_t piece_bytes,
                    const std::function<void(const void*, std::size_t)>& use) {
    Fill fill = work.fill;
    uint64_t left = fill.n;
    if (left == 0) return;
    // Draws that are used in pairs may be cut after an even number of elements only.
    const std::size_t most = std::max<std::size_t>(piece_bytes / work.element_bytes, 2) & ~std::size_t{1};
    const auto piece = static_cast<std::size_t>(std::min<uint64_t>(left, most));
    const std::unique_ptr<Block[]> memory(new Block[(piece * work.element_bytes + sizeof(Block) - 1) / sizeof(Block)]);
    fill.out = memory.get();
    if (work.table) fill.choice = backend.place_table(*work.table);
    while (left > 0) {
        fill.n = std::min<uint64_t>(left, piece);
        const auto n = static_cast<std::size_t>(fill.n);
        backend.fill(fill, n * work.element_bytes);
        use(fill.out, n);
        fill.position = fill_span(fill.draw, fill.position, fill.n).end;
        left -= fill.n;
    }
}

void run_generate(const Job& job) {
    const std::unique_ptr<Backend> backend = make_backend(job.place);
    Output output("--output", job.output);
    std::optional<Output> report;
    if (!job.report.empty()) report.emplace("--report", job.report);

    const auto start = std::chrono::steady_clock::now();
    uint64_t bytes = 0;
    {
        Writer writer(output, job);
        fill_in_pieces(*backend, job.work, PIECE_BYTES, [&](const void* data, std::size_t n) { writer.elements(data, n); });
        bytes = writer.bytes();
    }
    output.commit();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (report) {
        const std::string text = report_of(job, backend->name(), seconds.count(), bytes);
        report->write(text.data(), text.size());
        report->commit();
    }
}

void run_stream(const Source& source, const Place& place) {
    const std::unique_ptr<Backend> backend = make_backend(place);
    Output output("standard output", "-");
    try {
        stream_words(*backend, source, output);
    } catch (const ClosedOutput&) {
        return;  // the usual end of a stream
    }
}

}  // namespace tandem::cli
