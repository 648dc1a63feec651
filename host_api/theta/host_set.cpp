#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "host_api/theta/set.hpp"
#include "host_api/theta/smallest.hpp"

namespace tandem::api {
namespace {

constexpr uint64_t DRAWN_BYTES = uint64_t{1} << 16;  // of draws that exist at one time

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
        Collector collector(hashes_, theta_, k_, n);
        collect(collector, static_cast<const uint8_t*>(keys), kind, n);
        keep(collector);
    }

    void update_draws(const Fill& fill, ThetaKey kind, const RunOptions& options) override {
        alignas(64) uint8_t drawn[DRAWN_BYTES];
        const uint64_t most = DRAWN_BYTES / theta_key_bytes(kind);  // even, so that draws in pairs are not cut apart
        Collector collector(hashes_, theta_, k_, fill.n);
        Fill piece = fill;
        piece.out = drawn;
        RunOptions alone = options;
        alone.threads = 1;
        for (uint64_t left = fill.n; left > 0; left -= piece.n) {
            piece.n = std::min(left, most);
            host_backend().run(piece, alone);
            collect(collector, drawn, kind, piece.n);
            piece.position = fill_span(piece.draw, piece.position, piece.n).end;
        }
        keep(collector);
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

    void keep(Collector& collector) {
        if (collector.finish()) take(std::move(collector.kept()));
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
