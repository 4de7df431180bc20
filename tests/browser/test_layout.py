"""Every widget at every width in both themes: nothing lies over anything, nothing is cut, nothing needs a scroll bar.

One notebook holds all widgets, each in the states that need the most room; JupyterLab's file browser stays open, as
it comes. The page is resized, and `layout.js` measures what can be seen.
"""

from pathlib import Path

import pytest
from jupyter import change_theme, notebook, open_notebook, watched_page

from exactly_once.paths import temporary

MEASURE = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
SIZES = ((853, 533), (1024, 768), (1280, 800), (1440, 900))  # the first is 1280 × 800 at 150 %
THEMES = ("Light", "Dark")
QUIET_MS = 350  # longer than a widget waits until it tells the kernel of a new width

IMPORTS = """\
import os, tempfile
os.environ["EXACTLY_ONCE_WORK"] = tempfile.mkdtemp()
from exactly_once.course import exercises
from exactly_once.course.kit import gap, predict
from exactly_once.explore import prove
from exactly_once.handlers import at_least_once
from exactly_once.lockfree import hourly_means
from exactly_once.widgets import *

def shown(widget, *actions):
    for do, value in actions:
        widget.model.do(do, value)
    return widget
"""

# State of the notebook: (source of the cell, selectors to click, selector of an element that is then there).
STATES = {
    "console, untouched": ("crash_console()", [], ".eo-guesses"),
    "console, C": ('shown(crash_console(), ("strike", "C"))', [], ".eo-says.eo-is-bad"),
    "console, D said": ('shown(crash_console(), ("guess", "corrupts"), ("strike", "D"))', [], ".eo-says.eo-is-bad"),
    "console, two nodes": (
        'shown(crash_console(strategy="two_phase"), ("strike", "C"))', [], ".eo-says"
    ),
    "console, matrix": (
        "crash_console()", [".eo-tab-matrix", ".eo-fill-matrix"], ".eo-matrix :text('50 of 50')"
    ),
    "console, prove": ("crash_console()", [".eo-tab-prove", ".eo-prove"], ".eo-proved .eo-is-bad"),
    "console, live": ("crash_console()", [".eo-tab-live"], ".eo-live"),
    "debugger": ("debugger(prove(at_least_once, items=3, crashes=1), at_least_once)",
        [".eo-debugger-fault"], ".eo-debugger-ring"),
    "adversary": ("adversary(at_least_once, crashes=1, pauses=1, lost_replies=1)", [], ".eo-player-act"),
    "adversary, two nodes": ("adversary([hourly_means, hourly_means], crashes=1, pauses=1)",
        [],
        ".eo-player-act"),
    "playground": ("clock_playground()", [], ".eo-playground-event"),
    "exercise": ('exercises.open("04c")', [], ".eo-check"),
    "log viewer": ('shown(log_viewer(), ("story", "unclean"))', [], ".eo-log-viewer-ahead"),
    "queue": ("queue_stepper()", [], ".eo-player-node"),
    "batches": ("batch_timeline()", [], ".eo-batch-timeline-mark"),
    "batches, three deaths": (
        'shown(batch_timeline(), ("kill", "D2"), ("kill", "B2"), ("kill", "C2"))', [], ".eo-batch-timeline-mark.again"
    ),
    "same fault": ("same_fault()", [], "svg"),
    "timeline": ("transaction_timeline()", [".eo-go-last"], ".eo-tt"),
    "transfer": ("transfer_lab('locks')", [], ".eo-player-step"),
    "transfer, three movers": ("transfer_lab('cas', movers=3)", [], ".eo-player-step"),
    "twins": ("twins()", [], ".eo-start"),
    "ask": (
        'predict("04-test", "What does a crash do, and how often is hour `3` there?", '
        'rows={"at A": ("harmless", "doubles", "loses", "corrupts"), "hour 3": int})',
        [],
        ".eo-ask .eo-ask-chip",
    ),
}  # fmt: skip

BROWSER = "document.querySelector('#jp-left-stack').getBoundingClientRect().width"
# When nothing has changed on the page for a while, and no widget waits for an answer of the kernel.
SETTLED = """ms => new Promise((done) => {
  let timer = null;
  const again = () => { clearTimeout(timer); timer = setTimeout(check, ms); };
  const watcher = new MutationObserver(again);
  const check = () => {
    if (document.querySelector('.eo[data-waits]')) return again();
    watcher.disconnect();
    done();
  };
  for (const root of document.querySelectorAll('.eo'))
    watcher.observe(root, { childList: true, subtree: true, attributes: true, characterData: true });
  again();
})"""


def set_up(page, lab, states, name="layout.ipynb"):
    """Open the notebook and bring each widget into its state."""
    notebook(lab.folder / name, IMPORTS, *(cell for cell, _, _ in states.values()))
    page.set_viewport_size({"width": 1280, "height": 800})
    open_notebook(page, lab, name)
    page.file_browser = page.evaluate(BROWSER)
    for state, (_, clicks, there) in states.items():
        cell = cell_of(page, states, state)
        cell.evaluate("e => e.scrollIntoView()")
        for click in clicks:
            cell.locator(click).first.click()
        cell.locator(there).first.wait_for(state="attached")


def resize(page, width, height):
    """Give the window another size; the file browser keeps its width, lost when the window was narrow."""
    page.set_viewport_size({"width": width, "height": height})
    now = page.evaluate(BROWSER)
    if abs(now - page.file_browser) > 1:
        handle = page.locator("#jp-main-split-panel > .lm-SplitPanel-handle:not(.lm-mod-hidden)").first.bounding_box()
        x, y = handle["x"] + handle["width"] / 2, height / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + page.file_browser - now, y, steps=3)
        page.mouse.up()
    assert abs(page.evaluate(BROWSER) - page.file_browser) <= 2, "the file browser is as wide as JupyterLab makes it"


def cell_of(page, states, name):
    """Return the cell of a state."""
    return page.locator(".jp-CodeCell").nth(1 + list(states).index(name))


def measure(page, states, theme, size, pictures=False):
    """Return {name: faults} in a theme, at a size; of what has faults, or of all, a picture is kept."""
    change_theme(page, f"JupyterLab {theme}")
    resize(page, *size)
    page.evaluate(SETTLED, QUIET_MS)
    found = {}
    for name in states:
        root = cell_of(page, states, name).locator(".eo").first
        found[name] = root.evaluate(MEASURE)
        if pictures or found[name]:
            root.evaluate("e => e.scrollIntoView()")
            page.screenshot(path=temporary("screenshots") / f"layout-{name}-{size[0]}-{theme}.png".replace(" ", "-"))
    return found


@pytest.fixture(scope="module")
def measured(opened, lab):
    """Give {(theme, width): {name: faults}} of all widgets."""
    with watched_page(opened, lab) as page:
        set_up(page, lab, STATES)
        return {(theme, size[0]): measure(page, STATES, theme, size) for theme in THEMES for size in SIZES}


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("width", [width for width, _ in SIZES])
@pytest.mark.parametrize("theme", THEMES)
def test_everything_has_its_place(measured, theme, width, name):
    assert measured[theme, width][name] == []
