"""Make the pictures of `docs/gallery.md` and of the README from the widgets and figures themselves: `make pictures`.

A Chromium opens a notebook with one cell for each picture, does what a reader would do there, and takes the output of
the cell.
"""

import io
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Locator, Page, sync_playwright

from exactly_once.paths import ROOT, temporary

sys.path.insert(0, str(ROOT / "tests" / "browser"))
import jupyter

FOLDER = ROOT / "docs" / "images"
WIDTH, COLOURS = 1300, 96  # pixels of the window; colours of a picture
WAIT_MS = 120_000  # the cluster starts, and on a small machine beside other work


@contextmanager
def notebook(*cells: str) -> Iterator[Page]:
    """Open a notebook with these cells, which have run, in a JupyterLab of its own; give its page."""
    with tempfile.TemporaryDirectory(dir=temporary()) as folder, sync_playwright() as playwright:
        lab = jupyter.Lab(Path(folder))
        try:
            jupyter.notebook(lab.folder / "pictures.ipynb", *cells)
            with jupyter.browser(playwright) as opened, jupyter.watched_page(opened, lab) as page:
                page.set_viewport_size({"width": WIDTH, "height": 1700})
                jupyter.open_notebook(page, lab, "pictures.ipynb", seconds=WAIT_MS // 1000)
                yield page
        finally:
            lab.stop()


class Picture(NamedTuple):
    """One picture: the name of its file, the cell that makes it, and what is done there before it is taken."""

    name: str
    cell: str
    act: Callable[[Page, Locator], None]


def only_look(page: Page, output: Locator) -> None:
    """Do nothing: the cell shows the picture."""


def matrix(page: Page, output: Locator) -> None:
    """Fill the matrix of the console: every strategy killed at every point."""
    output.locator("[data-tab=matrix]").click()
    output.locator(".eo-fill-matrix").click()
    page.wait_for_selector('.eo-console[data-busy="idle"]', timeout=WAIT_MS)
    page.wait_for_function(
        "!document.querySelector('.eo-matrix-grid').innerText.includes('not run')", timeout=WAIT_MS
    )


def stalled(page: Page, output: Locator) -> None:
    """Answer the question, let the first of three pushers sleep after two steps, and let the other two finish."""
    output.locator("button:has-text('nobody behind a spinlock')").click()
    panels = output.locator(".eo-player-node")
    for number, button in ((0, "Step"), (0, "Step"), (0, "Sleep"), (1, "Run"), (2, "Run")):
        panels.nth(number).locator(f"button:has-text('{button}')").first.click()
        page.wait_for_function("!document.querySelector('.eo[data-waits]')")


def at_the_fault(page: Page, output: Locator) -> None:
    """Go to the step at which the fault strikes."""
    output.locator("button:has-text('Next fault')").click()


PICTURES = (
    Picture("matrix", "from exactly_once.widgets import crash_console\ncrash_console(strategy='transactional')", matrix),
    Picture("clocks", "from exactly_once.widgets import clock_playground\nclock_playground()", only_look),
    Picture(
        "spacetime",
        "from exactly_once import FaultPlan, show, simulate\nfrom exactly_once.handlers import at_least_once\n"
        "show.spacetime(simulate(at_least_once, FaultPlan.crash('B', 3)))",
        only_look,
    ),
    Picture("scene", "from exactly_once.widgets import scene\nscene('09')", stalled),
    Picture(
        "counterexample",
        "from exactly_once import prove\nfrom exactly_once.handlers import at_least_once\n"
        "from exactly_once.widgets import debugger\ndebugger(prove(at_least_once, items=2, crashes=1), at_least_once)",
        at_the_fault,
    ),
    Picture(
        "costs",
        "from exactly_once import show\nfrom exactly_once.costs import compare_costs, measured\n"
        "from exactly_once.handlers import STRATEGIES\n"
        "case = lambda name: lambda: measured(name, 'sqlite:', 30)\n"
        "show.costs(compare_costs({name: case(name) for name in STRATEGIES}, 7, by='median'))",
        only_look,
    ),
)


def take(page: Page, number: int, picture: Picture) -> None:
    """Take one picture of the output of a cell, and keep it in few colours."""
    output = page.locator(".jp-Notebook .jp-CodeCell").nth(number).locator(".jp-Cell-outputWrapper .jp-OutputArea")
    output.scroll_into_view_if_needed()
    picture.act(page, output)
    page.wait_for_function("!document.querySelector('.eo[data-waits]')")
    page.wait_for_timeout(1500)  # what glides has arrived, and a chart is drawn
    shown = output.locator(".jp-OutputArea-output").last
    shot = Image.open(io.BytesIO(shown.screenshot())).convert("RGB")
    file = FOLDER / f"{picture.name}.png"
    shot.quantize(COLOURS).save(file, optimize=True)
    print(f"{file.relative_to(ROOT)}: {shot.width} × {shot.height}, {file.stat().st_size / 1000:.0f} kB")


def main() -> None:
    """Make the pictures."""
    FOLDER.mkdir(exist_ok=True)
    with notebook(*(picture.cell for picture in PICTURES)) as page:
        for number, picture in enumerate(PICTURES):
            take(page, number, picture)


if __name__ == "__main__":
    main()
