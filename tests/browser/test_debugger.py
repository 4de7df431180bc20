"""The debugger in JupyterLab, in a real browser: keys, slider, buttons, themes."""

import re

import pytest

pytestmark = pytest.mark.not_by_day

CELLS = (
    "from exactly_once.explore import prove\n"
    "from exactly_once.handlers import at_least_once\n"
    "from exactly_once.widgets import debugger",
    "debugger(prove(at_least_once, items=3, crashes=1), at_least_once)",
)


def says(page):
    return page.locator(".eo-debugger-step-says").inner_text()


def wait_for_step(page, number):
    page.wait_for_function(
        "number => document.querySelector('.eo-debugger-step-says')?.innerText.startsWith(`Step ${number} of`)",
        arg=number,
    )


@pytest.fixture
def opened_debugger(desk):
    """Give the page at the first step."""
    desk.wait_for_selector(".eo-go-first")
    desk.click(".eo-go-first")
    wait_for_step(desk, 1)
    return desk


def test_the_text_follows_the_keys(opened_debugger):
    page = opened_debugger
    last = int(re.search(r"Step 1 of (\d+)", says(page)).group(1))
    page.focus(".eo-slider")
    for key, number in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", last), ("ArrowRight", last)):
        page.keyboard.press(key)
        wait_for_step(page, number)
        assert page.locator(".eo-count").inner_text() == f"{number} of {last}"
        assert page.locator(".eo-debugger-cursor-says").text_content().startswith(f"step {number}")
    page.keyboard.press("Home")
    wait_for_step(page, 1)
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    wait_for_step(page, 13)
    assert "The request of incarnation 1 arrives at the output log: 43.6 is appended." in says(page)
    assert "43.6 hour 1 ◂ now" in page.locator('.eo-debugger [data-region="stores"]').inner_text()
    assert page.evaluate("document.activeElement.matches('.eo-slider')"), "the focus is where it was"
    assert page.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"


def test_the_fault_is_a_click_away(opened_debugger):
    page = opened_debugger
    page.click(".eo-debugger-fault")
    page.wait_for_selector(".eo-debugger-step-says:has-text('dies: SIGKILL at C')")
    assert "✖ incarnation 1" in page.locator(".eo-debugger-now-line").inner_text()
    assert page.locator(".eo-debugger-now-line").get_attribute("data-line") == "14"
    page.click(".eo-go-next")
    page.wait_for_selector(".eo-debugger-step-says:has-text('takes over from incarnation 1')")
    processes = page.locator('.eo-debugger [data-region="processes"]').inner_text()
    assert "dead: SIGKILL at C" in processes
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".eo-debugger-step-says:has-text('dies: SIGKILL at C')")
    page.click(".eo-go-first")
    wait_for_step(page, 1)
    page.click(".eo-next-fault")
    page.wait_for_selector(".eo-debugger-step-says:has-text('dies: SIGKILL at C')")
    assert page.locator(".eo-debugger-step-says").get_attribute("aria-live") == "polite"


@pytest.mark.slow
def test_a_held_key_ends_where_it_was_released(opened_debugger):
    page = opened_debugger
    page.focus(".eo-slider")
    for _ in range(60):
        page.keyboard.down("ArrowRight")
    page.keyboard.up("ArrowRight")
    wait_for_step(page, 61)
    assert page.locator(".eo-slider").input_value() == "60"


def test_slider_code_line_stores_and_diagram_are_seen_together(opened_debugger):
    """At 1280 × 800, nobody needs to scroll for a step through a run."""
    page = opened_debugger
    page.click(".eo-next-fault")
    page.wait_for_selector(".eo-debugger-step-says:has-text('dies: SIGKILL at C')")
    page.evaluate("document.querySelector('.eo-debugger').scrollIntoView()")
    page.wait_for_timeout(300)
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(60)
    panel = page.locator(".jp-NotebookPanel-notebook").first.bounding_box()
    parts = ".eo-slider", ".eo-debugger-step-says", "svg.eo-st", ".eo-debugger-now-line", ".eo-debugger-shelf table"
    for part in parts:
        box = page.locator(f".eo-debugger {part}").bounding_box()
        assert box["y"] >= panel["y"] - 1, part
        assert box["y"] + box["height"] <= panel["y"] + panel["height"], part


@pytest.mark.slow
def test_what_a_row_is_called_stays_in_view_when_the_diagram_is_scrolled(opened_debugger):
    page = opened_debugger
    frame = page.locator(".eo-debugger .eo-debugger-spacetime .eo-scroll")
    frame.evaluate("frame => { frame.style.width = '320px'; frame.scrollLeft = 200; }")
    page.wait_for_selector(".eo-debugger .lanes[transform]")
    left = frame.bounding_box()["x"]
    for title in page.locator(".eo-debugger .lanes .lane").all():
        assert title.bounding_box()["x"] >= left - 1
    frame.evaluate("frame => { frame.scrollLeft = 0; frame.style.width = ''; }")
    page.wait_for_function("!document.querySelector('.eo-debugger .lanes[transform]')")
