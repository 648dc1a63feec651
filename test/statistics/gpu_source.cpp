#include <memory>

#include "kernels/device_table.hpp"
#include "statistics/source.hpp"
#include "tandem/fill.hpp"

namespace tandem::test {

std::string source_missing() { return gpus_missing(1); }

uint64_t sample_size() { return 100000000; }

void draw_bytes(const Fill& fill, void* out, std::size_t bytes) {
    const DeviceBytes memory(bytes);
    std::unique_ptr<DeviceTable> table;
    Fill on_device = fill;
    if (fill.draw == Draw::choice) {
        table = std::make_unique<DeviceTable>(fill.choice);
        on_device.choice = table->view();
    }
    on_device.out = memory.data();
    tandem::fill(on_device);
    EXPECT_EQ(cudaMemcpy(out, memory.data(), bytes, cudaMemcpyDeviceToHost), cudaSuccess);
}

}  // namespace tandem::test
