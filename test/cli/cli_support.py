"""What the tests of the command line share: running the binary, the published vectors, and skipping."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BINARY = os.environ["TANDEM_CLI"]
DATA = pathlib.Path(os.environ["TANDEM_TEST_DATA"])
BACKEND = os.environ.get("TANDEM_CLI_BACKEND", "host")
SKIPPED = 77

COMPONENT_BYTES = {"bool": 1, "u8": 1, "u16": 2, "u32": 4, "u64": 8, "u128": 16, "f16": 2, "f32": 4, "f64": 8, "c32": 4,
                   "c64": 8, "char": 4, "u32_below": 4, "u64_below": 8, "int_range": 8, "choice": 4, "poisson": 4, "binomial": 4,
                   "geometric": 4}


def run(*arguments, **options):
    """Runs the binary with its standard streams captured."""
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, timeout=300, check=False, **options)


def generate(*arguments):
    """The standard output of a `generate` that must succeed quietly."""
    done = run("generate", "--backend", BACKEND, *arguments)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"{done.args}: exit {done.returncode}, stderr {done.stderr!r}")
    return done.stdout


def load_cases(name):
    return json.loads((DATA / name).read_text())["cases"]


def component_bytes(draw):
    return COMPONENT_BYTES[draw] if draw in COMPONENT_BYTES else 8 if "f64" in draw else 4


def expected_bytes(case):
    """The output of a case of short.json: each value is one big-endian number."""
    size = component_bytes(case["draw"])
    return b"".join(bytes.fromhex(value).rjust(size, b"\0")[::-1] for value in case["values"])


def options_of(case):
    """A published case as options of `generate`."""
    options = ["--draw", case["draw"], "--count", case["n"], "--chunk", case["K"], "--position", case["start"]]
    if "key" in case:
        options += ["--key", ",".join(case["key"])]
    else:
        seed = int(case["seed"])
        options += ["--seed", seed if seed < 2**64 else hex(seed)]
    if case.get("child"):
        options += ["--child", ",".join(case["child"])]
    for name in ("range", "high", "mean", "stddev", "lambda", "trials", "p"):
        if name in case:
            options += [f"--{name}", case[name]]
    if "high" in case:  # a table's lowest value has the same name
        options += ["--low", case["low"]]
    if "weights" in case:
        options += ["--weights", ",".join(case["weights"])]
    return options


def digest(data):
    return hashlib.sha256(data).hexdigest()


class FolderTest(unittest.TestCase):
    """A test with an empty folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())


def main():
    """Runs the tests of the calling script; exits with SKIPPED when all of them skip."""
    program = unittest.main(module="__main__", exit=False)
    result = program.result
    if result.wasSuccessful() and result.testsRun and len(result.skipped) == result.testsRun:
        sys.exit(SKIPPED)
    sys.exit(not result.wasSuccessful() or not result.testsRun)


def skip_without_backend():
    """Skips the calling script's tests, with the binary's own reason, where the backend under test is missing."""
    probe = run("generate", "--draw", "u8", "--count", 1, "--backend", BACKEND)
    if probe.returncode == 1 and BACKEND == "cuda":
        print("skipped:", probe.stderr.decode().strip())
        sys.exit(SKIPPED)
