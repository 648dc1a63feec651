#!/usr/bin/env python3
"""Runs the small programs in every way that brings them to Tandem and compares what they print, and checks who answers for each way
of loading libcurand.so.10.

usage: programs_check.py WITH_TANDEM DROP_IN FOLDER [NVIDIAS]

FOLDER holds NAME_tandem, compiled with tandem/curand_compat.h, and, where there is a library of NVIDIA's, NAME_nvidia, compiled with
curand.h, for every program, whose_free, and whose_linked.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAMS = ("estimates", "restarts")
SONAME = "libcurand.so.10"


class Check:
    def __init__(self, with_tandem, drop_in, folder, nvidias=""):
        self.with_tandem = [with_tandem, "--library", drop_in]
        self.drop_in = drop_in
        self.folder = pathlib.Path(folder)
        self.nvidias = nvidias
        self.failures = 0

    def run(self, *command, **environment):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, env={**os.environ, **environment})
        if done.returncode != 0:
            return f"exit {done.returncode}: {done.stderr}"
        return done.stdout.strip()

    def expect(self, what, got, expected):
        if got != expected:
            self.failures += 1
            print(f"FAILED {what}: {got!r}, not {expected!r}")
        else:
            print(f"passed {what}")

    def programs(self):
        for name in PROGRAMS:
            ported = self.run(self.folder / f"{name}_tandem")
            self.expect(f"{name}, ported: some calls, and no check fails", ("\n0 curand" in ported, "FAILS" in ported), (True, False))
            if not self.nvidias:
                continue
            program = self.folder / f"{name}_nvidia"
            original = self.run(program)
            self.expect(f"{name}, with NVIDIA's library: no check fails", "FAILS" in original, False)
            self.expect(f"{name}: ported prints what the original does", ported, original)
            for how in ("--preload", "--search"):
                self.expect(f"{name} {how}", self.run(*self.with_tandem, how, program), original)

    def whose(self, what, expected, command):
        self.expect(f"who answers {what}", self.run(*command), expected)

    def by_name(self, free):
        """A program that is linked with no cuRAND."""
        self.whose("dlsym in the process, preloaded", "tandem", [*self.with_tandem, free])
        self.whose("dlopen by soname, preloaded", "tandem", [*self.with_tandem, free, SONAME])
        self.whose("dlopen by soname, searched", "tandem", [*self.with_tandem, "--search", free, SONAME])
        self.whose("dlopen of the drop-in by path", "tandem", [free, self.drop_in])

    def beside_nvidias(self, free, linked):
        self.whose("a linked program", "nvidia", [linked])
        self.whose("a linked program, preloaded", "tandem", [*self.with_tandem, linked])
        self.whose("a linked program, searched", "tandem", [*self.with_tandem, "--search", linked])
        self.whose("dlopen by soname in a linked program, preloaded", "tandem", [*self.with_tandem, linked, SONAME])
        # What scripts/with_tandem.sh says cannot be had by preloading.
        self.whose("dlopen by NVIDIA's path, preloaded", "nvidia", [*self.with_tandem, free, self.nvidias])
        with tempfile.TemporaryDirectory() as folder:
            replaced = pathlib.Path(folder) / SONAME
            replaced.symlink_to(self.drop_in)
            self.expect("who answers a replaced file, linked", self.run(linked, LD_LIBRARY_PATH=folder), "tandem")
            self.whose("a replaced file, by path", "tandem", [free, replaced])
        if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode == 0:
            over = [*self.with_tandem, "--over", self.nvidias]
            self.whose("dlopen by NVIDIA's path, mounted over", "tandem", [*over, free, self.nvidias])
            self.whose("a linked program, mounted over", "tandem", [*over, linked])
        else:
            print("left out: mounting over a file, which this machine does not allow")

    def refusals(self, free):
        for arguments in (["--over", "/no/such/file", free], ["--wrong", free], ["--library", "/no/such/file", free], []):
            done = subprocess.run([*self.with_tandem, *arguments], capture_output=True, text=True, check=False)
            self.expect(f"with_tandem.sh {' '.join(map(str, arguments[:2]))} refuses", (done.returncode != 0, bool(done.stderr)), (True, True))
        self.expect("with_tandem.sh --print", self.run(*self.with_tandem, "--print"), os.path.realpath(self.drop_in))


def main():
    check = Check(*sys.argv[1:])
    free, linked = check.folder / "whose_free", check.folder / "whose_linked"
    check.programs()
    check.by_name(free)
    check.refusals(free)
    if check.nvidias:
        check.beside_nvidias(free, linked)
    else:
        print("left out: everything that needs NVIDIA's library, which was not found")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
