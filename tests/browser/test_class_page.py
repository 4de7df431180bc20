"""The class's page in a real browser: the table, and one question on a screen of 1280 × 680, by keys alone."""

import json

import pytest

from exactly_once.course.classroom import hand_in
from exactly_once.course.classroom.page import page as page_of
from exactly_once.course.classroom.page import parsed

pytestmark = pytest.mark.not_by_day

HOSTILE = "<img src=x onerror=document.title='broken'>"
LONG = "a rather long answer that goes on and on " * 5
ROWS = {f"{HOSTILE} {number}": LONG for number in range(40)}
SMALLEST = """() => Math.min(...[...document.querySelectorAll('section.here *')]
  .filter(each => each.checkVisibility() && each.textContent)
  .map(each => parseFloat(getComputedStyle(each).fontSize)))"""
TALL = """() => [document.documentElement.scrollHeight, document.documentElement.scrollWidth,
  document.querySelector('.here').scrollHeight - document.querySelector('.here').clientHeight]"""


def answers(first, right):
    return {"first": first, "right": right, "truth": dict.fromkeys(first, "doubles"), "at": "2026-11-23T10:00"}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Give the address of a class's page: a question with rows, one without, a hostile one, and many more."""
    hand_ins = []
    for seat in range(30):
        said = "doubles" if seat % 3 else "harmless"
        predicted = {
            "04-letters": answers(dict.fromkeys("ABCDE", said), said == "doubles"),
            "00-worst": answers({"": "ABC"[seat % 3]}, None),
            "98-hostile": answers(ROWS, False),
        }
        if seat == 0:
            predicted |= {f"99-q{number}": answers({"": HOSTILE}, None) for number in range(10_000)}
        data = {"form": hand_in.FORM, "seat": str(seat), "name": HOSTILE, "written": "", "work": {}}
        hand_ins.append(parsed(json.dumps({**data, "predictions": predicted}).encode(), f"{seat}.json"))
    path = tmp_path_factory.mktemp("class") / "class.html"
    path.write_text(page_of(hand_ins, [f"{HOSTILE} is skipped."]), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def shown(opened, address):
    """Give the page, open in a window of a projector; an error in it fails, and so does a request."""
    context = opened.new_context(viewport={"width": 1280, "height": 680}, offline=True)
    page, errors, asked = context.new_page(), [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    yield page
    context.close()
    assert errors == []
    assert asked == [address]


def test_keys_go_through_the_questions_and_each_is_one_screen(shown):
    shown.keyboard.press("p")
    assert shown.inner_text(".here h2") == "Which letter leaves the most averages doubled or wrong?"
    for number in range(1, 6):
        height, width, over = shown.evaluate(TALL)
        assert (height <= 680, width <= 1280, over <= 1 or number == 3) == (True, True, True)  # the third scrolls
        assert shown.evaluate(SMALLEST) >= 18
        while f"question {number} of" in shown.inner_text(".here"):  # the key scrolls to the end first
            shown.keyboard.press("ArrowRight")
    shown.keyboard.press("End")
    assert "question 10,003 of 10,003" in shown.inner_text(".here")
    shown.keyboard.press("Home")
    assert "question 1 of 10,003" in shown.inner_text(".here")
    shown.keyboard.press("t")
    assert shown.is_visible("main")
    assert shown.is_hidden("nav")


def test_what_happened_is_shown_when_asked_for(shown):
    shown.keyboard.press("p")
    shown.click("nav :text('next')")
    assert shown.locator(".here .row").count() == 5
    assert "✓" not in shown.inner_text(".here")
    shown.click("nav :text('What happened')")
    assert shown.locator(".here .right:has-text('✓ doubles')").count() == 5
    assert "20" in shown.inner_text(".here .right >> nth=0")
    assert "30 answered. 20 of 30 answered all rows right." in shown.inner_text(".here")


def test_what_learners_wrote_is_text(shown):
    assert HOSTILE in shown.inner_text("main tbody th >> nth=0")
    assert HOSTILE in shown.inner_text(".notes")
    shown.click("[data-go]:text('98')")
    assert HOSTILE in shown.inner_text(".here .row >> nth=0")
    assert shown.locator("img").count() == 0
    assert shown.title() == "The class"
