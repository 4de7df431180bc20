"""A newcomer's waiting in chapter 00: from opening the notebook to the first verdict, and to the first real crash.

The clicks are those of `tests/browser/test_first_verdict.py`, which counts the reading (45 s and 90 s at most). With
it, the verdict is to come within one minute of opening, and the real crash within three. Exit status 1 when not.
"""

import shutil
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from playwright.sync_api import sync_playwright

from exactly_once.paths import ROOT, temporary

sys.path.insert(0, str(ROOT / "tests" / "browser"))
import jupyter
from test_first_verdict import NAME, open_chapter, reading


def main():
    """Measure, print, and judge."""
    path = ROOT / "notebooks" / NAME
    cells = nbformat.read(path, as_version=4).cells
    console = next(number for number, cell in enumerate(cells) if "crash_console()" in cell.source)
    with tempfile.TemporaryDirectory(dir=temporary("benchmarks")) as folder, sync_playwright() as playwright:
        shutil.copy(path, folder)
        lab = jupyter.Lab(Path(folder))
        try:
            with jupyter.browser(playwright) as browser:
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                page.set_default_timeout(180_000)
                began = time.monotonic()
                open_chapter(page, lab, "first")
                for _ in range(console + 1):
                    page.evaluate("window.jupyterapp.commands.execute('notebook:run-cell-and-select-next')")
                page.click(".eo-guess-doubles")
                page.wait_for_selector(".eo-console-verdict .eo-is-bad")
                verdict = time.monotonic() - began
                page.click(".eo-run-cluster")
                page.wait_for_selector(".eo-ran:has-text('on the cluster')")
                real = time.monotonic() - began
        finally:
            lab.end_sessions()
            lab.stop()
    kept = True
    for what, waited, count, most in (
        ("the first verdict", verdict, console + 1, 60),
        ("the first real crash", real, console + 2, 180),
    ):
        read = reading(cells[:count])
        kept &= read + waited <= most
        print(f"{what}: {waited:.0f} s of waiting and {read:.0f} s of reading (limit {most} s)")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
