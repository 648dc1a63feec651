#include "kernels/fill_batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "host_api/cpu/engine.hpp"
#include "kernels/policies.hpp"
#include "support/reference.hpp"

namespace tandem::test {
namespace {

constexpr std::size_t STRIP = 256;           // of poison, at least, on each side of an output
constexpr std::size_t LARGE = 256ull << 20;  // bytes collected before a batch runs by itself
constexpr int MOST_REPORTS = 4;              // failing fills described in one run

std::vector<uint8_t> expected_output(const Fill& fill, Oracle oracle, std::size_t bytes) {
    if (oracle == Oracle::reference) return reference_fill(fill);
    // Aligned for every element: vectors of bytes come from operator new.
    std::vector<uint8_t> out(bytes);
    Fill on_host = fill;
    on_host.out = out.data();
    cpu::fill(on_host, fill.n > (1u << 20) ? 0 : 1);
    return out;
}

const kernels::Architecture& architecture_of(const FillBatch::Way& way) { return kernels::architecture_of(way.capability); }

bool poisoned(const std::vector<uint8_t>& bytes, std::size_t from, std::size_t to, uint8_t poison) {
    return std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(from), bytes.begin() + static_cast<std::ptrdiff_t>(to),
                       [poison](uint8_t byte) { return byte == poison; });
}

}  // namespace

std::string describe(const Fill& fill, std::size_t offset) {
    std::string key;
    for (const uint32_t w : fill.key.w) key += std::to_string(w) + " ";
    return "draw " + std::to_string(static_cast<int>(fill.draw)) + ", n " + std::to_string(fill.n) + ", position " +
           std::to_string(fill.position) + ", K " + std::to_string(fill.chunk_length) + ", offset " + std::to_string(offset) +
           ", range " + std::to_string(fill.range) + " in " + std::to_string(fill.element_bytes) + " bytes, key " + key;
}

void FillBatch::add(const Fill& fill, std::size_t offset, Oracle oracle) { push({fill, {fill.n}, oracle, offset, 0, 0, {}}); }

void FillBatch::add_cut(const Fill& fill, const std::vector<uint64_t>& cuts, std::size_t offset) {
    Case c{fill, cuts, Oracle::reference, offset, 0, 0, {}};
    c.ends.push_back(fill.n);
    push(std::move(c));
}

void FillBatch::push(Case c) {
    c.bytes = element_size(c.whole) * c.whole.n;
    c.begin = (size_ + 2 * STRIP - 1) / STRIP * STRIP + c.offset;
    size_ = c.begin + c.bytes;
    cases_.push_back(std::move(c));
    if (size_ >= LARGE) run();
}

void FillBatch::expect_all() {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < cases_.size(); i = next++) {
            cases_[i].expected = expected_output(cases_[i].whole, cases_[i].oracle, cases_[i].bytes);
        }
    };
    std::vector<std::thread> helpers;
    for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) helpers.emplace_back(work);
    work();
    for (std::thread& helper : helpers) helper.join();
}

ChoiceView FillBatch::on_device(const ChoiceView& host) {
    std::unique_ptr<DeviceTable>& table = tables_[host.cut];
    if (table == nullptr) table = std::make_unique<DeviceTable>(host);
    ChoiceView view = table->view();
    view.low = host.low;
    return view;
}

void FillBatch::launch_all(uint8_t* buffer, const Key* device_keys, uint8_t* scratch, const Way& way) {
    for (std::size_t i = 0; i < cases_.size(); ++i) {
        const Case& c = cases_[i];
        Fill part = c.whole;
        if (part.draw == Draw::choice) part.choice = on_device(part.choice);
        if (device_keys != nullptr) part.key = Key{{1, 2, 3, 4}};  // must not be read
        uint64_t done = 0;
        for (const uint64_t end : c.ends) {
            part.n = end - done;
            part.out = buffer + c.begin + done * element_size(c.whole);
            const Key* const key = device_keys == nullptr ? nullptr : device_keys + i;
            const cudaError_t error = kernels::launch(part, {key, scratch, nullptr, way.path, &architecture_of(way)});
            ASSERT_EQ(error, cudaSuccess) << cudaGetErrorString(error) << ": " << describe(part, c.offset);
            part.position = fill_span(part.draw, part.position, part.n).end;
            done = end;
        }
    }
}

void FillBatch::report(const Case& c, const std::vector<uint8_t>& got, uint8_t poison, int& reported) const {
    const bool same = c.bytes == 0 || std::memcmp(got.data() + c.begin, c.expected.data(), c.bytes) == 0;
    const std::size_t end = c.begin + c.bytes;
    const bool intact = poisoned(got, c.begin - STRIP, c.begin, poison) && poisoned(got, end, end + STRIP, poison);
    if ((same && intact) || reported++ >= MOST_REPORTS) return;
    if (!intact) ADD_FAILURE() << "written outside the output: " << describe(c.whole, c.offset);
    if (same) return;
    std::size_t i = 0;
    while (got[c.begin + i] == c.expected[i]) ++i;
    ADD_FAILURE() << "element " << i / element_size(c.whole) << " differs: " << describe(c.whole, c.offset)
                  << (c.ends.size() > 1 ? " in " + std::to_string(c.ends.size()) + " parts" : "");
}

std::size_t FillBatch::scratch_bytes(const Way& way) const {
    std::size_t most = 0;
    for (const Case& c : cases_) {
        Fill fill = c.whole;
        fill.out = reinterpret_cast<void*>(c.begin);  // as aligned as in the buffer
        most = std::max(most, kernels::scratch_bytes(fill, way.path, &architecture_of(way)));
    }
    return most;
}

void FillBatch::check_pass(bool keys_on_device, const Way& way, uint8_t poison) {
    const std::size_t total = size_ + 2 * STRIP;
    const DeviceBytes buffer(total), keys(cases_.size() * sizeof(Key));
    std::vector<Key> host_keys;
    for (const Case& c : cases_) host_keys.push_back(c.whole.key);
    const DeviceBytes scratch(scratch_bytes(way));
    TANDEM_CUDA_OK(cudaMemset(buffer.data(), poison, total));
    TANDEM_CUDA_OK(cudaMemcpy(keys.data(), host_keys.data(), host_keys.size() * sizeof(Key), cudaMemcpyHostToDevice));
    launch_all(buffer.data(), keys_on_device ? keys.as<const Key>() : nullptr, scratch.data(), way);
    TANDEM_CUDA_OK(cudaDeviceSynchronize());
    const std::vector<uint8_t> got = buffer.read();
    int reported = 0;
    for (const Case& c : cases_) report(c, got, poison, reported);
    EXPECT_EQ(reported, 0) << "of " << cases_.size() << " fills, keys " << (keys_on_device ? "in device memory" : "in arguments")
                           << ", path " << static_cast<int>(way.path) << ", as on " << way.capability;
}

void FillBatch::run() {
    if (cases_.empty()) return;
    expect_all();
    check_pass(false, {kernels::Path::best, 90}, 0xa5);
    check_pass(true, {kernels::Path::best, 80}, 0x3c);
    check_pass(false, {kernels::Path::tiles, 89}, 0x11);
    check_pass(true, {kernels::Path::tiles, 100}, 0xee);
    const Way lists{kernels::Path::lists, 90};
    if (scratch_bytes(lists) != 0) check_pass(true, lists, 0x5a);
    cases_.clear();
    size_ = 0;
}

}  // namespace tandem::test
