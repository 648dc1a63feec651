#pragma once

/// Tables of weighted choices and discrete laws where an execution space can read them.

#include <Kokkos_Core.hpp>

#include "tandem/core/choice.hpp"

namespace tandem {

/// A copy of a table in a memory space. Copies of this object share it; it must live until the fills that read it have run.
template <class MemorySpace>
class ChoiceTableOn {
  public:
    /// Copies a table, waiting for the copy.
    explicit ChoiceTableOn(const ChoiceTable& table)
        : cut_("tandem::cut", table.m),
          alias_("tandem::alias", table.m),
          capacity_(table.capacity),
          m_(table.m),
          low_(table.low) {
        copy(table.cut, cut_);
        copy(table.alias, alias_);
    }

    /// For Rng::choice in kernels, and for fills.
    ChoiceView view() const { return ChoiceView{cut_.data(), alias_.data(), capacity_, m_, low_}; }

  private:
    template <class V>
    using Column = Kokkos::View<V*, MemorySpace>;

    template <class V>
    static void copy(const std::vector<V>& from, const Column<V>& to) {
        Kokkos::deep_copy(to, Kokkos::View<const V*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(from.data(), from.size()));
    }

    Column<uint64_t> cut_;
    Column<uint32_t> alias_;
    uint64_t capacity_;
    uint32_t m_;
    uint32_t low_;
};

}  // namespace tandem
