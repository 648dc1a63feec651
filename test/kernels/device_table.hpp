#pragma once

/// Alias tables in device memory.

#include "host_api/cuda_memory.hpp"
#include "tandem/core/fill.hpp"

namespace tandem::test {

/// A copy of a host table on the current device.
class DeviceTable {
  public:
    explicit DeviceTable(const ChoiceView& host) : cut_(8 * std::size_t{host.m}), alias_(4 * std::size_t{host.m}), view_(host) {
        EXPECT_EQ(cudaMemcpy(cut_.data(), host.cut, 8 * std::size_t{host.m}, cudaMemcpyHostToDevice), cudaSuccess);
        EXPECT_EQ(cudaMemcpy(alias_.data(), host.alias, 4 * std::size_t{host.m}, cudaMemcpyHostToDevice), cudaSuccess);
        view_.cut = cut_.as<const uint64_t>();
        view_.alias = alias_.as<const uint32_t>();
    }

    const ChoiceView& view() const { return view_; }

  private:
    DeviceBytes cut_, alias_;
    ChoiceView view_;
};

}  // namespace tandem::test
