#include <stdexcept>
#include <utility>

#include "host_api/backend.hpp"
#include "host_api/cpu/engine.hpp"
#include "tandem/error.hpp"

namespace tandem::api {
namespace {

class HostTable final : public ResidentTable {
  public:
    explicit HostTable(std::shared_ptr<const ChoiceTable> table) : table_(std::move(table)) {}
    ChoiceView view() const override { return table_->view(); }

  private:
    std::shared_ptr<const ChoiceTable> table_;
};

class HostBackend final : public Backend {
  public:
    void check_output(const Fill&, const RunOptions&) const override {}

    bool capturing(CUstream_st*) const override { return false; }

    std::shared_ptr<ResidentTable> place(const std::shared_ptr<const ChoiceTable>& table) override {
        return std::make_shared<HostTable>(table);
    }

    void collect_tables() noexcept override {}

    void run(const Fill& fill, const RunOptions& options) override {
        Fill exact = fill;
        exact.mode = NormalMode::exact;
        try {
            cpu::fill(exact, options.threads);
        } catch (const std::invalid_argument& refused) {
            throw error(TANDEM_STATUS_OUT_OF_RANGE, refused.what());
        }
    }

    void store_graph_key(std::shared_ptr<GraphKey>&, const Key&, CUstream_st*) override {}

    std::size_t scratch_bytes() const override { return 0; }
    void release_scratch() override {}
};

}  // namespace

Backend& host_backend() {
    static HostBackend* const backend = new HostBackend;  // never destroyed: handles may be used while the process ends
    return *backend;
}

}  // namespace tandem::api
