#!/usr/bin/env python3
"""Turns the JSON of tandem_bench_cpu into benchmark/results/cpu-<model>.json.

    tandem_bench_cpu --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true \\
        --benchmark_out_format=json --benchmark_out=raw.json
    benchmark/cpu_report.py raw.json benchmark/results
"""

import json
import pathlib
import re
import statistics
import sys

GIB = 2.0**30
PEERS = ("curand_host_philox", "curand_host_mt19937", "random123_philox4x32", "std_mt19937_64")


def medians(runs):
    """Bytes per second by name: the median of the repetitions, and their spread."""
    rates = {}
    for run in runs:
        if run.get("run_type") == "iteration" and "bytes_per_second" in run:
            rates.setdefault(re.sub(r"/(real_time|threads:\d+|repeats:\d+)", "", run["run_name"]), []).append(run["bytes_per_second"])
    return {name: (statistics.median(r) / GIB, max(r) / GIB, min(r) / GIB) for name, r in rates.items()}


def main():
    source, folder = sys.argv[1:]
    raw = json.loads(pathlib.Path(source).read_text())
    rates = medians(raw["benchmarks"])
    table = {}
    for name, rate in rates.items():
        op, draw, n = re.fullmatch(r"BM_(\w+)/(\w+)/n:(\d+)", name).groups()
        table.setdefault(op, {})[draw, int(n)] = rate
    memset = sorted((n, rate[0]) for (_, n), rate in table["memset"].items())
    rows = []
    for op in [op for op in table if op.startswith("fill")]:
        for (draw, n), (median, best, worst) in table[op].items():
            row = {"op": op, "row": draw, "n": n, "gib_s": round(median, 2), "best_gib_s": round(best, 2), "worst_gib_s": round(worst, 2)}
            large = n > 4 * 2**20
            row["where"] = "memory" if large else "L2"
            row["of_memset"] = round(median / memset[1 if large else 0][1], 3)
            if op == "fill_unaligned":
                row["of_aligned"] = round(median / table["fill"][draw, n][0], 3)
            for peer in PEERS:
                if (draw, n) in table.get(peer, {}):
                    row[peer + "_gib_s"] = round(table[peer][draw, n][0], 3)
                    row["ratio_" + peer] = round(median / table[peer][draw, n][0], 1)
            rows.append(row)
    rows.sort(key=lambda row: (row["op"], row["where"], row["row"], row["n"]))
    context = {key: raw["context"].get(key) for key in ("date", "processor", "instruction_set", "num_cpus", "mhz_per_cpu", "load_avg")}
    context["memset_gib_s"] = {"L2": round(memset[0][1], 2), "memory": round(memset[1][1], 2)}
    model = re.sub(r"[^a-z0-9]+", "-", context["processor"].lower()).strip("-")
    lines = ",\n".join("  " + json.dumps(row) for row in rows)
    path = pathlib.Path(folder) / f"cpu-{model}.json"
    path.write_text(f'{{"context": {json.dumps(context)},\n"rows": [\n{lines}\n]}}\n')
    print(path)


if __name__ == "__main__":
    main()
