"""Running the notebooks from top to bottom, without anybody there: they end well, quietly, and leave no process.

By night whole, in CI without *Further on*.
"""

import contextlib
import os
import re

import psutil
import pytest
from nbclient import NotebookClient

from exactly_once.paths import temporary
from exactly_once.spark.cluster import processes

from .reading import CHAPTERS, NOTEBOOKS, read, without_further_on

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(900)]
RIDDLE = re.compile(r"^\(|^\[[\[(]|^\{[^:]*: [(\[{]|\bFraction\(|\bCounter\(|\bdtype: |local-cluster\[")
SPARKS_OWN_WORDS = ("WARN", "ERROR", "Exception", "py4j", "SparkContext")


@pytest.fixture(autouse=True)
def lease(monkeypatch):
    """A lease of its own, so that the run takes no cluster from anybody; and the place for Jupyter's files."""
    name = f"notebooks-{os.getpid()}"
    monkeypatch.setenv("EXACTLY_ONCE_LEASE", name)
    for variable, folder in (("IPYTHONDIR", "ipython"), ("JUPYTER_RUNTIME_DIR", "jupyter/runtime")):
        monkeypatch.setenv(variable, str(temporary(folder)))
    return name


def clusters(name):
    """Return the cluster processes under a lease."""
    return [
        process
        for found in processes.marked().values()
        if any(processes.mark(each, processes.LEASE) == name for each in found)
        for process in found
    ]


def run(notebook):
    """Run a notebook's cells from top to bottom in one kernel. Returns the processes that its kernel has left."""
    client = NotebookClient(notebook, timeout=400, kernel_name="python3")
    with client.setup_kernel():
        for number, cell in enumerate(notebook.cells):
            client.execute_cell(cell, number)
        left = []
        for process in psutil.Process(client.km.provisioner.process.pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):  # it ended meanwhile
                left += [process] * ("java" in process.name())
        return left


def texts(output):
    """Yield all texts of an output."""
    yield "".join(output.get("text", ""))
    for kind, data in output.get("data", {}).items():
        if kind in ("text/plain", "text/html", "text/markdown"):
            yield "".join(data)


def riddles(notebook):
    """Return the results that show Python's own notation in place of words, a table, or a picture."""
    return [
        (cell.source, shown)
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if output.output_type == "execute_result"
        and "text/html" not in output.data
        and RIDDLE.search(shown := output.data.get("text/plain", ""))
    ]


def noise(notebook):
    """Return the outputs that do not belong into a learner's notebook: errors, standard error, Spark's own log."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if output.output_type == "error" or output.get("name") == "stderr":
                found.append((cell.source, output))
            found += [(cell.source, text) for text in texts(output) for word in SPARKS_OWN_WORDS if word in text]
    return found


@pytest.mark.some(day=1)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_quietly_and_leaves_nothing(path, lease):
    check(path, without_further_on(read(path)), lease)


@pytest.mark.slow
@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_with_further_on(path, lease):
    check(path, read(path), lease)


def check(path, notebook, lease):
    """Run a notebook, and look at what its cells show and at what it leaves."""
    java = run(notebook)
    assert noise(notebook) == []
    assert riddles(notebook) == []
    assert java == []
    assert clusters(lease) == []
    silent = [cell.source for cell in notebook.cells if cell.cell_type == "code" and cell.execution_count is None]
    assert silent == []
