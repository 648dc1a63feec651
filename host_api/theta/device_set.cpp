#include "host_api/theta/device_set.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "host_api/device_graph_key.hpp"
#include "host_api/theta/device_set_operation.hpp"

namespace tandem::api {
namespace {

using kernels::ThetaTarget;
using kernels::ThetaWords;

/// Copies to device memory that no work uses yet.
void place(void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    PrivateStream stream;
    stream.copy(to, from, bytes);
    stream.wait();
}

/// Copies from device memory that no work is changing.
void read_back(void* to, const void* from, std::size_t bytes) {
    PrivateStream stream;
    stream.read(to, from, bytes);
    stream.wait();
}

}  // namespace

ThetaMemory::ThetaMemory(uint64_t start, uint64_t context_id, MemoryYard& yard)
    : context_id_(context_id), yard_(yard), words_(sizeof(ThetaWords), context_id, yard) {
    const ThetaWords empty{start, 0, nullptr, 1};
    place(words_.data(), &empty, sizeof(empty));
}

void ThetaMemory::grow(uint64_t room) {
    blocks_.reserve(blocks_.size() + 1);
    const std::size_t bytes = static_cast<std::size_t>(room) * sizeof(uint64_t);
    blocks_.push_back({std::make_unique<DeviceMemory>(bytes, context_id_, yard_), room});
}

DeviceThetaSet::DeviceThetaSet(const ThetaParameters& parameters, int device, const kernels::ThetaTuning& tuning)
    : parameters_(parameters), device_(device), tuning_(tuning), store_(store_of_device(device)) {
    const RelaxedCapture relaxed;
    const uint64_t context_id = current_context_id(device);
    store_.yard().collect(context_id);
    memory_ = std::make_shared<ThetaMemory>(start(), context_id, store_.yard());
}

DeviceThetaSet::~DeviceThetaSet() {
    try {
        const DeviceScope scope(device_);
        if (current_context_id(device_) == memory_->context_id()) return;
    } catch (const error&) {
        // Without the device its events are gone as well.
    }
    static_cast<void>(last_.release());
}

void DeviceThetaSet::check_context() const {
    if (current_context_id(device_) != memory_->context_id()) {
        throw error(TANDEM_STATUS_PREEXISTING_FAILURE, "the device was reset, and the sketch's memory with it");
    }
}

bool DeviceThetaSet::near(const ThetaSet& other) const {
    const auto* const set = dynamic_cast<const DeviceThetaSet*>(&other);
    return set != nullptr && set->memory_->context_id() == memory_->context_id();
}

std::unique_ptr<ThetaSet> DeviceThetaSet::make_near(const ThetaParameters& parameters) const {
    const DeviceScope scope(device_);
    return std::make_unique<DeviceThetaSet>(parameters, device_, tuning_);
}

void DeviceThetaSet::check_keys(const void* keys, ThetaKey, uint64_t, CUstream_st* stream) const {
    static const bool asked = [] {
        const char* value = std::getenv("TANDEM_CHECK_POINTERS");
        return value != nullptr && std::strcmp(value, "1") == 0;
    }();
    if (!asked) return;
    const DeviceScope scope(device_);
    int reads_host_memory = 0;
    check_cuda(cudaDeviceGetAttribute(&reads_host_memory, cudaDevAttrPageableMemoryAccess, device_), "cudaDeviceGetAttribute");
    if (reads_host_memory != 0 || captured_graph(stream) != nullptr) return;
    cudaPointerAttributes attributes{};
    check_cuda(cudaPointerGetAttributes(&attributes, keys), "cudaPointerGetAttributes");
    if (attributes.devicePointer == nullptr) {
        refuse("keys", text_of(keys), "it must be memory that device " + std::to_string(device_) + " can reach");
    }
}

uint64_t DeviceThetaSet::held_at_most() const { return captured_ ? std::max(held_, k()) : held_; }

void DeviceThetaSet::update(const void* keys, ThetaKey kind, uint64_t n, CUstream_st* stream) {
    Operation operation(*this, stream);
    const uint64_t held = operation.held(), room = kernels::theta_room(parameters_.lg_k, held, n);
    operation.make_room(room);
    operation.run(kernels::plan_theta(parameters_.lg_k, held, n, tuning_),
                  [=](const ThetaTarget& target) { return kernels::launch_theta_update(target, keys, kind, n, stream); });
    operation.finish(room);
}

void DeviceThetaSet::update_draws(const Fill& fill, ThetaKey kind, const RunOptions& options) {
    Operation operation(*this, options.stream);
    const uint64_t held = operation.held(), room = kernels::theta_room(parameters_.lg_k, held, fill.n);
    operation.make_room(room);
    const Key* key = nullptr;
    if (operation.graph() != nullptr && options.graph_key != nullptr) {
        key = capture_next_key(*options.graph_key, fill.key, memory_->context_id(), store_.yard(), operation.graph(),
                               options.stream);
    }
    operation.run(kernels::plan_theta(parameters_.lg_k, held, fill.n, tuning_), [&](const ThetaTarget& target) {
        return kernels::launch_theta_draws(target, fill, key, kind, options.stream);
    });
    operation.finish(room);
}

void DeviceThetaSet::merge(ThetaSet& operand, CUstream_st* stream) {
    auto& other = static_cast<DeviceThetaSet&>(operand);
    Operation operation(*this, stream);
    operation.begin_use(other);
    const auto reading = operation.reading(other);
    const uint64_t held = operation.held(), offered = other.held_at_most();
    // An empty operand leaves more than k where they are.
    const uint64_t room = std::max(held_at_most(), kernels::theta_room(parameters_.lg_k, held, offered));
    operation.make_room(room);
    const ThetaWords* const words = other.memory_->words();
    operation.run(kernels::plan_theta(parameters_.lg_k, held, offered, tuning_),
                  [=](const ThetaTarget& target) { return kernels::launch_theta_merge(target, words, offered, stream); });
    operation.end_use(other);
    operation.finish(room);
}

void DeviceThetaSet::filter(DeviceThetaSet& other, bool common, CUstream_st* stream) {
    Operation operation(*this, stream);
    operation.begin_use(other);
    const auto reading = operation.reading(other);
    const uint64_t held = operation.held();
    const uint64_t compared = operation.graph() != nullptr ? std::max(other.held_at_most(), 2 * other.k()) : other.held_at_most();
    operation.make_room(held);
    const ThetaWords* const words = other.memory_->words();
    operation.run(kernels::plan_theta_filter(held, compared, tuning_), [=](const ThetaTarget& target) {
        return kernels::launch_theta_filter(target, held, words, compared, common, start(), stream);
    });
    operation.end_use(other);
    operation.finish(held_at_most());
}

void DeviceThetaSet::intersect(ThetaSet& other, CUstream_st* stream) {
    filter(static_cast<DeviceThetaSet&>(other), true, stream);
}

void DeviceThetaSet::a_not_b(ThetaSet& other, CUstream_st* stream) { filter(static_cast<DeviceThetaSet&>(other), false, stream); }

void DeviceThetaSet::reset(CUstream_st* stream) {
    Operation operation(*this, stream);
    const ThetaWords value{start(), 0, memory_->hashes(), 1};
    operation.run_plain([&] { return kernels::launch_theta_store(value, memory_->words(), stream); });
    operation.finish(0);
}

void DeviceThetaSet::write(const ThetaState& state, CUstream_st* stream) {
    Operation operation(*this, stream);
    const uint64_t n = state.hashes.size();
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(uint64_t);
    // An array that graphs may come back to at any time takes the hashes in stream order, others are replaced.
    std::shared_ptr<DeviceMemory> staged;
    std::unique_ptr<DeviceMemory::Use> use;
    if (captured_ && n != 0) {
        operation.make_room(n);
        staged = std::make_shared<DeviceMemory>(bytes, memory_->context_id(), store_.yard());
        if (operation.graph() != nullptr) retain(operation.graph(), staged);
        if (operation.graph() == nullptr) use = std::make_unique<DeviceMemory::Use>(*staged, stream);
    } else if (n != 0) {
        operation.make_array(n);
    }
    place(staged != nullptr ? staged->data() : memory_->hashes(), state.hashes.data(), bytes);
    const ThetaWords value{state.empty ? start() : state.theta, n, memory_->hashes(), state.empty ? uint64_t{1} : uint64_t{0}};
    operation.run_plain([&] {
        cudaError_t result = cudaSuccess;
        if (staged != nullptr) {
            result = cudaMemcpyAsync(memory_->hashes(), staged->data(), bytes, cudaMemcpyDeviceToDevice, stream);
        }
        return result == cudaSuccess ? kernels::launch_theta_store(value, memory_->words(), stream) : result;
    });
    operation.finish(n);
}

ThetaWords DeviceThetaSet::words() const {
    check_context();
    if (used_) check_cuda(last_.wait(), "cudaEventSynchronize");
    ThetaWords words;
    read_back(&words, memory_->words(), sizeof(words));
    return words;
}

ThetaState DeviceThetaSet::read() {
    const DeviceScope scope(device_);
    const RelaxedCapture relaxed;
    const ThetaWords found = words();
    if (found.empty != 0) return {};
    ThetaState state{false, found.theta, std::vector<uint64_t>(found.retained)};
    if (found.retained != 0) read_back(state.hashes.data(), found.hashes, found.retained * sizeof(uint64_t));
    std::sort(state.hashes.begin(), state.hashes.end());
    return state;
}

ThetaSummary DeviceThetaSet::summary() {
    const DeviceScope scope(device_);
    const RelaxedCapture relaxed;
    const ThetaWords found = words();
    if (found.empty != 0) return {};
    return {false, found.theta, found.retained};
}

std::unique_ptr<ThetaSet> make_device_theta_set(const ThetaParameters& parameters) {
    static_cast<void>(current_device_backend());  // refuses where there is no usable device
    int device = 0;
    check_cuda(cudaGetDevice(&device), "cudaGetDevice");
    return std::make_unique<DeviceThetaSet>(parameters, device);
}

}  // namespace tandem::api
