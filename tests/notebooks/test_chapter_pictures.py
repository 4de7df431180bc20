"""The pictures at the head of the chapters: each is there, and is as its declaration says."""

import re

import pytest
from tools.pictures import SCENES, about, svg
from tools.pictures.files import FOLDER, checksum, noted

from .reading import NOTEBOOKS, read

MOST_BYTES = 100_000


def test_each_chapter_has_a_picture():
    assert sorted(SCENES) == sorted(path.stem for path in NOTEBOOKS)


@pytest.mark.parametrize("chapter", sorted(SCENES))
def test_a_chapter_begins_with_its_picture_and_says_how_to_run_it(chapter):
    (path,) = (path for path in NOTEBOOKS if path.stem == chapter)
    first = read(path).cells[0].source
    title, picture, run = first.split("\n\n")[:3]
    assert title.startswith(f"# {chapter[:2]} ")
    found = re.fullmatch(r'<img src="(images/[\w-]+\.png)" width="680" alt="([^"]+)">', picture)
    assert found, picture
    assert found[1] == f"images/{chapter}.png"
    assert len(found[2]) > 80, "the alternative text says what the picture shows"
    assert "`make lab`" in run
    assert "](../README.md)" in run
    file = (FOLDER / f"{chapter}.png").read_bytes()
    assert len(file) < MOST_BYTES
    assert noted(file) == checksum(chapter), "run `python -m tools.pictures`"
    assert about(chapter) in svg(chapter).replace("&#x27;", "'")
