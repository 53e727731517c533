#!/usr/bin/env python3
"""Writes the tables of pages, and charts, from the reports of scripts/benchmarks.sh.

Usage: scripts/benchmarks.py FOLDER PAGE README ASSETS

FOLDER has the JSON reports of `galop compare`. In PAGE and README, what stands between `<!-- NAME -->` and `<!-- end -->` becomes
the table NAME; a table whose reports are missing stays as it is. ASSETS gets speed.svg and growth.svg. Only the standard
library is used.
"""

import json
import math
import re
import sys
from pathlib import Path

folder, page, readme, assets = map(Path, sys.argv[1:5])


def report(name):
    """The first comparison of a report, or None."""
    path = folder / f"{name}.json"
    return json.loads(path.read_text())["comparisons"][0] if path.exists() else None


def reports(prefix):
    """The comparisons of all reports with this prefix: names without it, and comparisons."""
    found = sorted(folder.glob(f"{prefix}*.json"), key=lambda path: path.stat().st_mtime)
    return [(path.stem[len(prefix):], report(path.stem)) for path in found]


def digits(number):
    """A number with three digits that count, in groups."""
    if number is None:
        return ""
    if number >= 1000:
        unit = 10 ** (len(str(int(number))) - 3)
        return f"{round(number / unit) * unit:,}"
    return f"{number:.3g}"


def duration(nanos):
    """`1.23 ms`"""
    if nanos is None:
        return ""
    for unit, factor in (("ns", 1), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)):
        if nanos < 999.5 * factor or unit == "s":
            return f"{nanos / factor:.3g} {unit}"


def ratio(engine, reference):
    """`2.35 (2.30–2.41)`"""
    if engine is None:
        return ""
    value = engine["ratio"]
    if value is None:
        return "1" if engine["name"] == reference else ""
    middle, low, high = value["middle"], value["low"], value["high"]
    return f"{middle:.3g} ({low:.3g}–{high:.3g})" if low is not None else f"{middle:.3g}"


def by_name(comparison):
    return {engine["name"]: engine for engine in comparison["engines"]}


