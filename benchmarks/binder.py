"""Which chapters and widgets fit into a session on Binder: one processor core, 2 GB of memory.

    python benchmarks/binder.py 04 lab-1 demo console      # measure these, and keep the figures
    python benchmarks/binder.py                            # print the table of what is measured

Each is measured in a process tree of its own, beside an idle JupyterLab server: on one core, and in a control group
(Linux, version 1, as root) that the kernel limits to 2 GB. The group stands where a container's stands, so that Java
and the course see its limit. Without such a group the proportional memory (PSS) of the tree is summed, and the tree
ended when the sum is over the limit. `ulimit -v` is no way: a Java reserves far more addresses than it uses.

What fits on Binder runs to its end here, without a death for want of memory and within the time limit. Peak is the
highest memory that the kernel could not have taken back at once (the group's, without its file cache).
"""

import argparse
import contextlib
import datetime
import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import nbformat
import psutil
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from exactly_once.course.chapter import LABS, chapters
from exactly_once.course.workshop.build import build
from exactly_once.paths import ROOT, replaced, temporary

LIMIT = 2 * 2**30  # bytes: what mybinder.org gives a user
SECONDS = 900.0  # a longer run does not fit
LOOK = 0.2  # s between two looks at the memory
GROUPS = Path("/sys/fs/cgroup/memory")
WAIT = """import time

def until(model, reached, seconds=150):
    end = time.monotonic() + seconds
    while not reached(model.state):
        if model.state.error is not None:
            raise RuntimeError(model.state.error.message)
        if time.monotonic() > end:
            raise TimeoutError("nothing after %d s: %r" % (seconds, model.state.busy))
        time.sleep(0.05)

def idle(state):
    return state.busy == "idle"
"""
WIDGETS = {
    "console": [
        "from exactly_once.widgets import ConsoleModel\nconsole = ConsoleModel()\nconsole.do('strike', 'B')",
        "until(console, lambda state: idle(state) and state.verdict is not None)",
        "console.do('cluster')\n"
        "until(console, lambda state: idle(state) and state.shown and state.world == 'cluster')",
        "console.do('live')\nuntil(console, lambda state: state.busy == 'live' and state.live_life == 1)",
        "console.do('kill_now')\nuntil(console, lambda state: state.live_life == 2)",
        "console.do('stop')\nuntil(console, idle)",
    ],
    "twins": [
        "from exactly_once.widgets import TwinsModel\ntwins = TwinsModel()\ntwins.do('start')",
        "until(twins, lambda state: state.busy == 'live')",
        "twins.do('kill', 1)\nuntil(twins, lambda state: state.shot.twins[0].life == 2)",
        "twins.do('end')\nuntil(twins, idle)",
        "twins.do('one')\nuntil(twins, lambda state: idle(state) and state.one is not None)",
    ],
    "adversary": [
        "from exactly_once.handlers import at_least_once\nfrom exactly_once.widgets import adversary\n"
        "adversary(at_least_once)",
    ],
    "simulated widgets": [
        "from exactly_once.widgets import *",
        'crash_console()\nclock_playground()\nscene("05")',
        "transaction_timeline()\nprice_lab()",
    ],
}


def notebook_of(name):
    """Return the notebook to run: a chapter by its number, a lab or the demo, or a widget's cells."""
    if name in LABS:
        return build(name)
    if name in WIDGETS:
        return new_notebook(cells=[new_code_cell(text) for text in (WAIT, *WIDGETS[name])])
    return nbformat.read(ROOT / "notebooks" / f"{_chapter(name)}.ipynb", as_version=4)


def _chapter(name):
    return next(chapter for chapter in chapters() if chapter[:2] == name)


# -- inside the limits ----------------------------------------------------------------------------------------------


