"""Make the pictures of `docs/gallery.md` and of the README from the widgets and figures themselves: `make pictures`.

A Chromium opens a notebook with one cell for each picture, does what a reader would do there, and takes the output of
the cell. For the README it films a crash console: it clicks B, waits for the verdict, and clicks *Now for real*, and a
task of a real Spark cluster is killed with SIGKILL. Nothing is drawn but the pointer and the line of words at the
foot of the film.
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
MOVING, STILL = (ROOT / "notebooks" / "images" / f"kill-now.{kind}" for kind in ("gif", "png"))
WIDTH, COLOURS = 1300, 96  # pixels of the window; colours of a picture
FILM_WIDTH, FILM_COLOURS, MOST_BYTES = 830, 128, 1_000_000  # as wide as GitHub shows a README
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


FILMED = (
    "from exactly_once.spark import cluster\ncluster()",
    "from exactly_once.widgets import crash_console\ncrash_console()",
)
# The pointer is an arrow, and a click is a ring; the words stand below the console, in its own width.
STAGE = """
width => {
  for (const old of document.querySelectorAll('.picture-of')) old.remove();
  document.body.insertAdjacentHTML('beforeend', `
    <div id="stage" class="picture-of" style="position: fixed; inset: 0; z-index: 99990; background: white; padding: 8px 10px">
      <div id="console"></div>
      <div id="words" style="position: absolute; left: 0; right: 0; bottom: 0; height: 44px; color: white;
        background: #1b2a3a; font: 600 19px/44px system-ui, 'DejaVu Sans', sans-serif; text-align: center"></div>
      <svg id="pointer" width="60" height="60" viewBox="-30 -30 60 60" style="position: absolute; z-index: 99999;
        pointer-events: none; left: 0; top: 0">
        <circle r="20" fill="none" stroke="#d55e00" stroke-width="4" visibility="hidden"/>
        <path d="M0 0 L0 21 L5 16.5 L8.5 24.5 L12 23 L8.5 15 L15 15 Z" fill="black" stroke="white" stroke-width="1.5"/>
      </svg>
    </div>`);
  document.querySelector('#console').append(document.querySelector('.eo-console'));
}
"""
POINT = """
([x, y, pressed]) => {
  const pointer = document.querySelector('#pointer');
  pointer.style.left = `${x - 30}px`;
  pointer.style.top = `${y - 30}px`;
  pointer.querySelector('circle').setAttribute('visibility', pressed ? 'visible' : 'hidden');
}
"""


class Film:
    """What the page showed, as frames with the milliseconds that each stands."""

    def __init__(self, page: Page) -> None:
        self.page, self.frames, self.at = page, [], (FILM_WIDTH * 0.6, 150)

    def take(self, milliseconds: int) -> None:
        """Take one frame of the page; one that is the same as the last makes that one last longer."""
        shot = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        if self.frames and shot.tobytes() == self.frames[-1][0].tobytes():
            self.frames[-1][1] += milliseconds
        else:
            self.frames.append([shot, milliseconds])

    def say(self, words: str) -> None:
        """Write the line at the foot."""
        self.page.evaluate("words => { document.querySelector('#words').textContent = words; }", words)

    def click(self, selector: str) -> None:
        """Move the pointer to the middle of an element, in four frames, and click there."""
        box = self.page.locator(selector).bounding_box()
        (x, y), (to_x, to_y) = self.at, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for part in (0.35, 0.7, 0.9, 1):
            self.page.evaluate(POINT, [x + part * (to_x - x), y + part * (to_y - y), False])
            self.take(90)
        self.at = (to_x, to_y)
        self.page.evaluate(POINT, [to_x, to_y, True])
        self.take(250)
        self.page.click(selector)
        self.page.evaluate(POINT, [to_x, to_y, False])

    def write(self, path: Path) -> None:
        """Write the film, as a GIF that begins again when it ends, in one set of colours."""
        wide, high = self.frames[0][0].size
        sheet = Image.new("RGB", (wide, high * len(self.frames)))
        for number, (shot, _) in enumerate(self.frames):
            sheet.paste(shot, (0, high * number))
        palette = sheet.quantize(FILM_COLOURS, method=Image.Quantize.MEDIANCUT)
        first, *others = (shot.quantize(palette=palette, dither=Image.Dither.NONE) for shot, _ in self.frames)
        lasting = [milliseconds for _, milliseconds in self.frames]
        first.save(path, save_all=True, append_images=others, duration=lasting, loop=0, optimize=False)


def play(page: Page) -> tuple[Film, Image.Image]:
    """Crash the handler at B, simulated and then for real; return the `Film`, and the still picture."""
    page.set_viewport_size({"width": FILM_WIDTH, "height": 800})
    page.evaluate(STAGE, FILM_WIDTH)
    page.wait_for_function("!document.querySelector('.eo[data-waits]')")
    page.wait_for_timeout(800)  # the diagram asks for its new width, once
    high = page.locator(".eo-console").bounding_box()["height"]
    film = Film(page)
    page.click(".eo-point-B")  # the highest page that is to come, so that nothing jumps
    ready(page)
    high = max(high, page.locator(".eo-console").bounding_box()["height"])
    page.set_viewport_size({"width": FILM_WIDTH, "height": int(high) + 16 + 44})
    page.click(".eo-point-none")
    ready(page)

    film.say("A stream handler. What if its process dies after the push, at B?")
    page.evaluate(POINT, [*film.at, False])
    film.take(1800)
    film.click(".eo-point-B")
    ready(page)
    film.say("Simulated: the average of hour 3 is there twice, and why.")
    film.take(2800)
    still = film.frames[-1][0]
    film.say("Now for real: a task of Spark on this machine, and SIGKILL.")
    film.click(".eo-run-cluster")
    while not page.locator(".eo-ran:has-text('on the cluster')").count():
        film.take(100)
    ready(page)
    film.say("Two real processes, two process ids. The same verdict.")
    film.take(3500)
    return film, still


def ready(page: Page) -> None:
    """Wait until the console has done what it was asked, and has drawn it."""
    page.wait_for_selector('.eo-console[data-busy="idle"]', timeout=WAIT_MS)
    page.wait_for_function("!document.querySelector('.eo[data-waits]')")
    page.wait_for_function("!document.querySelector('.eo-console-counts').innerText.includes('to go')")
    page.wait_for_timeout(400)  # what glides has arrived


def main() -> int:
    """Make the pictures; return the exit status, 1 for a film that is too large."""
    FOLDER.mkdir(exist_ok=True)
    with notebook(*(picture.cell for picture in PICTURES)) as page:
        for number, picture in enumerate(PICTURES):
            take(page, number, picture)
    with notebook(*FILMED) as page:
        film, still = play(page)
    film.write(MOVING)
    still.quantize(FILM_COLOURS).save(STILL, optimize=True)
    size = MOVING.stat().st_size
    print(f"{MOVING.name}: {len(film.frames)} frames, {size / 1000:.0f} kB")
    return int(size > MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main())
