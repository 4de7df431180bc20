"""The pictures of the chapters: each is there, and is as its drawing says."""

import re

import pytest
from tools.draw import DRAWINGS, FOLDER, checksum, noted

from .reading import NOTEBOOKS, prose, read

MOST_BYTES = 100_000


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_chapter_begins_with_its_picture_and_says_how_to_run_it(path):
    title, picture, run = read(path).cells[0].source.split("\n\n")[:3]
    assert title.startswith(f"# {path.stem[:2]} ")
    found = re.fullmatch(r'<img src="(images/[\w-]+\.png)" width="680" alt="([^"]+)">', picture)
    assert found, picture
    assert found[1] == f"images/{path.stem}.png"
    assert len(found[2]) > 80, "the alternative text says what the picture shows"
    assert "`make lab`" in run
    assert "](../README.md)" in run


@pytest.mark.parametrize("drawing", DRAWINGS, ids=lambda path: path.stem)
def test_a_picture_is_as_its_drawing_and_stands_in_the_notebook_of_its_number(drawing):
    file = FOLDER / f"{drawing.stem}.png"
    assert file.stat().st_size < MOST_BYTES
    assert noted(file) == checksum(drawing), "run `python tools/draw.py`"
    (path,) = (path for path in NOTEBOOKS if path.stem[:2] == drawing.stem[:2])
    assert f'<img src="images/{drawing.stem}.png" width="680" alt="' in prose(read(path))
