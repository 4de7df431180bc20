"""A newcomer's first minute: from opening chapter 00 to the first verdict, with the time that reading takes."""

import shutil
import time

import jupyter
import nbformat

from exactly_once.paths import ROOT

WORDS_A_MINUTE = 250
MOST_SECONDS = 60
NAME = "00-start-here.ipynb"


def test_the_first_verdict_comes_within_a_minute_of_opening(page, lab):
    path = ROOT / "notebooks" / NAME
    cells = nbformat.read(path, as_version=4).cells
    console = next(number for number, cell in enumerate(cells) if "crash_console()" in cell.source)
    read = sum(len(cell.source.split()) for cell in cells[: console + 1]) / WORDS_A_MINUTE * 60
    shutil.copy(path, lab.folder / NAME)
    begun = time.monotonic()
    page.goto(lab.url(f"lab/workspaces/first/tree/{NAME}"))
    page.wait_for_selector(".jp-NotebookPanel .jp-Cell")
    jupyter.wait_for_idle(page)
    for _ in range(console + 1):
        page.evaluate("window.jupyterapp.commands.execute('notebook:run-cell-and-select-next')")
    page.click(".eo-guess-doubles")
    page.click(".eo-console-code .eo-letter-B")
    page.wait_for_selector(".eo-console-verdict .eo-is-bad")
    seconds = read + time.monotonic() - begun
    assert seconds <= MOST_SECONDS, f"{read:.0f} s of reading, {seconds - read:.0f} s of waiting"
