#!/usr/bin/env bash
# On a machine with a GPU: builds, runs the gpu tests, compute-sanitizer over the Sanitizer suites, then the benchmarks. Needs no network.
#   scripts/gpu_check.sh [OPTION...]
#   --tests REGEX    only the tests whose names match, and only their programs are built
#   --fast           no slow tests
#   --filter REGEX   only the benchmark rows whose names match
#   --quick          the benchmarks at their largest size only
#   --tests-only, --bench-only, --no-sanitizer
#   --out DIR        where the figures (GPU NAME.json, with -partial for part of the rows) and the logs go; figures go to
#                    benchmark/results and logs to build/gpu without it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=build/gpu
out=benchmark/results
logs=$build
tests=1
benchmarks=1
sanitizer=1
selection=(-L gpu)
bench=()
device_bench=()
partial=
usage() { sed -n '2,/^set -/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
while (($#)); do
    case "$1" in
        --tests | --filter | --out) (($# > 1)) || usage
            case "$1" in
                --tests) selection+=(-R "$2") ;;
                --filter) bench+=(--filter "$2") device_bench+=(--filter "$2") partial=-partial ;;
                --out) out=$2 logs=$2 ;;
            esac
            shift ;;
        --fast) selection+=(-LE slow) ;;
        --quick) bench+=(--quick) partial=-partial ;;
        --tests-only) benchmarks=0 ;;
        --bench-only) tests=0 ;;
        --no-sanitizer) sanitizer=0 ;;
        *) usage ;;
    esac
    shift
done

source scripts/common.sh
PATH=$PATH:/usr/local/cuda/bin
[[ -n $architecture ]] || { echo "gpu_check: nvidia-smi names no GPU" >&2; exit 1; }
mkdir -p "$out" "$logs"
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
file=$(tr '[:upper:] ' '[:lower:]_' <<<"$gpu" | tr -cd 'a-z0-9_-')$partial.json
echo "gpu_check: $gpu, architecture $architecture"

on_or_off() { (($1)) && echo ON || echo OFF; }

# The executables of the selected tests, one path a line.
gpu_test_programs() {
    ctest --test-dir "$build" "${selection[@]}" --show-only=json-v1 |
        python3 -c 'import json, sys; print(*sorted({t["command"][0] for t in json.load(sys.stdin)["tests"]}), sep="\n")'
}

# The targets that the selected tests run, one a line: their names are those of the tests, or how those begin. Everything when a
# test has no such target.
targets_of_tests() {
    cmake --build "$build" --target help | python3 -c '
import json, re, subprocess, sys
targets = set(re.findall(r"^(?:\.\.\. )?(\w+)(?:: phony)?$", sys.stdin.read(), re.M))
listed = subprocess.run(sys.argv[1:], capture_output=True, check=True).stdout
names = [test["name"] for test in json.loads(listed)["tests"]]
found = {name: [t for t in targets if name.startswith(t) and len(t) > 6] for name in names}
print(*({max(ts, key=len) for ts in found.values()} if all(found.values()) else ["all"]), sep="\n")
' ctest --test-dir "$build" "${selection[@]}" --show-only=json-v1
}

build_all() {
    cmake -S . -B "$build" "${configure[@]}" -DTANDEM_CUDA=ON "-DTANDEM_BUILD_TESTS=$(on_or_off "$tests")" \
        "-DTANDEM_BUILD_BENCHMARKS=$(on_or_off "$benchmarks")"
    local targets=()
    ((!tests)) || mapfile -t targets < <(targets_of_tests)
    ((!benchmarks)) || targets+=(tandem_bench_gpu tandem_bench_device tandem_bench_theta)
    cmake --build "$build" --parallel "$jobs" --target "${targets[@]}"
}

run_sanitizer() {
    local tool=$1 program status=0
    while read -r program; do
        # A program without such a suite has nothing to check.
        "$program" --gtest_list_tests --gtest_filter='*Sanitizer*' 2>/dev/null | grep -q '^ ' || continue
        echo "gpu_check: compute-sanitizer $tool $(basename "$program")"
        compute-sanitizer --tool "$tool" --error-exitcode 9 "$program" --gtest_filter='*Sanitizer*' --gtest_brief=1 || status=1
    done < <(gpu_test_programs)
    return $status
}

# A filter may match rows of one program only.
run_benchmark() {
    local program=$1 log=$logs/$2
    shift 2
    "$build/benchmark/$program" "$@" >"$log" 2>&1 || { [[ -n $partial ]] && grep -q 'no row matches' "$log"; } || failed+=("$program")
}

failed=()
if ! build_all >"$logs/build.log" 2>&1; then
    tail -n 40 "$logs/build.log"
    echo "gpu_check: the build failed; the whole log is $logs/build.log"
    exit 1
fi
if ((tests)); then
    ctest --test-dir "$build" "${selection[@]}" --output-on-failure --no-tests=error 2>&1 | tee "$logs/ctest.log" || failed+=(ctest)
    # A GPU that no test could use must not look like success.
    grep -q ' Passed ' "$logs/ctest.log" || failed+=("ctest ran nothing")
    if ((sanitizer)) && ! command -v compute-sanitizer >/dev/null; then
        echo "gpu_check: no compute-sanitizer here: left out"
    elif ((sanitizer)); then
        for tool in memcheck racecheck initcheck; do
            run_sanitizer "$tool" 2>&1 | tee "$logs/sanitizer-$tool.log" || failed+=("$tool")
        done
    fi
fi
if ((benchmarks)); then
    # The table at the end of each log is what to read.
    run_benchmark tandem_bench_gpu benchmark.log "${bench[@]}" --out "$out/$file"
    run_benchmark tandem_bench_device benchmark-device.log "${device_bench[@]}" --out "$out/${file%.json}-device.json"
    run_benchmark tandem_bench_theta benchmark-theta.log "${device_bench[@]}" --out "$out/${file%.json}-theta.json"
    sed -n '/^row  /,$p' "$logs/benchmark.log" "$logs/benchmark-device.log" "$logs/benchmark-theta.log"
    [[ -n $partial || ! -f $out/$file ]] || scripts/plot_benchmarks.py "$out/$file" >/dev/null
    # cuRAND refuses some orderings; a refused row of ours has no figure and fails.
    grep 'ERROR OCCURRED' "$logs/benchmark.log" | grep -v '^BM_curand' || true
fi
if ((${#failed[@]})); then
    printf 'gpu_check: failed: %s\n' "${failed[@]}"
    exit 1
fi
echo "gpu_check: passed; figures are in $out, logs in $logs"
