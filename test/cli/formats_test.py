"""The formats: text against the raw bytes of the same elements, the .npy header, and files."""

import ast
import json
import os
import stat
import struct
import subprocess
import unittest

import cli_support
from cli_support import BINARY, FolderTest, generate

PLAIN = ["bool", "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "u128", "i128", "f16", "f32", "f64", "c32", "c64", "char"]
INTEGER_BYTES = {"bool": 1, "u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "u64": 8, "i64": 8, "u128": 16, "i128": 16,
                 "char": 4}
NPY_TYPES = {"bool": "|b1", "u8": "|u1", "i8": "|i1", "u16": "<u2", "i16": "<i2", "u32": "<u4", "i32": "<i4", "u64": "<u8",
             "i64": "<i8", "u128": [("lo", "<u8"), ("hi", "<u8")], "i128": [("lo", "<u8"), ("hi", "<i8")], "f16": "<f2",
             "f32": "<f4", "f64": "<f8", "c32": "<c8", "c64": "<c16", "char": "<u4"}
NPY_BYTES = {"f16": 2, "f32": 4, "f64": 8, "c32": 8, "c64": 16, **INTEGER_BYTES}


def numbers_of(draw, raw):
    """The values in raw output, as Python numbers; a complex element is two."""
    if draw in INTEGER_BYTES:
        size = INTEGER_BYTES[draw]
        return [int.from_bytes(raw[i:i + size], "little", signed=draw[0] == "i") for i in range(0, len(raw), size)]
    code = {"f16": "e", "f32": "f", "f64": "d", "c32": "f", "c64": "d"}[draw]
    return [x for (x,) in struct.iter_unpack("<" + code, raw)]


class Text(unittest.TestCase):
    def text_and_values(self, draw, count, *options):
        options = ["--draw", draw, "--count", count, "--seed", 42, *options]
        return generate(*options, "--format", "text").decode(), numbers_of(draw, generate(*options))

    def test_integers(self):
        for draw in INTEGER_BYTES:
            with self.subTest(draw=draw):
                text, values = self.text_and_values(draw, 1000)
                self.assertEqual(text, "".join(f"{value}\n" for value in values))

    def test_floats_read_back_and_are_short(self):
        pack = {"f16": "<f", "f32": "<f", "f64": "<d"}
        for draw, code in pack.items():
            with self.subTest(draw=draw):
                text, values = self.text_and_values(draw, 1000)
                lines = text.split("\n")
                self.assertEqual(lines.pop(), "")
                self.assertEqual([struct.pack(code, float(line)) for line in lines], [struct.pack(code, v) for v in values])
                longest = {"<f": 9, "<d": 17}[code]
                for line in lines:
                    self.assertLessEqual(sum(c.isdigit() for c in line.split("e")[0].replace("0.", "").lstrip("0")), longest)

    def test_complex_lines_hold_two_numbers(self):
        for draw in ("c32", "c64"):
            text, values = self.text_and_values(draw, 500)
            lines = [line.split(" ") for line in text.splitlines()]
            self.assertTrue(all(len(line) == 2 for line in lines))
            code = "<f" if draw == "c32" else "<d"
            flat = [struct.pack(code, float(part)) for line in lines for part in line]
            self.assertEqual(flat, [struct.pack(code, v) for v in values])

    def test_none(self):
        self.assertEqual(generate("--draw", "u32", "--count", 0, "--format", "text"), b"")

    def test_many_lines(self):
        text, values = self.text_and_values("u16", 200_003)
        self.assertEqual(text.splitlines(), [str(value) for value in values])


class Npy(FolderTest):
    def test_headers(self):
        for draw in PLAIN:
            for count in (0, 1, 7, 12345):
                with self.subTest(draw=draw, count=count):
                    data = generate("--draw", draw, "--count", count, "--format", "npy")
                    self.assertEqual(data[:8], b"\x93NUMPY\x01\x00")
                    (length,) = struct.unpack("<H", data[8:10])
                    self.assertEqual((10 + length) % 64, 0)
                    header = data[10:10 + length].decode("latin1")
                    self.assertTrue(header.endswith("\n"))
                    self.assertEqual(ast.literal_eval(header), {"descr": NPY_TYPES[draw], "fortran_order": False, "shape": (count,)})
                    self.assertEqual(data[10 + length:], generate("--draw", draw, "--count", count))

    def test_int_range_is_i64(self):
        data = generate("--draw", "int_range", "--count", 3, "--low", -5, "--high", 5, "--format", "npy")
        self.assertIn(b"'<i8'", data[:64])


class Files(FolderTest):
    def test_file_equals_standard_output(self):
        generate("--draw", "u32", "--count", 1000, "--output", self.folder / "out", "--report", self.folder / "report")
        self.assertEqual((self.folder / "out").read_bytes(), generate("--draw", "u32", "--count", 1000))
        self.assertEqual(self.files(), ["out", "report"])

    def test_report(self):
        report = self.folder / "report"
        start = 2**63 - 1
        output = generate("--draw", "u128", "--count", 3, "--position", start, "--key", "1,2,3,ffffffff", "--chunk", 64, "--format",
                          "text", "--report", report)
        text = report.read_text()
        content = json.loads(text)
        self.assertIn('"end_position": 9223372036854776192', text)  # the digits, not a rounded float
        self.assertGreaterEqual(content.pop("seconds"), 0)
        self.assertEqual(content, {"draw": "u128", "count": 3, "key": ["00000001", "00000002", "00000003", "ffffffff"], "chunk": 64,
                                   "position": start, "end_position": 2**63 + 384, "backend": cli_support.BACKEND,
                                   "bytes": len(output)})

    def test_existing_file_keeps_its_mode_and_links(self):
        target, link = self.folder / "target", self.folder / "link"
        target.write_bytes(b"old")
        target.chmod(0o640)
        link.symlink_to("target")
        generate("--draw", "u8", "--count", 5, "--output", link)
        self.assertTrue(link.is_symlink())
        self.assertEqual(target.stat().st_size, 5)
        self.assertEqual(stat.S_IMODE(target.stat().st_mode), 0o640)

    def test_pipes_and_devices_are_written_directly(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        with subprocess.Popen([BINARY, "generate", "--draw", "u8", "--count", "5000", "--output", str(fifo)]) as writer:
            self.assertEqual(len(fifo.read_bytes()), 5000)
            self.assertEqual(writer.wait(), 0)
        self.assertEqual(self.files(), ["fifo"])
        generate("--draw", "u8", "--count", 5, "--output", "/dev/null")


if __name__ == "__main__":
    cli_support.main()
