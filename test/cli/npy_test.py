"""The .npy output as numpy reads it. Skips where numpy is missing."""

import sys
import unittest

import cli_support
from cli_support import FolderTest, generate

try:
    import numpy
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(cli_support.SKIPPED)

TYPES = {"bool": "?", "u8": "u1", "i8": "i1", "u16": "<u2", "i16": "<i2", "u32": "<u4", "i32": "<i4", "u64": "<u8", "i64": "<i8",
         "f16": "<f2", "f32": "<f4", "f64": "<f8", "c32": "<c8", "c64": "<c16", "char": "<u4",
         "u128": [("lo", "<u8"), ("hi", "<u8")], "i128": [("lo", "<u8"), ("hi", "<i8")]}
PARAMETERS = {"int_range": ("<i8", ["--low", -5, "--high", 5]), "u32_below": ("<u4", ["--range", 6]),
              "u64_below": ("<u8", ["--range", 6]), "normal_f32": ("<f4", []), "normal_f64": ("<f8", []),
              "exponential_f32": ("<f4", []), "exponential_f64": ("<f8", []), "lognormal_f32": ("<f4", []),
              "lognormal_f64": ("<f8", []), "choice": ("<u4", ["--weights", "1,2"]), "poisson": ("<u4", ["--lambda", 3]),
              "binomial": ("<u4", ["--trials", 9, "--p", 0.5]), "geometric": ("<u4", ["--p", 0.5])}


class Numpy(FolderTest):
    def check(self, draw, kind, count, *options):
        path = self.folder / "array.npy"
        generate("--draw", draw, "--count", count, "--seed", 42, "--format", "npy", "--output", path, *options)
        array = numpy.load(path, allow_pickle=False)
        raw = numpy.frombuffer(generate("--draw", draw, "--count", count, "--seed", 42, *options), dtype=kind)
        self.assertEqual(array.dtype, numpy.dtype(kind))
        self.assertEqual(array.shape, (count,))
        self.assertEqual(array.tobytes(), raw.tobytes())
        self.assertEqual(numpy.load(path, mmap_mode="r").shape, (count,))

    def test_plain(self):
        for draw, kind in TYPES.items():
            for count in (0, 1, 1000):
                with self.subTest(draw=draw, count=count):
                    self.check(draw, kind, count)

    def test_with_parameters(self):
        for draw, (kind, options) in PARAMETERS.items():
            with self.subTest(draw=draw):
                self.check(draw, kind, 1000, *options)

    def test_halves_of_128_bits(self):
        path = self.folder / "array.npy"
        generate("--draw", "u128", "--count", 10, "--format", "npy", "--output", path)
        array = numpy.load(path)
        text = generate("--draw", "u128", "--count", 10, "--format", "text").decode().split()
        self.assertEqual([(int(hi) << 64) + int(lo) for lo, hi in zip(array["lo"], array["hi"])], [int(line) for line in text])


if __name__ == "__main__":
    cli_support.main()
