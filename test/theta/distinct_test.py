"""`tandem distinct`: published sketches from files and images, draws as the file that stores them, refusals that make no file."""

import hashlib
import json
import os
import pathlib
import struct
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import cli_support  # noqa: E402
from cli_support import BACKEND, DATA, FolderTest, run  # noqa: E402

VECTORS = json.loads((DATA / "theta" / "vectors.json").read_text())
FORMATS = {"u64": "Q", "i64": "q", "u32": "I", "i32": "i", "u16": "H", "i16": "h", "u8": "B", "i8": "b", "f64": "d", "f32": "f"}
MOST_KEYS = 100000


def signed(value):
    return value - 2**64 if value >= 2**63 else value


def keys_of(kind, gen):
    """The keys of a record as bytes; None for generators that this test leaves to others."""
    if gen["kind"] not in ("seq", "mod", "div") or gen["n"] > MOST_KEYS:
        return None
    size = struct.calcsize(FORMATS[kind])
    m = gen.get("m", 1)
    index = {"seq": lambda i: i, "mod": lambda i: i % m, "div": lambda i: i // m}[gen["kind"]]
    values = [(gen["start"] + index(i)) % 2**64 for i in range(gen["n"])]
    if kind[0] == "f":
        return struct.pack(f"<{len(values)}{FORMATS[kind]}", *(signed(v) * 0.25 for v in values))
    return b"".join((v % 2**(8 * size)).to_bytes(size, "little") for v in values)


def results(output):
    """The printed lines by name."""
    lines = [line.split() for line in output.decode().splitlines()]
    return {line[0]: [float(text) if "." in text or "e" in text else int(text) for text in line[1:]] for line in lines}


class Distinct(FolderTest):
    def distinct(self, *arguments, **options):
        done = run("distinct", "--backend", BACKEND, *arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (0, b""), done.args)
        return results(done.stdout)

    def write(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return path

    def check(self, record, printed, image):
        self.assertEqual(len(image), record["bytes"])
        if "hex" in record:
            self.assertEqual(image.hex(), record["hex"])
        else:
            self.assertEqual(hashlib.sha256(image).hexdigest(), record["sha256"])
        self.assertEqual(printed["estimate"], [float.fromhex(record["estimate"])])
        self.assertEqual(printed["retained"], [record["retained"]])
        self.assertEqual(printed["theta"], [int(record["theta64"], 16)])
        for i in range(3) if "bounds" in record else []:
            self.assertEqual(printed[f"bounds{i + 1}"], [float.fromhex(b) for b in record["bounds"][2 * i:2 * i + 2]])

    def test_published_sketches(self):
        seen = set()
        image = self.folder / "image"
        for record in VECTORS["sketches"]:
            keys = keys_of(record["type"], record["gen"])
            if keys is None:
                continue
            with self.subTest(id=record["id"]):
                path = self.write("keys", keys)
                printed = self.distinct("--type", record["type"], "--lg-k", record["lg_k"], "--seed", int(record["seed"], 16), "--p",
                                        repr(float.fromhex(record["p"])), path, "--save", image)
                self.assertEqual(printed["keys"], [record["gen"]["n"]])
                self.check(record, printed, image.read_bytes())
                seen.add(record["type"])
        self.assertEqual(seen, set(FORMATS))

    def test_published_unions(self):
        checked = 0
        for record in VECTORS["setops"]:
            operands = [(keys_of("u64", o["gen"]), o) for o in record["in"]]
            if "error" in record["union"] or any(keys is None or not o["trimmed"] or o["seed"] != record["op_seed"]
                                                 for keys, o in operands) or record["union"]["empty"]:
                continue
            with self.subTest(name=record["name"]):
                merges = []
                for number, (keys, operand) in enumerate(operands):
                    image = self.folder / f"image{number}"
                    self.distinct("--type", "u64", "--lg-k", operand["lg_k"], "--seed", int(operand["seed"], 16), "--p",
                                  repr(float.fromhex(operand["p"])), self.write("keys", keys), "--save", image)
                    merges += ["--merge", image]
                united = self.folder / "united"
                printed = self.distinct(*merges, "--lg-k", record["union_lg_k"], "--seed", int(record["op_seed"], 16), "--p",
                                        repr(float.fromhex(record["union_p"])), "--save", united)
                self.assertEqual(printed["keys"], [0])
                self.check(record["union"], printed, united.read_bytes())
                checked += 1
        self.assertGreater(checked, 15)

    def test_files_count_together(self):
        keys = [struct.pack("<I", i * i % 2**32) for i in range(50000)]
        whole = self.write("whole", b"".join(keys))
        parts = [self.write(f"part{i}", b"".join(keys[i::3])) for i in range(3)]
        expected = self.distinct("--type", "u32", whole)
        self.assertEqual(self.distinct("--type", "u32", *parts), expected)
        self.assertEqual(self.distinct("--type", "u32", "-", input=whole.read_bytes()), expected)
        self.assertEqual(self.distinct("--type", "u32", parts[0], "-", parts[2], input=parts[1].read_bytes()), expected)
        image = self.folder / "image"
        self.distinct("--type", "u32", parts[0], "--save", image)
        merged = self.distinct("--type", "u32", *parts[1:], "--merge", image, "--save", image)
        self.assertEqual({**merged, "keys": expected["keys"]}, expected)
        self.assertEqual(self.distinct("--merge", image)["estimate"], expected["estimate"])

    def test_draws_count_as_their_files_do(self):
        stream = ["--seed", "77", "--child", "split:3", "--position", "96", "--chunk", "8"]
        for kind in FORMATS:
            with self.subTest(kind=kind):
                done = run("generate", "--backend", "host", "--draw", kind, "--count", 30000, *stream)
                path = self.write("keys", done.stdout)
                expected = self.distinct("--type", kind, path, "--seed", 5, "--lg-k", 9)
                self.assertEqual(self.distinct("--draws", kind, "--count", 30000, *stream, "--hash-seed", 5, "--lg-k", 9), expected)
        self.assertEqual(self.distinct("--draws", "u64", "--count", 0)["estimate"], [0])

    def refuse(self, arguments, expected, status=2, **options):
        before = self.files()
        done = run("distinct", *arguments, "--save", "saved", cwd=self.folder, **options)
        message = done.stderr.decode()
        self.assertEqual(done.returncode, status, message)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(message.count("\n"), 1, message)
        self.assertTrue(message.startswith("tandem: "), message)
        self.assertIn(expected, message)
        self.assertEqual(self.files(), before)

    def test_refusals(self):
        self.write("keys", bytes(24))
        self.write("odd", bytes(25))
        self.write("image", bytes.fromhex("01030300001acc93e56b61eec8804420"))
        self.write("broken", bytes.fromhex("01030300001acc93e56b61eec88044"))
        self.write("other", bytes.fromhex("01030300001acc92e56b61eec8804420"))
        keys, draws = ["--type", "u64", "keys"], ["--draws", "u64", "--count", "9"]
        for arguments, expected in [
            ([], "nothing to count"), (["keys"], "--type"), (["--type", "u64"], "--type does not apply"),
            (["--type", "u128", "keys"], "--type: 'u128'"), (["--type", "", "keys"], "--type"),
            (["--type", "u64", "missing"], "'missing' cannot be read"), (["--type", "u64", "."], "directory"),
            (["--type", "u64", "odd"], "25 bytes"), (["--type", "u64", "keys", "odd"], "25 bytes"),
            ([*keys, "--type", "u64"], "--type is given more than once"), ([*keys, "--bogus"], "--bogus"),
            *[([*keys, "--lg-k", text], "--lg-k") for text in ["", "4", "27", "-5", "5.0", "x"]],
            *[([*keys, "--p", text], "--p") for text in ["", "0", "-0.5", "1.0001", "nan", "inf", "1e-20", "x"]],
            *[([*keys, "--seed", text], "--seed") for text in ["", "-1", str(2**64), "0x1" + 16 * "0", "x"]],
            *[([*keys, "--hash-seed", text], "--hash-seed") for text in ["", "-1", str(2**64), "x"]],
            ([*keys, "--seed", "1", "--hash-seed", "1"], "--hash-seed"), ([*keys, "--backend", "gpu"], "--backend"),
            *[([*keys, option, "1"], f"{option} does not apply to files") for option in ["--count", "--key", "--position", "--chunk", "--child"]],
            (["--merge", "missing"], "'missing' cannot be read"), (["--merge", "broken"], "image is of 15 bytes"),
            (["--merge", "image", "--merge", "broken"], "image is of 15 bytes"), (["--merge", "other"], "seed hash"),
            (["--merge", "image", "--seed", "1"], "seed hash"), (["--merge"], "--merge"), (["--merge", "keys"], "family"),
            ([*draws, "keys"], "exclude"), ([*draws, "--type", "u64"], "--type does not apply"), (["--draws", "u64"], "--count"),
            (["--draws", "bool", "--count", "1"], "--draws: 'bool'"), (["--draws", "u64", "--count", "-1"], "--count"),
            (["--draws", "u64", "--count", str(2**58)], "end of the stream"), ([*draws, "--seed", "x"], "--seed"),
            ([*draws, "--position", str(2**63)], "--position"), ([*draws, "--chunk", "3"], "--chunk"),
        ]:
            with self.subTest(arguments=arguments):
                self.refuse(arguments, expected)
        for save, expected in [("", "no file name"), ("-", "no file name"), ("keys", "FILE to count"), ("./keys", "FILE to count"),
                               ("no/such/folder", "cannot be written"), (".", "cannot be written")]:
            with self.subTest(save=save):
                before = self.files()
                done = run("distinct", *keys, "--save", save, cwd=self.folder)
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                self.assertIn(expected, done.stderr.decode())
                self.assertEqual(self.files(), before)
        self.assertEqual((self.folder / "keys").read_bytes(), bytes(24))

    def test_input_that_ends_within_a_key(self):
        self.refuse(["--backend", BACKEND, "--type", "u64", "-"], "standard input ends within a key of 8 bytes", status=1, input=bytes(20))

    def test_output_that_cannot_be_written(self):
        path = self.write("keys", bytes(8))
        with open("/dev/full", "wb") as full:
            done = subprocess.run([os.environ["TANDEM_CLI"], "distinct", "--backend", BACKEND, "--type", "u64", str(path)], stdout=full,
                                  stderr=subprocess.PIPE, check=False, timeout=300)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"cannot be written", done.stderr)


if __name__ == "__main__":
    cli_support.skip_without_backend()
    cli_support.main()
