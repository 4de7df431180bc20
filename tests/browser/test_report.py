"""The page about a pure function, in a real browser: one page of paper, and light in a dark notebook."""

import pytest
from jupyter import notebook, open_notebook

pytestmark = pytest.mark.not_by_day

CELL = """\
from exactly_once.show import report

def deduplicate(seen, inputs):
    (value,) = inputs
    return (seen, []) if value in seen else ([*seen, value], [value])

report(deduplicate, [], ("in",), ("out",), values=[[5, 5]], nodes=(2,))"""
LONG = (
    """\
from pathlib import Path
from exactly_once.show import report

def a_function_with_a_rather_long_name_for_a_review(state, inputs):
    left, right, third = inputs
    customers = dict(state)
    for name, value in (("the left hand side", left), ("the right hand side", right), ("the third one", third)):
        if value is not None:
            customers[name] = customers.get(name, 0) + 1
"""
    + "".join(f"    line_{number} = {number}\n" for number in range(20))
    + """\
    message = {"customer": "a rather long text that is written to the queue", "number": sum(customers.values())}
    return customers, [message, {"audit": customers}, None if right is None else "there was something"]

names = ("left_hand_side", "right_hand_side", "third"), ("messages", "audits", "comments")
report(a_function_with_a_rather_long_name_for_a_review, {}, *names, seconds=1).save("long.html")"""
)
A4_HEIGHT = (297 - 24) / 25.4 * 96  # pixels between the margins
COLOURS = """() => [...document.querySelectorAll('.eo-report :is(td, th, tr, pre, code, h1, p)')].map(each => {
  const style = getComputedStyle(each), [r, g, b, a = 1] = style.backgroundColor.match(/[\\d.]+/g).map(Number);
  return [each.outerHTML.slice(0, 60), a === 0 || Math.min(r, g, b) > 220,
          Math.max(...style.color.match(/[\\d.]+/g).slice(0, 3).map(Number)) < 120, style.textAlign];
})"""


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
@pytest.mark.slow
def test_a_notebook_shows_dark_letters_on_light_ground_at_the_left(page, lab, theme):
    notebook(lab.folder / "report.ipynb", CELL)
    open_notebook(page, lab, "report.ipynb", theme)
    page.wait_for_selector(".eo-report .says")
    found = page.evaluate(COLOURS)
    assert len(found) > 30
    assert [each for each, light, dark, align in found if not (light and dark and align in ("left", "start"))] == []


@pytest.mark.slow
def test_it_is_one_page_of_paper_even_if_the_function_is_long(page, lab):
    notebook(lab.folder / "long.ipynb", LONG)
    open_notebook(page, lab, "long.ipynb")
    page.set_viewport_size({"width": 688, "height": 1000})  # A4 between its margins
    page.emulate_media(media="print")
    page.goto(lab.url("files/long.html"))
    assert "and 16 more lines" in page.inner_text(".eo-report pre")
    assert page.evaluate("document.documentElement.scrollHeight") <= A4_HEIGHT
    assert page.evaluate("document.documentElement.scrollWidth") <= 688
