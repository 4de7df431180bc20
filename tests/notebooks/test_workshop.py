"""The labs and the demo as the chapters' tags make them: they are built, fit their time, and run alone."""

import re

import pytest

from exactly_once.course import predictions
from exactly_once.course.workshop import minutes
from exactly_once.course.workshop.build import FRAMES, build
from exactly_once.paths import ROOT

from .reading import LINK, anchors, prose, text_of
from .test_run import clusters, lease, noise, riddles, run

__all__ = ["lease"]  # a fixture
SHARE = 1.15  # of its time: what a lab may take by the model, which is no finer
pytestmark = pytest.mark.timeout(900)


@pytest.fixture(params=FRAMES)
def lab(request):
    """Give the name of each notebook for class, and the notebook."""
    return request.param, build(request.param)


def test_a_lab_fits_its_time(lab):
    tag, notebook = lab
    found = minutes.of_chapter(notebook).minutes
    said = int(re.search(r"\(about (\d+) minutes\)", notebook.cells[0].source)[1])
    assert said == pytest.approx(found, rel=0.1, abs=2)
    assert found <= SHARE * FRAMES[tag]["work"]


def test_a_labs_links_lead_somewhere(lab):
    folder = ROOT / "workshop"
    text, broken = re.sub(r"```.*?```", "", prose(lab[1]), flags=re.DOTALL), []
    for link in LINK.findall(text):
        if link.startswith(("http://", "https://")):
            continue
        name, _, anchor = link.partition("#")
        target = (folder / name).resolve()
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def test_what_a_lab_asks_is_what_its_chapters_ask(lab):
    """So that an answer in a lab is kept as the chapter's."""
    source = "\n".join(cell.source for cell in lab[1].cells if cell.cell_type == "code")
    for kind, asked in predictions.ASKED.items():
        there = {name for names in predictions.asked(kind).values() for name in names}
        assert {*asked.findall(source)} <= there


@pytest.mark.not_by_day
@pytest.mark.cluster
def test_a_lab_runs_alone_and_leaves_nothing(lab, lease):
    _, notebook = lab
    java = run(notebook)
    assert noise(notebook) == []
    assert riddles(notebook) == []
    assert java == []
    assert clusters(lease) == []
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")


def test_the_guide_tells_of_each_lab():
    guide = text_of(ROOT / "notebooks" / "teaching.md")
    for frame in FRAMES.values():
        assert f"## {frame['title'].replace('Demo · ', 'The demo · ')}" in guide
