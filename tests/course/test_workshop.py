"""The builder of labs: the cells with a tag, in order, with right links; and what would not run alone is refused."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from exactly_once.course.workshop import BEHIND, build, main
from exactly_once.errors import BadInput, CourseError

WORDS = "## 3 · Break (12 minutes)\n\nA [word](glossary.md#word), [above](#The-handler), [data](../data/README.md)."


def words(text, *tags):
    return new_markdown_cell(text, metadata={"tags": list(tags)})


def code(source, *tags):
    return new_code_cell(source, metadata={"tags": list(tags)})


def write(folder, name, *cells):
    folder.mkdir(exist_ok=True)
    nbformat.write(new_notebook(cells=list(cells)), folder / f"{name}.ipynb")


GAP = 'from exactly_once.course import gap\n\ndouble = gap("00-double", 2 .__mul__).or_library()'


@pytest.fixture
def chapters(tmp_path):
    return two_chapters(tmp_path / "chapters")


def two_chapters(folder):
    """Write two chapters; the second one's cells use what the first one defines."""
    write(
        folder,
        "04-second",
        words("# 04 · The second\n\nYou will be able to …"),
        code('from exactly_once.course import chapter\n\nchapter("04-second")', "lab-1"),
        words(WORDS, "lab-1"),
        words("Nobody has this."),
        code("total = double(3)", "lab-1", "demo"),
        words("## Stop the cluster", "other"),
        code("shut_down_button()", "lab-1"),
    )
    write(folder, "00-first", words("# 00 · The first"), words("## Set-up"), code(GAP, "lab-1"))
    return folder


def test_the_cells_stand_in_the_chapters_order_under_headings_with_right_links(chapters):
    notebook = build("lab-1", chapters)
    nbformat.validate(notebook)
    sources = [cell.source for cell in notebook.cells]
    assert sources[0].startswith("# Lab 1 · Crash and repair\n\nYou will be able to (about 34 minutes):\n\n1. ")
    assert "The cells come from the chapters 00, 04" in sources[0]
    assert sources[2] == 'from exactly_once.course import chapter\n\nchapter("lab-1", slots=2)'
    assert sources[4:10] == [
        "## 00 · Set-up\n\nFrom chapter [00 · The first](../notebooks/00-first.ipynb).",
        GAP,
        BEHIND,
        "## 04 · Break\n\nFrom chapter [04 · The second](../notebooks/04-second.ipynb).",
        "A [word](../notebooks/glossary.md#word), [above](../notebooks/04-second.ipynb#The-handler), "
        "[data](../data/README.md).",
        "total = double(3)",
    ]
    assert sources[3].startswith("## What you need to know\n\n")
    assert "exercises.hand_in()" in sources[-3]
    assert "tags" not in json.dumps(notebook)
    assert build("lab-1", chapters) == notebook


def test_a_cluster_is_asked_for_in_the_shape_that_the_cells_ask_for(chapters):
    write(chapters, "05-third", code("from exactly_once.spark import cluster\n\ncluster(slots=4)", "lab-2"))
    write(chapters, "06-fourth", code("from exactly_once.spark import cluster\n\ncluster()", "lab-3"))
    assert build("lab-2", chapters).cells[2].source.endswith('chapter("lab-2", slots=4)')
    assert build("lab-3", chapters).cells[2].source.endswith('chapter("lab-3", slots=2)')
    assert build("lab-3", chapters).cells[-1].source.endswith("stop_cluster()\nshut_down_button()")


def test_a_name_that_no_tagged_cell_defines_is_refused_in_a_sentence(chapters):
    with pytest.raises(BadInput, match=r"demo would not run alone: A cell of 04-second, 'Break', uses double, which"):
        build("demo", chapters)


def test_a_tag_without_cells_a_tag_that_is_none_and_a_damaged_chapter_are_refused(chapters):
    with pytest.raises(BadInput, match=r"there are lab-1, lab-2, lab-3, demo"):
        build("lab-9", chapters)
    with pytest.raises(BadInput, match="No cell of the chapters carries the tag lab-3"):
        build("lab-3", chapters)
    write(chapters, "05-third", code("1", "lab-7"))
    with pytest.raises(BadInput, match=r"A cell of 05-third.ipynb has the tag lab-7; there are lab-1"):
        build("lab-1", chapters)
    (chapters / "05-third.ipynb").write_text('{"cells": ')
    with pytest.raises(CourseError, match=r"The chapter 05-third.ipynb cannot be read"):
        build("lab-1", chapters)


def test_the_command_builds_hands_out_and_says_what_is_missing(course, capsys):
    for chapter in (course / "notebooks").iterdir():
        chapter.unlink()
    two_chapters(course / "notebooks")
    assert main([]) == 1
    out, err = capsys.readouterr()
    assert "workshop/lab-1.ipynb: about 34 minutes of work." in out
    assert "lab-2 is not built. No cell of the chapters carries the tag lab-2" in err
    copy = course / "my-work" / "workshop" / "lab-1.ipynb"
    assert copy.read_text() == (course / "workshop" / "lab-1.ipynb").read_text().replace("../data/", "../../data/")
    before = (course / "workshop" / "lab-1.ipynb").stat().st_mtime_ns
    copy.write_text(copy.read_text().replace("total = double(3)", "total = double(4)"))
    main([])
    assert (course / "workshop" / "lab-1.ipynb").stat().st_mtime_ns == before
    assert "double(4)" in copy.read_text()
