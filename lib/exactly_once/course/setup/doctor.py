"""The environment check: whether this machine can run the course, and what to do where it cannot.

`python -m exactly_once doctor` prints it; a notebook shows what `check()` returns. Every import of a package is
made where it is needed, so that a missing one is a finding and not a failure of the check.
"""

import importlib
import json
import os
import re
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from html import escape
from importlib import metadata

from ...errors import EXTRAS, CourseError, here, line_for, printable
from ...paths import IN_COURSE, ROOT, temporary
from ..parser import Parser

GB = 10**9
LEAST_TOTAL = 1.9 * GB  # what a machine sold with 2 GB reports
LEAST_AVAILABLE = 1.2 * GB  # a cluster of two executors with its driver, and a notebook
LEAST_BESIDE_CLUSTER = 0.2 * GB
LEAST_DISK, GOOD_DISK = 0.3 * GB, 1.0 * GB
INSTALL = (
    "Call `make lab` in the course's folder: it installs what is missing."
    if IN_COURSE
    else "Install the package again; pip brings what it needs."
)
MARKS = {"well": "✓", "careful": "!", "wrong": "✗"}
COLOURS = {"well": "#009E73", "careful": "#E69F00", "wrong": "#D55E00"}  # Okabe and Ito's, told apart by everybody
WITHOUT = {"lab": "notebooks", "spark": "cluster", "servers": "servers"}  # what there is not without these extras


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: its name, how it stands ("well", "careful", "wrong"), the value, the remedy."""

    name: str
    state: str
    value: str
    remedy: str = ""

    def __str__(self) -> str:
        line = f"{MARKS[self.state]} {self.state:8}{self.name:18}{self.value}"
        return f"{line}\n{'':28}→ {self.remedy}" if self.remedy else line


class Findings(list):
    """A list of `Finding`; in a notebook it shows as a table."""

    @property
    def well(self) -> bool:
        """Tell whether nothing is wrong. What asks for care is no reason to stop."""
        return all(finding.state != "wrong" for finding in self)

    @property
    def summary(self) -> str:
        """One sentence on all of it."""
        wrong = [finding.name for finding in self if finding.state == "wrong"]
        if wrong:
            return f"Not ready: {', '.join(wrong)}. Follow the arrow, then check again."
        careful = [finding.name for finding in self if finding.state == "careful"]
        return f"All is well; mind {', '.join(careful)}." if careful else "All is well."

    def __str__(self) -> str:
        return "\n".join([*map(str, self), "", self.summary])

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr class="eo-finding eo-{finding.state}">'
            f'<td style="color:{COLOURS[finding.state]};font-weight:bold;text-align:left">'
            f"{MARKS[finding.state]} {finding.state}</td>"
            f'<td style="text-align:left">{escape(finding.name)}</td>'
            f'<td style="text-align:left">{escape(finding.value)}</td>'
            f'<td style="text-align:left">{escape(finding.remedy)}</td></tr>'
            for finding in self
        )
        head = "".join(f'<th style="text-align:left">{word}</th>' for word in ("", "what", "found", "what to do"))
        return (
            f'<table class="eo-doctor"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
            f"<p>{escape(self.summary)}</p>"
        )


def python(version: Sequence[int] | None = None) -> Finding:
    """Look at Python's version (default: this one's)."""
    version = tuple(version or sys.version_info[:3])
    text = ".".join(map(str, version))
    if version < (3, 11):
        return Finding("Python", "wrong", text, "Install Python 3.11 or newer, delete .venv, call `make lab` again.")
    remedies = []
    if not importlib.import_module("packaging.specifiers").SpecifierSet(tried()).contains(text, prereleases=True):
        remedies.append(
            f"The course's tests were run on Python {tried()}, not on this one. If something fails, delete "
            ".venv, then make lab PYTHON=python3.13."
        )
    return Finding("Python", "careful" if remedies else "well", text, " ".join(remedies))


def tried() -> str:
    """Return the versions of Python on which the tests were run, as `requires-python` names them."""
    return metadata.metadata("exactly-once")["Requires-Python"]


def java() -> Finding:
    """Look for a Java that Spark runs on."""
    javas = importlib.import_module("exactly_once.java.finder")
    try:
        found = javas.find_java()
    except CourseError as why:
        return Finding("Java", "wrong", "none that Spark runs on", str(why))
    whence = {"supplied": "supplied by the course", "environment": "in the Python environment"}
    value = f"{found.build}, {whence.get(found.origin, 'from ' + found.origin)} ({found.home})"
    return Finding("Java", "well", " ".join([value, *(f"Passed over: {reason}" for reason in found.passed_over)]))


def memory() -> Finding:
    """Look at the memory of this machine, or of the container that this is."""
    psutil = importlib.import_module("psutil")
    spark = importlib.import_module("exactly_once.java.memory")
    limits = [psutil.virtual_memory().total, *(spark.container() or ())[:1]]
    total, available = min(limits), spark.available()
    running = bool(importlib.import_module("exactly_once.spark.cluster.processes").marked())
    value = f"{available / GB:.1f} of {total / GB:.1f} GB available" + (
        ", beside a running cluster" if running else ""
    )
    if total < LEAST_TOTAL:
        return Finding("memory", "wrong", value, "The course needs a machine (or a container) with 2 GB of memory.")
    if available < (LEAST_BESIDE_CLUSTER if running else LEAST_AVAILABLE):
        remedy = f"The cluster needs {LEAST_AVAILABLE / GB:.1f} GB: close programs, and other notebooks' kernels."
        return Finding("memory", "wrong", value, remedy)
    return Finding("memory", "well", value)


def cores() -> Finding:
    """Look at the number of processor cores that this process may use."""
    may_use = getattr(os, "sched_getaffinity", None)  # Linux only
    number = len(may_use(0)) if may_use else os.cpu_count() or 1
    if number < 2:
        return Finding(
            "cores", "careful", "1", "Everything works; the two executors share it, so allow for twice the time."
        )
    return Finding("cores", "well", str(number))


def temporary_folder() -> Finding:
    """Look whether the temporary folder can be written, and how much disk is free there."""
    try:
        folder = temporary()
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0" * 65536)
            file.flush()
        free = shutil.disk_usage(folder).free
    except CourseError as why:
        return Finding("temporary folder", "wrong", "cannot be used", str(why))
    except OSError as why:
        remedy = "Free some disk, or set EXACTLY_ONCE_TMP to a folder that you may write."
        return Finding("temporary folder", "wrong", f"cannot be written ({why.strerror})", remedy)
    value = f"{folder}, {free / GB:.1f} GB free"
    if free < GOOD_DISK:
        state = "wrong" if free < LEAST_DISK else "careful"
        remedy = (
            f"Keep {GOOD_DISK / GB:.0f} GB free: delete files, or set EXACTLY_ONCE_TMP to a folder on another disk."
        )
        return Finding("temporary folder", state, value, remedy)
    return Finding("temporary folder", "well", value)


def packages(
    requirements: Iterable[str] | None = None, lock: Iterable[str] | None = None,
    installed: Callable[[str], str] = metadata.version,
) -> Finding:  # fmt: skip
    """Look whether the packages that the course asks for are there, and in the versions of the lock.

    `requirements` (default: those of the installed course) and `lock` (default: `requirements.lock`, which only the
    course's folder has) are lists of lines; `installed` gives the version of a package or raises
    `PackageNotFoundError`.
    """
    requirement = importlib.import_module("packaging.requirements").Requirement
    if lock is None:
        lock = (ROOT / "requirements.lock").read_text().splitlines() if IN_COURSE else []
    extras = wanted()
    asked = {
        (each.name, each.specifier)
        for each in map(requirement, requirements or metadata.requires("exactly-once") or [])
        if not each.marker or any(each.marker.evaluate({"extra": extra}) for extra in ("", *extras))
    }
    locked = [requirement(line) for line in lock if re.match(r"[A-Za-z0-9]", line)]
    bad, other = [], []
    for name, specifier in sorted(asked, key=str):
        found = _version(name, installed)
        if found is None:
            bad.append(f"{name} is missing")
        elif not specifier.contains(found, prereleases=True):
            bad.append(f"{name} is {found}, not {specifier}")
    for each in locked:
        found = _version(each.name, installed)  # None: of another extra, or of another platform
        needed = found is not None and (not each.marker or each.marker.evaluate())
        if needed and not each.specifier.contains(found, prereleases=True):
            other.append(f"{each.name} is {found}, locked {each.specifier}")
    if bad:
        return Finding("packages", "wrong", "; ".join(bad), INSTALL)
    if other:
        more = f"; and {len(other) - 3} more" if len(other) > 3 else ""
        remedy = "Tried with the lock's versions: `make lab` brings them."
        return Finding("packages", "careful", "; ".join(other[:3]) + more, remedy)
    number = f"{len(asked)} of {len(asked)}"
    if "spark" not in extras:
        return Finding("packages", "well", f"{number}: prove, crash and cost have what they need")
    as_locked = ", as locked" if lock else ""
    return Finding("packages", "well", f"{number}{as_locked} (PySpark {installed('pyspark')})")


def _version(name: str, installed: Callable[[str], str]) -> str | None:
    try:
        return installed(name)
    except metadata.PackageNotFoundError:
        return None


def wanted() -> tuple[str, ...]:
    """Return the extras that are looked at: of the course all that `make lab` installs, else those that are here."""
    return tuple(extra for extra in EXTRAS if IN_COURSE or here(extra))


def cluster() -> Finding:
    """Start the cluster, or take the one that runs in this process, and run a job on it."""
    spark = importlib.import_module("exactly_once.spark")
    try:
        began = time.monotonic()
        session = spark.cluster()
        started = time.monotonic()
        total = session.sparkContext.parallelize(range(100), 2).map(lambda number: number * number).sum()
        done = time.monotonic()
    except CourseError as why:
        busy = type(why).__name__ == "ClusterBusy"  # somebody works with it, so it starts
        return Finding("cluster", "careful" if busy else "wrong", "in use" if busy else "does not start", str(why))
    if total != 328350:
        return Finding("cluster", "wrong", f"a job gave {total} and not 328350", INSTALL)
    return Finding(
        "cluster",
        "well",
        f"{session.sparkContext.master}: ready after {started - began:.1f} s, first job done after "
        f"{done - started:.1f} s",
    )


QUICK = {
    "Python": python,
    "Java": java,
    "memory": memory,
    "cores": cores,
    "temporary folder": temporary_folder,
    "packages": packages,
}
OF_THE_CLUSTER = ("Java", "memory")


def check(quick: bool = False) -> Findings:
    """Look at everything and return the `Findings`, a list. Unless `quick`, the cluster is started, and left running.

    What the cluster needs comes first: where that is wrong, the cluster is not tried. Where the package is installed
    without the course, what is not installed for notebooks or for the cluster is said, and not looked at.
    """
    extras = wanted()
    spark = "spark" in extras
    findings = Findings(_look(name, look) for name, look in QUICK.items() if spark or name not in OF_THE_CLUSTER)
    findings += [
        Finding(WITHOUT[extra], "careful", "not installed", f"To have it here: {line_for(extra)}")
        for extra in EXTRAS
        if extra not in extras
    ]
    if spark and not quick:
        if findings.well:
            findings.append(_look("cluster", cluster))
        else:
            findings.append(Finding("cluster", "careful", "not tried, because of what is wrong above"))
    return findings


def _look(name: str, look: Callable[[], Finding]) -> Finding:
    try:
        return look()
    except Exception as why:  # noqa: BLE001 - a check that breaks is a finding like any other
        return Finding(name, "wrong", f"could not be looked at: {type(why).__name__}: {why}".splitlines()[0], INSTALL)


def for_the_teacher(findings: Iterable[Finding], seat: str) -> str:
    """Return one line on a seat of a class."""
    wrong, careful = ([each.name for each in findings if each.state == state] for state in ("wrong", "careful"))
    verdict = f"NOT READY ({', '.join(wrong)})" if wrong else "ready"
    mind = f"; mind {', '.join(careful)}" if careful else ""
    numbers = "; ".join(
        f"{each.name}: {each.value}" for each in findings if each.name in ("memory", "cores", "cluster")
    )
    return f"For the teacher: seat {seat} is {verdict}{mind} ({numbers})."


def main(argv: Sequence[str] | None = None) -> int:
    """Run the check as a command. Returns 0 when nothing is wrong, else 1."""
    parser = Parser(prog="python -m exactly_once doctor", description="Check this machine for the course.")
    parser.add_argument("--quick", action="store_true", help="do not start the cluster")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--seat", action="store_true", help="end with a line for the teacher of a class")
    chosen = parser.parse_args(argv)
    try:
        findings = check(quick=chosen.quick)
    finally:
        if not chosen.quick and "exactly_once.spark" in sys.modules:
            sys.modules["exactly_once.spark"].stop_cluster()
    if chosen.json:
        print(json.dumps({"well": findings.well, "findings": [asdict(each) for each in findings]}, indent=2))
    else:
        print(findings)
    if chosen.seat and not chosen.json:
        seat = os.environ.get("EXACTLY_ONCE_LEASE") or socket.gethostname()
        print("", printable(for_the_teacher(findings, seat)), sep="\n")
    return 0 if findings.well else 1
