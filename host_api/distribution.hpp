#pragma once

/// Discrete distributions: a table on the host and its copies where fills have read it.

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "host_api/backend.hpp"

namespace tandem::api {

/// Which law a table is of. Laws are equal when their tables are.
struct Law {
    enum class Kind : uint8_t { poisson, binomial, geometric };
    Kind kind = Kind::poisson;
    uint32_t trials = 0;   ///< binomial
    double parameter = 0;  ///< lambda, or the probability

    bool operator==(const Law& other) const {
        return kind == other.kind && trials == other.trials && parameter == other.parameter;
    }
};

/// Refuses the parameters of a law that has no table.
void check_law(const Law& law);

/// The table of a law that check_law accepts.
ChoiceTable build_law(const Law& law);

/// An immutable table. Threads may share it.
class Distribution {
  public:
    explicit Distribution(ChoiceTable table) : table_(std::make_shared<const ChoiceTable>(std::move(table))) {}
    Distribution(const Distribution&) = delete;
    Distribution& operator=(const Distribution&) = delete;
    ~Distribution();

    ChoiceView host_view() const { return table_->view(); }

    /// The table in the memory that a backend's fills read; placed there by the first call.
    std::shared_ptr<ResidentTable> on(Backend& backend);

  private:
    std::shared_ptr<const ChoiceTable> table_;
    std::mutex mutex_;
    std::vector<std::pair<Backend*, std::shared_ptr<ResidentTable>>> resident_;
};

}  // namespace tandem::api
