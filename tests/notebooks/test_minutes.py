"""A chapter takes an hour and a half: the time of its main line, by `minutes`, and what it asks there."""

import re

import pytest

from .minutes import of_chapter, of_sections, sittings
from .reading import CHAPTERS, NOTEBOOKS, read

MINUTES = re.compile(r"\((?:about )?(\d+) minutes?(?:,[^)]*)?\)")
ONE, EACH_OF_TWO = 90, 75  # minutes

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
every_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)


@every_chapter
def test_a_chapter_takes_ninety_minutes_or_two_sittings(path):
    found = sittings(read(path))
    assert len(found) <= 2
    assert max(found) <= (ONE if len(found) == 1 else EACH_OF_TWO)


@every_notebook
def test_the_title_says_the_minutes_of_the_main_line(path):
    notebook = read(path)
    said = int(MINUTES.search(notebook.cells[0].source)[1])
    assert said == pytest.approx(of_chapter(notebook).minutes, rel=0.1)


@every_notebook
def test_a_section_says_its_minutes(path):
    for heading, part in of_sections(read(path)).items():
        if said := MINUTES.search(heading):
            assert int(said[1]) == pytest.approx(part.minutes, rel=0.15, abs=1.5), heading
