"""Every widget at every width in both themes: nothing lies over anything, nothing is cut, nothing needs a scroll bar.

The second theme, and the third and fourth width, are for the night.

One notebook holds all widgets, each in the states that need the most room; JupyterLab's file browser stays open, as
it comes. The page is resized, and `layout.js` measures what can be seen.
"""

import functools
from pathlib import Path

import pytest
from jupyter import change_theme, notebook, open_notebook, watched_page
from tests.scene import CODE

from exactly_once.paths import temporary

pytestmark = pytest.mark.not_by_day

MEASURE = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
SIZES = {853: 533, 1280: 800, 1024: 768, 1440: 900}  # height by width; the first is 1280 × 800 at 150 %
THEMES = ("Light", "Dark")
ONE_SCREEN = 690  # pixels of height of an instrument in a window of 1280 × 800: all of it is in sight at once
INSTRUMENTS = ("console, D said", "adversary", "playground", "timeline", "twins")
QUIET_MS = 350  # longer than a widget waits until it tells the kernel of a new width

IMPORTS = """\
import os, tempfile
os.environ["EXACTLY_ONCE_WORK"] = tempfile.mkdtemp()
from exactly_once.course import exercises
from exactly_once.course.kit import gap, predict
from exactly_once.widgets import *
from exactly_once.explore import prove
from exactly_once.handlers import at_least_once
from exactly_once.lockfree import hourly_means

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
    "console, a long pass": ('shown(crash_console(strategy="transactional"), ("strike", "D"))', [], ".eo-says"),
    "console, matrix": (
        "crash_console()", [".eo-tab-matrix", ".eo-fill-matrix"], ".eo-matrix :text('50 of 50')"
    ),
    "console, prove": ("crash_console()", [".eo-tab-prove", ".eo-prove"], ".eo-proved .eo-is-bad"),
    "console, live": ("crash_console()", [".eo-tab-live"], ".eo-live"),
    "debugger": ("debugger(prove(at_least_once, items=3, crashes=1), at_least_once)",
        [".eo-debugger-fault"], ".eo-debugger-ring"),
    "adversary": ("adversary(at_least_once, crashes=1, pauses=1, lost_replies=1)", [], ".eo-step-0"),
    "adversary, two nodes": ("adversary([hourly_means, hourly_means], crashes=1, pauses=1)",
        [],
        ".eo-step-0"),
    "player": (CODE, [], ".eo-player-node"),
    "player, asleep": (
        "play(Seats(), sellers=3)",
        [".eo-step-0", ".eo-step-1", ".eo-kill-0", ".eo-sleep-2"],
        ".eo-asleep",
    ),
    "playground": ("clock_playground()", [], ".eo-playground-event"),
    "exercise": ('exercises.open("04c")', [], ".eo-check"),
    "scene": ('scene("10")', [".eo-answer-on", ".eo-step-0"], ".eo-player-question"),
    "scene, a choice": ('scene("02")', [".eo-answer-one", ".eo-option-0"], ".eo-option-1"),
    "timeline": ('transaction_timeline("stalled")', [".eo-go-last"], ".eo-tt .bad"),
    "twins": ("twins()", [], ".eo-start"),
    "price lab": ("price_lab(latency=2)", [], ".eo-price table"),
    "price lab, dear": ("price_lab(inputs=100, outputs=3, machines=20, twins=3)", [], ".eo-price table"),
    "cost lab": ("cost_lab(latency=2)", [], ".eo-cost table"),
    "ask": (
        'predict("04-test", "What does a crash do, and how often is hour `3` there?", '
        'rows={"at A": ("harmless", "doubles", "loses", "corrupts"), "hour 3": int})',
        [],
        ".eo-ask .eo-ask-chip",
    ),
}  # fmt: skip

BROWSER = "document.querySelector('#jp-left-stack').getBoundingClientRect().width"
# When a console has its drawing for the present width; it is told of a width only while it is in sight.
REDRAWN = """root => [...root.querySelectorAll("svg.eo-quiet, .eo-twins svg")]
  .every((e) => !e.checkVisibility()
    || e.width.baseVal.value <= Math.min(e.parentElement.clientWidth, root.clientWidth))"""
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


def measure(page, states, theme, width, pictures=False):
    """Return {name: faults} in a theme, at a width; of what has faults, or of all, a picture is kept."""
    change_theme(page, f"JupyterLab {theme}")
    resize(page, width, SIZES[width])
    page.evaluate(SETTLED, QUIET_MS)
    found = {}
    for name in states:
        root = cell_of(page, states, name).locator(".eo").first
        root.evaluate("e => e.scrollIntoView()")
        page.wait_for_function(REDRAWN, arg=root.element_handle())
        found[name] = root.evaluate(MEASURE)
        if width == 1280 and name in INSTRUMENTS and (high := root.bounding_box()["height"]) > ONE_SCREEN:
            found[name].append(f"{high:.0f} pixels high")
        if pictures or found[name]:
            page.screenshot(path=temporary("screenshots") / f"layout-{name}-{width}-{theme}.png".replace(" ", "-"))
    return found


@pytest.fixture(scope="module")
def measured(opened, lab):
    """Give a function of a theme and a width that returns {name: faults} of all widgets, measured once."""
    with watched_page(opened, lab) as page:
        set_up(page, lab, STATES)
        yield functools.cache(functools.partial(measure, page, STATES))


def first(number, values):
    """Return values of a parameter, of which all after the first `number` are for the night."""
    return [*values[:number], *(pytest.param(one, marks=pytest.mark.slow) for one in values[number:])]


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("width", first(2, [*SIZES]))
@pytest.mark.parametrize("theme", first(1, THEMES))
def test_everything_has_its_place(measured, theme, width, name):
    assert measured(theme, width)[name] == []
