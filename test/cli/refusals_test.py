"""Bad options: exit status 2, one line on standard error that names the option, nothing on standard output, and no file."""

import os
import unittest

import cli_support
from cli_support import FolderTest, run

GOOD = ["--draw", "u32", "--count", "4"]
BELOW = ["--draw", "u32_below", "--count", "4"]
BELOW64 = ["--draw", "u64_below", "--count", "4"]
RANGE = ["--draw", "int_range", "--count", "4"]
NORMAL = ["--draw", "normal_f64", "--count", "4"]
NORMAL32 = ["--draw", "normal_f32", "--count", "4"]
EXPONENTIAL = ["--draw", "exponential_f64", "--count", "4"]
EXPONENTIAL32 = ["--draw", "exponential_f32", "--count", "4"]
CHOICE = ["--draw", "choice", "--count", "4"]
POISSON = ["--draw", "poisson", "--count", "4"]
BINOMIAL = ["--draw", "binomial", "--count", "4"]
GEOMETRIC = ["--draw", "geometric", "--count", "4"]

NO_INTEGERS = ["", " ", "x", "-1", "+1", "1.0", "1e3", " 1", "1 ", "1\n", "0x", "0xg", "1_000", "nan"]
NO_REALS = ["", "x", "nan", "inf", "-inf", "1e999", "1e-999", "1.0x", " 1", "0x", "--1", "+-1", "1,2"]

# Options of `generate`, and what the message must hold.
REFUSED = [
    ([], "--draw"),
    (["--draw", "u32"], "--count"),
    (["--count", "1"], "--draw"),
    (["--draw", "u33", "--count", "1"], "u33"),
    (["--draw", "", "--count", "1"], "--draw"),
    (["--draw", "U32", "--count", "1"], "U32"),
    *[(["--draw", "u32", "--count", text], "--count") for text in NO_INTEGERS + ["18446744073709551616"]],
    (["--draw", "u32", "--count", str(2**59)], "end of the stream"),
    (["--draw", "u32", "--count", str(2**59 - 2), "--position", "64"], "end of the stream"),
    (["--draw", "bool", "--count", str(2**64 - 1), "--position", "1"], "end of the stream"),
    (["--draw", "c64", "--count", str(2**63)], "end of the stream"),
    ([*NORMAL32[:2], "--count", str(2**59 - 1)], "end of the stream"),
    ([*GOOD, "--count", "5"], "--count"),
    ([*GOOD, "--seed", "1", "--seed", "2"], "--seed"),
    ([*GOOD, "--bogus", "1"], "--bogus"),
    ([*GOOD, "extra"], "extra"),
    ([*GOOD, "stream"], "stream"),
    (["--draw", "u32", "--count"], "--count"),
    *[([*GOOD, "--seed", text], "--seed") for text in NO_INTEGERS + ["18446744073709551616", "0x1" + 32 * "0"]],
    ([*GOOD, "--seed", "1", "--key", "1,2,3,4"], "--key"),
    *[([*GOOD, "--key", text], "--key") for text in ["", "1", "1,2,3", "1,2,3,4,5", "1,2,3,", "1,2,3,g", "1,2,3,123456789", "1 ,2,3,4",
                                                    "-1,2,3,4"]],
    *[([*GOOD, "--position", text], "--position") for text in NO_INTEGERS + [str(2**63), str(2**64)]],
    *[([*GOOD, "--chunk", text], "--chunk") for text in NO_INTEGERS + ["0", "3", "24", "65537", "131072", str(2**32 + 1)]],
    *[([*GOOD, "--child", text], "--child") for text in ["", "split", "split:", "split:x", "split:-1", "fork:1", "split:1,", ",sub:1",
                                                        "sub:18446744073709551616", "split:1 ,sub:1", "Split:1"]],
    *[([*GOOD, "--threads", text], "--threads") for text in NO_INTEGERS + ["0", "1025", str(2**32 + 1)]],
    *[([*GOOD, "--backend", text], "--backend") for text in ["", "gpu", "HOST"]],
    *[([*GOOD, "--format", text], "--format") for text in ["", "csv", "RAW"]],
    ([*GOOD, "--output", ""], "--output"),
    ([*GOOD, "--output", "no/such/folder"], "no/such/folder"),
    ([*GOOD, "--output", "."], "--output"),
    ([*GOOD, "--output", "out", "--report", ""], "--report"),
    ([*GOOD, "--output", "out", "--report", "-"], "--report"),
    ([*GOOD, "--output", "out", "--report", "out"], "--report"),
    ([*GOOD, "--output", "out", "--report", "./out"], "--report"),
    ([*GOOD, "--output", "out", "--report", "no/such/folder"], "no/such/folder"),
    (BELOW, "--range"),
    *[([*BELOW, "--range", text], "--range") for text in NO_INTEGERS + [str(2**32 + 1)]],
    ([*BELOW64, "--range", str(2**64 + 1)], "--range"),
    (RANGE, "--low"),
    ([*RANGE, "--low", "1"], "--high"),
    ([*RANGE, "--high", "1"], "--low"),
    ([*RANGE, "--low", "2", "--high", "1"], "--low"),
    ([*RANGE, "--low", str(-2**63 - 1), "--high", "1"], "--low"),
    ([*RANGE, "--low", "1", "--high", str(2**63)], "--high"),
    *[([*RANGE, "--low", text, "--high", "9"], "--low") for text in ["", "x", "1.0", "+1", " 1", "0x1", "--high"]],
    *[([*NORMAL, "--mean", text], "--mean") for text in NO_REALS],
    *[([*NORMAL, "--stddev", text], "--stddev") for text in NO_REALS + ["-1", "-1e-300"]],
    ([*NORMAL32, "--mean", "1e39"], "--mean"),
    ([*NORMAL32, "--stddev", "-1e-30"], "--stddev"),
    ([*NORMAL32, "--mode", "quick"], "--mode"),
    *[([*EXPONENTIAL, "--scale", text], "--scale") for text in NO_REALS + ["0", "-0.0", "-1"]],
    ([*EXPONENTIAL32, "--scale", "1e-60"], "--scale"),
    ([*EXPONENTIAL32, "--scale", "1e60"], "--scale"),
    (CHOICE, "--weights"),
    *[([*CHOICE, "--weights", text], "weight") for text in ["", "0", "0,0,-0.0", "1,-1", "1,nan", "inf", "1,1e999", "1,,2", "1,x", "no-file"]],
    (POISSON, "--lambda"),
    *[([*POISSON, "--lambda", text], "lambda") for text in NO_REALS + ["0", "-1", "2147483649"]],
    (BINOMIAL, "--trials"),
    ([*BINOMIAL, "--trials", "5"], "--p"),
    *[([*BINOMIAL, "--trials", text, "--p", "0.5"], "--trials") for text in NO_INTEGERS + [str(2**32)]],
    *[([*BINOMIAL, "--trials", "5", "--p", text], "p") for text in NO_REALS + ["-0.1", "1.1"]],
    (GEOMETRIC, "--p"),
    *[([*GEOMETRIC, "--p", text], "p") for text in NO_REALS + ["0", "1.5", "9e-7"]],
]

