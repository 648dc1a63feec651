#!/usr/bin/env python3
"""CuPy, unchanged, over the drop-in: the numbers of cupy.random.RandomState are those of the fills that it asks for.

usage: cupy_check.py WITH_TANDEM DROP_IN TANDEM_CLI     (exits with 77 without CuPy or a GPU)

The check starts itself again under with_tandem.sh. There every call that CuPy makes of cuRAND is watched, and what it wrote is compared
with the command line's host fill from the key, the position and the parameters of the call. Then CuPy runs unwatched and has to give the
same arrays, and those that a model of CuPy's own steps (padding, rejection, 1 to 0) makes of host fills.
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


def type_of(method):
    """DEFAULT is XORWOW."""
    return 101 if method == 100 else method


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
        self._states[generator] = {"type": type_of(rng_type), "seed": 0, "position": 0}
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


class Model:
    """What a RandomState should draw: CuPy's steps on the host, over fills from the command line."""

    def __init__(self, cli, seed, rng_type):
        self._cli = cli
        self._type = rng_type
        self.seed(seed)

    def seed(self, seed):
        self._seed, self._position = seed, 0

    def _fill(self, draw, n, parameters=()):
        values, self._position = host_fill(self._cli, self._seed, self._type, self._position, draw, n, parameters)
        return values

    def random_sample(self, size, dtype):
        import numpy
        values = dtype(1) - self._fill("f32" if dtype is numpy.float32 else "f64", numpy.prod(size))
        values[values == 1] = 0
        return values.reshape(size)

    def normal(self, mean, stddev, size, dtype, law="normal"):
        import numpy
        n = int(numpy.prod(size))
        parameters = [float(dtype(p)) for p in (mean, stddev)]
        values = self._fill(f"{law}_f32" if dtype is numpy.float32 else f"{law}_f64", n + n % 2, parameters)  # cuRAND has pairs only
        return values[:n].reshape(size)

    def standard_normal(self, size, dtype):
        return self.normal(0, 1, size, dtype)

    def lognormal(self, mean, stddev, size, dtype):
        return self.normal(mean, stddev, size, dtype, "lognormal")

    def randint(self, low, high, size, dtype=int):
        import numpy
        count, bits = high - low, 32 if high - low <= 2**32 else 64
        word = numpy.uint32 if bits == 32 else numpy.uint64

        def words(n):
            return self._fill("u32", n * bits // 32).view(word)

        values = words(int(numpy.prod(size)))
        if count & (count - 1) != 0:
            last = word(2**bits - 1 - 2**bits % count)
            rejected = numpy.flatnonzero(values > last)
            while rejected.size > 0:
                more = words(max(2 * rejected.size, 1024))
                more = more[more <= last][:rejected.size]
                values[rejected[:more.size]] = more
                rejected = rejected[more.size:]
        values = (values.astype(numpy.uint64) % numpy.uint64(count)).astype(numpy.int64) + low
        return values.astype(dtype).reshape(size)

    def tomaxint(self, size):
        import numpy
        return (self._fill("u32", 2 * size).view(numpy.uint64) & numpy.uint64(2**63 - 1)).astype(int)


def draws():
    """What CuPy's users draw: the names of methods of a RandomState with their arguments."""
    import numpy
    for size in (1, 2, 3, 1001, (7, 5), 65537, 300000):
        for dtype in (numpy.float32, numpy.float64):
            yield "random_sample", (size, dtype)
            yield "standard_normal", (size, dtype)
            yield "lognormal", (0.25, 0.5, size, dtype)
            yield "normal", (-3.0, 2.0, size, dtype)
        yield "randint", (0, 10, size)
        yield "randint", (0, 2**20, size)
        yield "randint", (-5, 3 * 2**30, size)
        yield "randint", (0, 3 * 2**40, size, numpy.int64)


def session(state, synchronize, streams):
    """The arrays of the draws on each of the streams in turn, and of another seed."""
    import numpy
    plan = [(stream, *draw) for stream in streams for draw in draws()]
    # Streams that take turns in the middle of a sequence; nothing orders one after the other.
    plan += [(streams[i % len(streams)], "random_sample", (77, numpy.float64)) for i in range(9)]
    plan += [(None, "seed", (2027,)), (streams[-1], "random_sample", (101, numpy.float32)), (streams[0], "tomaxint", (50,))]
    arrays = []
    for stream, name, arguments in plan:
        if stream is None:
            state.seed(*arguments)
            continue
        with stream:
            arrays.append((name, arguments, getattr(state, name)(*arguments)))
    synchronize()
    return arrays


def compare(what, got, expected):
    """The number of arrays that differ in a bit or in their type."""
    import numpy
    wrong = 0
    for (name, arguments, a), (_, _, b) in zip(got, expected):
        if a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes():
            continue
        wrong += 1
        where = numpy.flatnonzero(a.ravel() != b.ravel()) if a.shape == b.shape else []
        print(f"FAILED {what}: {name} {arguments}: {a.dtype} {a.shape}, not {b.dtype} {b.shape}; {len(where)} differ, first at {where[:3]}")
    print(f"{what}: {len(got) - wrong} of {len(expected)} arrays are the same")
    return wrong + abs(len(got) - len(expected))


def check_inside(drop_in, cli):
    import contextlib

    import cupy
    from cupy_backends.cuda import libs
    from cupy_backends.cuda.libs import curand
    watched = Watched(curand, cupy, cli)
    methods = [curand.CURAND_RNG_PSEUDO_DEFAULT, curand.CURAND_RNG_PSEUDO_PHILOX4_32_10, curand.CURAND_RNG_PSEUDO_MT19937]

    def arrays_of_cupy(method):
        streams = [cupy.cuda.Stream.null, cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream()]
        state = cupy.random.RandomState(2026, method=method)
        return [(name, arguments, array.get()) for name, arguments, array in session(state, cupy.cuda.Device().synchronize, streams)]

    failures = 0
    for method in methods:
        libs.curand = watched
        under_watch = arrays_of_cupy(method)
        libs.curand = curand
        free = arrays_of_cupy(method)
        model = session(Model(cli, 2026, type_of(method)), lambda: None, [contextlib.nullcontext()] * 3)
        failures += compare(f"method {method}, without the watch", free, under_watch)
        failures += compare(f"method {method}, beside the model", free, model)
    with open("/proc/self/maps", encoding="ascii") as maps:
        loaded = sorted({line.split()[-1] for line in maps if "libcurand" in line})
    print("loaded:", *loaded)
    failures += watched.failures + (loaded != [os.path.realpath(drop_in)])
    failures += set(watched.fills) != set(FILLS)
    print(f"cupy_check: CuPy {cupy.__version__}, fills compared: {watched.fills}, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(check_inside(*sys.argv[2:]) if sys.argv[1] == "--inside" else start_under_the_drop_in())
