#include <algorithm>
#include <cstring>
#include <functional>
#include <future>
#include <iterator>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "host_api/cpu/engine.hpp"
#include "host_api/theta/set.hpp"
#include "host_api/theta/smallest.hpp"

namespace tandem::api {
namespace {

constexpr uint64_t DRAWN_BYTES = uint64_t{1} << 16;  // of draws that exist at one time in a thread

constexpr uint64_t KEYS_A_THREAD = uint64_t{1} << 19;  // what repays the start of a thread
constexpr uint64_t KEYS_A_CUT = uint64_t{1} << 13;     // batches are cut between so many

uint64_t automatic_threads(uint64_t n) { return std::min<uint64_t>(n / KEYS_A_THREAD, cpu::processors()); }

/// Offers the elements of a batch from number `first` on, n of them.
using Batch = std::function<void(Collector&, uint64_t first, uint64_t n)>;

/// Starts a thread for work; where none can be had, the work is done when its result is asked for.
template <class Work>
auto started(const Work& work) {
    try {
        return std::async(std::launch::async, work);
    } catch (const std::system_error&) {
        return std::async(std::launch::deferred, work);
    }
}

/// Hashes keys and writes the hashes in [1, theta) to `out`, which has room for one a key; returns how many there are.
template <ThetaKey KIND>
std::size_t screen(const uint8_t* keys, std::size_t n, uint64_t seed, uint64_t theta, uint64_t* out) {
    constexpr uint32_t bytes = theta_key_bytes(KIND);
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; ++i) {
        uint64_t bits = 0;
        std::memcpy(&bits, keys + i * bytes, bytes);
        const uint64_t hash = theta_hash(theta_canonical<KIND>(bits), seed);
        out[count] = hash;
        count += hash - 1 < theta - 1;  // 0 wraps to the largest number
    }
    return count;
}

using Screen = std::size_t (*)(const uint8_t*, std::size_t, uint64_t, uint64_t, uint64_t*);

Screen screen_of(ThetaKey kind) {
    switch (theta_signed(kind)) {
        case ThetaKey::i32: return screen<ThetaKey::i32>;
        case ThetaKey::i16: return screen<ThetaKey::i16>;
        case ThetaKey::i8: return screen<ThetaKey::i8>;
        case ThetaKey::f64: return screen<ThetaKey::f64>;
        case ThetaKey::f32: return screen<ThetaKey::f32>;
        default: break;
    }
    return screen<ThetaKey::i64>;
}

class HostThetaSet final : public ThetaSet {
  public:
    explicit HostThetaSet(const ThetaParameters& parameters)
        : parameters_(parameters), k_(uint64_t{1} << parameters.lg_k), theta_(theta_start(parameters.p)) {}

    bool near(const ThetaSet& other) const override { return dynamic_cast<const HostThetaSet*>(&other) != nullptr; }

    std::unique_ptr<ThetaSet> make_near(const ThetaParameters& parameters) const override {
        return std::make_unique<HostThetaSet>(parameters);
    }

    void check_keys(const void*, ThetaKey, uint64_t, CUstream_st*) const override {}

    void update(const void* keys, ThetaKey kind, uint64_t n, CUstream_st*) override {
        const uint8_t* const bytes = static_cast<const uint8_t*>(keys);
        offer(n, automatic_threads(n), [&](Collector& collector, uint64_t first, uint64_t count) {
            collect(collector, bytes + first * theta_key_bytes(kind), kind, count);
        });
    }

    void update_draws(const Fill& fill, ThetaKey kind, const RunOptions& options) override {
        const uint64_t threads = options.threads != 0 ? options.threads : automatic_threads(fill.n);
        offer(fill.n, threads,
              [&](Collector& collector, uint64_t first, uint64_t count) { collect_draws(collector, fill, kind, first, count); });
    }

    void merge(ThetaSet& operand, CUstream_st*) override {
        const HostThetaSet& other = static_cast<const HostThetaSet&>(operand);
        if (other.empty_) return;
        take(keep_smallest(hashes_, other.hashes_, std::min(theta_, other.theta_), k_));
    }

    void intersect(ThetaSet& operand, CUstream_st*) override {
        const HostThetaSet& other = static_cast<const HostThetaSet&>(operand);
        if (empty_) return;
        if (other.empty_) return make_empty();
        const uint64_t theta = std::min(theta_, other.theta_);
        const SortedHashes a = below(hashes_, theta), b = below(other.hashes_, theta);
        std::vector<uint64_t> both;
        both.reserve(std::min(a.n, b.n));
        std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
        if (both.empty() && theta == MAX_THETA && !hashes_.empty() && !other.hashes_.empty()) return make_empty();
        both.shrink_to_fit();
        take({std::move(both), theta});
    }