# Each parameter is refused by a draw that does not have it.
STRANGERS = {"--range": "6", "--low": "1", "--high": "6", "--mean": "0", "--stddev": "1", "--scale": "1", "--lambda": "1",
             "--trials": "3", "--p": "0.5", "--weights": "1,2", "--mode": "exact"}


class Refusals(FolderTest):
    def setUp(self):
        super().setUp()
        home = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, home)

    def check(self, arguments, expected, output="result"):
        wanted = [] if "--output" in arguments or output is None or arguments[-1] == "--count" else ["--output", output]
        done = run(*arguments, *wanted)
        message = done.stderr.decode()
        self.assertEqual(done.returncode, 2, message)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(message.count("\n"), 1, message)
        self.assertTrue(message.endswith("\n"), message)
        self.assertTrue(message.startswith("tandem: "), message)
        self.assertIn(expected, message)
        self.assertEqual(self.files(), [])

    def test_generate(self):
        for arguments, expected in REFUSED:
            with self.subTest(arguments=arguments):
                self.check(["generate", *arguments], expected)

    def test_parameters_of_other_draws(self):
        for option, value in STRANGERS.items():
            with self.subTest(option=option):
                self.check(["generate", *GOOD, option, value], f"{option} does not apply to --draw u32")

    def test_commands(self):
        for arguments, expected in [([], "subcommand"), (["make"], "'make' is no command"), (["--bogus"], "--bogus"),
                                    (["stream", "--count", "1"], "--count"), (["stream", "--chunk", "3"], "--chunk"),
                                    (["info", "x"], "x"), (["selftest", "--draw", "u32"], "--draw"), (["a\nb"], "no command")]:
            with self.subTest(arguments=arguments):
                self.check(arguments, expected, output=None)

    def test_weights_files(self):
        for number, (content, expected) in enumerate([("", "without numbers"), (" \n", "without numbers"), ("1 2 x", "'x'"),
                                                      ("1\n-2\n", "weight 1"), ("1 nan", "nan"), ("0 0", "every weight")]):
            path = self.folder.parent / f"{self.folder.name}-weights-{number}"
            path.write_text(content)
            self.addCleanup(path.unlink)
            with self.subTest(content=content):
                self.check(["generate", *CHOICE, "--weights", str(path)], expected)

    def test_existing_files_are_untouched(self):
        kept = self.folder / "kept"
        kept.write_bytes(b"precious")
        done = run("generate", "--draw", "u32", "--count", "x", "--output", kept)
        self.assertEqual(done.returncode, 2)
        done = run("generate", *GOOD, "--output", kept, "--report", "no/such/folder")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(kept.read_bytes(), b"precious")
        self.assertEqual(self.files(), ["kept"])

    def test_boundaries_that_are_legal(self):
        for arguments in [["--draw", "u32", "--count", "0", "--position", str(2**63 - 1)], [*GOOD, "--seed", "0x" + 32 * "f"],
                          [*GOOD, "--seed", str(2**64 - 1)], [*GOOD, "--chunk", "65536"], [*GOOD, "--chunk", "1"],
                          [*GOOD, "--threads", "1024"], [*BELOW, "--range", str(2**32)], [*BELOW, "--range", "0"],
                          [*BELOW64, "--range", str(2**64)], [*RANGE, "--low", str(-2**63), "--high", str(2**63 - 1)],
                          [*NORMAL, "--mean", "-1e300", "--stddev", "0"], [*NORMAL32, "--mean", "1e-30", "--mode", "fast"],
                          [*POISSON, "--lambda", "1e-300"], [*GEOMETRIC, "--p", "0x1p-20"], [*BINOMIAL, "--trials", str(2**32 - 1), "--p", "1"],
                          [*CHOICE, "--weights", "5e-324,1.7976931348623157e308"], [*GOOD, "--child", "split:0xffffffffffffffff"]]:
            with self.subTest(arguments=arguments):
                cli_support.generate(*arguments)


if __name__ == "__main__":
    cli_support.main()
