#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "curand/status_cases.hpp"

namespace tandem::test {
namespace {

/// The status of a case, from a process of its own: some calls end theirs.
int outcome(const StatusCase& row, const CurandLibrary& library) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
    const pid_t child = fork();
    if (child == 0) {
        // What the C library says about a corrupted heap is expected.
        if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
        const int status = row.run(library);
        _exit(write(ends[1], &status, sizeof(status)) == sizeof(status) ? 0 : 1);
    }
    close(ends[1]);
    int status = CRASHES;
    if (read(ends[0], &status, sizeof(status)) != sizeof(status)) status = CRASHES;
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return status;
}

class Statuses : public testing::Test {
  protected:
    // The device functions are to find no GPU, also where there is one.
    static void SetUpTestSuite() { setenv("CUDA_VISIBLE_DEVICES", "-1", 1); }
};

TEST_F(Statuses, OfTheDropIn) {
    const CurandLibrary ours(TANDEM_TEST_CURAND);
    for (const StatusCase& row : status_cases()) EXPECT_EQ(outcome(row, ours), row.ours) << row.name;
}

TEST_F(Statuses, OfNvidiasLibrary) {
    const char* path = std::getenv("TANDEM_TEST_NVIDIA_CURAND");
    if (path == nullptr || *path == '\0') GTEST_SKIP() << "no libcurand.so.10 of NVIDIA's was found";
    const CurandLibrary nvidias(path);
    for (const StatusCase& row : status_cases()) {
        if (row.nvidias == UNDEFINED) continue;
        EXPECT_EQ(outcome(row, nvidias), row.nvidias) << row.name;
    }
}

TEST_F(Statuses, DifferWithAReason) {
    for (const StatusCase& row : status_cases()) EXPECT_EQ(row.ours != row.nvidias, !row.reason.empty()) << row.name;
}

}  // namespace
}  // namespace tandem::test
