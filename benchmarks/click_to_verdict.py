"""From the click to the drawn verdict, in Chromium: simulated (p95 at most 0.15 s), or real crashes (`--cluster`, 3 s).

The clock runs in the page: from the click event to the first frame after the verdict's fragment has changed. Exit
status 1 when the 95th percentile is over its limit.
"""

import argparse
import math
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from exactly_once.paths import ROOT, temporary

sys.path.insert(0, str(ROOT / "tests" / "browser"))
import jupyter

LIMITS = {"simulated": 0.15, "cluster": 3.0}
POINTS = "ABCDE"
# Two frames: the first callback comes before the paint, the second after it.
CLICK = """
button => new Promise(resolve => {
  const place = document.querySelector('.eo-facts');
  const began = performance.now();
  const watch = new MutationObserver(() => {
    watch.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => resolve((performance.now() - began) / 1000)));
  });
  watch.observe(place, {childList: true, subtree: true, characterData: true});
  document.querySelector(button).click();
})
"""


def measure(page, world, clicks):
    """Return the seconds of each click. The points take turns, so that each click brings another verdict."""
    button, seconds = f".eo-run-{world}", []
    page.click(button)
    page.wait_for_selector(".eo-facts .eo-token", timeout=120_000)
    for number in range(clicks):
        page.wait_for_selector('.eo-console[data-busy="idle"]')
        point = POINTS[number % len(POINTS)]
        page.click(f".eo-point-{point}")
        page.wait_for_selector(f'.eo-point-{point}[aria-pressed="true"]')
        seconds.append(page.evaluate(CLICK, button))
    return seconds


def main():
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cluster", action="store_true", help="real crashes on the warm cluster")
    parser.add_argument("--clicks", type=int, default=30)
    asked = parser.parse_args()
    world = "cluster" if asked.cluster else "simulated"
    with tempfile.TemporaryDirectory(dir=temporary("benchmarks")) as folder, sync_playwright() as playwright:
        jupyter.notebook(
            Path(folder) / "console.ipynb", "from exactly_once.widgets import crash_console\ncrash_console()"
        )
        lab = jupyter.Lab(Path(folder))
        try:
            with jupyter.browser(playwright) as browser:
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                jupyter.open_notebook(page, lab, "console.ipynb")
                seconds = sorted(measure(page, world, asked.clicks))
        finally:
            lab.end_sessions()
            lab.stop()
    p95 = seconds[math.ceil(0.95 * len(seconds)) - 1]
    print(
        f"click to drawn verdict, {world}, {len(seconds)} clicks: "
        f"p50 {statistics.median(seconds):.3f} s, p95 {p95:.3f} s (limit {LIMITS[world]:g} s), "
        f"largest {seconds[-1]:.3f} s"
    )
    return 0 if p95 <= LIMITS[world] else 1


if __name__ == "__main__":
    sys.exit(main())
