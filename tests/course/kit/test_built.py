"""The learner's code of one chapter in the next chapter: kept as a module, judged again, or the library's."""

import linecache

import pytest

from exactly_once.chapters.items import gap_named
from exactly_once.course.kit import built, gap

LIBRARYS = gap_named("03-copies").library
CELL = """
import operator as op
from fnmatch import fnmatch as fits

SENDS = "retry"

def appended(kind):
    return fits(kind, "* reply") or fits(kind, "* after")

def copies(producer, kind):
    return op.add(appended(kind), producer == SENDS)
"""


def run_cell(source, name):
    """Run a cell as a notebook does, so that its source can be read afterwards."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names = {"__name__": "__main__"}
    exec(compile(source, name, "exec"), names)
    return names["copies"]


def file_of(mine):
    return mine / "built" / "03-copies.py"


def test_a_right_gap_is_built_on_with_all_that_it_uses(mine, capsys):
    assert gap("03-copies", run_cell(CELL, "<cell-1>")).reply.right
    answer = built("03-copies")
    assert answer is not LIBRARYS
    assert answer.__globals__["appended"].__module__ == answer.__module__
    assert "your own copies, from chapter 03" in capsys.readouterr().out
    assert "SENDS = 'retry'" in file_of(mine).read_text()


def test_without_one_the_librarys_is_taken(mine, capsys):
    assert built("03-copies") is LIBRARYS
    assert "a gap of chapter 03" in capsys.readouterr().out


def test_a_wrong_one_is_not_kept(mine):
    assert not gap("03-copies", run_cell(CELL.replace("retry", "give up"), "<cell-2>")).reply.right
    assert not file_of(mine).exists()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("'retry'", "'give up'"), "copies('retry', 'lost request') returns 0; right is 1"),
        (("SENDS = 'retry'", "SENDS ="), "SyntaxError"),
        (("answer =", "it ="), "answer"),
    ],
)
def test_one_that_was_spoilt_since_is_not_taken(mine, capsys, change, told):
    gap("03-copies", run_cell(CELL, "<cell-3>"))
    file_of(mine).write_text(file_of(mine).read_text().replace(*change))
    assert built("03-copies") is LIBRARYS
    assert told in capsys.readouterr().out


def test_what_cannot_be_found_again_is_not_kept(mine):
    cell = CELL.replace('"retry"', "type('Odd', (str,), {'__repr__': lambda self: '<retry>'})('retry')")
    assert gap("03-copies", run_cell(cell, "<cell-4>")).reply.right
    assert not file_of(mine).exists()
