#pragma once

/// Many fills through tandem::kernels::launch, checked together: one device buffer, one copy back a pass.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device_table.hpp"
#include "kernels/fill.hpp"
#include "tandem/core/fill.hpp"

namespace tandem::test {

/// Where the expected output of a fill comes from.
enum class Oracle {
    reference,  ///< reference_fill, one element at a time
    engine,     ///< the CPU engine, which is tested against the reference, for fills of many elements
};

/// Fills collected by add(), then run and checked by run(): every output byte and the poison around each output. Each fill runs
/// on every path of the kernels, with its key in the arguments or read from device memory, by the launch policies of one
/// architecture or another. Failures are reported through GoogleTest.
class FillBatch {
  public:
    /// The output of `fill` begins `offset` bytes beyond a multiple of 256. Runs what was collected when that has become large.
    void add(const Fill& fill, std::size_t offset = 0, Oracle oracle = Oracle::reference);

    /// The same with the fill cut before the elements `cuts`, ascending, each part a launch of its own.
    void add_cut(const Fill& fill, const std::vector<uint64_t>& cuts, std::size_t offset = 0);

    void run();

    /// The kernels to use, and the architecture whose thresholds choose among them.
    struct Way {
        kernels::Path path;
        uint32_t capability;
    };

  private:
    struct Case {
        Fill whole;
        std::vector<uint64_t> ends;  // of the parts, the last one n
        Oracle oracle;
        std::size_t offset;  // as given
        std::size_t begin = 0;
        std::size_t bytes = 0;
        std::vector<uint8_t> expected;
    };

    void push(Case c);
    void expect_all();
    std::size_t scratch_bytes(const Way& way) const;
    void check_pass(bool keys_on_device, const Way& way, uint8_t poison);
    void launch_all(uint8_t* buffer, const Key* device_keys, uint8_t* scratch, const Way& way);
    void report(const Case& c, const std::vector<uint8_t>& got, uint8_t poison, int& reported) const;
    ChoiceView on_device(const ChoiceView& host);

    std::vector<Case> cases_;
    std::size_t size_ = 0;
    std::map<const void*, std::unique_ptr<DeviceTable>> tables_;
};

/// A fill in words, for messages.
std::string describe(const Fill& fill, std::size_t offset);

}  // namespace tandem::test
