"""An exercise in JupyterLab, in a real browser: buttons by keyboard, banner, offered hint, both themes."""

import pytest
from jupyter import again

CELLS = (
    """import os, tempfile
os.environ["EXACTLY_ONCE_WORK"] = tempfile.mkdtemp()
from exactly_once.course import exercises
from exactly_once.pipeline import Window
task = exercises.open("04c")
good = False""",
    """def keyed(node):
    positions, window = node.positions.load(), node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        hour = items[0].hour
        newest = max((reading.hour for reading in window.readings), default=0)
        window.push([item for item in items if item.hour > newest] if good else items)
        window.trim(node.duration)
        node.registers.cas(f"output.{hour - 1}", 0, window.average())
        if len(window) > node.threshold:
            node.database.increment()
        node.state.save(window)
        node.positions.save(next_positions)
        positions = next_positions


task""",
)
PANEL = ".eo-exercise"
RUN = (
    "code => window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.requestExecute({code}).done"
)


@pytest.fixture
def panel(desk):
    """Give the page with a panel that nobody has used, and the answer as it was at first."""
    again(desk, PANEL, ".eo-check")
    desk.wait_for_selector(f"{PANEL} .eo-standing-new")
    return desk


@pytest.mark.not_by_day
def test_by_keyboard_wrong_twice_then_a_hint_then_right(panel):
    page = panel
    page.focus(f"{PANEL} .eo-show")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{PANEL} .eo-shown svg.eo-st")
    page.keyboard.press("Tab")
    assert "eo-check" in page.evaluate("document.activeElement.className")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{PANEL} .eo-banner:has-text('Wrong')")
    page.wait_for_selector(f"{PANEL} .eo-standing-tried")
    banner, picture = (page.locator(f"{PANEL} {each}").first.bounding_box() for each in (".eo-banner", "svg.eo-st"))
    assert banner["y"] + banner["height"] <= picture["y"]
    assert page.locator(f"{PANEL} .eo-offer").count() == 0
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{PANEL} .eo-offer")
    assert "eo-check" in page.evaluate("document.activeElement.className")
    assert page.locator(f"{PANEL} .eo-offer").inner_text() == "Two tries were wrong. Hint 1 may help."
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{PANEL} .eo-hint-given:has-text('Hint 1 of 4')")
    page.evaluate(RUN, "good = True")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{PANEL} .eo-banner:has-text('Right')")
    page.wait_for_selector(f"{PANEL} .eo-standing-solved")
    assert page.locator(f"{PANEL} .eo-more").count() == 1
    assert not page.locator(f"{PANEL} .eo-more svg.eo-st").is_visible()


@pytest.mark.slow
def test_what_shows_it_opens_below_and_a_missing_answer_is_told_beside_the_buttons(panel):
    page = panel
    page.click(f"{PANEL} .eo-check")
    page.click(f"{PANEL} .eo-open-debugger")
    page.wait_for_selector(f"{PANEL} .eo-opened .eo-debugger")
    page.evaluate(RUN, "del keyed")
    page.click(f"{PANEL} .eo-check")
    page.wait_for_selector(f"{PANEL} .eo-error:has-text('This notebook has no keyed yet')")