def table(header, rows):
    """A Markdown table: words to the left, numbers to the right."""
    lines = ["| " + " | ".join(header) + " |", "|---|" + "---:|" * (len(header) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def source(comparisons):
    """Date, machine, commit and versions."""
    first = comparisons[0]
    machine = first["machine"]
    days = sorted({comparison["date"][:10] for comparison in comparisons})
    day = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    commit = f", commit `{first['commit']}`" if first["commit"] else ""
    programs = sorted({engine["name"] for one in comparisons for engine in one["engines"] if engine["is_program"]})
    versions = [f"{name} {peers[name]}" for name in programs if name in peers]
    with_peers = f"; crates {', '.join(versions)}" if versions else ""
    return (
        f"{day}, {machine['cpu']} ({'a core' if machine['cores'] == 1 else str(machine['cores']) + ' cores'}, "
        f"{machine['os']} {machine['arch']}, {'AVX-512' if has_avx512 else 'AVX2 or less'}), galop {first['galop']}{commit}{with_peers}."
    )


def crate_versions():
    lock = Path(__file__).parent.parent / "benches/peers/Cargo.lock"
    text = lock.read_text() if lock.exists() else ""
    return dict(re.findall(r'name = "(sudoku|dlx)"\nversion = "([^"]+)"', text))


peers = crate_versions()
isas = report("isas")
has_avx512 = isas is not None and any(engine["isa"] == "avx512" for engine in isas["engines"])


def sudoku():
    found = [(limit, name, one) for limit in (1, 2) for name, one in reports(f"sudoku-{limit}-")]
    programs = [name for _, _, one in found for name, engine in by_name(one).items() if engine["is_program"]]
    others = [name for name in dict.fromkeys(programs) if name != "galop"]
    header = ["data set", "limit", "`lanes` a second", "`galop solve` a second"]
    header += [f"{name} a second" for name in others]
    rows = []
    for limit, name, one in found:
        engines = by_name(one)
        per_run = {name: engine["cpu_nanos"]["median"] for name, engine in engines.items()}
        rate = lambda name: digits(1e9 / per_run[name]) if per_run.get(name) else ""
        rows.append([name, str(limit), rate("lanes"), rate("galop")] + [rate(name) for name in others])
    return table(header, rows), [one for *_, one in found]


def claim():
    """The sentence at the top of the README: whole programs on minimal puzzles, or else on the first set."""
    found = dict(reports("sudoku-1-"))
    if not found:
        return None
    one = found.get("unbiased_100k") or next(iter(found.values()))
    rates = {name: 1e9 / engine["cpu_nanos"]["median"] for name, engine in by_name(one).items() if engine["is_program"]}
    own = rates.pop("galop")
    others = [f"{own / rate:.2g} times as many as `{name}`" for name, rate in sorted(rates.items(), key=lambda row: -row[1])]
    sentence = f"On one core of an {one['machine']['cpu']} it solves {digits(own)} minimal sudokus a second from file to file"
    return (f"{sentence}: {' and '.join(others)}." if others else f"{sentence}."), []


def engines():
    found = reports("engines-")
    names = list(dict.fromkeys(engine["name"] for _, one in found for engine in one["engines"]))
    rows = []
    for name in names:
        row = [f"`{name}`"]
        for _, one in found:
            engine = by_name(one).get(name)
            if engine is None:
                row.append("")
                continue
            cell = f"{digits(engine['puzzles_per_second'])} ({engine['mean_guesses']:.3g})"
            stuck = engine["counts"]["stuck"] / max(1, engine["counts"]["puzzles"])
            cell += f", {stuck:.0%} stuck" if stuck else ""
            cell += f" [{engine['puzzles']:,}]" if engine["share"] < 1 else ""
            row.append(cell)
        rows.append(row)
    return table(["engine"] + [name for name, _ in found], rows), [one for _, one in found]


def kinds():
    found = reports("kind-")
    header = ["puzzles", "`lanes` a second", "guesses", "`grid` a second", "guesses", "`grid`: × time of `lanes`"]
    rows = []
    for name, one in found:
        engines = by_name(one)
        cells = []
        for engine in ("lanes", "grid"):
            figures = engines.get(engine)
            cells += [digits(figures["puzzles_per_second"]), f"{figures['mean_guesses']:.3g}"] if figures else ["", ""]
        rows.append([name] + cells + [ratio(engines["grid"], one["reference"])])
    return table(header, rows), [one for _, one in found]


def list_of(name):
    one = report(name)
    if one is None:
        return None
    rows = []
    for engine in one["engines"]:
        elapsed = engine["wall_nanos"]["median"] / engine["threads"]
        rows.append([
            f"`{engine['name']}`", digits(engine["puzzles_per_second"]), digits(1e9 / elapsed),
            ratio(engine, one["reference"]),
        ])
    header = ["engine", "puzzles a second of CPU time", "of elapsed time", f"CPU: × time of `{one['reference']}`"]
    return table(header, rows), [one]


def problems(name):
    one = report(name)
    if one is None:
        return None
    header = ["problem", "cost" if one["options"]["cheapest"] else "solutions"]
    header += [f"`{engine['name']}`" for engine in one["engines"]]
    rows = []
    for problem in one["problems"]:
        answer = problem["answer"] or ""
        row = [Path(problem["name"]).stem, f"{int(answer):,}" if answer else ""]
        for engine in problem["engines"]:
            nanos = engine["nanos"]
            if nanos is None:
                row.append("–")
            elif engine["finished"]:
                row.append(duration(nanos["median"]))
            else:
                row.append(f"> {duration(nanos['median'])}")
        rows.append(row)
    score = ["PAR2, " + ("all" if len(rows) > 1 else "one"), ""]
    rows.append(score + [duration(engine["par2_nanos"]) for engine in one["engines"]])
    rows.append([f"× time of `{one['reference']}`", ""] + [ratio(engine, one["reference"]) for engine in one["engines"]])
    return table(header, rows), [one]


def curves(names):
    """The growth of several reports: engine, what grows, from where to where, the law."""
    rows, comparisons = [], []
    for name in names:
        path = folder / f"{name}.json"
        if not path.exists():
            continue
        whole = json.loads(path.read_text())
        comparisons += whole["comparisons"]
        for curve in whole["growth"]:
            points, fit = curve["points"], curve["fit"]
            first, last = points[0], points[-1]
            bound = "" if last["finished"] else "> "
            law = ""
            if fit:
                ends = f" ({fit['low']:.3g}–{fit['high']:.3g})"
                law = f"× {fit['slope']:.3g}{ends} a step" if fit["law"] == "exponential" else f"size^{fit['slope']:.3g}{ends}"
            rows.append([
                f"`{curve['engine']}`", curve["time_of"], curve["over"],
                f"{first['size']:g}: {duration(first['nanos'])}",
                f"{last['size']:g}: {bound}{duration(last['nanos'])}", law,
            ])
    if not rows:
        return None
    return table(["engine", "what", "over", "from", "to", "growth"], rows), comparisons


TABLES = {
    "sudoku": sudoku,
    "engines": engines,
    "isas": lambda: list_of("isas"),
    "threads": lambda: list_of("threads"),
    "kinds": kinds,
    "cover-count": lambda: problems("cover-count"),
    "cover-bounds": lambda: problems("cover-bounds"),
    "cover-first": lambda: problems("cover-first"),
    "cover-best": lambda: problems("cover-best"),
    "growth": lambda: curves(["growth-queens", "growth-dominoes", "growth-files"]),
}

# This does not say where its figures come from.
WITHOUT_SOURCE = ("claim",)

# Colours that differ for readers who do not see red or green, light and dark.
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1c1c1c }
.soft { fill: #5c5c5c; font-size: 11px }
.grid { stroke: #d8d8d8 } .s0 { fill: #0072b2; stroke: #0072b2 } .s1 { fill: #d55e00; stroke: #d55e00 }
.s2 { fill: #009e73; stroke: #009e73 } .s3 { fill: #cc79a7; stroke: #cc79a7 } .line { fill: none; stroke-width: 2 }
text.s0, text.s1, text.s2, text.s3 { stroke: none }
@media (prefers-color-scheme: dark) {
text { fill: #e8e8e8 } .soft { fill: #a0a0a0 } .grid { stroke: #444 }
.s0 { fill: #56b4e9; stroke: #56b4e9 } .s1 { fill: #e69f00; stroke: #e69f00 }
}
"""


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def svg(width, height, name, parts):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{escaped(name)}">'
        f"<style>{STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n"
    )


def speed_chart():
    """Bars: puzzles a second of whole programs, set by set."""
    found = reports("sudoku-1-")
    if not found:
        return None
    left, width, bar = 190, 760, 16
    parts, y = [], 30
    rates = []
    for name, one in found:
        programs = [engine for engine in one["engines"] if engine["is_program"]]
        programs.sort(key=lambda engine: (engine["name"] != "galop", engine["cpu_nanos"]["median"]))
        rates.append((name, [(engine["name"], 1e9 / max(1.0, engine["cpu_nanos"]["median"])) for engine in programs]))
    every = [rate for _, some in rates for _, rate in some]
    high = max(every)
    step = 10 ** math.floor(math.log10(high))
    x = lambda rate: left + (width - left - 130) * rate / high
    names = list(dict.fromkeys(name for _, some in rates for name, _ in some))
    for name, some in rates:
        parts.append(f'<text x="10" y="{y + 12}">{escaped(name.replace("_", " "))}</text>')
        for program, rate in some:
            series = names.index(program) % 4
            parts.append(f'<rect class="s{series}" x="{left}" y="{y}" width="{x(rate) - left:.1f}" height="{bar - 4}"/>')
            parts.append(f'<text class="soft" x="{x(rate) + 6:.1f}" y="{y + 10}">{escaped(program)} {digits(rate)}</text>')
            y += bar
        y += 14
    for tick in range(0, int(high) + 1, step):
        parts.insert(0, f'<path class="grid" d="M{x(tick):.1f} 22V{y}"/>')
        parts.append(f'<text class="soft" text-anchor="middle" x="{x(tick):.1f}" y="16">{digits(tick) if tick else 0}</text>')
    first = found[0][1]
    parts.append(
        f'<text class="soft" x="10" y="{y + 14}">Sudokus a second of processor time, whole programs on one core, any solution. '
        f'{escaped(first["machine"]["cpu"])}, {first["date"][:10]}.</text>'
    )
    return svg(width, y + 24, "Sudokus a second of several solvers, by data set", parts)


def growth_chart():
    """Curves: the time of each engine by the number of queens."""
    path = folder / "growth-queens.json"
    if not path.exists():
        return None
    whole = json.loads(path.read_text())
    lines = whole["growth"]
    width, height, left, top, bottom = 760, 360, 80, 20, 50
    points = [point for line in lines for point in line["points"]]
    sizes = sorted({point["size"] for point in points})
    low = 10 ** math.floor(math.log10(min(point["nanos"] for point in points)))
    high = 10 ** math.ceil(math.log10(max(point["nanos"] for point in points)))
    x = lambda size: left + (width - left - 130) * (size - sizes[0]) / max(1, sizes[-1] - sizes[0])
    y = lambda nanos: top + (height - top - bottom) * (1 - math.log(nanos / low) / math.log(high / low))
    parts, tick = [], low
    while tick <= high:
        parts.append(f'<path class="grid" d="M{left} {y(tick):.1f}H{width - 130}"/>')
        parts.append(f'<text class="soft" text-anchor="end" x="{left - 6}" y="{y(tick) + 4:.1f}">{duration(tick)}</text>')
        tick *= 10
    for size in sizes:
        parts.append(f'<text class="soft" text-anchor="middle" x="{x(size):.1f}" y="{height - bottom + 18}">{size:g}</text>')
    ends = []
    for number, line in enumerate(lines):
        corners = [(x(point["size"]), y(point["nanos"])) for point in line["points"] if point["finished"]]
        path = " ".join(f"{a:.1f} {b:.1f}" for a, b in corners)
        parts.append(f'<path class="line s{number % 4}" d="M{path}"/>')
        ends.append((corners[-1][1], number, line["engine"]))
    for place, (end, number, name) in enumerate(sorted(ends)):
        # Names do not cover each other.
        spot = max(end, ends_at + 14) if place else end
        ends_at = spot
        parts.append(f'<text class="s{number % 4}" x="{width - 120}" y="{spot + 4:.1f}">{escaped(name)}</text>')
    one = whole["comparisons"][0]
    parts.append(
        f'<text class="soft" x="10" y="{height - 8}">All solutions of N queens, CPU time by N. {escaped(one["machine"]["cpu"])}, '
        f'{one["date"][:10]}.</text>'
    )
    return svg(width, height, "Time to count all solutions of N queens, by engine", parts)


def fill(page, tables):
    """Writes the tables into the page, each between its marks."""
    text = page.read_text()
    for name, make in tables.items():
        made = make()
        if made is None or not (made[1] or name in WITHOUT_SOURCE):
            print(f"{name}: no report", file=sys.stderr)
            continue
        written, comparisons = made
        note = f"\n\n{source(comparisons)}" if comparisons else ""
        pattern = re.compile(f"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, count = pattern.subn(lambda found: f"{found[1]}{written}{note}\n{found[2]}", text)
        if count != 1:
            sys.exit(f"{page}: the mark <!-- {name} --> is there {count} times")
    page.write_text(text)


def main():
    fill(page, TABLES)
    fill(readme, {"claim": claim})
    for name, made in (("speed", speed_chart()), ("growth", growth_chart())):
        if made:
            (assets / f"{name}.svg").write_text(made)


main()
