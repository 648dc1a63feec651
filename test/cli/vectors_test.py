"""The published vectors through the binary, with the position that --report states."""

import json
import unittest

import cli_support
from cli_support import FolderTest, digest, expected_bytes, generate, load_cases, options_of


class Vectors(FolderTest):
    def produce(self, case, *options):
        report = self.folder / "report.json"
        output = generate(*options_of(case), "--report", report, *options)
        return output, json.loads(report.read_text())

    def test_whole_outputs(self):
        cases = load_cases("short.json")
        self.assertGreater(len(cases), 200)
        for case in cases:
            with self.subTest(options=options_of(case)):
                output, report = self.produce(case)
                self.assertEqual(output.hex(), expected_bytes(case).hex())
                self.assertEqual(report["end_position"], case["end"])
                self.assertEqual(report["bytes"], len(output))

    def test_digests(self):
        cases = load_cases("long.json")
        self.assertGreater(len(cases), 100)
        for case in cases:
            with self.subTest(options=options_of(case)):
                output, report = self.produce(case, "--threads", 3)
                self.assertEqual(len(output), case["bytes"])
                self.assertEqual(digest(output), case["sha256"])
                self.assertEqual(report["end_position"], case["end"])

    def test_seeds(self):
        other = json.loads((cli_support.DATA / "other.json").read_text())
        for case in other["seeds"]:
            seed = int(case["seed"])
            for text in [hex(seed), "0X" + format(seed, "X")] + ([seed] if seed < 2**64 else []):
                with self.subTest(seed=text):
                    report = self.folder / "report.json"
                    generate("--draw", "u8", "--count", 0, "--seed", text, "--report", report)
                    self.assertEqual(json.loads(report.read_text())["key"], case["key"])


class Pieces(unittest.TestCase):
    """Fills larger than one piece of the binary's memory, against fills that start later."""

    def check(self, draw, size, width, count, tail, *options):
        whole = generate("--draw", draw, "--count", count, "--position", 5, "--seed", 42, "--threads", 2, *options)
        self.assertEqual(len(whole), size * count)
        start = -(-5 // width) * width + width * (count - tail)
        rest = generate("--draw", draw, "--count", tail, "--position", start, "--seed", 42, *options)
        self.assertEqual(digest(whole[-size * tail:]), digest(rest))

    def test_plain(self):
        self.check("u64", 8, 64, 9_000_001, 1_000_001)

    def test_normal_pairs(self):
        self.check("normal_f32", 4, 32, 17_000_001, 700_001)


if __name__ == "__main__":
    cli_support.skip_without_backend()
    cli_support.main()
