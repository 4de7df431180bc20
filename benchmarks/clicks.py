"""From a click to what is drawn, in Chromium: a verdict of the console, its scrubber, a scene, the adversary.

    python benchmarks/clicks.py [clicks of each, default 40]

The clock runs in the page: from the click to the frame after the one in which the token of the result has changed.
For each a line with the median and the 95th percentile, whose limit is 0.1 s on a quiet machine. Exit status 1 when a
limit is passed.
"""

import math
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from exactly_once.paths import ROOT, temporary

sys.path.insert(0, str(ROOT / "tests" / "browser"))
import jupyter

LIMIT = 0.1  # seconds, of the 95th percentile
CELLS = (
    "from exactly_once.widgets import adversary, crash_console, scene\n"
    "from exactly_once.handlers import at_least_once\ncrash_console()",
    'scene("05")',
    "adversary(at_least_once, crashes=1)",
)
# What is drawn bears another token than what stood there before. Of two frames the second comes after the paint.
TIMED = """
([control, key, place]) => new Promise(drawn => {
  const token = () => document.querySelector(place)?.textContent;
  const [before, began] = [token(), performance.now()];
  const look = () => !token() || token() === before ? requestAnimationFrame(look)
    : requestAnimationFrame(() => drawn((performance.now() - began) / 1000));
  const one = document.querySelector(control);
  if (key) one.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  else one.click();
  look();
})
"""


def verdicts(page: Page, clicks: int) -> Iterator[float]:
    """Yield the seconds of each click on a letter, each time of an order of writes that was never run."""
    page.select_option(".eo-strategy", "order")
    page.wait_for_selector(".eo-order")
    orders = page.eval_on_selector_all(".eo-order option", "all => all.map(option => option.value)")
    for number, order in enumerate(orders[:clicks]):
        page.select_option(".eo-order", order)
        page.wait_for_function("order => document.querySelector('.eo-order').value === order", arg=order)
        page.wait_for_selector(".eo:not([data-waits]) .eo-order")
        yield page.evaluate(TIMED, [f".eo-console-code .eo-letter-{'ABCDE'[number % 5]}", "", ".eo-ran .eo-token"])
        page.wait_for_function("!document.querySelector('.eo-tick.eo-is-not-run')")  # the other places are run


def drags(page: Page, clicks: int) -> Iterator[float]:
    """Yield the seconds of each step of the scrubber, by a key, over places that were run."""
    page.focus(".eo-console-kill")
    page.keyboard.press("Home")
    for _ in range(clicks):
        yield page.evaluate(TIMED, [".eo-console-kill", "ArrowRight", ".eo-ran .eo-token"])


def steps(page: Page, clicks: int, cell: int) -> Iterator[float]:
    """Yield the seconds of each click on a step, and on *Undo* after it, of the player below a cell."""
    here = f".jp-CodeCell >> nth={cell}"
    page.locator(here).evaluate("cell => { cell.id = 'timed'; cell.scrollIntoView(); }")
    if page.locator("#timed .eo-player-question").count():
        page.click("#timed .eo-player-question button")
        page.wait_for_selector('#timed .eo-player-question [aria-pressed="true"]')
    for number in range(clicks):
        control = ".eo-undo" if number % 2 else ".eo-step-0"
        yield page.evaluate(TIMED, [f"#timed {control}", "", "#timed code.eo-token"])
    page.locator(here).evaluate("cell => { cell.id = ''; }")


def main(clicks: int = 40) -> int:
    """Measure, print, and return the exit status."""
    kept = True
    with tempfile.TemporaryDirectory(dir=temporary("benchmarks")) as folder, sync_playwright() as playwright:
        jupyter.notebook(Path(folder) / "clicks.ipynb", *CELLS)
        lab = jupyter.Lab(Path(folder))
        try:
            with jupyter.browser(playwright) as browser:
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                jupyter.open_notebook(page, lab, "clicks.ipynb")
                page.wait_for_selector(".eo-tick[data-place='59']", state="attached")
                for name, found in (
                    ("a letter to its verdict", verdicts(page, clicks)),
                    ("a step of the scrubber", drags(page, clicks)),
                    ("a step of a scene", steps(page, clicks, 1)),
                    ("a step against the adversary", steps(page, clicks, 2)),
                ):
                    seconds = sorted(found)
                    p95 = seconds[math.ceil(0.95 * len(seconds)) - 1]
                    print(
                        f"{name}: median {statistics.median(seconds):.3f} s, 95th percentile {p95:.3f} s", flush=True
                    )
                    kept = kept and p95 <= LIMIT
        finally:
            lab.end_sessions()
            lab.stop()
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
