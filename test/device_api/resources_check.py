#!/usr/bin/env python3
"""Compiles resources_kernels.cu for each architecture and reads the compiler's report: no kernel may spill or use local memory, and
each generator keeps to its registers.

usage: resources_check.py NVCC ARCHITECTURE...

ARCHITECTURE is a number such as 90.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "test" / "device_api" / "resources_kernels.cu"
# The most registers of any kernel whose name begins so.
REGISTERS = {"rng_": 128, "row_": 168, "chunk_": 128, "ported": 64}
KERNELS = 9 * 3 + 1 + 12 * 3 + 1  # draws of three generators, the port, three algorithms of each source, the end of a reduction


def report_of(nvcc, architecture):
    """{kernel: (stack bytes, spilled bytes, registers)}"""
    with tempfile.TemporaryDirectory() as folder:
        command = [nvcc, "-std=c++17", "-cubin", f"-arch=sm_{architecture}", "-Xptxas=-v", f"-I{ROOT / 'include'}",
                   f"-I{ROOT / 'device_api'}", "-o", str(pathlib.Path(folder) / "out.cubin"), str(SOURCE)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    text = done.stdout + done.stderr
    found = {}
    pattern = re.compile(r"Compiling entry function '(\S+)'.*?(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill "
                         r"loads.*?Used (\d+) registers", re.S)
    for name, stack, stores, loads, registers in pattern.findall(text):
        found[name] = (int(stack), int(stores) + int(loads), int(registers))
    return found


def plain_name(mangled):
    match = re.match(r"_Z(\d+)", mangled)
    return mangled[match.end():match.end() + int(match.group(1))] if match else mangled


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    failures = 0
    for architecture in arguments[1:]:
        found = report_of(arguments[0], architecture)
        if len(found) < KERNELS:
            failures += 1
            print(f"sm_{architecture}: {len(found)} kernels in the report, {KERNELS} expected")
        for mangled, (stack, spilled, registers) in sorted(found.items()):
            name = plain_name(mangled)
            limit = next((most for begin, most in REGISTERS.items() if name.startswith(begin)), 128)
            bad = stack or spilled or registers > limit
            failures += 1 if bad else 0
            print(f"{'FAILED ' if bad else ''}sm_{architecture} {name if name[0] != '_' else mangled}: {registers} registers, "
                  f"{stack} bytes of stack, {spilled} bytes spilled")
    print(f"resources_check: {failures} failures" if failures else "resources_check: nothing spills")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
