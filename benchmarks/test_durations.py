"""Sum the durations of one run of the tests by folder, and write the table beside this script.

    make test-all TEST_ARGS="--junitxml=.tmp/junit.xml"
    .venv/bin/python benchmarks/test_durations.py .tmp/junit.xml

Take a run on a quiet machine. A test's seconds count what is set up for it too, so that the first test in the browser
bears the start of JupyterLab. Without a file the script prints the table that there is.
"""

import argparse
import collections
import datetime
import sys
import xml.etree.ElementTree
from pathlib import Path

from exactly_once.paths import ROOT

sys.path.insert(0, str(ROOT))
from tests.by_day import by_day

TABLE = Path(__file__).with_suffix("").with_name("test-durations.md")
SLOWEST = 40


def durations(path):
    """Return the seconds of each test of a JUnit file by its id, in the order of collection as far as it is told."""
    found = {}
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        parts = case.get("classname", "").split(".")
        for number in range(len(parts), 0, -1):
            file = Path(*parts[:number]).with_suffix(".py")
            if (ROOT / file).is_file():
                name = "::".join([file.as_posix(), *parts[number:], case.get("name")])
                found[name] = float(case.get("time"))
    return found


def folder(test):
    """Return the folder of a test, or its file where that lies in `tests/` itself."""
    path = Path(test.partition("::")[0])
    return path.as_posix() if len(path.parts) == 2 else path.parent.as_posix()


def table(found):
    """Return the table of the durations as Markdown."""
    chosen = by_day(sorted(found, key=lambda test: test.partition("[")[0]))  # stable: cases keep their order
    rows = collections.defaultdict(lambda: [0, 0.0, 0, 0.0])
    for test, seconds in found.items():
        for row in (rows[folder(test)], rows["all"]):
            row[0] += 1
            row[1] += seconds
            row[2] += test in chosen
            row[3] += seconds * (test in chosen)
    lines = [
        "# How long the tests take",
        "",
        f"One run of `make test-all`, {datetime.date.today()}; `benchmarks/test_durations.py` wrote this table. "
        "Two processes share the seconds: a run takes a little more than half of them.",
        "",
        "| folder | tests | seconds | of them by day | seconds |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name, (tests, seconds, by, of) in sorted(rows.items(), key=lambda row: -row[1][1]):
        lines.append(f"| {name} | {tests} | {seconds:.0f} | {by} | {of:.0f} |")
    lines += ["", f"The {SLOWEST} slowest; those marked run by day.", ""]
    lines += ["| seconds | test | |", "| ---: | --- | --- |"]
    for test in sorted(found, key=found.get, reverse=True)[:SLOWEST]:
        lines.append(f"| {found[test]:.1f} | `{test.removeprefix('tests/')}` | {'day' if test in chosen else ''} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("junit", nargs="?", type=Path, help="the file that pytest wrote for --junitxml")
    asked = parser.parse_args()
    if asked.junit:
        TABLE.write_text(table(durations(asked.junit)))
    print(TABLE.read_text() if TABLE.exists() else "There is no table yet; give a JUnit file.")
