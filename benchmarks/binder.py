"""Which chapters and labs fit into a session on Binder: one processor core, 2 GB of memory.

    python benchmarks/binder.py 04 lab-1 demo      # measure these, and print the table

Each runs in a process tree of its own, beside an idle JupyterLab server, on one core. The proportional memory (PSS)
of the tree is summed again and again; the tree is ended when the sum is over the limit. (`ulimit -v` is no way: a
Java reserves far more addresses than it uses.) What runs to its end within the time limit fits.
"""

import argparse
import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import psutil
from nbclient import NotebookClient

from exactly_once.course.chapters import LABS, chapter_named
from exactly_once.course.workshop import build
from exactly_once.paths import ROOT, temporary

sys.path.insert(0, str(ROOT / "tests" / "browser"))
import jupyter

LIMIT = 2 * 2**30  # bytes: what mybinder.org gives a user
SECONDS = 900.0  # a longer run does not fit
LOOK = 0.2  # s between two looks at the memory


def notebook_of(name):
    """Return the notebook to run: a chapter by its number, or a lab or the demo."""
    if name in LABS:
        return build(name)
    return nbformat.read(ROOT / "notebooks" / f"{chapter_named(name)}.ipynb", as_version=4)


def inside(name):
    """Run one notebook beside an idle server of JupyterLab, and print what became of it as JSON."""
    found = {"error": "", "cells": []}
    with tempfile.TemporaryDirectory(dir=temporary("benchmarks")) as folder:
        lab = jupyter.Lab(Path(folder))
        try:
            began = time.monotonic()
            _run(notebook_of(name), found)
            found["seconds"] = round(time.monotonic() - began, 1)
        finally:
            lab.stop()
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


def memory_of(processes):
    """Return the sum of the PSS of processes, in bytes: a page that several of them share counts once in all."""
    total = 0
    for one in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            memory = one.memory_full_info()
            total += getattr(memory, "pss", memory.rss)
    return total


def one_core():
    """Leave this process, and what it starts, one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def measured(name):
    """Run one chapter or lab within the limits, and return its figures."""
    folder = temporary("benchmarks", f"work-{secrets.token_hex(4)}")
    environment = {
        **os.environ,
        "EXACTLY_ONCE_WORK": str(folder),
        "EXACTLY_ONCE_LEASE": f"binder-{os.getpid()}",
        "IPYTHONDIR": str(temporary("ipython")),
        "JUPYTER_RUNTIME_DIR": str(temporary("jupyter", "runtime")),
    }
    began, peak, seen, ended = time.monotonic(), 0, set(), ""
    child = subprocess.Popen(
        [sys.executable, __file__, "--inside", name],
        env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True, preexec_fn=one_core,
    )  # fmt: skip
    process = psutil.Process(child.pid)
    try:
        while child.poll() is None and not ended:
            with contextlib.suppress(psutil.NoSuchProcess):
                seen |= {process, *process.children(recursive=True)}
            peak = max(peak, memory_of(seen))
            if peak > LIMIT or time.monotonic() - began > SECONDS:
                ended = "over the limit of memory" if peak > LIMIT else "over the time limit"
            time.sleep(LOOK)
    finally:
        for one in seen:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.kill()
        said = child.communicate()[0].splitlines()
        shutil.rmtree(folder, ignore_errors=True)
    told = json.loads(said[-1]) if said and said[-1].startswith("{") else {"error": "the run itself was ended"}
    return {
        "seconds": told.get("seconds", time.monotonic() - began),
        "slowest": max(told.get("cells") or [0]),
        "peak": round(peak / 10**6),
        "error": ended or told["error"],
    }


def table(found):
    """Return the figures as a table in Markdown."""
    lines = ["| what | seconds | slowest cell | peak, MB | fits |", "| --- | ---: | ---: | ---: | --- |"]
    for name, one in sorted(found.items(), key=lambda item: (not item[0][0].isdigit(), item[0])):
        words = f"no: {one['error']}" if one["error"] else "yes"
        lines.append(f"| {name} | {one['seconds']:.0f} | {one['slowest']:.0f} s | {one['peak']:,} | {words} |")
    return "\n".join(lines)


def main():
    """Measure what is named, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"chapters by number, {', '.join(LABS)}")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.inside:
        inside(asked.inside)
    else:
        print(table({name: measured(name) for name in asked.names}))


if __name__ == "__main__":
    main()
