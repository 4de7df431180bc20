"""The page about a pure function: its text, the escapes of all text, and the page about an impure function."""

import re
from pathlib import Path

import pytest
from tests.sandbox import pure_functions
from tests.show.balanced import Balanced

from exactly_once import show
from exactly_once.errors import BadInput

FILE = Path(pure_functions.__file__)


@pytest.fixture(scope="module")
def total():
    return show.report(f"{FILE}:total", 0, ("a", "b"), ("sums", "<i>big</i>"), items=1, nodes=(2,), seconds=1800)


@pytest.mark.slow
def test_the_page_says_what_was_proved_broken_and_counted(total):
    assert total.found.ok
    page = Balanced(total.html)
    for said in (
        "Design review: total", "Exactly once in every schedule within the bounds below.",
        "a node dies while queues are being filled", "✓ twice, 1 input ·", "without PREPARING",
        "is in the output more than once", total.found.broken.token, "as counted", "linearizable",
        " · exactly_once", "First state: 0.", "the queues a: 1; b: 11", "A run without a fault leaves: ",
    ):  # fmt: skip
        assert said in page.text, said
    assert len(total.found.rows) == 8


@pytest.mark.slow
def test_everything_is_escaped(total):
    page = Balanced(total.html)
    assert "i" not in page.tags
    assert not page.tags & {"all", "script", "b"}
    assert "Add up <all> & report." in page.text
    assert "Outputs: sums, <i>big</i>." in page.text


@pytest.mark.slow
def test_it_stands_alone_and_is_drawn_in_a_notebook(total, tmp_path):
    where = total.save(tmp_path / "page.html")
    document = where.read_text(encoding="utf-8")
    assert total.html in document
    assert not re.search(r"https?:|src=|href=|@import|url\(", document)
    assert total._repr_html_().endswith("</article>")
    assert total.found.broken.token in repr(total)
    with pytest.raises(BadInput, match="cannot be written"):
        total.save(tmp_path / "nowhere" / "page.html")


@pytest.mark.parametrize(
    ("name", "said"),
    [("rolls_dice", "is not pure"), ("divides_by_zero", "ZeroDivisionError"),
     ("returns_its_state", "(state, outputs)"), ("does_not_expect_none", "TypeError")],
)  # fmt: skip
def test_of_a_function_that_is_not_pure_it_says_why_and_proves_nothing(name, said):
    inputs = ("a", "b") if name == "does_not_expect_none" else ("a",)
    values = ((1,), (2, 3)) if name == "does_not_expect_none" else None
    found = show.report(f"{FILE}:{name}", 0, inputs, values=values, nodes=(2,))
    assert not found.found.ok
    page = Balanced(found.html)
    assert "Nothing is proved of this function." in page.text
    assert said in page.text
    assert "What was proved" not in page.text


def test_what_there_was_no_time_for_is_said():
    found = show.report(pure_functions.sink, 0, ("a",), (), nodes=(2,), seconds=0.001)
    assert not found.found.ok
    assert "– no time left" in found.html
    assert "the time ended before every schedule was explored" in found.html
    assert "None within 1 node" in found.html
