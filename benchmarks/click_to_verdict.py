"""From the click to what is drawn, in Chromium: a simulated verdict, a counterexample, or (`--cluster`) a real crash.

Limits of the 95th percentile: 0.15 s for a verdict, 0.5 s for the naive handler's first counterexample, 3 s for the
verdict on a real crash on the warm cluster. The clock runs in the page: from the click event to the first frame after
the fragment has changed. Exit status 1 when a limit is passed.
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

LIMITS = {"simulated": 0.15, "prove": 0.5, "cluster": 3.0}
WHAT = {
    "simulated": "click to drawn verdict, simulated",
    "prove": "click to drawn counterexample of the naive handler",
    "cluster": "click to drawn verdict, cluster",
}
POINTS = "ABCDE"
# Two frames: the first callback comes before the paint, the second after it. What is drawn bears another token than
# what stood there before.
CLICK = """
([button, place]) => new Promise(resolve => {
  const token = () => document.querySelector(place + ' .eo-token')?.textContent;
  const before = token();
  const began = performance.now();
  const watch = new MutationObserver(() => {
    if (!token() || token() === before) return;
    watch.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => resolve((performance.now() - began) / 1000)));
  });
  watch.observe(document.querySelector('.eo-console'), {childList: true, subtree: true, characterData: true});
  document.querySelector(button).click();
})
"""


def verdicts(page, world, clicks):
    """Yield the seconds of each click. The points take turns, so that each click brings another verdict."""
    button = f".eo-run-{world}"
    page.click(button)
    page.wait_for_selector(".eo-facts .eo-token", timeout=120_000)
    for number in range(clicks):
        page.wait_for_selector('.eo-console[data-busy="idle"]')
        point = POINTS[number % len(POINTS)]
        page.click(f".eo-point-{point}")
        page.wait_for_selector(f'.eo-point-{point}[aria-pressed="true"]')
        yield page.evaluate(CLICK, [button, ".eo-facts"])


def counterexamples(page, clicks):
    """Yield the seconds of each click on Prove, the very first among them. The bound takes turns, and so the
    token.
    """
    for number in range(clicks):
        page.fill(".eo-items", str(3 + number % 2))
        page.keyboard.press("Tab")
        page.wait_for_timeout(200)
        page.wait_for_selector(".eo-prove:not([aria-disabled])")
        yield page.evaluate(CLICK, [".eo-prove", ".eo-found"])


def told(what, seconds):
    """Print what was measured; return whether the limit was kept."""
    first, seconds = seconds[0], sorted(seconds)
    p95 = seconds[math.ceil(0.95 * len(seconds)) - 1]
    print(
        f"{WHAT[what]}, {len(seconds)} clicks: p50 {statistics.median(seconds):.3f} s, p95 {p95:.3f} s "
        f"(limit {LIMITS[what]:g} s), largest {seconds[-1]:.3f} s, the first {first:.3f} s"
    )
    return p95 <= LIMITS[what]


def main():
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cluster", action="store_true", help="real crashes on the warm cluster, and nothing else")
    parser.add_argument("--clicks", type=int, default=30)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=temporary("benchmarks")) as folder, sync_playwright() as playwright:
        cell = "from exactly_once.widgets import crash_console\ncrash_console()"
        jupyter.notebook(Path(folder) / "console.ipynb", cell)
        lab = jupyter.Lab(Path(folder))
        try:
            with jupyter.browser(playwright) as browser:
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                jupyter.open_notebook(page, lab, "console.ipynb")
                if asked.cluster:
                    kept = [told("cluster", list(verdicts(page, "cluster", asked.clicks)))]
                else:
                    kept = [
                        told("prove", list(counterexamples(page, asked.clicks))),
                        told("simulated", list(verdicts(page, "simulated", asked.clicks))),
                    ]
        finally:
            lab.end_sessions()
            lab.stop()
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
