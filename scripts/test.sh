#!/usr/bin/env bash
# Builds and runs every test that this machine can: scripts/test.sh [--sanitize] [--werror] [-- CTEST_ARGUMENT...]
#   --sanitize  builds the CPU tests under ThreadSanitizer, and under AddressSanitizer with UBSan, and runs those instead
#   --werror    treats warnings as errors
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sanitize=0
options=()
while (($#)); do
    case "$1" in
        --sanitize) sanitize=1 ;;
        --werror) options+=(-DTANDEM_WERROR=ON) ;;
        --) shift; break ;;
        *) echo "usage: scripts/test.sh [--sanitize] [--werror] [-- CTEST_ARGUMENT...]" >&2; exit 2 ;;
    esac
    shift
done

scripts/setup.sh
source scripts/common.sh

build_and_test() {
    local folder=$1
    shift
    cmake -S . -B "$folder" "${configure[@]}" -DTANDEM_BUILD_TESTS=ON "${options[@]}" "${cmake_extra[@]}" >/dev/null
    cmake --build "$folder" --parallel "$jobs"
    "${ctest_prefix[@]}" ctest --test-dir "$folder" --output-on-failure --no-tests=error --parallel "$jobs" "$@"
}

cmake_extra=()
ctest_prefix=()
if ((!sanitize)); then
    build_and_test build/test "$@"
    exit
fi

# The tests that call compilers see nothing of a sanitizer, and the slow ones have nothing new for it.
selection=(-L cpu -LE slow -E '^(headers|package)_')
sanitizer_build() {
    cmake_extra=(-DTANDEM_CUDA=OFF -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS=$1" "-DCMAKE_C_FLAGS=$1")
}
export TSAN_OPTIONS="halt_on_error=1 die_after_fork=0 second_deadlock_stack=1"
export UBSAN_OPTIONS="print_stacktrace=1"

echo "test: ThreadSanitizer"
sanitizer_build "-fsanitize=thread"
# gcc 12's ThreadSanitizer cannot start under the wider address randomisation of newer kernels.
if setarch -R true 2>/dev/null; then ctest_prefix=(setarch -R); fi
build_and_test build/tsan "${selection[@]}" "$@"

echo "test: AddressSanitizer and UndefinedBehaviorSanitizer"
sanitizer_build "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
ctest_prefix=()
build_and_test build/asan "${selection[@]}" "$@"
