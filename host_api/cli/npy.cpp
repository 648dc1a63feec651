#include "host_api/cli/npy.hpp"

#include <cstddef>

namespace tandem::cli {

std::string npy_header(Element element, uint64_t n) {
    constexpr std::size_t alignment = 64, preamble = 10;
    std::string text = "{'descr': " + npy_type(element) + ", 'fortran_order': False, 'shape': (" + std::to_string(n) + ",), }";
    const std::size_t total = (preamble + text.size() + 1 + alignment - 1) / alignment * alignment;
    text.append(total - preamble - text.size() - 1, ' ');
    text += '\n';
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(text.size() & 0xff);
    header += static_cast<char>(text.size() >> 8);
    return header + text;
}

}  // namespace tandem::cli
