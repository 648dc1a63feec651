#!/usr/bin/env bash
# On a machine with a GPU: builds, runs the gpu tests, compute-sanitizer over the Sanitizer suites, then the benchmarks. Needs no network.
#   scripts/gpu_check.sh [--filter REGEX] [--bench-only] [--no-sanitizer] [--out DIR]
#   --filter REGEX   the benchmarks to run (all)
#   --bench-only     no tests
#   --no-sanitizer   no compute-sanitizer
#   --out DIR        where logs and JSON go (benchmark/results)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

filter=.
out=benchmark/results
tests=1
sanitizer=1
usage() { sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
while (($#)); do
    case "$1" in
        --filter | --out) (($# > 1)) || usage
            if [[ $1 == --filter ]]; then filter=$2; else out=$2; fi
            shift ;;
        --bench-only) tests=0 ;;
        --no-sanitizer) sanitizer=0 ;;
        *) usage ;;
    esac
    shift
done

source scripts/common.sh
PATH=$PATH:/usr/local/cuda/bin
[[ -n $architecture ]] || { echo "gpu_check: nvidia-smi names no GPU" >&2; exit 1; }
mkdir -p "$out"
build=build/gpu
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
echo "gpu_check: $gpu, architecture $architecture"

build_all() {
    cmake -S . -B "$build" "${configure[@]}" -DTANDEM_CUDA=ON -DTANDEM_BUILD_TESTS="$([[ $tests == 1 ]] && echo ON || echo OFF)" \
        -DTANDEM_BUILD_BENCHMARKS=ON
    cmake --build "$build" --parallel "$jobs"
}

# The executables of the tests labelled gpu, one path a line.
gpu_test_programs() {
    ctest --test-dir "$build" -L gpu --show-only=json-v1 |
        python3 -c 'import json, sys; print(*sorted({t["command"][0] for t in json.load(sys.stdin)["tests"]}), sep="\n")'
}

run_sanitizer() {
    local tool=$1 program status=0
    while read -r program; do
        # A program without such a suite has nothing to check.
        "$program" --gtest_list_tests --gtest_filter='*Sanitizer*' 2>/dev/null | grep -q '^ ' || continue
        echo "gpu_check: compute-sanitizer $tool $(basename "$program")"
        compute-sanitizer --tool "$tool" --error-exitcode 9 "$program" --gtest_filter='*Sanitizer*' || status=1
    done < <(gpu_test_programs)
    return $status
}

failed=()
if ! build_all >"$out/build.log" 2>&1; then
    tail -n 40 "$out/build.log"
    echo "gpu_check: the build failed; the whole log is $out/build.log"
    exit 1
fi
if ((tests)); then
    ctest --test-dir "$build" -L gpu --output-on-failure --no-tests=error 2>&1 | tee "$out/ctest.log" || failed+=(ctest)
    # A GPU that no test could use must not look like success.
    grep -q ' Passed ' "$out/ctest.log" || failed+=("ctest ran nothing")
    if ((sanitizer)) && ! command -v compute-sanitizer >/dev/null; then
        echo "gpu_check: no compute-sanitizer here: left out"
    elif ((sanitizer)); then
        for tool in memcheck racecheck initcheck; do
            run_sanitizer "$tool" 2>&1 | tee "$out/sanitizer-$tool.log" || failed+=("$tool")
        done
    fi
fi
if [[ -x $build/benchmark/tandem_benchmark ]]; then
    "$build/benchmark/tandem_benchmark" "--benchmark_filter=$filter" "--benchmark_out=$out/benchmark.json" \
        --benchmark_out_format=json 2>&1 | tee "$out/benchmark.log" || failed+=(benchmark)
else
    echo "gpu_check: no benchmark was built: left out"
fi
if ((${#failed[@]})); then
    printf 'gpu_check: failed: %s\n' "${failed[@]}"
    exit 1
fi
echo "gpu_check: passed; logs and figures are in $out"