def inside(name):
    """Run one notebook beside an idle server of JupyterLab, and print what became of it as JSON."""
    began = time.monotonic()
    lab = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", "--allow-root"]
    address = temporary("benchmarks") / f"{os.getpid()}.sock"
    server = subprocess.Popen(
        [*lab, f"--ServerApp.sock={address}", f"--IdentityProvider.token={secrets.token_hex(16)}"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    found = {"error": "", "cells": []}
    try:
        while not address.exists():
            if server.poll() is not None:
                raise RuntimeError("JupyterLab did not start")
            time.sleep(0.05)
        found["server"] = round(time.monotonic() - began, 1)
        began = time.monotonic()
        _run(notebook_of(name), found)
        found["seconds"] = round(time.monotonic() - began, 1)
    finally:
        server.terminate()
        server.wait()
        address.unlink(missing_ok=True)
    print(json.dumps(found), flush=True)


def _run(notebook, found):
    client = NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": ROOT}})
    with client.setup_kernel():
        for number, cell in enumerate(notebook.cells):
            began = time.monotonic()
            try:
                client.execute_cell(cell, number)
            except Exception as why:  # noqa: BLE001 - whatever ends a run is the result of the measurement
                found["error"] = (str(why).strip().splitlines() or [type(why).__name__])[-1][:200]
                return
            if cell.cell_type == "code":
                found["cells"].append(round(time.monotonic() - began, 2))


# -- the limits -----------------------------------------------------------------------------------------------------


class Group:
    """A control group of version 1, which the kernel keeps below `LIMIT`."""

    measure = "control group"

    def __init__(self):
        self.folder = GROUPS / f"exactly-once-{os.getpid()}"
        self.folder.mkdir()
        (self.folder / "memory.limit_in_bytes").write_text(str(LIMIT))

    def command(self, command):
        """Return the command that begins another one in the group, and shows the group where a container's is."""
        script = f'echo $$ > {self.folder}/cgroup.procs && mount --bind {self.folder} {GROUPS} && exec "$@"'
        return ["unshare", "--mount", "sh", "-c", script, "sh", *command]

    def used(self, process):
        """Return the bytes that the group holds, without the files that it has in memory."""
        fields = dict(line.split() for line in (self.folder / "memory.stat").read_text().splitlines())
        files = int(fields["total_inactive_file"]) + int(fields["total_active_file"])
        return int((self.folder / "memory.usage_in_bytes").read_text()) - files

    def killed(self):
        """Return how many processes the kernel ended for want of memory."""
        return int((self.folder / "memory.oom_control").read_text().split()[-1])

    def end(self):
        """End what is still in the group, and remove it."""
        while pids := (self.folder / "cgroup.procs").read_text().split():
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
            time.sleep(0.05)
        self.folder.rmdir()


class Summed:
    """Without a group: the sum of PSS, and an end to the run when it is over `LIMIT`."""

    measure = "PSS"

    def __init__(self):
        self.over = 0
        self.seen = set()

    def command(self, command):
        """Return the command as it is."""
        return command

    def used(self, process):
        """Return the sum; end all of it when it is too much."""
        total = 0
        with contextlib.suppress(psutil.NoSuchProcess):
            self.seen |= {process, *process.children(recursive=True)}
        for one in self.seen:
            with contextlib.suppress(psutil.NoSuchProcess):
                memory = one.memory_full_info()
                total += getattr(memory, "pss", memory.rss)
        if total > LIMIT:
            self.over = 1
            self.end()
        return total

    def killed(self):
        """Return 1 if the run was ended for its memory."""
        return self.over

    def end(self):
        """End what is still there."""
        for one in self.seen:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.kill()


def limits():
    """Return the strongest limits that can be had here."""
    may = os.geteuid() == 0 and (GROUPS / "memory.limit_in_bytes").exists()
    return Group() if may else Summed()


def one_core():
    """Leave this process, and what it starts, one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def measured(name):
    """Run one chapter or widget within the limits, and return its figures."""
    bounds, peak = limits(), 0
    folder = temporary("benchmarks", f"work-{secrets.token_hex(4)}")
    environment = {
        **os.environ,
        "EXACTLY_ONCE_WORK": str(folder),
        "EXACTLY_ONCE_LEASE": f"binder-{os.getpid()}",
        "IPYTHONDIR": str(temporary("ipython")),
        "JUPYTER_RUNTIME_DIR": str(temporary("jupyter", "runtime")),
    }
    command = bounds.command([sys.executable, __file__, "--inside", name])
    began = time.monotonic()
    child = subprocess.Popen(
        command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True, preexec_fn=one_core
    )
    said = []
    reader = threading.Thread(target=lambda: said.append(child.stdout.read()))
    reader.start()
    late = False
    try:
        process = psutil.Process(child.pid)
        while child.poll() is None:
            peak = max(peak, bounds.used(process))
            late = late or time.monotonic() - began > SECONDS
            if late:
                break
            time.sleep(LOOK)
        killed = bounds.killed()
    finally:
        bounds.end()
        child.wait()
        reader.join()
        subprocess.run(["rm", "-rf", str(folder)], check=False)
    lines = (said[0] if said else "").splitlines()
    told = json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {"error": "the run itself was ended"}
    cells = told.get("cells") or [0]
    error = "over the time limit" if late else told["error"]
    return {
        "seconds": told.get("seconds", round(time.monotonic() - began, 1)),
        "slowest": max(cells),
        "peak": round(peak / 10**6),
        "killed": killed,
        "error": error,
        "cells": cells,
        "measure": bounds.measure,
        "date": datetime.date.today().isoformat(),
    }


def table(found):
    """Return the figures as a table in Markdown."""
    lines = ["| what | seconds | slowest cell | peak, MB | fits |", "| --- | ---: | ---: | ---: | --- |"]
    for name, one in sorted(found.items(), key=lambda item: (not item[0][0].isdigit(), item[0])):
        words = f"no: {one['killed']} processes ended for want of memory" if one["killed"] else one["error"]
        lines.append(
            f"| {name} | {one['seconds']:.0f} | {one['slowest']:.0f} s | {one['peak']:,} | {words or 'yes'} |"
        )
    return "\n".join(lines)


def main():
    """Measure what is named, keep the figures, and print the table of all that is kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"chapters by number, {', '.join((*LABS, *WIDGETS))}")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.inside:
        inside(asked.inside)
        return
    kept = temporary("benchmarks") / "binder.json"
    found = json.loads(kept.read_text()) if kept.exists() else {}
    for name in asked.names:
        found[name] = measured(name)
        replaced(kept, json.dumps(found, indent=1))
    print(table(found) if found else "Nothing is measured yet; name a chapter, such as 04.")


if __name__ == "__main__":
    main()
