#!/usr/bin/env python3
"""CuPy, unchanged, over the drop-in: the numbers of cupy.random.RandomState are those of the fills that it asks for.

usage: cupy_check.py WITH_TANDEM DROP_IN TANDEM_CLI     (exits with 77 without CuPy or a GPU)

The check starts itself again under with_tandem.sh. There every call that CuPy makes of cuRAND is watched, and what it wrote is compared
with the command line's host fill from the key, the position and the parameters of the call; then CuPy runs unwatched and has to give the
same arrays.
"""

import json
import os
import subprocess
import sys
import tempfile

SKIP = 77
PURPOSE = 0x637552414e44 << 16
# CuPy's name of a fill: the draw, and whether it is reflected to (0, 1].
FILLS = {"generate": ("u32", False), "generateUniform": ("f32", True), "generateUniformDouble": ("f64", True),
         "generateNormal": ("normal_f32", False), "generateNormalDouble": ("normal_f64", False),
         "generateLogNormal": ("lognormal_f32", False), "generateLogNormalDouble": ("lognormal_f64", False)}

RESTARTING = (141, 142)  # the Mersenne Twisters, for which CuPy sets no offset


def start_under_the_drop_in():
    with_tandem, drop_in, cli = sys.argv[1:4]
    probe = "import cupy; cupy.zeros(1)"
    if subprocess.run([sys.executable, "-c", probe], capture_output=True, check=False).returncode != 0:
        print("cupy_check: no CuPy or no GPU here: skipped")
        return SKIP
    command = [with_tandem, "--library", drop_in, sys.executable, os.path.abspath(__file__), "--inside", drop_in, cli]
    return subprocess.run(command, check=False).returncode


def host_fill(cli, seed, rng_type, position, draw, n, parameters):
    """The elements and the position after them, from the command line."""
    import numpy
    dtype = {"u32": numpy.uint32}.get(draw, numpy.float32 if draw.endswith("f32") else numpy.float64)
    with tempfile.TemporaryDirectory() as folder:
        out, report = os.path.join(folder, "out"), os.path.join(folder, "report")
        command = [cli, "generate", "--backend", "host", "--draw", draw, "--count", str(n), "--seed", str(seed), "--child",
                   f"sub:{PURPOSE + rng_type}", "--position", str(position), "--format", "raw", "--output", out, "--report", report]
        if parameters:
            # 17 digits say a float or a double exactly.
            command += ["--mean", f"{parameters[0]:.17g}", "--stddev", f"{parameters[1]:.17g}"]
        subprocess.run(command, check=True)
        with open(report, encoding="ascii") as text:
            return numpy.fromfile(out, dtype=dtype), json.load(text)["end_position"]


class Watched:
    """CuPy's binding of cuRAND, with the state that each generator should have and a comparison after each fill."""

    def __init__(self, binding, cupy, cli):
        self._binding = binding
        self._cupy = cupy
        self._cli = cli
        self._states = {}
        self.fills = {}
        self.failures = 0

    def __getattr__(self, name):
        function = getattr(self._binding, name)
        return (lambda *arguments: self._fill(name, function, *arguments)) if name in FILLS else function

    def createGenerator(self, rng_type):
        generator = self._binding.createGenerator(rng_type)
        # DEFAULT is XORWOW.
        self._states[generator] = {"type": 101 if rng_type == 100 else rng_type, "seed": 0, "position": 0}
        return generator

    def setPseudoRandomGeneratorSeed(self, generator, seed):
        self._states[generator]["seed"] = int(seed)
        if self._states[generator]["type"] in RESTARTING:
            self._states[generator]["position"] = 0
        return self._binding.setPseudoRandomGeneratorSeed(generator, seed)

    def setGeneratorOffset(self, generator, offset):
        self._states[generator]["position"] = 32 * int(offset)
        return self._binding.setGeneratorOffset(generator, offset)

    def _fill(self, name, function, generator, pointer, n, *parameters):
        import numpy
        function(generator, pointer, n, *parameters)
        state, (draw, reflected) = self._states[generator], FILLS[name]
        if "f32" in draw:
            parameters = [float(numpy.float32(p)) for p in parameters]
        expected, state["position"] = host_fill(self._cli, state["seed"], state["type"], state["position"], draw, n, parameters)
        if reflected:
            expected = expected.dtype.type(1) - expected
        cupy = self._cupy
        memory = cupy.cuda.MemoryPointer(cupy.cuda.UnownedMemory(pointer, expected.nbytes, self), 0)
        cupy.cuda.get_current_stream().synchronize()
        written = cupy.ndarray(expected.shape, expected.dtype, memory).get()
        self.fills[name] = self.fills.get(name, 0) + 1
        if written.tobytes() != expected.tobytes():
            self.failures += 1
            where = numpy.flatnonzero(written != expected)
            print(f"FAILED {name}, n = {n}, {state}: {where.size} differ, first at {where[:3]}: "
                  f"{written[where[:3]]}, not {expected[where[:3]]}")


def session(cupy, seed, method):
    """Arrays of what CuPy's users draw, from one generator, on two streams."""
    import numpy
    state = cupy.random.RandomState(seed, method=method)
    arrays = []

    def draw():
        for size in (1, 2, 3, 1001, (7, 5), 65537, 300000):
            for dtype in (numpy.float32, numpy.float64):
                arrays.append(state.random_sample(size, dtype=dtype))
                arrays.append(state.standard_normal(size, dtype=dtype))
                arrays.append(state.lognormal(0.25, 0.5, size, dtype=dtype))
                arrays.append(state.normal(-3.0, 2.0, size, dtype=dtype))
            arrays.append(state.randint(0, 10, size))
            arrays.append(state.randint(-5, 3 * 2**30, size))
            arrays.append(state.randint(0, 2**40, size, dtype=numpy.int64))

    draw()
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        draw()
        stream.synchronize()
    state.seed(seed + 1)
    arrays.append(state.random_sample(100))
    arrays.append(state.tomaxint(50))
    cupy.cuda.Device().synchronize()
    return [array.get() for array in arrays]


def check_inside(drop_in, cli):
    import cupy
    from cupy_backends.cuda import libs
    from cupy_backends.cuda.libs import curand
    watched = Watched(curand, cupy, cli)
    methods = [curand.CURAND_RNG_PSEUDO_DEFAULT, curand.CURAND_RNG_PSEUDO_PHILOX4_32_10, curand.CURAND_RNG_PSEUDO_MT19937]
    failures = 0
    for method in methods:
        libs.curand = watched
        under_watch = session(cupy, 2026, method)
        libs.curand = curand
        free = session(cupy, 2026, method)
        same = [a.tobytes() == b.tobytes() for a, b in zip(under_watch, free)]
        failures += len(same) - sum(same)
        print(f"method {method}: {sum(same)} of {len(same)} arrays the same without the watch")
    with open("/proc/self/maps", encoding="ascii") as maps:
        loaded = sorted({line.split()[-1] for line in maps if "libcurand" in line})
    print("loaded:", *loaded)
    failures += watched.failures + (loaded != [os.path.realpath(drop_in)])
    failures += set(watched.fills) != set(FILLS)
    print(f"cupy_check: CuPy {cupy.__version__}, fills compared: {watched.fills}, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(check_inside(*sys.argv[2:]) if sys.argv[1] == "--inside" else start_under_the_drop_in())