    void a_not_b(ThetaSet& operand, CUstream_st*) override {
        const HostThetaSet& other = static_cast<const HostThetaSet&>(operand);
        if (empty_ || (other.empty_ && !hashes_.empty())) return;
        const uint64_t theta = std::min(theta_, other.empty_ ? MAX_THETA : other.theta_);
        const SortedHashes a = below(hashes_, theta), b = below(other.hashes_, theta);
        std::vector<uint64_t> rest;
        rest.reserve(a.n);
        std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
        if (rest.empty() && theta == MAX_THETA) return make_empty();
        rest.shrink_to_fit();
        take({std::move(rest), theta});
    }

    void reset(CUstream_st*) override { make_empty(); }

    void write(const ThetaState& state, CUstream_st*) override {
        if (state.empty) return make_empty();
        take({state.hashes, state.theta});
    }

    ThetaState read() override { return {empty_, empty_ ? MAX_THETA : theta_, hashes_}; }

    ThetaSummary summary() override { return {empty_, empty_ ? MAX_THETA : theta_, hashes_.size()}; }

  private:
    void collect(Collector& collector, const uint8_t* keys, ThetaKey kind, uint64_t n) const {
        const Screen screen = screen_of(kind);
        const uint32_t bytes = theta_key_bytes(kind);
        uint64_t hashes[Collector::BATCH];
        while (n > 0) {
            const std::size_t count = static_cast<std::size_t>(std::min<uint64_t>(n, Collector::BATCH));
            collector.offer(hashes, screen(keys, count, parameters_.seed, collector.theta(), hashes));
            keys += count * bytes;
            n -= count;
        }
    }

    void collect_draws(Collector& collector, const Fill& fill, ThetaKey kind, uint64_t first, uint64_t n) const {
        alignas(64) uint8_t drawn[DRAWN_BYTES];
        const uint64_t most = DRAWN_BYTES / theta_key_bytes(kind);
        Fill piece = fill;
        piece.out = drawn;
        piece.position = fill_span(fill.draw, fill.position, first).end;
        RunOptions alone;
        alone.threads = 1;
        for (uint64_t left = n; left > 0; left -= piece.n) {
            piece.n = std::min(left, most);
            host_backend().run(piece, alone);
            collect(collector, drawn, kind, piece.n);
            piece.position = fill_span(piece.draw, piece.position, piece.n).end;
        }
    }

    /// What the set and a part of a batch come to; nothing when the part does not change the set.
    std::optional<Kept> part(const Batch& batch, uint64_t first, uint64_t n) const {
        Collector collector(hashes_, theta_, k_, n);
        batch(collector, first, n);
        if (!collector.finish()) return std::nullopt;
        return std::move(collector.kept());
    }

    void join(std::optional<Kept>& kept, std::optional<Kept>&& other) const {
        if (!other) return;
        if (kept) {
            kept = keep_smallest(kept->hashes, other->hashes, std::min(kept->theta, other->theta), k_);
        } else {
            kept = std::move(other);
        }
    }

    /// Each thread goes through a part of the batch by itself. Their union is exact: what a part drops is not below its theta.
    void offer(uint64_t n, uint64_t threads, const Batch& batch) {
        // A part that changes the set holds all of it, so parts are not smaller than the set.
        const uint64_t most = n / std::max<uint64_t>(KEYS_A_CUT, hashes_.size()) + 1;
        const uint64_t parts = std::clamp<uint64_t>(threads, 1, most);
        const auto cut = [&](uint64_t i) { return i == parts ? n : n / KEYS_A_CUT * i / parts * KEYS_A_CUT; };
        std::vector<std::future<std::optional<Kept>>> others;
        others.reserve(parts - 1);
        for (uint64_t i = 1; i < parts; ++i) {
            const uint64_t first = cut(i), count = cut(i + 1) - first;
            others.push_back(started([this, &batch, first, count] { return part(batch, first, count); }));
        }
        std::optional<Kept> kept = part(batch, 0, cut(1));
        for (auto& other : others) join(kept, other.get());
        if (kept) take(std::move(*kept));
        empty_ = false;
    }

    void take(Kept&& kept) noexcept {
        hashes_ = std::move(kept.hashes);
        theta_ = kept.theta;
        empty_ = false;
    }

    void make_empty() noexcept {
        std::vector<uint64_t>().swap(hashes_);
        theta_ = theta_start(parameters_.p);
        empty_ = true;
    }

    ThetaParameters parameters_;
    uint64_t k_;
    bool empty_ = true;
    uint64_t theta_;  // while empty too, where it screens the first keys and is not reported
    std::vector<uint64_t> hashes_;
};

}  // namespace

std::unique_ptr<ThetaSet> make_host_theta_set(const ThetaParameters& parameters) {
    return std::make_unique<HostThetaSet>(parameters);
}

}  // namespace tandem::api
