# The options of the build, the CUDA language and the flags that every target of this project shares.

include(CheckLanguage)

# The toolkit's usual place is often not in PATH.
if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(TANDEM_NVCC nvcc HINTS "$ENV{CUDA_PATH}/bin" "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin)
    mark_as_advanced(TANDEM_NVCC)
    if(TANDEM_NVCC)
        set(CMAKE_CUDA_COMPILER "${TANDEM_NVCC}")
    endif()
endif()

# Ampere and Ada run the 80 code, later GPUs than Hopper compile the PTX of 90.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90 CACHE STRING "The GPU architectures to compile for")
endif()

if(NOT DEFINED TANDEM_CUDA)
    check_language(CUDA)
endif()
if(CMAKE_CUDA_COMPILER)
    set(tandem_cuda_default ON)
else()
    set(tandem_cuda_default OFF)
endif()
option(TANDEM_CUDA "Build the CUDA backend" ${tandem_cuda_default})
option(TANDEM_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(TANDEM_BUILD_BENCHMARKS "Build the benchmarks" OFF)
option(TANDEM_WERROR "Treat warnings as errors" OFF)
option(BUILD_SHARED_LIBS "Build libtandem as a shared library" ON)

if(TANDEM_CUDA)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(TANDEM_HAS_CUDA 1)
else()
    set(TANDEM_HAS_CUDA 0)
endif()

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
    get_property(tandem_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    if(NOT CMAKE_BUILD_TYPE AND NOT tandem_multi_config)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "The build type" FORCE)
    endif()
endif()

set(tandem_host_warnings -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:${tandem_host_warnings}>"
                    "$<$<COMPILE_LANG_AND_ID:C,GNU,Clang,AppleClang>:${tandem_host_warnings}>"
                    # The host code that nvcc generates is neither pedantic nor free of conversions.
                    "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wall,-Wextra,-Wshadow>")
if(TANDEM_WERROR)
    add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-Werror>"
                        "$<$<COMPILE_LANG_AND_ID:C,GNU,Clang,AppleClang>:-Werror>"
                        "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Werror=all-warnings;-Xcompiler=-Werror>")
endif()
