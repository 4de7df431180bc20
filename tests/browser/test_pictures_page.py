"""Pictures in JupyterLab, in a real browser: the page's own style does not move them, and texts fit their places."""

import pytest
from jupyter import notebook, open_notebook

pytestmark = pytest.mark.not_by_day

CELLS = (
    """\
from exactly_once import show
from exactly_once.faults import FaultPlan
from exactly_once.handlers import handler_for
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.verdict import judge

handler = handler_for("at_least_once")
run = simulate(handler, FaultPlan.crash("B", 3))
show.verdict(judge(run, handler))""",
    """\
late = simulate(handler, FaultPlan.crash("B", 20), Job(items=24))
show.spacetime(late)""",
)
# Of three digits: those are set narrower than the browser would, so what counts is their box as it is drawn.
STAMPS = """() => [...document.querySelectorAll("svg.eo-st .stamp")].map(stamp => {
  const text = stamp.getBBox().width, dot = stamp.parentNode.querySelector("rect").getBBox()
  return [stamp.textContent, text, dot.width]
}).filter(([stamp]) => stamp.length > 2)"""


@pytest.fixture
def pictures(page, lab):
    notebook(lab.folder / "pictures.ipynb", *CELLS)
    open_notebook(page, lab, "pictures.ipynb")
    page.wait_for_selector("svg.eo-st", state="attached")
    return page


def test_the_tape_begins_where_the_text_begins_and_stamps_fit_their_dots(pictures):
    tape = pictures.locator(".jp-OutputArea ol.eo-cells").first.locator("li").first.bounding_box()["x"]
    text = pictures.locator(".jp-OutputArea .eo .eo-h").first.bounding_box()["x"]
    assert abs(tape - text) <= 3
    stamps = pictures.evaluate(STAMPS)
    assert len(stamps) > 20
    assert [one for one in stamps if one[1] > one[2] - 1] == []


@pytest.mark.slow
def test_a_picture_of_a_counterexample_is_read_in_a_narrow_window_and_begins_at_the_damage(page, lab):
    proof = "from exactly_once import prove, show\nfrom exactly_once.handlers import at_least_once\n"
    notebook(
        lab.folder / "narrow.ipynb", proof + "show.spacetime(prove(at_least_once, items=3, crashes=1).counterexample)"
    )
    open_notebook(page, lab, "narrow.ipynb")
    page.set_viewport_size({"width": 853, "height": 533})
    drawn = page.locator(".jp-OutputArea svg.eo-st").first
    assert drawn.evaluate("e => e.clientWidth / e.viewBox.baseVal.width") >= 0.8
    frame, damage = page.locator(".eo-scroll:has(> svg.eo-st)").first.bounding_box(), drawn.locator(".bad").last
    assert frame["x"] <= damage.bounding_box()["x"] <= frame["x"] + frame["width"] - damage.bounding_box()["width"]
