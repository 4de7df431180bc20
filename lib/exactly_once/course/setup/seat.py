"""`make class`: whether this seat can take part in a class, in plain words, with one line for the teacher.

It looks at all that `doctor` looks at, starts the cluster, and starts JupyterLab as `make lab` does, on a free port:
the page must come, and so must the files that widgets are drawn with. The exit status is 0 for yes and 1 for no.
"""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterable

from ...errors import CourseError, printable
from ...paths import temporary
from ...servers.process import free_port
from ..parser import Parser
from . import doctor
from .findings import Finding, Findings

START_SECONDS, WAIT = 280.0, 0.2  # the archive for Spark may have to be made first
WIDGETS = ("lab/extensions/@jupyter-widgets/jupyterlab-manager/package.json", "lab/extensions/anywidget/package.json")
QUESTIONS = {
    "Python": "Is Python one on which the course was tried?",
    "Java": "Is there a Java that Spark runs on?",
    "memory": "Is there memory enough?",
    "cores": "Are there two processor cores?",
    "temporary folder": "Is there a folder for temporary files?",
    "packages": "Are the packages there?",
    "loopback": "Can programs here reach each other?",
    "Spark elsewhere": "Does the Spark cluster answer that EXACTLY_ONCE_SPARK names?",
    "cluster": "Does the cluster start?",
    "JupyterLab": "Does JupyterLab open on a free port, with its widgets?",
}


def check() -> Findings:
    """Look at this seat and return the findings: the doctor's, with the cluster, and JupyterLab's pages."""
    try:
        findings = doctor.check()
    finally:
        if "exactly_once.spark" in sys.modules:
            sys.modules["exactly_once.spark"].stop_cluster()
    findings.append(lab_pages())
    return findings


def lab_pages(seconds: float = START_SECONDS) -> Finding:
    """Start JupyterLab, ask for its page and the widgets' files, and stop it again."""
    name, began = "JupyterLab", time.monotonic()
    port = free_port()
    command = [sys.executable, "-m", "exactly_once.course.setup.lab", "--no-browser", f"--port={port}"]
    with tempfile.TemporaryFile("w+", dir=temporary("jupyter")) as told:
        try:
            lab = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=told, stderr=subprocess.STDOUT, start_new_session=True
            )
        except OSError as why:
            return Finding(name, "wrong", f"does not start ({why.strerror})", doctor.INSTALL)
        try:
            address = _address(lab, told.fileno(), began + seconds)
            if address is None:
                said = _read(told.fileno()).strip().splitlines()
                return Finding(
                    name, "wrong", f"gave no address: {said[-1] if said else 'it said nothing'}", doctor.INSTALL
                )
            base, token = address
            absent = [path for path in ("lab", *WIDGETS) if not _served(f"{base}/{path}?token={token}")]
        finally:
            _stop(lab)
    if absent:
        return Finding(name, "wrong", f"does not serve {', '.join(absent)}", doctor.INSTALL)
    return Finding(
        name, "well", f"its page and its widgets' files come from port {port}, {time.monotonic() - began:.0f} s"
    )


def _address(lab: "subprocess.Popen[bytes]", told: int, deadline: float) -> tuple[str, str] | None:
    """Return (the server's address, its token) once it has printed them, or None when it ends or takes too long."""
    while time.monotonic() < deadline and lab.poll() is None:
        if found := re.search(r"^ +(http://[\d.]+:\d+)/\S*?token=(\w+)$", _read(told), re.MULTILINE):
            return found[1], found[2]
        time.sleep(WAIT)
    return None


def _read(told: int) -> str:
    return os.pread(told, 100_000, 0).decode("utf-8", "replace")


def _served(address: str) -> bool:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # it is on this machine
    try:
        with direct.open(address, timeout=20) as reply:
            return bool(reply.status == 200 and reply.read(1))
    except OSError:
        return False


def _stop(lab: "subprocess.Popen[bytes]") -> None:
    lab.send_signal(signal.SIGTERM)
    try:
        lab.wait(20)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(lab.pid, signal.SIGKILL)  # it began a session of its own
        lab.wait()


def told(findings: Iterable[Finding], seat: str) -> str:
    """Return the findings as questions with yes or no, and one line for the teacher."""
    lines, found = [], list(findings)
    for each in found:
        answer = {"well": "yes", "careful": "yes, but", "wrong": "NO"}[each.state]
        lines.append(f"{answer:9}{QUESTIONS.get(each.name, each.name)}  {each.value}")
        if each.remedy:
            lines.append(f"{'':9}→ {each.remedy}")
    wrong, careful = ([each.name for each in found if each.state == state] for state in ("wrong", "careful"))
    verdict = f"NOT READY ({', '.join(wrong)})" if wrong else "ready"
    mind = f"; mind {', '.join(careful)}" if careful else ""
    values = {each.name: each.value for each in found}
    numbers = "; ".join(f"{name}: {values[name]}" for name in ("memory", "cores", "cluster") if name in values)
    return "\n".join([*lines, "", f"For the teacher: seat {seat} is {verdict}{mind} ({numbers})."])


def main(argv: list[str] | None = None) -> int:
    """Check the seat and print what was found. Returns 0 for a seat that can take part, else 1."""
    parser = Parser(prog="make class", description="Check that this seat can take part in a class.")
    parser.parse_args(argv)
    print(
        "Looking at this seat; the cluster and JupyterLab are started, which takes about half a minute.", flush=True
    )
    findings = check()
    seat = os.environ.get("EXACTLY_ONCE_LEASE") or socket.gethostname()
    print(printable(told(findings, seat)))
    return 0 if findings.well else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CourseError as why:
        sys.exit(f"exactly_once: {why}")
