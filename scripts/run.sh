#!/usr/bin/env bash
# Installs what is missing, builds, then fills arrays on the CPU and, where there is one, on the GPU: shows the first values, that
# both agree, and GiB/s. Fails when they disagree.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh
source scripts/common.sh
mkdir -p build/run
if ! { cmake -S . -B build/run "${configure[@]}" -DTANDEM_BUILD_TESTS=OFF &&
       cmake --build build/run --parallel "$jobs" --target quickstart; } >build/run/log.txt 2>&1; then
    tail -n 40 build/run/log.txt
    echo "run: the build failed; the whole log is build/run/log.txt"
    exit 1
fi
exec build/run/examples/quickstart
