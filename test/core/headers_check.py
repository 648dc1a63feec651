#!/usr/bin/env python3
"""Compiles every public header alone, included twice, with warnings as errors.

usage: headers_check.py LANGUAGE STANDARD COMPILER [ROOT]

LANGUAGE is c (headers ending in .h), cxx (.h and .hpp), cuda (all) or nvrtc (core.hpp, core/ and the device headers; COMPILER is
then the program of headers_nvrtc.cpp). STANDARD is a -std name, such as c99 or c++17. The headers are found by listing the
directories, so that a new one is covered from its first day.

usage: headers_check.py fast-math COMPILER [ROOT]

Passes when the core refuses -ffast-math with its own message.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

# Thrust and CUB need system headers, which NVRTC has not.
NOT_FOR_NVRTC = {"tandem/thrust.cuh", "tandem/algorithm.cuh"}
WARNINGS = ["-Wall", "-Wextra", "-Werror"]


def include_dirs(root):
    return [d for d in (root / "include", root / "device_api") if d.is_dir()]


def headers(root, language):
    wanted = {"c": {".h"}, "cxx": {".h", ".hpp"}, "cuda": {".h", ".hpp", ".cuh"}, "nvrtc": {".hpp", ".cuh"}}[language]
    found = []
    for directory in include_dirs(root):
        found += [f.relative_to(directory).as_posix() for f in directory.rglob("*") if f.suffix in wanted]
    if language == "nvrtc":
        in_core = lambda name: name == "tandem/core.hpp" or name.startswith("tandem/core/") or name.endswith(".cuh")
        found = [name for name in found if in_core(name) and name not in NOT_FOR_NVRTC]
    # Those for Kokkos need its headers: the tests of Kokkos compile them.
    return sorted(name for name in found if not name.startswith("tandem/kokkos"))


def command(language, standard, compiler, includes, source):
    flags = [f"-I{d}" for d in includes]
    if language in ("c", "cxx"):
        return [compiler, f"-std={standard}", "-fsyntax-only", "-pedantic", *WARNINGS, *flags, source]
    if language == "cuda":
        return [compiler, f"-std={standard}", "-c", "-arch=compute_90", "-code=compute_90", "-Werror=all-warnings",
                "-Xcompiler=" + ",".join(WARNINGS), *flags, "-o", source + ".o", source]
    return [compiler, f"--std={standard}", *flags, source]


def compile_alone(header, language, standard, compiler, includes, folder):
    suffix = {"c": ".c", "cxx": ".cpp", "cuda": ".cu", "nvrtc": ".cu"}[language]
    source = os.path.join(folder, header.replace("/", "_").replace(".", "_") + suffix)
    # A C translation unit must declare something.
    with open(source, "w", encoding="ascii") as out:
        out.write(f'#include "{header}"\n#include "{header}"\ntypedef int tandem_headers_check;\n')
    done = subprocess.run(command(language, standard, compiler, includes, source), capture_output=True, text=True, check=False)
    return header, done.returncode, (done.stdout + done.stderr).strip()


def check_headers(language, standard, compiler, root):
    names = headers(root, language)
    if not names and language != "c":
        sys.exit(f"no header found under {root}")
    failures = 0
    jobs = min(4, os.cpu_count() or 1)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        work = [pool.submit(compile_alone, n, language, standard, compiler, include_dirs(root), folder) for n in names]
        for header, status, output in (w.result() for w in work):
            if status != 0 or output:
                failures += 1
                print(f"FAILED {header}\n{output}")
    print(f"{language} {standard}: {len(names) - failures} of {len(names)} headers compile alone")
    return 1 if failures else 0


def check_fast_math(compiler, root):
    flags = [f"-I{d}" for d in include_dirs(root)]
    source = '#include "tandem/core.hpp"\n'
    run = lambda *extra: subprocess.run([compiler, "-std=c++17", "-fsyntax-only", "-x", "c++", *flags, *extra, "-"], input=source,
                                        capture_output=True, text=True, check=False)
    plain, fast = run(), run("-ffast-math")
    if plain.returncode != 0:
        print(f"core.hpp does not compile without -ffast-math:\n{plain.stderr}")
        return 1
    if fast.returncode == 0 or "tandem: -ffast-math" not in fast.stderr:
        print(f"-ffast-math was not refused with the core's message:\n{fast.stderr}")
        return 1
    return 0


def main(arguments):
    here = pathlib.Path(__file__).resolve().parents[2]
    if len(arguments) in (2, 3) and arguments[0] == "fast-math":
        return check_fast_math(arguments[1], pathlib.Path(arguments[2]) if len(arguments) == 3 else here)
    if len(arguments) in (3, 4) and arguments[0] in ("c", "cxx", "cuda", "nvrtc"):
        return check_headers(*arguments[:3], pathlib.Path(arguments[3]) if len(arguments) == 4 else here)
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
