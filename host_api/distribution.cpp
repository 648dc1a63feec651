#include "host_api/distribution.hpp"

#include "host_api/status.hpp"
#include "tandem/core/laws.hpp"

namespace tandem::api {

void check_law(const Law& law) {
    const double x = law.parameter;
    switch (law.kind) {
        case Law::Kind::poisson:
            if (!(x > 0 && x <= 0x1p31)) refuse("lambda", text_of(x), "it must be above 0 and at most 2^31");
            return;
        case Law::Kind::binomial:
            if (!(x >= 0 && x <= 1)) refuse("p", text_of(x), "it must be from 0 to 1");
            return;
        case Law::Kind::geometric:
            if (!(x >= 0x1p-20 && x <= 1)) refuse("p", text_of(x), "it must be from 2^-20 to 1");
            return;
    }
}

ChoiceTable build_law(const Law& law) {
    switch (law.kind) {
        case Law::Kind::poisson: return poisson_table(law.parameter);
        case Law::Kind::binomial: return binomial_table(law.trials, law.parameter);
        case Law::Kind::geometric: break;
    }
    return geometric_table(law.parameter);
}

Distribution::~Distribution() {
    for (auto& [backend, table] : resident_) {
        table.reset();
        backend->collect_tables();
    }
}

std::shared_ptr<ResidentTable> Distribution::on(Backend& backend) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [where, table] : resident_) {
        if (where == &backend) return table;
    }
    resident_.reserve(resident_.size() + 1);
    resident_.emplace_back(&backend, backend.place(table_));
    return resident_.back().second;
}

}  // namespace tandem::api
