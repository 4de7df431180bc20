"""The pictures of the chapters: each is there, and is as its declaration says."""

import re
from itertools import pairwise

import pytest
from tools.pictures import OTHERS, SCENES, about, svg
from tools.pictures.chapters import ARROWS, NAMES, SHORT_PATH
from tools.pictures.files import FOLDER, checksum, noted

from .reading import NOTEBOOKS, prose, read

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
    assert_drawn(chapter)


def assert_drawn(name):
    file = (FOLDER / f"{name}.png").read_bytes()
    assert len(file) < MOST_BYTES
    assert noted(file) == checksum(name), "run `python -m tools.pictures`"
    assert about(name) in svg(name).replace("&#x27;", "'")


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_another_picture_stands_in_the_notebook_of_its_number(name):
    (path,) = (path for path in NOTEBOOKS if path.stem[:2] == name[:2])
    assert f'<img src="images/{name}.png" width="680" alt="{about(name)}">' in prose(read(path))
    assert_drawn(name)


def test_the_arrows_between_the_chapters_are_what_the_table_says_that_they_build_on():
    rows = re.findall(r"^\| (\d\d) [^|]+\|[^|]+\| ([^|]+) \|$", prose(read(NOTEBOOKS[0])), re.MULTILINE)
    needs = {int(chapter): {*map(int, re.findall(r"\b(\d\d)\b", said))} for chapter, said in rows}
    assert list(needs) == list(range(len(NAMES)))
    before = {}
    for chapter in needs:
        drawn = {one for one, other in ARROWS if other == chapter}
        assert drawn <= needs[chapter]
        on_the_path = {one for one, other in pairwise(SHORT_PATH) if other == chapter}
        before[chapter] = set().union(*({one, *before[one]} for one in drawn | on_the_path))
        assert needs[chapter] <= before[chapter]
