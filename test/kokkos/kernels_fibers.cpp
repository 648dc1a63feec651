#include <cstring>

#include "kokkos/fibers.hpp"
#include "kokkos/kernel_backends.hpp"

namespace tandem::test {
namespace {

/// What a kernel uses of Kokkos' team members.
class FiberMember {
  public:
    struct Scratch {
        void* memory;
        void* get_shmem_aligned(std::size_t, std::ptrdiff_t) const { return memory; }
    };

    FiberMember(Fibers& fibers, int league_rank, int team_rank, void* scratch)
        : fibers_(fibers), league_rank_(league_rank), team_rank_(team_rank), scratch_{scratch} {}

    int league_rank() const { return league_rank_; }
    int team_rank() const { return team_rank_; }
    void team_barrier() const { fibers_.wait(); }
    const Scratch& team_scratch(int) const { return scratch_; }

  private:
    Fibers& fibers_;
    int league_rank_;
    int team_rank_;
    Scratch scratch_;
};

template <int TEAM>
uint64_t fill_by_fibers(const Fill& fill) {
    return run_job(fill, [](const auto& op, const auto& job) {
        const kokkos_detail::TeamKernel<std::decay_t<decltype(op)>, TEAM, 0> kernel(op, job);
        static Fibers fibers(TEAM);
        const auto stage = std::make_unique<kokkos_detail::Stage>();
        for (uint64_t team = 0; team < kernel.teams(); ++team) {
            std::memset(stage.get(), 0xa5, sizeof(*stage));
            fibers.run([&](int rank) { kernel(FiberMember(fibers, static_cast<int>(team), rank, stage.get())); });
        }
    });
}

}  // namespace

void add_fibers(std::vector<Backend>& all) {
#if defined(__SANITIZE_THREAD__)
    (void)all;  // ThreadSanitizer does not know of fibers
#else
    all.push_back({"fibers_team256", 8, false, true, fill_by_fibers<256>});
    all.push_back({"fibers_team32", 8, false, true, fill_by_fibers<32>});
#endif
}

}  // namespace tandem::test
