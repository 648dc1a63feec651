#include "host_api/cli/distinct.hpp"

#include <algorithm>
#include <optional>

#include "host_api/cli/distinct_place.hpp"
#include "host_api/cli/errors.hpp"
#include "host_api/cli/key_file.hpp"
#include "host_api/cli/output.hpp"
#include "host_api/cli/progress.hpp"
#include "host_api/cli/text.hpp"

namespace tandem::cli {
namespace {

constexpr std::size_t PIECE_BYTES = std::size_t{16} << 20;  // of a file at once

/// What the progress bar shows: bytes of the files, or draws.
uint64_t total_of(const std::vector<KeyFile>& files, const DistinctJob& job) {
    uint64_t total = job.count;
    for (const KeyFile& file : files) {
        if (!file.sized()) return 0;
        total += file.size();
    }
    return total;
}

/// Offers the keys of a file; returns how many it has.
uint64_t count_file(KeyFile& file, const DistinctJob& job, DistinctPlace& place, const ThetaSketch& sketch, Progress& progress,
                    uint64_t& done) {
    const std::unique_ptr<uint64_t[]> piece(new uint64_t[PIECE_BYTES / sizeof(uint64_t)]);
    uint64_t keys = 0;
    for (;;) {
        const std::size_t bytes = file.read(piece.get(), PIECE_BYTES);
        const std::size_t n = bytes / job.key_bytes;
        if (bytes % job.key_bytes != 0)
            throw RunError(file.name() + " ends within a key of " + std::to_string(job.key_bytes) + " bytes");
        if (n > 0) place.offer(sketch, piece.get(), n, job.type, bytes);
        keys += n;
        done += bytes;
        progress.update(done);
        if (bytes < PIECE_BYTES) return keys;
    }
}

void count_draws(const DistinctJob& job, DistinctPlace& place, const ThetaSketch& sketch, Progress& progress) {
    Generator generator = place.make_generator();
    generator.set_key(job.source.key);
    generator.set_chunk_length(job.source.chunk_length);
    generator.set_position(job.source.position);
    for (uint64_t done = 0; done < job.count;) {
        const uint64_t n = std::min(job.count - done, place.draws_a_step());
        detail::succeed(tandemThetaUpdateDraws(sketch.get(), generator.get(), job.type, n));
        static_cast<void>(sketch.retained());  // waits, so that the bar shows what is done
        done += n;
        progress.update(done);
    }
}

template <class T>
void append_line(std::string& text, const char* name, Element element, std::initializer_list<T> values) {
    text += name;
    for (const T& value : values) {
        text += ' ';
        append_text(text, element, &value, 1);
        text.pop_back();  // the line goes on
    }
    text += '\n';
}

std::string result_of(const ThetaSketch& sketch, uint64_t keys) {
    std::string text;
    append_line<uint64_t>(text, "keys", Element::u64, {keys});
    append_line<double>(text, "estimate", Element::f64, {sketch.estimate()});
    constexpr const char* names[] = {"bounds1", "bounds2", "bounds3"};
    for (uint32_t deviations = 1; deviations <= 3; ++deviations) {
        const ThetaSketch::Bounds bounds = sketch.bounds(deviations);
        append_line<double>(text, names[deviations - 1], Element::f64, {bounds.lower, bounds.upper});
    }
    append_line<uint64_t>(text, "retained", Element::u64, {sketch.retained()});
    append_line<uint64_t>(text, "theta", Element::u64, {sketch.theta()});
    return text;
}

std::vector<KeyFile> open_files(const DistinctJob& job) {
    std::vector<KeyFile> files;
    for (const std::string& path : job.files) {
        files.emplace_back("FILE", path);
        const uint64_t size = files.back().size();
        if (size % job.key_bytes != 0) {
            throw OptionError("FILE: '" + path + "' has " + std::to_string(size) + " bytes, no multiple of the key's " +
                              std::to_string(job.key_bytes));
        }
    }
    return files;
}

/// The images as sketches of host memory, which unions take from anywhere.
std::vector<ThetaSketch> read_images(const DistinctJob& job) {
    std::vector<ThetaSketch> sketches;
    for (const DistinctImage& image : job.images) {
        try {
            sketches.push_back(ThetaSketch::host_from(image.bytes.data(), image.bytes.size(), job.lg_k, job.hash_seed));
        } catch (const error& refused) {
            if (refused.status() != TANDEM_STATUS_OUT_OF_RANGE) throw;
            const std::string text = refused.what();  // "function: argument is value; allowed"
            throw OptionError("--merge: '" + image.path + "'" + text.substr(text.find(": ")));
        }
    }
    return sketches;
}

}  // namespace

void run_distinct(const DistinctJob& job) {
    std::vector<KeyFile> files = open_files(job);
    const std::vector<ThetaSketch> images = read_images(job);
    const std::unique_ptr<DistinctPlace> place = make_distinct_place(job.backend);
    ThetaSketch sketch = place->make_sketch(job.lg_k, job.hash_seed, job.p);
    std::optional<Output> save;
    if (!job.save.empty()) save.emplace("--save", job.save);

    uint64_t keys = job.count;
    {
        Progress progress(total_of(files, job), true);
        uint64_t done = 0;
        for (KeyFile& file : files) keys += count_file(file, job, *place, sketch, progress, done);
        if (job.draws) count_draws(job, *place, sketch, progress);
    }
    for (const ThetaSketch& image : images) sketch.merge(image);
    const std::string result = result_of(sketch, keys);
    if (save) {
        const std::vector<unsigned char> image = sketch.serialize();
        save->write(image.data(), image.size());
        save->commit();
    }
    Output("standard output", "-").write(result.data(), result.size());
}

}  // namespace tandem::cli
