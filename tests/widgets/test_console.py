"""The console's screen, without a browser: its fragments, its messages, its display in a headless notebook."""

import re

import nbformat
import pytest
from nbclient import NotebookClient

from exactly_once import show
from exactly_once.course.setup.lab import environment
from exactly_once.errors import BadInput
from exactly_once.faults import FaultPlan
from exactly_once.handlers import handler_for
from exactly_once.paths import ROOT
from exactly_once.simulate import simulate
from exactly_once.verdict import judge
from exactly_once.widgets import crash_console
from exactly_once.widgets.console.widget import CrashConsole

ALWAYS = [
    "eo-strategy",
    "eo-item",
    "eo-kill-worker",
    "eo-kill-executor",
    "eo-attempts",
    "eo-run-simulated",
    "eo-run-cluster",
]
POINTS = [f"eo-point-{point}" for point in "ABCDE"]


def classes(console):
    text = console.toolbar + console.code + console.matrix + console.facts + console.diagram
    return {name for found in re.findall(r'class="([^"]*)"', text) for name in found.split()}


def hear(console, do, value=None):
    console._heard(console, {"do": do, "value": value}, [])
    assert console.model.wait(20)


def test_every_control_has_a_class_of_its_own():
    console = crash_console()
    assert {*ALWAYS, *POINTS, "eo-live", "eo-stop", "eo-fill-matrix", "eo-letter-B", "eo-replay"} <= classes(console)
    assert "eo-order" not in classes(console)
    hear(console, "strategy", "order")
    assert "eo-order" in classes(console)
    hear(console, "simulate")
    assert {"eo-counter", "eo-token"} <= classes(console)


def test_a_message_runs_and_draws():
    console = crash_console()
    hear(console, "point", "B")
    hear(console, "simulate")
    assert "✗ Not exactly once." in console.verdict
    assert "× twice" in console.tape
    assert "dies here, at hour 3" in console.code
    assert "SIGKILL at B" in console.diagram
    assert console.busy == "idle"


@pytest.mark.parametrize("message", [None, "run", {"do": None}, {"do": "item", "value": {"a": 1}}, {"value": "B"}])
def test_a_strange_message_is_answered_in_place(message):
    console = crash_console()
    console._heard(console, message, [])
    assert "eo-says" in console.error or "eo-field-says" in console.toolbar


def test_the_width_of_the_page_is_the_width_of_the_diagram():
    console = crash_console()
    hear(console, "simulate")
    for width, drawn in ((1200, 1200), (10_000, 1900)):
        hear(console, "width", width)
        assert f'width="{drawn}"' in console.diagram
    hear(console, "width", "wide")
    assert 'width="1900"' in console.diagram


def test_a_matrix_that_is_being_filled_has_its_bar_and_its_stop_beside_it():
    console = crash_console()
    console.model.update(busy="running", progress=(3, 10), status="Filling")
    assert 'value="3"' in console.matrix
    assert "eo-stop-matrix" in console.matrix
    console.model.update(busy="idle", progress=None)
    assert "eo-stop-matrix" not in console.matrix


def test_a_live_run_has_no_token_that_would_replay_nothing():
    handler = handler_for()
    run = simulate(handler, FaultPlan.crash("B", 3))
    run.plan = FaultPlan()
    assert "eo-token" not in show.facts_html(judge(run, handler))
    assert "eo-token" in show.facts_html(judge(simulate(handler), handler))


def test_what_a_learner_wrote_is_escaped():
    def angry(node):
        raise ValueError("<script>alert(1)</script>")

    console = crash_console(angry)
    hear(console, "simulate")
    assert "<script>" not in console.verdict
    assert "&lt;script&gt;" in console.verdict


def test_nonsense_is_refused_in_one_sentence():
    with pytest.raises(BadInput, match="give a function"):
        crash_console(7)
    with pytest.raises(BadInput, match="strategy"):
        crash_console(strategy="none")
    with pytest.raises(BadInput, match="The cluster is 'x'; give a session of Spark"):
        crash_console(cluster="x")
    with pytest.raises(BadInput, match="cannot be called with one argument, the node"):
        crash_console(lambda: None)
    with pytest.raises(BadInput, match=r"two.* cannot be called with one argument"):
        crash_console(two)


def two(node, more):
    """A handler that nobody can call with one argument."""


def test_nothing_comes_from_the_network():
    assert not re.search(r"https?://|//cdn|import .* from", CrashConsole._esm + CrashConsole._css)


def test_it_displays_in_a_headless_notebook(tmp_path, monkeypatch):
    for name, value in environment().items():
        monkeypatch.setenv(name, value)  # Jupyter's own files stay in the course's temporary folder
    cells = ["from exactly_once.widgets import crash_console", "console = crash_console()\nconsole", "print(console)"]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(book, timeout=60, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert "application/vnd.jupyter.widget-view+json" in book.cells[1].outputs[0].data
    assert "nothing was run yet" in book.cells[2].outputs[0].text


def test_the_files_of_the_page_are_packed():
    names = {path.name for path in (ROOT / "lib/exactly_once/widgets/console").iterdir()}
    assert {"console.js", "console.css"} <= names
