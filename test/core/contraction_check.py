#!/usr/bin/env python3
"""Compiles contraction_driver.cpp under flags that let the compiler fuse products and sums, and checks that no value changes.

usage: contraction_check.py COMPILER [ROOT]

Checks the driver's own comparisons, that the flags do fuse plain code where the machine can (or the check would mean nothing), and
every published digest of a real-valued draw.
"""

import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

FUSING = ["-O3", "-march=native", "-ffp-contract=fast"]
FLAGS = [["-O2"], ["-O2", "-march=native"], FUSING, ["-O0", "-march=native", "-ffp-contract=fast"]]
DRAWS = {"normal_f64", "normal_f32", "exponential_f64", "exponential_f32", "lognormal_f64", "lognormal_f32"}


def published(root):
    """(input line of the driver, bytes of output, SHA-256) of each digest of a real-valued draw."""
    cases = []
    for c in json.loads((root / "test/data/long.json").read_text())["cases"]:
        draw = c["draw"].removesuffix("_affine")
        if draw in DRAWS and "seed" in c and "child" not in c:
            numbers = [c["seed"], c["K"], c["start"], c["n"], c.get("mean", 0.0), c.get("stddev", 1.0)]
            cases.append((" ".join([draw, *map(str, numbers)]), c["bytes"], c["sha256"]))
    return cases


def machine_has_fma():
    cpu = pathlib.Path("/proc/cpuinfo")
    return cpu.exists() and " fma " in cpu.read_text()


def check(root, compiler, flags, cases, folder):
    """What is wrong under these flags, one line each."""
    program = pathlib.Path(folder) / "driver"
    includes = ["-I", root / "include", "-I", root / "test"]
    subprocess.run([compiler, "-std=c++17", *flags, *includes, root / "test/core/contraction_driver.cpp", "-o", program], check=True)
    errors = []
    run = subprocess.run([program], capture_output=True, text=True)
    if run.returncode != 0:
        errors.append(run.stdout.strip())
    if flags == FUSING and machine_has_fma() and "plain sums fused: 0 " in run.stdout:
        errors.append("plain code is not fused either: the check proves nothing")
    lines = "".join(line + "\n" for line, _, _ in cases).encode()
    output = subprocess.run([program, "fills"], input=lines, stdout=subprocess.PIPE, check=True).stdout
    for line, size, digest in cases:
        if hashlib.sha256(output[:size]).hexdigest() != digest:
            errors.append(f"another digest for: {line}")
        output = output[size:]
    return errors


def main():
    compiler = sys.argv[1]
    root = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(__file__).resolve().parents[2]
    cases = published(root)
    failed = len(cases) < 40
    print(f"{len(cases)} digests")
    for flags in FLAGS:
        with tempfile.TemporaryDirectory() as folder:
            errors = check(root, compiler, flags, cases, folder)
        print(compiler, *flags, "failed" if errors else "ok")
        for error in errors:
            print("  " + error)
        failed = failed or bool(errors)
    sys.exit(failed)


if __name__ == "__main__":
    main()
