"""The same fault under several protocols, in a real browser: the arrival is dragged, chosen by keys; themes."""

import pytest
from jupyter import notebook, open_notebook, reached_by_keys

from exactly_once.paths import temporary

CELLS = ("from exactly_once.widgets import same_fault", "same_fault()")
CUT = """[...document.querySelectorAll('.eo-same-fault *:not(.eo-scroll)')]
    .filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1).map(e => e.className || e.nodeName)"""
SMALL = """[...document.querySelectorAll('.eo-same-fault *')].filter(e => e.textContent && e.children.length === 0
    && parseFloat(getComputedStyle(e).fontSize) < 12).map(e => e.outerHTML)"""
OUTSIDE = """[...document.querySelectorAll('.eo-same-fault svg')].flatMap(svg => {
    const box = svg.getBoundingClientRect();
    return [...svg.querySelectorAll('text, rect')].filter(each => {
      const own = each.getBoundingClientRect();
      return own.left < box.left - 1 || own.right > box.right + 1
        || own.top < box.top - 1 || own.bottom > box.bottom + 1;
    }).map(each => each.outerHTML);
  })"""


@pytest.fixture
def lanes(desk):
    """The page after its cells ran again: with a diagram that nobody has touched."""
    desk.evaluate("document.querySelectorAll('.eo-same-fault').forEach(each => each.remove())")
    desk.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    desk.wait_for_selector(".eo-same-fault svg")
    desk.evaluate("document.querySelector('.eo-same-fault').scrollIntoView()")
    desk.wait_for_timeout(400)  # the diagram asks for its width once; after that the page stands still
    return desk


def verdict(page, lane):
    return page.locator(f".eo-same-fault .eo-lane-{lane} .eo-same-fault-verdict").inner_text()


def wait_for(page, lane, words):
    page.wait_for_selector(f".eo-same-fault .eo-lane-{lane} .eo-same-fault-verdict:has-text('{words}')")


def place_of(page):
    """Return where the late request's arrow ends in the first lane, and where the arrival's line is."""
    return page.evaluate(
        """() => { const path = document.querySelector('.eo-same-fault .eo-lane-at_least_once path.late');
             const box = document.querySelector('.eo-same-fault .eo-same-fault-stage').getBoundingClientRect();
             return [path.getBoundingClientRect().right - box.left,
                     document.querySelector('.eo-same-fault-line').getBoundingClientRect().left - box.left]; }"""
    )


def test_the_arrival_is_dragged_and_all_lanes_follow(lanes):
    page = lanes
    assert verdict(page, "at_least_once") == "✗ Not exactly once. Carried out: output doubled."
    stage = page.locator(".eo-same-fault .eo-same-fault-stage").bounding_box()
    page.mouse.move(stage["x"] + 400, stage["y"] + 120)
    page.mouse.down()
    page.wait_for_function("Number(document.querySelector('.eo-same-fault-arrival').value) > 9")
    for x in range(400, int(stage["width"]) - 20, 20):
        page.mouse.move(stage["x"] + x, stage["y"] + 120)
    page.mouse.up()
    wait_for(page, "transactional", "Refused by InvalidProducerEpoch, after the end.")
    wait_for(page, "at_least_once", "Carried out, after the end: output doubled.")
    page.mouse.move(stage["x"] + 10, stage["y"] + 120)  # nothing is dragged any more
    arrow, line = place_of(page)
    assert abs(arrow - line) < 4
    page.mouse.click(stage["x"] + 150, stage["y"] + 300)
    wait_for(page, "idempotent_output", "Carried out, and its repetition refused.")
    assert page.locator(".eo-same-fault-rail-says").inner_text() == "arrives 1 step later"


def test_keys_move_the_arrival(lanes):
    page = lanes
    page.focus(".eo-same-fault .eo-same-fault-arrival")
    page.keyboard.press("Home")
    wait_for(page, "idempotent_output", "Carried out, and its repetition refused.")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    wait_for(page, "idempotent_output", "Refused.")
    assert page.locator(".eo-same-fault-rail-says").inner_text() == "arrives 7 steps later"
    assert page.locator(".eo-same-fault-arrival").get_attribute("aria-valuetext") == "arrives 7 steps later"
    page.keyboard.press("End")
    wait_for(page, "transactional", "Refused by InvalidProducerEpoch, after the end.")
    arrow, line = place_of(page)
    assert abs(arrow - line) < 4
    assert page.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"


def test_which_request_is_late_is_chosen(lanes):
    page = lanes
    page.click(".eo-same-fault .eo-late-counter")
    wait_for(page, "transactional", "Not exactly once. Carried out: counter 3 and not 2.")
    wait_for(page, "two_phase", "Exactly once. Refused.")
    page.click(".eo-same-fault .eo-late-commit")
    wait_for(page, "transactional", "Exactly once. Recognised: this transaction has ended already.")
    wait_for(page, "at_least_once", "counter 3 and not 2, window wrong")
    page.click(".eo-same-fault .eo-late-output")
    wait_for(page, "transactional", "Recognised, offset 2, which was there already.")


def test_all_of_it_is_reached_by_keys_and_told_as_a_table(lanes):
    page = lanes
    page.focus(".eo-same-fault .eo-late-output")
    assert {"eo-late-output", "eo-late-commit", "eo-same-fault-arrival"} <= reached_by_keys(page, 4)
    page.click(".eo-same-fault summary:has-text('as a table')")
    table = page.locator(".eo-same-fault .eo-folded table")
    assert table.locator("tbody tr").count() == 5
    assert "the average of hour 2 is in the output more than once" in table.inner_text()


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_nothing_is_cut_off_and_it_fits_a_screen(page, lab, theme):
    name = f"same-fault-{theme.lower()}.ipynb"
    notebook(lab.folder / name, "from exactly_once.widgets import same_fault\nsame_fault()")
    open_notebook(page, lab, name, f"JupyterLab {theme}")
    page.wait_for_selector(".eo-same-fault svg")
    page.evaluate("document.querySelector('.eo-same-fault').scrollIntoView()")
    for late in ("counter", "commit", "output"):
        page.click(f".eo-same-fault .eo-late-{late}")
        page.wait_for_selector(f".eo-same-fault .eo-late-{late}[aria-pressed=true]")
        for key in ("Home", "End"):
            page.focus(".eo-same-fault .eo-same-fault-arrival")
            page.keyboard.press(key)
            wait_for(page, "at_least_once", "Carried out:" if key == "Home" else "after the end")
            assert page.evaluate(CUT) == []
            assert page.evaluate(OUTSIDE) == []
        page.screenshot(path=temporary("screenshots") / f"same-fault-{late}-{theme.lower()}.png")
    box = page.locator(".eo-same-fault").bounding_box()
    assert box["x"] + box["width"] <= 1280
    assert box["height"] <= 680
    assert page.evaluate(SMALL) == []
