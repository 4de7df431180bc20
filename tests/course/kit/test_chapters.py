"""The chapters with their gaps filled; as they are handed out, `tests/notebooks` runs them."""

import os
import re

import nbformat
import pytest
from nbclient import NotebookClient

from exactly_once.course.exercises import generate
from exactly_once.paths import temporary
from exactly_once.servers.kafka import Kafka
from exactly_once.servers.kinds import Etcd, PostgreSQL
from exactly_once.solutions import gap_names
from tests.notebooks.reading import CHAPTERS
from tests.servers.conftest import had

pytestmark = pytest.mark.not_by_day

WITH_GAPS = [path.stem for path in CHAPTERS if any(name[:2] == path.stem[:2] for name in gap_names())]
STARTS = re.compile(r"spark import (cluster|kill_the_leader)\b")  # a cell that starts the cluster
# A chapter that begins on the cluster: its cells that do without, beside its gaps.
WITHOUT = {"12-sparks-own-exactly-once": ("set-up", "ask-closed", "ask-model", "model-told")}
SERVERS = dict.fromkeys(("13-on-real-servers", "14-what-a-guarantee-costs"), (Kafka, PostgreSQL, Etcd))
LOOK = """
import importlib
from exactly_once.widgets.ask.ask_model import fits
questions = importlib.import_module("exactly_once.course.kit.predict")._questions.values()
[(q.name, fits(q.model.blanks, shown.truth)) for q in questions for shown in q.revealed if shown.truth]
"""


@pytest.mark.some(day=0, ci=1)
@pytest.mark.timeout(600)
@pytest.mark.parametrize("chapter", WITH_GAPS)
def test_solved_the_chapter_runs_up_to_the_cluster_and_every_truth_is_a_choice(chapter, monkeypatch):
    for variable, folder in (("IPYTHONDIR", "ipython"), ("JUPYTER_RUNTIME_DIR", "jupyter/runtime")):
        monkeypatch.setenv(variable, str(temporary(folder)))
    for kind in SERVERS.get(chapter, ()):
        had(kind)
    notebook = generate.chapter_with_gaps(chapter, solve=True)
    if chapter in WITHOUT:
        kept = WITHOUT[chapter]
        notebook.cells = [cell for cell in notebook.cells if cell.id in kept or cell.id.startswith("gap-")]
    starts = (number for number, cell in enumerate(notebook.cells) if STARTS.search(cell.source))
    notebook.cells = [*notebook.cells[: next(starts, None)], nbformat.v4.new_code_cell(LOOK)]
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute(env=os.environ.copy())
    shown = "\n".join(
        output["data"].get("text/plain", "")
        for cell in notebook.cells
        if "gap(" in cell.source and cell.cell_type == "code"
        for output in cell.outputs
    )
    asked = sum(cell.id.startswith("gap-") for cell in notebook.cells)  # others stand below, in Further on
    assert shown.count("The cells that follow go on with yours.") == asked > 0
    told = notebook.cells[-1].outputs[0]["data"]["text/plain"]
    assert told.count("True") >= 1
    assert "False" not in told
