#!/usr/bin/env python3
"""Checks the layout's rules over the tracked and new files; prints each breach as path:line: message and fails when there is one.

Rules: includes go one way between the layers; the core includes the standard library and itself only; files stay under 500 lines
(generated tables apart, and public headers without their comments); one file holds the kernel launches of a layer; the caller's
pending CUDA error is left alone; no word that belongs in a note rather than in the tree.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
CODE = {".h", ".hpp", ".cuh", ".c", ".cpp", ".cu"}
TEXT = CODE | {".py", ".sh", ".cmake", ".txt", ".md", ".in", ""}
MAX_LINES = 500

# What each layer may include of the others. Tests and benchmarks stand on top of everything.
ALLOWED = {
    "include": {"include"},
    "kernels": {"include", "kernels"},
    "host_api": {"include", "kernels", "host_api"},
    "device_api": {"include", "device_api"},
    "examples": {"include", "device_api", "examples"},
}
LIBRARY = ("include", "kernels", "host_api", "device_api")

# Written in pieces, so that this file does not breach its own rule.
FORBIDDEN_WORDS = [(re.compile(r"\b(" + "TO" + "DO|FIX" + "ME|XX" + "X)\\b"), "a note to come back"),
                   (re.compile(r"(?<![\w.}*-])/(work|root|home)/"), "a path of one machine")]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
LAUNCH = re.compile(r"<<<|\bcudaLaunchKernel\w*\s*\(|\bcuLaunchKernel\w*\s*\(")
PENDING_ERROR = re.compile(r"\bcuda(GetLastError|PeekAtLastError)\s*\(")
STANDARD_HEADER = re.compile(r"^[a-z0-9_]+(\.h)?$")


def tracked_files():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = (pathlib.Path(line) for line in listed.stdout.splitlines())
    return sorted(p for p in paths if p.suffix in TEXT and p.name != "LICENSE" and (ROOT / p).is_file())


def layer_of(path):
    return path.parts[0] if len(path.parts) > 1 else ""


def without_comments(text):
    """The code with comments and string literals blanked, lines kept."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def resolve(path, name):
    """The file of this tree that an include names, or None for headers from elsewhere."""
    for base in (path.parent, pathlib.Path(), pathlib.Path("include"), pathlib.Path("device_api")):
        candidate = ROOT / base / name
        if candidate.is_file():
            resolved = candidate.resolve()
            return resolved.relative_to(ROOT) if resolved.is_relative_to(ROOT) else None
    return None


def check_includes(path, text):
    layer = layer_of(path)
    in_core = path.parts[:3] == ("include", "tandem", "core") or path == pathlib.Path("include/tandem/core.hpp")
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        name = match.group(2)
        target = resolve(path, name)
        if target is None:
            if in_core and (match.group(1) == '"' or not STANDARD_HEADER.match(name)):
                yield number, f"the core includes {name}, which is not the standard library's"
            elif layer == "include" and re.search(r"cuda|thrust|cub/|curand", name):
                yield number, f"a public header of include/ includes {name}"
            continue
        if layer in ALLOWED and layer_of(target) not in ALLOWED[layer]:
            yield number, f"{layer} includes {target}"
        if in_core and target.parts[:3] != ("include", "tandem", "core"):
            yield number, f"the core includes {target}"


def check_length(path, text):
    if path.suffix not in CODE | {".py", ".sh"} or "enerated by scripts/" in "\n".join(text.splitlines()[:12]):
        return
    counted = text
    if layer_of(path) in ("include", "device_api"):
        counted = "\n".join(line for line in without_comments(text).splitlines() if line.strip())
    lines = counted.count("\n")
    if lines > MAX_LINES:
        yield lines, f"{lines} lines, {MAX_LINES} at most"


def check_words(text):
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, meaning in FORBIDDEN_WORDS:
            found = pattern.search(line)
            if found:
                yield number, f"{found.group().strip()}: {meaning}"


def check_pending_error(path, code):
    if layer_of(path) in LIBRARY:
        for number, line in enumerate(code.splitlines(), 1):
            if PENDING_ERROR.search(line):
                yield number, "the caller's pending CUDA error is not the library's to read or clear"


def check_launches(launching):
    """kernels and host_api share one launch helper; the header-only device_api, which cannot include it, may have one of its own."""
    for layers in (("kernels", "host_api"), ("device_api",)):
        files = sorted(p for p in launching if layer_of(p) in layers)
        for extra in files[1:]:
            yield extra, launching[extra], f"launches a kernel; the launch helper is {files[0]}"


def main():
    breaches = []
    launching = {}
    for path in tracked_files():
        text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
        found = list(check_length(path, text)) + list(check_words(text))
        if path.suffix in CODE:
            code = without_comments(text)
            found += list(check_includes(path, text)) + list(check_pending_error(path, code))
            for number, line in enumerate(code.splitlines(), 1):
                if layer_of(path) in LIBRARY and LAUNCH.search(line):
                    launching.setdefault(path, number)
        breaches += [(path, number, message) for number, message in found]
    breaches += list(check_launches(launching))
    for path, number, message in breaches:
        print(f"{path}:{number}: {message}")
    print(f"check_layers: {len(breaches)} breaches" if breaches else "check_layers: all rules hold")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
