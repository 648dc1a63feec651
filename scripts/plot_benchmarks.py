#!/usr/bin/env python3
"""Draws a results file of tandem_bench_gpu as two SVG pictures beside it:
  <name>-bars.svg   each draw at its largest size, beside cuRAND's fastest call, and the rate of a kernel that only stores
  <name>-sizes.svg  the rate over the number of elements, again beside cuRAND's fastest call
Usage: plot_benchmarks.py RESULTS.json [OUTPUT_DIRECTORY]
"""

import html
import json
import math
import pathlib
import re
import sys

OURS, PEER, ROOF, TEXT, GRID = "#1f6f8b", "#c8a35f", "#b03a2e", "#222222", "#dddddd"
FONT = "font-family='Helvetica, Arial, sans-serif'"
# Curves of the second picture; each is a panel of its own.
PANELS = ["u32", "f64", "normal_f64", "normal_f32_exact", "normal_f32_fast", "lognormal_f64", "poisson_10", "exponential_f64", "choice"]
UNALIGNED = re.compile(r"_(start\d+|out\d+|unaligned_min)")


class Svg:
    def __init__(self, width, height, title):
        self.size = (width, height)
        self.parts = [f"<title>{html.escape(title)}</title>", f"<rect width='{width}' height='{height}' fill='white'/>"]

    def rect(self, x, y, width, height, fill):
        self.parts.append(f"<rect x='{x:.1f}' y='{y:.1f}' width='{width:.1f}' height='{height:.1f}' fill='{fill}'/>")

    def line(self, x1, y1, x2, y2, stroke, dash=""):
        dashes = f" stroke-dasharray='{dash}'" if dash else ""
        self.parts.append(f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' stroke='{stroke}'{dashes}/>")

    def curve(self, points, stroke):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f"<polyline points='{path}' fill='none' stroke='{stroke}' stroke-width='2'/>")
        self.parts += [f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3' fill='{stroke}'/>" for x, y in points]

    def text(self, x, y, text, anchor="start", size=12, fill=TEXT):
        self.parts.append(f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' font-size='{size}' fill='{fill}' {FONT}>"
                          f"{html.escape(text)}</text>")

    def write(self, path):
        width, height = self.size
        head = f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}'>"
        path.write_text("\n".join([head, *self.parts, "</svg>"]) + "\n", encoding="utf-8")


def step_for(top):
    """A round distance between grid lines, for four to ten of them up to `top`."""
    step = 10 ** math.floor(math.log10(top))
    for divisor in (1, 2, 5):
        if top / (step / divisor) >= 4:
            return step / divisor
    return step / 10


def legend(svg, x, y, entries):
    for label, colour in entries:
        svg.rect(x, y - 9, 10, 10, colour)
        svg.text(x + 15, y, label)
        x += 30 + 6.5 * len(label)


def caption(context):
    return f"{context.get('gpu', 'GPU')}, driver {context.get('driver', '?')}, cuRAND {context.get('curand', '?')}, {context.get('date', '')[:10]}"


def draw_bars(results, path):
    context = results["context"]
    roof = float(context["roofline_gib_s"])
    largest = {}
    for row in results["rows"]:
        if not UNALIGNED.search(row["row"]) and row["n"] >= largest.get(row["row"], row)["n"]:
            largest[row["row"]] = row
    rows = list(largest.values())
    left, top, height, width = 150, 70, 30, 620
    scale = width / (1.05 * max([roof] + [row["gib_s"] for row in rows]))
    bottom = top + height * len(rows)
    svg = Svg(left + width + 90, bottom + 50, "Fills of GPU memory, GiB/s")
    svg.text(left, 24, "Fills of GPU memory, GiB/s written", size=16)
    legend(svg, left, 48, [("Tandem", OURS), ("cuRAND's fastest call", PEER), ("16-byte stores alone", ROOF)])
    step = step_for(width / scale)
    for i in range(int(width / scale / step) + 1):
        x = left + i * step * scale
        svg.line(x, top - 6, x, bottom, GRID)
        svg.text(x, bottom + 16, f"{i * step:.0f}", "middle", 11)
    for i, row in enumerate(rows):
        y = top + i * height
        svg.text(left - 8, y + 15, row["row"], "end")
        half = row["peer"] is not None
        svg.rect(left, y + 2, row["gib_s"] * scale, 11 if half else 20, OURS)
        note = f"{row['gib_s']:.0f}"
        if half:
            svg.rect(left, y + 13, row["peer_gib_s"] * scale, 9, PEER)
            note += f" ({row['ratio']:.2f}x)"
        svg.text(left + row["gib_s"] * scale + 4, y + 13, note, size=11)
    svg.line(left + roof * scale, top - 6, left + roof * scale, bottom, ROOF, "5,3")
    svg.text(left, bottom + 38, caption(context), size=11)
    svg.write(path)


def draw_panel(svg, rows, name, x, y, width, height):
    rates = [(row["n"], row["gib_s"]) for row in rows]
    peers = [(row["n"], row["peer_gib_s"]) for row in rows if row["peer"] is not None]
    low, high = math.log2(rates[0][0]), math.log2(rates[-1][0])
    # Rates over several decades: a logarithmic axis.
    floor = math.floor(math.log10(min(rate for _, rate in rates + peers)))
    ceiling = math.ceil(math.log10(max(rate for _, rate in rates + peers)))
    at = lambda n, rate: (x + (math.log2(n) - low) / max(1, high - low) * width,
                          y + height - (math.log10(rate) - floor) / max(1, ceiling - floor) * height)
    svg.text(x, y - 8, name)
    for exponent in range(floor, ceiling + 1):
        level = y + height - (exponent - floor) / max(1, ceiling - floor) * height
        svg.line(x, level, x + width, level, GRID)
        svg.text(x - 5, level + 4, f"{10 ** exponent:g}", "end", 10)
    for n, _ in rates:
        svg.text(at(n, 10 ** floor)[0], y + height + 14, f"2^{round(math.log2(n))}", "middle", 10)
    if peers:
        svg.curve([at(*p) for p in peers], PEER)
    svg.curve([at(*p) for p in rates], OURS)


def draw_sizes(results, path):
    panels = []
    for name in PANELS:
        rows = sorted((row for row in results["rows"] if row["row"] == name), key=lambda row: row["n"])
        if len(rows) > 1:
            panels.append((name, rows))
    if not panels:
        return False
    columns, width, height = 3, 230, 170
    lines = (len(panels) + columns - 1) // columns
    svg = Svg(60 + columns * (width + 60), 80 + lines * (height + 60) + 20, "Rate over the number of elements")
    svg.text(50, 24, "GiB/s written over the number of elements", size=16)
    legend(svg, 50, 48, [("Tandem", OURS), ("cuRAND's fastest call", PEER)])
    for i, (name, rows) in enumerate(panels):
        draw_panel(svg, rows, name, 50 + i % columns * (width + 60), 90 + i // columns * (height + 60), width, height)
    svg.text(50, 80 + lines * (height + 60), caption(results["context"]), size=11)
    svg.write(path)
    return True


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    source = pathlib.Path(sys.argv[1])
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else source.parent
    results = json.loads(source.read_text(encoding="utf-8"))
    target.mkdir(parents=True, exist_ok=True)
    bars, sizes = target / f"{source.stem}-bars.svg", target / f"{source.stem}-sizes.svg"
    draw_bars(results, bars)
    print(bars)
    if draw_sizes(results, sizes):
        print(sizes)
    else:
        print("plot_benchmarks: one size only, so no picture over sizes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
