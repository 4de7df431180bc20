"""Running the notebooks from top to bottom, without anybody there: they end well, quietly, and leave no process.

By day chapter 00, in a kernel of its own. In CI the main lines of the others, one after another in one kernel and on
its cluster; so each goes without its last cell, which would stop that. By night each as a whole, in its own kernel.
"""

import contextlib
import os
import re

import nbformat
import psutil
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from exactly_once.paths import temporary
from exactly_once.spark.cluster import processes

from .reading import CHAPTERS, NOTEBOOKS, read, without_further_on

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(1800)]  # a busy machine is no failure
RIDDLE = re.compile(r"^\(|^\[[\[(]|^\{[^:]*: [(\[{]|\bFraction\(|\bCounter\(|\bdtype: |local-cluster\[")
SPARKS_OWN_WORDS = ("WARN", "ERROR", "Exception", "py4j", "SparkContext")


START = "from exactly_once.spark import cluster\ncluster(slots=4)"
CLOSE = "stop_cluster()\nshut_down_button()"  # the end of each notebook's last cell
TOO_BUSY = "Hours arrive faster than this machine handles them"  # what waits says, which chapters 11 and 14 measure
IN_ORDER = sorted(CHAPTERS, key=lambda path: path.stem[:2] == "12")  # the only one that asks for a smaller cluster


@pytest.fixture
def lease(monkeypatch):
    """A lease of its own, so that the run takes no cluster from anybody; and the place for Jupyter's files."""
    return lease_of(monkeypatch)


def lease_of(monkeypatch):
    """Set a lease of its own and the place for Jupyter's files; return the lease's name."""
    name = f"notebooks-{os.getpid()}"
    monkeypatch.setenv("EXACTLY_ONCE_LEASE", name)
    for variable, folder in (("IPYTHONDIR", "ipython"), ("JUPYTER_RUNTIME_DIR", "jupyter/runtime")):
        monkeypatch.setenv(variable, str(temporary(folder)))
    return name


@pytest.fixture(scope="module")
def warm():
    """Give a client with a kernel and a warm cluster for the main lines; when it ends, nothing of them is left."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        name = lease_of(monkeypatch)
        client = NotebookClient(nbformat.v4.new_notebook(), timeout=400, kernel_name="python3")
        with client.setup_kernel():
            yield client
        _, left = psutil.wait_procs(clusters(name), timeout=120)
        assert left == []


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


def test_the_first_notebook_runs_quietly_and_leaves_nothing(lease):
    check(read(NOTEBOOKS[0]), lease)


@pytest.mark.not_by_day
@pytest.mark.parametrize("path", IN_ORDER, ids=lambda path: path.stem)
def test_a_main_line_runs_quietly(path, warm):
    notebook = without_further_on(read(path))
    assert notebook.cells.pop(last_code(notebook)).source.endswith(CLOSE)
    afresh = [nbformat.v4.new_code_cell(source) for source in ("%reset -f", START)]
    warm.nb = nbformat.v4.new_notebook(cells=[*afresh, *notebook.cells])
    for again in (True, False):
        try:
            for number, cell in enumerate(warm.nb.cells):
                warm.execute_cell(cell, number)
            break
        except CellExecutionError as why:
            if not (again and TOO_BUSY in why.evalue):
                raise
    look(notebook)


def last_code(notebook):
    """Return the place of a notebook's last cell of code."""
    return max(place for place, cell in enumerate(notebook.cells) if cell.cell_type == "code")


@pytest.mark.slow
@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_with_further_on(path, lease):
    check(read(path), lease)


def check(notebook, lease):
    """Run a notebook in a kernel of its own, and look at what its cells show and at what it leaves."""
    java = run(notebook)
    look(notebook)
    assert java == []
    assert clusters(lease) == []


def look(notebook):
    """Look at what a notebook's cells have shown."""
    assert noise(notebook) == []
    assert riddles(notebook) == []
    silent = [cell.source for cell in notebook.cells if cell.cell_type == "code" and cell.execution_count is None]
    assert silent == []
