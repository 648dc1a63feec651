#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "host_api/cpu/engine.hpp"
#include "host_api/cpu/targets.hpp"

namespace tandem::test {
namespace {

void fill_something() {
    uint32_t out[100];
    Fill fill;
    fill.n = 100;
    fill.out = out;
    cpu::fill(fill, 1);
}

TEST(CpuTargets, EndWithScalar) {
    ASSERT_FALSE(cpu::targets().empty());
    EXPECT_STREQ(cpu::targets().back().name, "scalar");
}

TEST(CpuTargets, TheForcedOneRuns) {
    for (const cpu::Target& target : cpu::targets()) {
        cpu::force_target(target.name);
        EXPECT_STREQ(cpu::active_target().name, target.name);
        fill_something();
        EXPECT_STREQ(cpu::last_target(), target.name);
    }
    cpu::force_target("");
    fill_something();
    EXPECT_STREQ(cpu::last_target(), cpu::active_target().name);
}

TEST(CpuTargets, AnUnknownNameIsRefusedAndChangesNothing) {
    cpu::force_target("scalar");
    for (const char* name : {"avx1024", "AVX2", "scalar ", "0"}) {
        try {
            cpu::force_target(name);
            ADD_FAILURE() << name << " was taken";
        } catch (const std::invalid_argument& error) {
            EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("scalar"), std::string::npos) << error.what();
        }
        EXPECT_STREQ(cpu::active_target().name, "scalar");
    }
    cpu::force_target("");
}

// The variable is read once a process, so each value needs a process of its own: a death test's.
void exit_with_target_of_variable(const char* value) {
    setenv("TANDEM_FORCE_TARGET", value, 1);
    try {
        fill_something();
        std::exit(std::string(cpu::last_target()) == value ? 0 : 1);
    } catch (const std::invalid_argument&) {
        std::exit(2);
    }
}

TEST(CpuTargetsDeathTest, TheEnvironmentForcesOne) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    for (const cpu::Target& target : cpu::targets()) {
        EXPECT_EXIT(exit_with_target_of_variable(target.name), testing::ExitedWithCode(0), "");
    }
    EXPECT_EXIT(exit_with_target_of_variable("fastest"), testing::ExitedWithCode(2), "");
}

}  // namespace
}  // namespace tandem::test
