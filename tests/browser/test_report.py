"""The page about a pure function, in a real browser: one page of paper."""

import pytest
from jupyter import notebook, open_notebook

pytestmark = pytest.mark.not_by_day

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
