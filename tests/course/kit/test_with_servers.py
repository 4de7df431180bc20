"""Cells that need servers: called with those that are there, and told in a sentence what is missing."""

import os
import re

import nbformat
import pytest
from nbclient import NotebookClient

from exactly_once.course import predict, with_servers
from exactly_once.course.kit.with_servers import Lacking
from exactly_once.paths import ROOT
from exactly_once.servers import kafka, kinds
from tests.notebooks.reading import without_further_on

MISSING = "Call `make servers`"
AWAY = """
import os
from pathlib import Path
from exactly_once.servers import kinds
from exactly_once.servers import kafka
kinds.FETCHED = kafka.PLACE = Path("nowhere").absolute()
kinds.DEBIAN = "nowhere"
here = [Path(place) for place in os.environ["PATH"].split(os.pathsep)]
kept = [str(place) for place in here if not any((place / name).exists() for name in ("etcd", "postgres"))]
os.environ["PATH"] = os.pathsep.join(kept)
"""


@pytest.fixture
def away(monkeypatch, tmp_path):
    """No server is here."""
    monkeypatch.setattr(kinds, "FETCHED", tmp_path)
    monkeypatch.setattr(kinds, "DEBIAN", str(tmp_path))
    monkeypatch.setattr(kafka, "PLACE", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("exactly_once.servers.process._shared", {})


@pytest.mark.parametrize("name", ["kafka", "postgresql", "etcd"])
def test_where_a_server_is_missing_its_sentence_comes_and_nothing_is_called(away, name):
    scope = {}
    exec(f"def asked({name}): raise AssertionError", scope)
    found = with_servers(scope["asked"])
    assert isinstance(found, Lacking)
    assert MISSING in repr(found)
    assert "Call <code>make servers</code>" in found._repr_html_()
    assert "The chapter goes on" in repr(found)


def test_what_is_asked_of_a_lacking_result_is_lacking(away, mine):
    found = with_servers(lambda kafka: 1)
    assert (found.steps, found[0], found.offsets(), list(found), bool(found)) == (found, found, found, [], False)
    question = predict("13-nowhere", "How many?", rows={"a": int})
    for shown in (
        question.reveal(it_did=found),
        question.reveal(found[0], it_did=dict(zip("a", found, strict=False))),
    ):
        assert "Call <code>make servers</code>" in shown._html
        assert shown.truth is None


def test_a_function_without_servers_is_called_and_an_argument_with_a_default_may_be_any():
    assert with_servers(lambda: 7) == 7
    assert with_servers(lambda client="java": client) == "java"


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("chapter", "lacking"), [("13-on-real-servers", 10), ("14-what-a-guarantee-costs", 1)])
def test_without_servers_the_main_line_runs_to_its_end(mine, chapter, lacking, monkeypatch):
    monkeypatch.setenv("EXACTLY_ONCE_LEASE", f"without-servers-{os.getpid()}")  # a cluster of its own, beside others'
    notebook = without_further_on(nbformat.read(ROOT / "notebooks" / f"{chapter}.ipynb", as_version=4))
    notebook.cells.insert(0, nbformat.v4.new_code_cell(AWAY))
    NotebookClient(notebook, timeout=400, kernel_name="python3").execute()
    said = [
        output.get("text", "") + str(output.get("data", ""))
        for cell in notebook.cells
        for output in cell.get("outputs", ())
    ]
    assert sum(MISSING in re.sub("</?code>", "`", text) for text in said) >= lacking
