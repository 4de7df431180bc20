"""The labs and the demo as the chapters' tags make them: they are built, fit their time, and run alone."""

import re

import pytest

from exactly_once.course.workshop import FRAMES, build
from exactly_once.paths import ROOT

from .minutes import of_chapter
from .reading import ASKS, asked, broken_links, prose, text_of
from .test_run import check, lease

__all__ = ["lease"]  # a fixture
pytestmark = pytest.mark.timeout(900)
MOST = {"demo": 20}  # minutes of work that a class has; 35 in a lab


@pytest.mark.parametrize("tag", FRAMES)
def test_a_lab_fits_its_time_its_links_lead_somewhere_and_it_asks_what_its_chapters_ask(tag):
    """So an answer in a lab is kept as the chapter's."""
    notebook = build(tag)
    found = of_chapter(notebook).minutes
    said = int(re.search(r"\(about (\d+) minutes\)", notebook.cells[0].source)[1])
    assert said == pytest.approx(found, rel=0.1, abs=2)
    assert found <= MOST.get(tag, 35)
    assert broken_links(ROOT / "workshop" / f"{tag}.ipynb", prose(notebook)) == []
    source = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    for kind, form in ASKS.items():
        assert {*form.findall(source)} <= asked(kind)


@pytest.mark.slow  # their cells are the chapters', which run there
@pytest.mark.cluster
@pytest.mark.parametrize("tag", FRAMES)
def test_a_lab_runs_alone_and_leaves_nothing(tag, lease):
    check(build(tag), lease)


def test_the_guide_tells_of_each_lab():
    guide = text_of(ROOT / "notebooks" / "teaching.md")
    for frame in FRAMES.values():
        assert f"## {frame['title'].replace('Demo · ', 'The demo · ')}" in guide
