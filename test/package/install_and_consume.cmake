# Installs BUILD under WORK, then configures, builds and runs CONSUMER against the installed package. Any failure fails the script.

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}: ${result}\n${output}")
    endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
set(prefix "${WORK}/prefix")
run("${CMAKE_COMMAND}" --install "${BUILD}" --config "${CONFIG}" --prefix "${prefix}")
run("${CMAKE_COMMAND}" -S "${CONSUMER}" -B "${WORK}/build" -G "${GENERATOR}" "-DCMAKE_BUILD_TYPE=${CONFIG}"
    "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_PREFIX_PATH=${prefix};${PREFIX_PATH}"
    "-DEXPECTED_PREFIX=${prefix}" "-DEXPECTED_VERSION=${VERSION}")
run("${CMAKE_COMMAND}" --build "${WORK}/build" --config "${CONFIG}")
run("${CMAKE_CTEST_COMMAND}" --test-dir "${WORK}/build" -C "${CONFIG}" --output-on-failure --no-tests=error)
if(EXISTS "${prefix}/bin/tandem")
    run("${prefix}/bin/tandem" info)
endif()
