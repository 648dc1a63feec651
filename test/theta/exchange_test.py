"""Images exchanged with Apache DataSketches, PyPI's `datasketches`, both ways: each side reads what the other wrote and gives the same
numbers and the same bytes. Exits with 77, skipped, where the package is not installed."""

import pathlib
import random
import struct
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import cli_support  # noqa: E402
from cli_support import BACKEND, FolderTest, run  # noqa: E402

try:
    import datasketches
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(cli_support.SKIPPED)

CASES = [(lg_k, n, seed) for lg_k in (5, 12, 14) for n in (0, 1, 2, 31, 33, 4096, 60000) for seed in (9001, 8)]


def keys_of(n, first=0):
    """Integers whose i64 and u64 bits are all alike to both sides."""
    draw = random.Random(n)
    return [first + i if i % 2 else draw.getrandbits(62) for i in range(n)]


def theirs(lg_k, seed, keys):
    sketch = datasketches.update_theta_sketch(lg_k, seed=seed)
    for key in keys:
        sketch.update(key)
    sketch.trim()
    return sketch.compact(True)


class Exchange(FolderTest):
    def ours(self, lg_k, seed, *arguments):
        """The image that the command line writes, and the numbers that it prints."""
        image = self.folder / "image"
        done = run("distinct", "--backend", BACKEND, "--lg-k", lg_k, "--hash-seed", seed, *arguments, "--save", image)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        printed = {line.split()[0]: [float(text) for text in line.split()[1:]] for line in done.stdout.decode().splitlines()}
        return image.read_bytes(), printed

    def key_file(self, keys):
        path = self.folder / "keys"
        path.write_bytes(struct.pack(f"<{len(keys)}q", *keys))
        return path

    def check(self, sketch, image, printed):
        self.assertEqual(sketch.serialize(), image)
        self.assertEqual([sketch.get_estimate()], printed["estimate"])
        for deviations in (1, 2, 3):
            self.assertEqual([sketch.get_lower_bound(deviations), sketch.get_upper_bound(deviations)], printed[f"bounds{deviations}"])

    def test_they_read_ours(self):
        for lg_k, n, seed in CASES:
            with self.subTest(lg_k=lg_k, n=n, seed=seed):
                keys = keys_of(n)
                image, printed = self.ours(lg_k, seed, "--type", "i64", self.key_file(keys))
                self.check(datasketches.compact_theta_sketch.deserialize(image, seed), image, printed)
                self.check(theirs(lg_k, seed, keys), image, printed)

    def test_we_read_theirs(self):
        for lg_k, n, seed in CASES:
            with self.subTest(lg_k=lg_k, n=n, seed=seed):
                sketch = theirs(lg_k, seed, keys_of(n))
                path = self.folder / "theirs"
                path.write_bytes(sketch.serialize())
                self.check(sketch, *self.ours(lg_k, seed, "--merge", path))

    def test_unions_agree(self):
        for lg_k, n, seed in CASES:
            with self.subTest(lg_k=lg_k, n=n, seed=seed):
                a, b = keys_of(n), keys_of(n // 2, first=10**6)
                union = datasketches.theta_union(lg_k, seed=seed)
                merges = []
                for number, sketch in enumerate((theirs(lg_k, seed, a), theirs(lg_k, seed, b))):
                    union.update(sketch)
                    path = self.folder / f"theirs{number}"
                    path.write_bytes(sketch.serialize())
                    merges += ["--merge", path]
                self.check(union.get_result(True), *self.ours(lg_k, seed, *merges))


if __name__ == "__main__":
    cli_support.skip_without_backend()
    cli_support.main()
