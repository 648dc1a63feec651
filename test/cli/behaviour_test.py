"""Streams, pipes, failures, children, threads, help and the self-test."""

import os
import signal
import subprocess
import unittest

import cli_support
from cli_support import BACKEND, BINARY, FolderTest, digest, generate, run

DRAWS = ["bool", "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "u128", "i128", "f16", "f32", "f64", "c32", "c64", "char",
         "u32_below", "u64_below", "int_range", "normal_f64", "normal_f32", "lognormal_f64", "lognormal_f32", "exponential_f64",
         "exponential_f32", "choice", "poisson", "binomial", "geometric"]


class Stream(unittest.TestCase):
    def read(self, count, *options):
        with subprocess.Popen([BINARY, "stream", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            data = process.stdout.read(count)
            process.stdout.close()
            message = process.stderr.read()
            return data, process.wait(60), message

    def test_words_until_closed(self):
        count = 3_000_000
        options = ["--seed", "7", "--position", "77", "--chunk", "64", "--child", "sub:9"]
        data, status, message = self.read(4 * count, *options)
        self.assertEqual((status, message), (0, b""))
        self.assertEqual(digest(data), digest(generate("--draw", "u32", "--count", count, *options)))

    def test_closed_before_the_first_word(self):
        self.assertEqual(self.read(0)[1:], (0, b""))

    def test_an_error_of_the_system_is_told(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([BINARY, "stream"], stdout=full, stderr=subprocess.PIPE, check=False, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"standard output cannot be written", done.stderr)


class Failures(FolderTest):
    def test_closed_pipe_is_quiet(self):
        command = [BINARY, "generate", "--draw", "u64", "--count", "100000000", "--report", str(self.folder / "report")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            self.assertEqual(len(process.stdout.read(1000)), 1000)
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b"")
            self.assertEqual(process.wait(60), 1)
        self.assertEqual(self.files(), [])  # no report of an output that nobody has

    def test_full_device(self):
        done = run("generate", "--draw", "u32", "--count", 10, "--output", "/dev/full", "--report", self.folder / "report")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count(b"\n"), 1)
        self.assertIn(b"/dev/full", done.stderr)
        self.assertEqual(self.files(), [])

    def test_full_disk_keeps_the_old_file(self):
        target = self.folder / "target"
        target.write_bytes(b"old")
        # A limit on file sizes stands in for the end of the disk.
        command = f"trap '' XFSZ; ulimit -f 64; exec '{BINARY}' generate --draw u8 --count 10000000 --output '{target}'"
        done = subprocess.run(["bash", "-c", command], capture_output=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"cannot be written", done.stderr)
        self.assertEqual(target.read_bytes(), b"old")
        self.assertEqual(self.files(), ["target"])

    def test_killed_work_leaves_no_whole_file(self):
        target = self.folder / "target"
        command = [BINARY, "generate", "--draw", "u64", "--count", "2000000000", "--format", "text", "--output", str(target)]
        with subprocess.Popen(command) as process:
            try:
                process.wait(0.5)
            except subprocess.TimeoutExpired:
                pass
            process.send_signal(signal.SIGKILL)
        self.assertFalse(target.exists())
        self.assertTrue(all(name.endswith(".partial") for name in self.files()))

    def test_closed_standard_output(self):
        report = self.folder / "report"
        command = f"exec '{BINARY}' generate --draw u32 --count 4 --report '{report}' >&-"
        done = subprocess.run(["bash", "-c", command], capture_output=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.files(), [])

    def test_cuda_without_a_gpu(self):
        if run("generate", "--draw", "u8", "--count", 1, "--backend", "cuda").returncode == 0:
            self.skipTest("this machine has a GPU")
        done = run("generate", *"--draw u32 --count 4 --backend cuda --output".split(), self.folder / "out")
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertEqual(done.stderr.count(b"\n"), 1)
        self.assertIn(b"cuda", done.stderr)
        self.assertEqual(self.files(), [])


class Values(unittest.TestCase):
    def test_threads(self):
        for draw in ("bool", "u32", "f64", "normal_f64", "normal_f32"):
            options = ["--draw", draw, "--count", 1_500_001, "--position", 77, "--seed", 42]
            outputs = {digest(generate(*options, "--threads", threads)) for threads in (1, 2, 7, 64)}
            self.assertEqual(len(outputs | {digest(generate(*options))}), 1, draw)

    def test_children_come_in_order(self):
        words = {}
        for child in ("split:1,sub:1", "sub:1,split:1", "split:1", "sub:1", "sub:0x1,split:0x1"):
            words[child] = generate("--draw", "u64", "--count", 4, "--child", child)
        self.assertEqual(words.pop("sub:0x1,split:0x1"), words["sub:1,split:1"])
        self.assertEqual(len(set(words.values())), 4)

    def test_default_seed_is_zero(self):
        self.assertEqual(generate("--draw", "u64", "--count", 4), generate("--draw", "u64", "--count", 4, "--seed", "0x0"))

    def test_signed_draws_have_the_bits_of_unsigned_ones(self):
        for width in (8, 16, 32, 64, 128):
            outputs = {generate("--draw", f"{kind}{width}", "--count", 33, "--seed", 5) for kind in "ui"}
            self.assertEqual(len(outputs), 1)


class Weights(FolderTest):
    def test_lists_and_files_agree(self):
        path = self.folder / "weights"
        path.write_text("1.5\n0x1p-3, 2e-1\r\n\n7\t0\n")
        options = ["--draw", "choice", "--count", 1000, "--weights"]
        self.assertEqual(generate(*options, path), generate(*options, "1.5,0.125,0.2,7,0"))


class Commands(unittest.TestCase):
    def test_selftest(self):
        done = run("selftest")
        self.assertEqual((done.returncode, done.stderr), (0, b""), done.stdout)
        self.assertRegex(done.stdout.decode(), r"(?m)^host: (\d{2,}) of \1 cases right$")

    def test_help_lists_every_draw_and_option(self):
        text = run("generate", "--help").stdout.decode()
        for draw in DRAWS:
            self.assertRegex(text, rf"(?m)^  {draw} ")
        for option in ("draw count seed key position chunk child range low high mean stddev scale lambda trials p weights backend threads "
                       "mode format output report").split():
            self.assertRegex(text, rf"(?m)^  --{option} ")

    def test_help_lists_commands(self):
        done = run("--help")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        for command in (b"generate", b"stream", b"info", b"selftest"):
            self.assertIn(command, done.stdout)

    def test_info_and_version(self):
        version = run("--version")
        self.assertEqual(version.returncode, 0)
        self.assertRegex(version.stdout.decode(), r"^tandem \d+\.\d+\.\d+\n$")
        info = run("info")
        self.assertEqual((info.returncode, info.stderr), (0, b""))
        self.assertIn(version.stdout.split()[1], info.stdout)
        self.assertRegex(info.stdout.decode(), r"(?m)^host ")
        self.assertRegex(info.stdout.decode(), r"(?m)^cuda ")


    def test_prints_that_fail_are_told(self):
        for command in ("info", "selftest", "--help"):
            with self.subTest(command=command), open("/dev/full", "wb") as full:
                done = subprocess.run([BINARY, command], stdout=full, stderr=subprocess.PIPE, check=False, timeout=60)
                self.assertEqual((done.returncode, done.stderr.count(b"\n")), (1, 1), done.stderr)
                self.assertIn(b"standard output cannot be written", done.stderr)


class Progress(FolderTest):
    def run_on_terminal(self, count):
        terminal, end = os.openpty()
        with subprocess.Popen([BINARY, "generate", "--draw", "f64", "--count", str(count), "--format", "text", "--output", "/dev/null"],
                              stderr=end) as process:
            os.close(end)
            shown = b""
            try:
                while chunk := os.read(terminal, 4096):
                    shown += chunk
            except OSError:  # the end of a terminal
                pass
            self.assertEqual(process.wait(120), 0)
        os.close(terminal)
        return shown

    def test_bar_for_long_work_only(self):
        self.assertEqual(self.run_on_terminal(1000), b"")
        shown = self.run_on_terminal(40_000_000)
        self.assertIn(b"%", shown)
        self.assertTrue(shown.endswith(b"\r\x1b[K"), shown[-80:])

    def test_no_bar_without_a_terminal(self):
        done = run("generate", "--backend", BACKEND, *"--draw f64 --count 20000000 --format text --output /dev/null".split())
        self.assertEqual((done.returncode, done.stderr), (0, b""))


if __name__ == "__main__":
    cli_support.main()
