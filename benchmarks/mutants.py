"""How much the tests notice: 30 small mistakes, drawn with a seed, and for each the first test that fails.

.venv/bin/python benchmarks/mutants.py                # all tests that are not slow; hours on two cores
.venv/bin/python benchmarks/mutants.py --marks "not slow and not not_by_day" --most-minutes 60

A mutant changes one comparison, one number, one condition or one answer in the rules of the log, in the verdict, in
the explorer or in what checks are made of. It is tried on the test files that import its module, directly or through
other modules, those of its own room first, then the nearest; the first failing test ends it. The table is
`benchmarks/mutants.md`.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import grimp

from exactly_once.paths import ROOT, temporary

ROOMS = ("log/transactions", "log/broker", "verdict", "explore/search", "explore/model", "exercises/kinds")
SWAPPED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.In: "not in",
    ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
COPIED = (
    "lib",
    "tests",
    "notebooks",
    "exercises",
    "solutions",
    "data",
    "benchmarks",
    "tools",
    ".ci",
    "pyproject.toml",
    "Makefile",
    "README.md",
    "CONTRIBUTING.md",
    "docs",
)


class Mutant(NamedTuple):
    """One mistake: the text from `start` to `end` of a file becomes `text`; `words` tell it with its line."""

    file: str
    start: int
    end: int
    text: str
    words: str


def mutants_of(file: Path) -> Iterator[Mutant]:
    """Yield the mutants of a file, in the order of its lines."""
    source = file.read_text()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))

    def mutant(node: ast.expr, text: str) -> Mutant:
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        before = source.encode()[start:end].decode()
        where = file.relative_to(ROOT / "lib/exactly_once").as_posix()
        return Mutant(where, start, end, text, f"{where}:{node.lineno}: `{before[:60]}` → `{text[:60]}`")

    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPPED:
            left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
            yield mutant(node, f"({left} {SWAPPED[type(node.ops[0])]} {right})")
        elif isinstance(node, ast.BoolOp):
            word = " or " if isinstance(node.op, ast.And) else " and "
            yield mutant(node, "(" + word.join(f"({ast.unparse(value)})" for value in node.values) + ")")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield mutant(node, f"bool({ast.unparse(node.operand)})")
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            word = "-" if isinstance(node.op, ast.Add) else "+"
            yield mutant(node, f"({ast.unparse(node.left)} {word} {ast.unparse(node.right)})")
        elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
            yield mutant(node.value, "None")


def drawn(count: int, seed: int) -> list[Mutant]:
    """Return so many mutants, as many of each room as of any other; the same ones for the same seed and code."""
    chance, found = random.Random(seed), []
    for number, room in enumerate(ROOMS):
        files = sorted((ROOT / "lib/exactly_once" / room).rglob("*.py"))
        every = [mutant for file in files for mutant in mutants_of(file)]
        found += chance.sample(every, count // len(ROOMS) + (number < count % len(ROOMS)))
    return found


def tests_of(module: str) -> list[str]:
    """Return the test files that import a module: first those of its own room, then the nearest."""
    graph = grimp.build_graph("exactly_once")
    distance, frontier = {module: 0}, [module]
    for one in frontier:  # which grows meanwhile
        for above in sorted(graph.find_modules_that_directly_import(one)):
            if above not in distance:
                distance[above] = distance[one] + 1
                frontier.append(above)
    found = []
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        near = [distance[name] for name in imported(file) if name in distance]
        at_home = file.relative_to(ROOT / "tests").parts[0] == module.split(".")[1]
        if near or at_home:
            found.append((not at_home, min(near, default=0), file.relative_to(ROOT).as_posix()))
    return [file for _, _, file in sorted(found)]


def imported(file: Path) -> set[str]:
    """Return the names of the modules that a test file imports, or may."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


def environment(folder: Path) -> dict[str, str]:
    """Return the environment in which a copy of the course in this folder is what is imported."""
    return {**os.environ, "PYTHONPATH": str(folder / "lib"), "PYTHONDONTWRITEBYTECODE": "1"}


def tried(mutant: Mutant, folder: Path, marks: str, seconds: float) -> tuple[str, float]:
    """Return (the first test that fails, or "survives"; seconds), in a copy of the course."""
    file = folder / "lib/exactly_once" / mutant.file
    right, began = file.read_bytes(), time.monotonic()
    file.write_bytes(right[: mutant.start] + mutant.text.encode() + right[mutant.end :])
    tests = tests_of("exactly_once." + mutant.file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    command = [*PYTEST, "-x", "--tb=no", "-m", marks, *tests]
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=seconds, check=False
        )
        failed = [line.split(" - ")[0] for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        answer = failed[0] if failed else "survives" if done.returncode in (0, 5) else "the run itself fails"
    except subprocess.TimeoutExpired:
        answer = f"nothing within {seconds:.0f} s: a loop, or it survives"
    finally:
        file.write_bytes(right)
    return answer, time.monotonic() - began


def main() -> None:
    """Draw the mutants, try each, and write the table."""
    parser = argparse.ArgumentParser(description="Try small mistakes against the tests.")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=24)
    parser.add_argument("--marks", default="not slow", help="which tests, as pytest's -m")
    parser.add_argument("--each", type=float, default=600, help="seconds for one mutant")
    parser.add_argument("--most-minutes", type=float, default=180)
    parser.add_argument("--table", type=Path, default=ROOT / "benchmarks/mutants.md")
    chosen = parser.parse_args()
    folder, end = temporary("mutants", str(os.getpid())), time.monotonic() + 60 * chosen.most_minutes
    for name in COPIED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, folder / name)
    looked = subprocess.run([*PYTEST, "--collect-only"], cwd=folder, env=environment(folder), capture_output=True)
    if looked.returncode:
        raise SystemExit(
            f"Without a mutant the tests in {folder} cannot be collected: {looked.stdout.decode()[-500:]}"
        )
    head = f'Tests: `-m "{chosen.marks}"`; seed {chosen.seed}.\n\n'
    head += "| mutant | caught by | seconds |\n| --- | --- | --- |\n"
    rows = []
    for mutant in drawn(chosen.count, chosen.seed):
        if time.monotonic() > end:
            rows.append(f"| {mutant.words} | not tried: the time was over | |")
        else:
            answer, took = tried(mutant, folder, chosen.marks, chosen.each)
            rows.append(f"| {mutant.words} | {answer} | {took:.0f} |")
        print(rows[-1], flush=True)
        chosen.table.write_text(head + "\n".join(rows) + "\n")
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
