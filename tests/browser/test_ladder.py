"""The ladder in JupyterLab, in a real browser: every control by its effect, keys, themes."""

import pytest
from jupyter import notebook, open_notebook, reached_by_keys

from exactly_once.paths import temporary

CELLS = ("from exactly_once.widgets import ladder", "ladder(('at_least_once', 'two_phase'))")
CUT = """[...document.querySelectorAll('.eo-ladder *:not(.eo-scroll, .eo-opened-proof)')]
    .filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1).map(e => e.className || e.nodeName)"""
SMALL = """[...document.querySelectorAll('.eo-ladder *')].filter(e => e.innerText && e.children.length === 0
    && parseFloat(getComputedStyle(e).fontSize) < 12).map(e => e.className || e.nodeName)"""


@pytest.fixture
def rungs(desk):
    """The page after its cells ran again: with a ladder that nobody has touched."""
    desk.evaluate("document.querySelectorAll('.eo-ladder').forEach(each => each.remove())")
    desk.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    desk.wait_for_selector(".eo-ladder .eo-rung")
    desk.evaluate("document.querySelector('.eo-ladder').scrollIntoView()")
    return desk


def cell(strategy, fault):
    return f'.eo-ladder .eo-rung[data-value="{strategy}|{fault}"]'


def marks(page, strategy, fault):
    """Wait until a cell is proved; return its four signs."""
    page.wait_for_selector(f"{cell(strategy, fault)} .eo-ladder-part")
    return "".join(page.locator(f"{cell(strategy, fault)} .eo-ladder-part i").all_inner_texts())


def test_a_click_proves_a_cell_and_opens_what_breaks_it(rungs):
    page = rungs
    assert page.locator(".eo-ladder .eo-ladder-part").count() == 0
    page.click(cell("at_least_once", "crash"))
    assert marks(page, "at_least_once", "crash") == "✗✗✓✗"
    page.wait_for_selector(".eo-opened-proof svg")
    assert "The output can be damaged" in page.locator(".eo-opened-proof").inner_text()
    page.click(".eo-ladder .eo-part-counter")
    page.wait_for_selector(".eo-opened-proof :text('the counter is 3 and should be 2')")
    page.click(".eo-ladder .eo-part-positions")
    page.wait_for_selector(".eo-opened-proof .eo-is-good:has-text('The positions are right')")
    page.click(cell("two_phase", "crash"))
    assert marks(page, "two_phase", "crash") == "✓✓✓✓"
    page.wait_for_selector(".eo-opened-head :text('two phase under a crash')")
    assert page.locator(f"{cell('two_phase', 'crash')}[aria-pressed=true]").count() == 1
    page.click(cell("at_least_once", "crash"))
    page.wait_for_selector(".eo-opened-proof svg")
    page.click(".eo-opened-proof summary:has-text('Step by step')")
    assert "ep2-simulated-" in page.locator(".eo-opened-proof").inner_text()


def test_the_rest_is_proved_at_once_and_stopped(rungs):
    page = rungs
    page.click(".eo-prove-all")
    page.wait_for_selector(".eo-ladder .eo-status progress")
    page.click(".eo-ladder .eo-stop")
    page.wait_for_selector(".eo-ladder .eo-status:has-text('Stopped.')")
    left = page.locator(".eo-ladder .eo-unproved").count()
    assert left >= 1
    assert page.locator(".eo-prove-all").inner_text() == f"∀ Prove all {left} that are left"
    page.click(".eo-prove-all")
    page.wait_for_selector(".eo-prove-all:has-text('All are proved')")
    assert page.locator(".eo-ladder .eo-unproved").count() == 0
    assert marks(page, "at_least_once", "pause") == "✗✗✗✗"
    assert marks(page, "two_phase", "pause") == "✓✓✓✓"
    page.click(".eo-ladder summary:has-text('as a table')")
    table = page.locator(".eo-ladder .eo-folded table").last.inner_text()
    assert "✗ damaged: output, counter; ✓ right: state, positions" in table


def test_the_arrow_keys_go_over_the_grid_and_enter_proves(rungs):
    page = rungs
    page.focus(cell("at_least_once", "crash"))
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.value") == "two_phase|duplicated request"
    page.keyboard.press("Enter")
    assert marks(page, "two_phase", "duplicated request") == "✓✓✓✓"
    assert page.evaluate("document.activeElement.dataset.value") == "two_phase|duplicated request", "the focus stays"
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.value") == "at_least_once|duplicated request"
    page.focus(".eo-prove-all")
    reached = reached_by_keys(page, 8)
    assert {"eo-prove-all", "eo-stop", "eo-rung", "eo-part-output", "eo-opened-proof"} <= reached
    assert page.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_nothing_is_cut_off_and_it_fits_a_screen(page, lab, theme):
    name = f"ladder-{theme.lower()}.ipynb"
    notebook(lab.folder / name, "from exactly_once.widgets import ladder\nladder()")
    open_notebook(page, lab, name, f"JupyterLab {theme}")
    page.wait_for_selector(".eo-ladder .eo-rung")
    page.evaluate("document.querySelector('.eo-ladder').scrollIntoView()")
    assert page.evaluate(CUT) == []
    for key in (("two_phase", "crash"), ("at_least_once", "pause"), ("transactional", "pause")):
        page.click(cell(*key))
        marks(page, *key)
    page.wait_for_selector(".eo-opened-proof svg")
    assert page.evaluate(CUT) == []
    page.screenshot(path=temporary("screenshots") / f"ladder-{theme.lower()}.png")
    box = page.locator(".eo-ladder").bounding_box()
    assert box["x"] + box["width"] <= 1280
    assert box["height"] <= 680
    assert page.evaluate(SMALL) == []
