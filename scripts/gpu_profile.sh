#!/usr/bin/env bash
# What binds a GPU: runs one call of each benchmark row under ncu and prints a table, a column a row.
#   scripts/gpu_profile.sh [REGEX]          fills, by the rows whose names contain a match, such as '^(u8|normal_f64)(_out24)?$'
#   scripts/gpu_profile.sh --theta ROW...   updates of sketches, by the names of tandem_bench_theta
# Needs build/gpu of scripts/gpu_check.sh, and leave to read the GPU's counters.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

PATH=$PATH:/usr/local/cuda/bin
source scripts/common.sh
cmake -S . -B build/gpu "${configure[@]}" -DTANDEM_CUDA=ON -DTANDEM_BUILD_BENCHMARKS=ON >/dev/null
cmake --build build/gpu --parallel "$jobs" --target tandem_profile_gpu tandem_bench_theta >/dev/null

stall() { printf 'smsp__average_warps_issue_stalled_%s_per_issue_active.ratio,' "$@"; }
metrics=gpu__time_duration.sum,sm__inst_executed.sum,sm__inst_issued.avg.pct_of_peak_sustained_active
metrics+=,$(printf 'sm__inst_executed_pipe_%s.sum,' alu fma fp64 xu lsu)
metrics+=$(printf 'sm__pipe_%s_cycles_active.avg.pct_of_peak_sustained_active,' alu fma fmaheavy fp64)
metrics+=sm__warps_active.avg.pct_of_peak_sustained_active,l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed
metrics+=,$(printf 'dram__bytes_%s.sum,dram__bytes_%s.sum.pct_of_peak_sustained_elapsed,' read read write write)lts__t_sectors_op_write.sum
metrics+=,$(stall wait math_pipe_throttle not_selected dispatch_stall short_scoreboard long_scoreboard lg_throttle mio_throttle barrier)
metrics=${metrics%,}

# The counters of the kernels whose whole names match $1, as CSV between what the program prints; the clocks stay as they are.
counters() { ncu --clock-control none --csv --kernel-name-base demangled -k "regex:$1" --metrics "$metrics" "${@:2}"; }

fills() { counters 'fill_kernel|direct_kernel' build/gpu/benchmark/tandem_profile_gpu "$1"; }

# The first two updates prepare and warm up.
updates() {
    for row in "$@"; do
        echo "row $row"
        counters 'KeySource|DrawSource' --launch-skip 2 --launch-count 1 build/gpu/benchmark/tandem_bench_theta --quick --filter "^$row\$" |
            grep '^"'
    done
}

if [[ ${1:-} == --theta ]]; then updates "${@:2}"; else fills "${1:-}"; fi |
    python3 -c '
import csv, sys

lines = sys.stdin.read().splitlines()
names = [line[4:] for line in lines if line.startswith("row ")]
counters = [line for line in lines if line.startswith("\"")]
table = list(csv.DictReader(line for i, line in enumerate(counters) if i == 0 or line != counters[0]))
if not names or not table:
    sys.exit("gpu_profile: no row, or no counters:\n" + "\n".join(lines[-5:]))
metrics = {}
for entry in table:
    metrics.setdefault(entry["Metric Name"], []).append(entry["Metric Value"].replace(",", ""))
print(" " * 44 + " ".join(f"{name[-16:]:>16}" for name in names))
for metric, values in metrics.items():
    short = metric.replace("smsp__average_warps_issue_stalled_", "stalled ").replace("_per_issue_active.ratio", "")
    short = short.replace(".avg.pct_of_peak_sustained", " %").replace("_active", "").replace("_elapsed", "")
    print(f"{short[:44]:44}" + " ".join(f"{value[:16]:>16}" for value in values))
'
