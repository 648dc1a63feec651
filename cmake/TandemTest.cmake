# tandem_add_test(NAME <name> SOURCES <files> LABELS <cpu|gpu|slow>... [LIBS <targets>] [TIMEOUT <seconds>]): a GoogleTest
# executable <name> over libtandem, and the ctest test that runs it. A test with .cu sources exists only in a CUDA build.
function(tandem_add_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIMEOUT" "SOURCES;LABELS;LIBS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "tandem_add_test(${arg_NAME}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    foreach(label IN LISTS arg_LABELS)
        if(NOT label MATCHES "^(cpu|gpu|slow)$")
            message(FATAL_ERROR "tandem_add_test(${arg_NAME}): unknown label ${label}")
        endif()
    endforeach()
    if("${arg_SOURCES}" MATCHES "\\.cu(;|$)" AND NOT TANDEM_CUDA)
        return()
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 600)
    endif()

    add_executable(${arg_NAME} ${arg_SOURCES})
    target_link_libraries(${arg_NAME} PRIVATE GTest::gtest_main tandem::tandem ${arg_LIBS})
    # GoogleTest's suite macros are variadic with nothing to pass, in the test's own lines.
    target_compile_options(${arg_NAME} PRIVATE
                           "$<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-gnu-zero-variadic-macro-arguments>")
    target_include_directories(${arg_NAME} PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/test")
    target_compile_definitions(${arg_NAME} PRIVATE "TANDEM_TEST_DATA=\"${PROJECT_SOURCE_DIR}/test/data\"")

    add_test(NAME ${arg_NAME} COMMAND ${arg_NAME})
    # A run in which every test skipped itself counts as skipped; one failure among them ends the output otherwise.
    set_tests_properties(${arg_NAME} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} SKIP_REGULAR_EXPRESSION
                                                "\\[  PASSED  \\] 0 tests\\.\n(\\[  SKIPPED \\][^\n]*\n)+$")
    if("gpu" IN_LIST arg_LABELS)
        set_tests_properties(${arg_NAME} PROPERTIES RESOURCE_LOCK gpu)
    endif()
endfunction()
