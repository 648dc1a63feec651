# Finds what the build can use. A machine may have a dependency as a CMake package, or only as headers and libraries under
# CMAKE_PREFIX_PATH; either way the imported target has the package's own name. All are optional: callers test if(TARGET ...).

find_package(Threads REQUIRED)

include(TandemImport)

# hwy::hwy, for the SIMD engine.
find_package(hwy CONFIG QUIET)
if(NOT TARGET hwy::hwy)
    tandem_import(hwy::hwy HEADER hwy/highway.h LIBRARY hwy)
endif()

# CLI11::CLI11 and nlohmann_json::nlohmann_json, for the command line and the tests' vectors.
find_package(CLI11 CONFIG QUIET)
if(NOT TARGET CLI11::CLI11)
    tandem_import(CLI11::CLI11 HEADER CLI/CLI.hpp)
endif()
find_package(nlohmann_json CONFIG QUIET)
if(NOT TARGET nlohmann_json::nlohmann_json)
    tandem_import(nlohmann_json::nlohmann_json HEADER nlohmann/json.hpp)
endif()

# benchmark::benchmark, for the benchmarks.
if(TANDEM_BUILD_BENCHMARKS)
    find_package(benchmark CONFIG QUIET)
    if(NOT TARGET benchmark::benchmark)
        tandem_import(benchmark::benchmark HEADER benchmark/benchmark.h LIBRARY benchmark LINKS Threads::Threads)
    endif()
endif()

# GTest::gtest and GTest::gtest_main, for the tests: the package, then loose libraries, then the sources that distributions install.
if(TANDEM_BUILD_TESTS)
    find_package(GTest QUIET)
    if(NOT TARGET GTest::gtest_main)
        tandem_import(GTest::gtest HEADER gtest/gtest.h LIBRARY gtest LINKS Threads::Threads)
        if(TARGET GTest::gtest)
            tandem_import(GTest::gtest_main HEADER gtest/gtest.h LIBRARY gtest_main LINKS GTest::gtest)
        endif()
    endif()
    if(NOT TARGET GTest::gtest_main)
        find_path(TANDEM_GTEST_SOURCE googletest/CMakeLists.txt PATH_SUFFIXES src/googletest PATHS /usr/src/googletest)
        mark_as_advanced(TANDEM_GTEST_SOURCE)
        if(TANDEM_GTEST_SOURCE)
            set(INSTALL_GTEST OFF)
            set(BUILD_GMOCK OFF)
            set(tandem_shared ${BUILD_SHARED_LIBS})
            set(BUILD_SHARED_LIBS OFF)
            add_subdirectory("${TANDEM_GTEST_SOURCE}" "${CMAKE_BINARY_DIR}/googletest" EXCLUDE_FROM_ALL)
            set(BUILD_SHARED_LIBS ${tandem_shared})
            foreach(name gtest gtest_main)
                target_compile_options(${name} PRIVATE -w)
                if(NOT TARGET GTest::${name})
                    add_library(GTest::${name} ALIAS ${name})
                endif()
            endforeach()
        endif()
    endif()
    if(NOT TARGET GTest::gtest_main)
        message(FATAL_ERROR "The tests need GoogleTest (Debian: libgtest-dev); configure with -DTANDEM_BUILD_TESTS=OFF without it")
    endif()
endif()

# Python3::Interpreter, for the tests that call scripts: the one of .venv when it works, where scripts/setup.sh puts numpy and mpmath.
if(TANDEM_BUILD_TESTS)
    if(NOT DEFINED Python3_EXECUTABLE AND EXISTS "${PROJECT_SOURCE_DIR}/.venv/bin/python3")
        execute_process(COMMAND "${PROJECT_SOURCE_DIR}/.venv/bin/python3" -c "import numpy, mpmath" RESULT_VARIABLE tandem_venv
                        OUTPUT_QUIET ERROR_QUIET)
        if(tandem_venv EQUAL 0)
            set(Python3_EXECUTABLE "${PROJECT_SOURCE_DIR}/.venv/bin/python3")
        endif()
    endif()
    find_package(Python3 COMPONENTS Interpreter)
endif()
