"""Make the README's moving picture, and its still one, from the crash console itself: `tools/moving_picture.py`.

A Chromium opens a notebook with a console, clicks B, waits for the verdict, and clicks *Now for real*: a task of a real
Spark cluster is killed with SIGKILL. Nothing is drawn but the pointer and the line of words at the foot; all the rest
is what the page shows. Takes about a minute. With `--frames FOLDER` each frame is written there as well, to look at.
"""

import argparse
import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from exactly_once.paths import ROOT, temporary

sys.path.insert(0, str(ROOT / "tests" / "browser"))
import jupyter

IMAGES = ROOT / "notebooks" / "images"
MOVING, STILL = IMAGES / "kill-now.gif", IMAGES / "kill-now.png"
WIDTH = 830  # pixels: as wide as GitHub shows a README
MOST_BYTES = 1_000_000
COLOURS = 128
STARTING_MS = 120_000  # the cluster starts, and on a small machine beside other work
CELLS = (
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

    def __init__(self, page):
        self.page, self.frames, self.at = page, [], (WIDTH * 0.6, 150)

    def take(self, milliseconds):
        """Take one frame of the page; one that is the same as the last makes that one last longer."""
        shot = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        if self.frames and shot.tobytes() == self.frames[-1][0].tobytes():
            self.frames[-1][1] += milliseconds
        else:
            self.frames.append([shot, milliseconds])

    def say(self, words):
        """Write the line at the foot."""
        self.page.evaluate("words => { document.querySelector('#words').textContent = words; }", words)

    def click(self, selector):
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

    def write(self, path):
        """Write the film, as a GIF that begins again when it ends, in one set of colours."""
        wide, high = self.frames[0][0].size
        sheet = Image.new("RGB", (wide, high * len(self.frames)))
        for number, (shot, _) in enumerate(self.frames):
            sheet.paste(shot, (0, high * number))
        palette = sheet.quantize(COLOURS, method=Image.Quantize.MEDIANCUT)
        first, *others = (shot.quantize(palette=palette, dither=Image.Dither.NONE) for shot, _ in self.frames)
        lasting = [milliseconds for _, milliseconds in self.frames]
        first.save(path, save_all=True, append_images=others, duration=lasting, loop=0, optimize=False)


def play(page):
    """Crash the handler at B, simulated and then for real; return the `Film`, and the still picture."""
    page.set_viewport_size({"width": WIDTH, "height": 800})
    page.evaluate(STAGE, WIDTH)
    page.wait_for_function("!document.querySelector('.eo[data-waits]')")
    page.wait_for_timeout(800)  # the diagram asks for its new width, once
    high = page.locator(".eo-console").bounding_box()["height"]
    film = Film(page)
    page.click(".eo-point-B")  # the highest page that is to come, so that nothing jumps
    ready(page)
    high = max(high, page.locator(".eo-console").bounding_box()["height"])
    page.set_viewport_size({"width": WIDTH, "height": int(high) + 16 + 44})
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


def ready(page):
    """Wait until the console has done what it was asked, and has drawn it."""
    page.wait_for_selector('.eo-console[data-busy="idle"]', timeout=STARTING_MS)
    page.wait_for_function("!document.querySelector('.eo[data-waits]')")
    page.wait_for_function("!document.querySelector('.eo-console-counts').innerText.includes('to go')")
    page.wait_for_timeout(400)  # what glides has arrived


def main():
    """Make both pictures; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=Path, metavar="FOLDER", help="write each frame there as well")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=temporary()) as folder, sync_playwright() as playwright:
        lab = jupyter.Lab(Path(folder))
        try:
            jupyter.notebook(lab.folder / "picture.ipynb", *CELLS)
            with jupyter.browser(playwright) as opened, jupyter.watched_page(opened, lab) as page:
                jupyter.open_notebook(page, lab, "picture.ipynb", seconds=STARTING_MS // 1000)
                film, still = play(page)
        finally:
            lab.stop()
    if asked.frames:
        asked.frames.mkdir(parents=True, exist_ok=True)
        for number, (shot, _) in enumerate(film.frames):
            shot.save(asked.frames / f"{number:02d}.png")
    film.write(MOVING)
    still.quantize(COLOURS).save(STILL, optimize=True)
    seconds, size = sum(lasting for _, lasting in film.frames) / 1000, MOVING.stat().st_size
    print(
        f"{len(film.frames)} frames, {seconds:.1f} s, {size / 1000:.0f} kB; still {STILL.stat().st_size / 1000:.0f} kB"
    )
    return int(size > MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main())
