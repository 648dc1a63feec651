#!/usr/bin/env python3
"""Compares what the drop-in exports with the known exports of libcurand.so.10, and with NVIDIA's file where there is one.

usage: symbols_check.py DROP_IN [NVIDIAS]
"""

import re
import subprocess
import sys

NODE = "libcurand.so.10"
NAMES = """CreateGenerator CreateGeneratorHost CreatePoissonDistribution DestroyDistribution DestroyGenerator Generate GenerateLogNormal
GenerateLogNormalDouble GenerateLongLong GenerateNormal GenerateNormalDouble GeneratePoisson GeneratePoissonMethod GenerateSeeds
GenerateUniform GenerateUniformDouble GetDirectionVectors32 GetDirectionVectors64 GetProperty GetScrambleConstants32
GetScrambleConstants64 GetVersion SetGeneratorOffset SetGeneratorOrdering SetPseudoRandomGeneratorSeed
SetQuasiRandomGeneratorDimensions SetStream""".split()


def readelf(option, path):
    done = subprocess.run(["readelf", "--wide", option, path], capture_output=True, text=True, check=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
    return done.stdout


def exports(path):
    """The defined dynamic symbols as (name with version, type, binding)."""
    found = set()
    for line in readelf("--dyn-syms", path).splitlines():
        fields = line.split()
        if len(fields) >= 8 and fields[0].rstrip(":").isdigit() and fields[6] != "UND":
            found.add((fields[7], fields[3], fields[4]))
    return found


def versions(path):
    """The version definitions as (name, flags)."""
    text = readelf("--version-info", path).split("Version needs section")[0]
    return re.findall(r"Flags: (.*?)\s+Index: (\d+)\s+Cnt: \d+\s+Name: (\S+)", text)


def dynamic(path, tag):
    return re.findall(rf"\({tag}\).*\[(.*)\]", readelf("--dynamic", path))


def main():
    drop_in, nvidias = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    wanted = {(f"curand{name}@@{NODE}", "FUNC", "GLOBAL") for name in NAMES} | {(NODE, "OBJECT", "GLOBAL")}
    failures = []

    def expect(what, got, expected):
        if got != expected:
            failures.append(f"{what}: {got}, not {expected}")

    expect("number of names", len(NAMES), 27)
    got = exports(drop_in)
    expect("exports, too many and too few", (sorted(got - wanted), sorted(wanted - got)), ([], []))
    expect("soname", dynamic(drop_in, "SONAME"), [NODE])
    expect("version nodes", versions(drop_in), [("BASE", "1", NODE), ("none", "2", NODE)])
    needed = dynamic(drop_in, "NEEDED")
    expect("CUDA or Tandem libraries needed", [n for n in needed if re.search("cuda|curand|tandem|nvidia", n)], [])
    if nvidias:
        expect("exports of NVIDIA's", exports(nvidias), wanted)
        expect("soname of NVIDIA's", dynamic(nvidias, "SONAME"), [NODE])
        expect("version nodes of NVIDIA's", versions(nvidias), versions(drop_in))
    for failure in failures:
        print(f"symbols_check: {failure}")
    print(f"symbols_check: {len(got)} symbols, needs {' '.join(needed)}, {'compared with ' + nvidias if nvidias else 'no file of NVIDIA here'}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
