"""The page about a pure function: its text, the escapes of all text, and the page about an impure function."""

import datetime
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.sandbox import pure_functions

from exactly_once import show
from exactly_once.errors import BadInput
from exactly_once.sandbox import template
from exactly_once.sandbox.page import LINE_CHARACTERS, SOURCE_LINES, cut_line
from exactly_once.sandbox.pure import Setting, prove_pure
from exactly_once.sandbox.review import review
from exactly_once.show.explored.report import Report, report

FILE = Path(pure_functions.__file__)
DAY = datetime.date(2026, 5, 4)
VOID = {"meta", "br", "link"}


class Balanced(HTMLParser):
    """Reads HTML, and notes its tags and its text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.text = [], set(), ""
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.open += [] if tag in VOID else [tag]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += "" if self.open and self.open[-1] == "style" else data


@pytest.fixture(scope="module")
def total():
    setting = Setting(0, ("a", "b"), ("sums", "<i>big</i>"), items=1)
    return Report(review(f"{FILE}:total", setting, (2,), 1800), DAY)


@pytest.mark.not_by_day
def test_the_page_says_what_was_proved_broken_and_counted(total):
    assert total.ok
    page = Balanced(total.document)
    for said in (
        "Design review: total", "Exactly once in every schedule within the bounds below.",
        "a node dies while queues are being filled", "✓ twice, 1 input ·", "without PREPARING",
        "is in the output more than once", total.found.broken.token, "as counted", "linearizable",
        "2026-05-04 · exactly_once", "First state: 0.", "the queues a: 1; b: 11", "A run without a fault leaves: ",
    ):  # fmt: skip
        assert said in page.text, said
    assert len(total.found.rows) == 8
    assert "2026" not in Report(total.found, datetime.date(1999, 1, 1)).html


def test_everything_is_escaped(total):
    page = Balanced(total.document)
    assert "i" not in page.tags
    assert not page.tags & {"all", "script", "b"}
    assert "Add up <all> & report." in page.text
    assert "Outputs: sums, <i>big</i>." in page.text


def test_it_stands_alone_and_is_drawn_in_a_notebook(total, tmp_path):
    where = total.save(tmp_path / "page.html")
    assert where.read_text(encoding="utf-8") == total.document
    assert not re.search(r"https?:|src=|href=|@import|url\(", total.document)
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
    found = report(f"{FILE}:{name}", 0, inputs, values=values, nodes=(2,))
    assert not found.ok
    page = Balanced(found.document)
    assert "Nothing is proved of this function." in page.text
    assert said in page.text
    assert "What was proved" not in page.text


def test_what_there_was_no_time_for_is_said():
    found = report(pure_functions.sink, 0, ("a",), (), nodes=(2,), seconds=0.001)
    assert not found.ok
    assert "– no time left" in found.html
    assert "the time ended before every schedule was explored" in found.html
    assert "None within 1 node" in found.html


def test_a_long_function_is_cut():
    lines = "\n".join(f"    state = state + 1  # {'long ' * 40}{number}" for number in range(40))
    source = f"def long(state, inputs):\n{lines}\n    return state, []"
    found = review(pure_functions.sink, Setting(0, ("a",), ()), (2,), 0.001)
    page = Report(type(found)(**vars(found) | {"source": source}), DAY)
    shown = Balanced(page.html).text.split("… and 30 more lines")[0].splitlines()
    assert len([line for line in shown if line.startswith(("def", "    "))]) == SOURCE_LINES
    assert max(map(len, shown)) <= max(LINE_CHARACTERS, 130)


def test_the_template_is_right_as_it_comes():
    setting = Setting({"left": [], "right": []}, ("left", "right"), ("pairs",), (("a", "b"), (1,)))
    assert prove_pure(template.join, setting).ok


@pytest.mark.parametrize("nodes", [2, (), (1,), (2, 9)])
def test_numbers_of_twins_that_make_no_sense_are_refused(nodes):
    with pytest.raises(BadInput, match="twins"):
        report(pure_functions.sink, 0, ("a",), (), nodes=nodes)


def test_it_is_exported():
    assert show.report is report


def test_a_long_line_of_source_is_cut_between_words():
    line = "    " + "words " * 30
    kept = cut_line(line)
    assert kept.endswith("words …")
    assert len(kept) <= 96
    assert cut_line("x" * 200) == "x" * 94 + " …"
