#include "host_api/device_table.hpp"

namespace tandem::api {

DeviceTable::DeviceTable(const ChoiceTable& table, uint64_t context_id, MemoryYard& yard)
    : memory_(std::size_t{table.m} * (sizeof(uint64_t) + sizeof(uint32_t)), context_id, yard) {
    const std::size_t cut_bytes = std::size_t{table.m} * sizeof(uint64_t);
    char* const cut = static_cast<char*>(memory_.data());
    char* const alias = cut + cut_bytes;
    PrivateStream stream;
    stream.copy(cut, table.cut.data(), cut_bytes);
    stream.copy(alias, table.alias.data(), std::size_t{table.m} * sizeof(uint32_t));
    stream.wait();
    view_ = ChoiceView{reinterpret_cast<const uint64_t*>(cut), reinterpret_cast<const uint32_t*>(alias), table.capacity, table.m,
                       table.low};
}

}  // namespace tandem::api
