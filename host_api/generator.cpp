#include "host_api/generator.hpp"

#include "host_api/status.hpp"

namespace tandem::api {
namespace {

constexpr uint32_t STATE_VERSION = 1;
constexpr int STATE_WORDS = TANDEM_STATE_BYTES / 4;
constexpr uint64_t MAX_FORK = 1ull << 33;
constexpr uint32_t MAX_HOST_THREADS = 1024;

using Lock = std::lock_guard<std::mutex>;

void write_words(void* to, const uint32_t (&words)[STATE_WORDS]) {
    unsigned char* bytes = static_cast<unsigned char*>(to);
    for (uint32_t word : words) {
        for (int shift = 0; shift < 32; shift += 8) *bytes++ = static_cast<unsigned char>(word >> shift);
    }
}

void read_words(const void* from, uint32_t (&words)[STATE_WORDS]) {
    const unsigned char* bytes = static_cast<const unsigned char*>(from);
    for (uint32_t& word : words) {
        word = 0;
        for (int shift = 0; shift < 32; shift += 8) word |= static_cast<uint32_t>(*bytes++) << shift;
    }
}

void check_chunk_length(uint32_t chunk_length, const char* argument) {
    if (valid_chunk_length(chunk_length)) return;
    refuse(argument, text_of(uint64_t{chunk_length}), "it must be a power of two from 1 to 65536");
}

}  // namespace

void Generator::replace_key(const Key& key) {
    if (graph_key_ != nullptr) backend_.store_graph_key(graph_key_, key, stream_);
    next_.key = key;
}

void Generator::set_key(const Key& key) {
    const Lock lock(mutex_);
    replace_key(key);
    next_.position = 0;
}

Key Generator::key() const {
    const Lock lock(mutex_);
    return next_.key;
}

void Generator::set_position(uint64_t bits) {
    if (bits >= MAX_PLACED_POSITION) refuse("bits", text_of(bits), "it must be below 2^63");
    const Lock lock(mutex_);
    next_.position = bits;
}

uint64_t Generator::position() const {
    const Lock lock(mutex_);
    return next_.position;
}

void Generator::set_chunk_length(uint32_t chunk_length) {
    check_chunk_length(chunk_length, "chunk_length");
    const Lock lock(mutex_);
    next_.chunk_length = chunk_length;
}

void Generator::set_stream(CUstream_st* stream) {
    const Lock lock(mutex_);
    stream_ = stream;
}

CUstream_st* Generator::stream() const {
    const Lock lock(mutex_);
    return stream_;
}

void Generator::set_reflected(bool reflected) {
    const Lock lock(mutex_);
    next_.reflected = reflected;
}

void Generator::set_normal_mode(NormalMode mode) {
    const Lock lock(mutex_);
    next_.mode = mode;
}

void Generator::set_fresh_graphs(bool fresh) {
    const Lock lock(mutex_);
    fresh_graphs_ = fresh;
}

void Generator::set_host_threads(uint32_t threads) {
    if (threads > MAX_HOST_THREADS) refuse("threads", text_of(uint64_t{threads}), "it must be at most 1024");
    const Lock lock(mutex_);
    host_threads_ = threads;
}

void Generator::save(void* state) const {
    const Lock lock(mutex_);
    write_words(state, {STATE_VERSION, next_.chunk_length, next_.key.w[0], next_.key.w[1], next_.key.w[2], next_.key.w[3],
                        static_cast<uint32_t>(next_.position), static_cast<uint32_t>(next_.position >> 32)});
}

void Generator::restore(const void* state) {
    uint32_t words[STATE_WORDS];
    read_words(state, words);
    if (words[0] != STATE_VERSION) refuse("state", "of version " + text_of(uint64_t{words[0]}), "the version must be 1");
    check_chunk_length(words[1], "K of state");
    const Lock lock(mutex_);
    replace_key(Key{{words[2], words[3], words[4], words[5]}});
    next_.chunk_length = words[1];
    next_.position = static_cast<uint64_t>(words[7]) << 32 | words[6];
}

std::unique_ptr<Generator> Generator::child(const Key& key) const {
    auto made = std::make_unique<Generator>(backend_);
    made->next_ = next_;
    made->next_.key = key;
    made->next_.position = 0;
    made->stream_ = stream_;
    made->fresh_graphs_ = fresh_graphs_;
    made->host_threads_ = host_threads_;
    return made;
}

std::unique_ptr<Generator> Generator::split(uint64_t i) const {
    const Lock lock(mutex_);
    return child(split_key(next_.key, i));
}

std::unique_ptr<Generator> Generator::sub(uint64_t purpose) const {
    const Lock lock(mutex_);
    return child(sub_key(next_.key, purpose));
}

void Generator::fork(uint64_t n, const std::function<void()>& check_place,
                     const std::function<void(std::vector<std::unique_ptr<Generator>>)>& deliver) {
    if (n > MAX_FORK) refuse("n", text_of(n), "it must be at most 2^33");
    const Lock lock(mutex_);
    const uint64_t block = next_.position >> 7;
    if (block == ~0ull >> 7) {
        refuse("n", text_of(n), "from position " + text_of(next_.position) + " the next block must start below 2^64");
    }
    if (n > 0) check_place();
    std::vector<std::unique_ptr<Generator>> children;
    for (uint64_t i = 0; i < n; ++i) children.push_back(child(fork_key(next_.key, block, i)));
    deliver(std::move(children));
    next_.position = (block + 1) << 7;
}

void Generator::lend(Draw draw, uint64_t n, const std::function<void(const Fill&, const RunOptions&)>& use) {
    const Lock lock(mutex_);
    Fill fill = next_;
    fill.draw = draw;
    fill.n = n;
    const Span span = checked_span(fill);
    if (n > 0) use(fill, run_options());
    next_.position = span.end;
}

void Generator::generate_choice(uint32_t* out, uint64_t n, const TableSource& source) {
    const Lock lock(mutex_);
    Fill fill = next_;
    fill.draw = Draw::choice;
    fill.out = out;
    fill.n = n;
    RunOptions options = run_options();
    next_.position = run_checked(backend_, fill, options, source);
}

void Generator::generate_discrete(uint32_t* out, uint64_t n, Distribution& distribution) {
    generate_choice(out, n, [&] { return distribution.on(backend_); });
}

void Generator::generate_law(uint32_t* out, uint64_t n, const Law& law) {
    check_law(law);
    generate_choice(out, n, [&] { return distribution_of(law).on(backend_); });
}

Distribution& Generator::distribution_of(const Law& law) {
    if (law_distribution_ == nullptr || !(law_ == law)) {
        if (backend_.capturing(stream_)) {
            throw error(
                TANDEM_STATUS_ALLOCATION_FAILED,
                "the table of this law cannot be built while the stream is being captured; create the distribution before "
                "the capture and call tandemGenerateDiscrete, or call this function once before it");
        }
        law_distribution_ = std::make_unique<Distribution>(build_law(law));
        law_ = law;
    }
    return *law_distribution_;
}

}  // namespace tandem::api
