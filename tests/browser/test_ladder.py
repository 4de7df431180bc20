"""The ladder in JupyterLab, in a real browser: every control by its effect, keys, themes."""

import pytest
from jupyter import notebook, open_notebook, reached_by_keys

from exactly_once.paths import temporary

CELLS = ("from exactly_once.widgets import ladder", "ladder(('at_least_once', 'two_phase'))")
GATED = """
import time
from pathlib import Path
from exactly_once.sandbox import prove_safely
from exactly_once.widgets import Ladder, LadderModel

def gated(*args, **options):
    while not Path("gate").exists() and not options["stopped"]():
        time.sleep(0.01)
    return prove_safely(*args, **options)

Ladder(LadderModel(('at_least_once', 'two_phase'), prover=gated))"""
CUT = """[...document.querySelectorAll('.eo-ladder *:not(.eo-scroll)')]
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
    """Wait until a cell is proved; return a sign for each of its four dots."""
    page.wait_for_selector(f"{cell(strategy, fault)}:not(.eo-unproved):has(.eo-dots)")
    signs = {"eo-dot-right": "✓", "eo-dot-damaged": "✗", "eo-dot-unknown": "?"}
    found = page.locator(f"{cell(strategy, fault)} [class^=eo-dot-]").all()
    return "".join(signs[each.get_attribute("class")] for each in found)


def filled(page):
    page.wait_for_selector(".eo-prove-all:has-text('All are proved')", timeout=200_000)


def test_it_fills_by_itself_and_the_cell_under_the_pointer_is_open(rungs):
    page = rungs
    filled(page)
    assert marks(page, "at_least_once", "crash") == "✗✗✓✗"
    assert marks(page, "at_least_once", "pause") == "✗✗✗✗"
    assert marks(page, "two_phase", "pause") == "✓✓✓✓"
    assert page.locator(".eo-ladder .eo-edge-below").count() == 6, "the line below the first rung that stands"
    page.wait_for_selector(".eo-opened-head :text('at least once under a crash')")
    assert "The output can be damaged" in page.locator(".eo-opened-proof").inner_text()
    page.click(".eo-ladder .eo-part-counter")
    page.wait_for_selector(".eo-opened-proof :text('the counter is 3 and should be 2')")
    page.hover(cell("two_phase", "pause"))
    page.wait_for_selector(".eo-opened-head :text('two phase under a pause')")
    page.wait_for_selector(".eo-opened-proof .eo-is-good:has-text('The output is right')")
    page.click(cell("at_least_once", "pause"))
    page.wait_for_selector(f"{cell('at_least_once', 'pause')}[aria-pressed=true]")
    page.hover(cell("two_phase", "crash"))
    page.click(".eo-opened-proof summary:has-text('Step by step')")
    assert "ep2-simulated-" in page.locator(".eo-opened-proof").inner_text(), "what is held stays open"
    page.click(".eo-ladder summary:has-text('As a table')")
    table = page.locator(".eo-ladder .eo-ladder-left .eo-folded table").inner_text()
    assert "✗ damaged: output, counter; ✓ right: state, positions" in table


def test_the_first_rung_is_predicted_by_a_click_and_the_proofs_are_stopped(page, lab):
    notebook(lab.folder / "ladder-gated.ipynb", GATED)
    open_notebook(page, lab, "ladder-gated.ipynb")
    page.wait_for_selector(".eo-ladder .eo-spin")
    page.click(cell("two_phase", "crash"))
    page.click(cell("at_least_once", "pause"))
    page.wait_for_selector(".eo-ladder .eo-bet-said >> nth=1")
    page.wait_for_selector(".eo-ladder .eo-status progress")
    page.click(".eo-ladder .eo-stop")
    page.wait_for_selector(".eo-ladder .eo-status:has-text('Stopped.')")
    assert page.locator(".eo-ladder .eo-unproved").count() == 12
    assert page.locator(".eo-prove-all").inner_text() == "▶ Prove the 12 left"
    page.evaluate("document.querySelector('.eo-ladder').scrollIntoView()")
    assert page.locator(".eo-ladder .eo-spin").count() == 0, "it does not begin again by itself"
    (lab.folder / "gate").touch()
    page.hover(cell("two_phase", "lost reply"))
    page.wait_for_selector(".eo-opened-head :text('two phase under a lost reply')")
    page.click(".eo-ladder .eo-prove-cell")
    assert marks(page, "two_phase", "lost reply") == "✓✓✓✓"
    page.wait_for_selector(".eo-prove-all:has-text('Prove the 11 left')")
    page.click(".eo-prove-all")
    filled(page)
    assert "1 right of your 2" in page.locator(".eo-ladder-ask").inner_text()
    assert page.locator(".eo-ladder .eo-bet-missed").inner_text() == "⚑ ✗ not it"


def test_the_arrow_keys_go_over_the_grid_open_cells_and_enter_holds_one(rungs):
    page = rungs
    filled(page)
    page.focus(".eo-prove-all")
    for _ in range(3):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.eo-rung')"):
            break
    for key in ("Home", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.value") == "at_least_once|duplicated request"
    page.wait_for_selector(".eo-opened-head :text('at least once under a duplicated request')")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{cell('at_least_once', 'duplicated request')}[aria-pressed=true]")
    assert page.evaluate("document.activeElement.dataset.value") == "at_least_once|duplicated request", "focus stays"
    page.keyboard.press("ArrowUp")
    page.wait_for_selector(".eo-opened-head :text('two phase under a duplicated request')")
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
    filled(page)
    for key in ("transactional|pause", "at_least_once|pause"):
        page.click(cell(*key.split("|")))
        page.wait_for_selector(f".eo-ladder .eo-rung[data-value='{key}'][aria-pressed=true]")
        assert page.evaluate(CUT) == []
    page.wait_for_selector(".eo-opened-proof svg")
    assert page.evaluate(CUT) == []
    page.screenshot(path=temporary("screenshots") / f"ladder-{theme.lower()}.png")
    box = page.locator(".eo-ladder").bounding_box()
    assert box["x"] + box["width"] <= 1280
    assert box["height"] <= 680
    assert page.evaluate(SMALL) == []
