"""A newcomer's first minutes: from opening chapter 00 to the first verdict and the first real crash, with reading."""

import shutil
import time

import jupyter
import nbformat
import pytest

from exactly_once.paths import ROOT

WORDS_A_MINUTE = 250
MOST_SECONDS = 60
MOST_SECONDS_TO_A_REAL_CRASH = 180
NAME = "00-start-here.ipynb"


def open_chapter(page, lab, workspace):
    page.goto(lab.url(f"lab/workspaces/{workspace}/tree/{NAME}"))
    page.wait_for_selector(".jp-NotebookPanel .jp-Cell")
    jupyter.wait_for_idle(page)


def test_the_first_verdict_comes_within_a_minute_of_opening_and_the_next_day_says_what_to_do(page, lab):
    path = ROOT / "notebooks" / NAME
    cells = nbformat.read(path, as_version=4).cells
    console = next(number for number, cell in enumerate(cells) if "crash_console()" in cell.source)
    asks = " ".join(cell.source for cell in cells[:console])
    read = sum(len(cell.source.split()) for cell in cells[: console + 1]) / WORDS_A_MINUTE * 60
    shutil.copy(path, lab.folder / NAME)
    begun = time.monotonic()
    open_chapter(page, lab, "first")
    for _ in range(console + 1):
        page.evaluate("window.jupyterapp.commands.execute('notebook:run-cell-and-select-next')")

    # The clicks that the text asks for, to the letter.
    assert "choose one of the four chips: the crash at B runs at once" in asks
    page.click(".eo-guess-loses")
    page.wait_for_selector(".eo-console-verdict .eo-is-bad")
    seconds = read + time.monotonic() - begun
    assert seconds <= MOST_SECONDS, f"{read:.0f} s of reading, {seconds - read:.0f} s of waiting"
    page.wait_for_selector(".eo-said:has-text('You said: ○ loses ✗')")
    assert page.locator(".eo-did").inner_text() == "It did: × doubles"

    # A second crash at the same place, by a click in the code or on the controls, keeps the prediction.
    page.wait_for_function("!document.querySelector('.eo-console-counts').innerText.includes('to go')")
    for letter in (".eo-console-code .eo-letter-B", ".eo-point-B"):
        page.click(letter)
        page.click(".eo-point-B")
        page.wait_for_function("!document.querySelector('.eo[data-waits]')")
        assert "loses ✗" in page.locator(".eo-said").inner_text(), letter
    page.click(".eo-point-D")
    page.wait_for_selector(".eo-did:has-text('corrupts')")
    assert page.locator(".eo-said").count() == 0, "it was said of B"
    assert page.locator(".eo-console-right .eo-guess").count() == 4, "there is another guess to come"

    # Saved, closed, and opened again the next day.
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_function("!document.querySelector('.jp-mod-dirty, .lm-mod-dirty')")
    lab.end_sessions()
    open_chapter(page, lab, "second")
    dead = page.locator(".jp-OutputArea-output.jupyter-widgets")
    dead.first.wait_for()
    for number in range(dead.count()):
        said = dead.nth(number).evaluate(
            "e => [getComputedStyle(e, '::before').content, getComputedStyle(e).fontSize]"
        )
        assert "Run All Above Selected Cell" in said[0]
        assert "your answers are kept" in said[0]
        assert said[1] == "0px", "JupyterLab's own words, which help nobody, are not seen"


@pytest.mark.cluster
def test_the_first_real_crash_comes_within_three_minutes_of_opening(page, lab):
    path = ROOT / "notebooks" / NAME
    cells = nbformat.read(path, as_version=4).cells
    asked = next(number for number, cell in enumerate(cells) if "Now kill a real process" in cell.source)
    assert "crash_console()" in cells[asked - 1].source
    read = sum(len(cell.source.split()) for cell in cells[: asked + 1]) / WORDS_A_MINUTE * 60
    shutil.copy(path, lab.folder / NAME)
    begun = time.monotonic()
    open_chapter(page, lab, "real")
    for _ in range(asked):
        page.evaluate("window.jupyterapp.commands.execute('notebook:run-cell-and-select-next')")
    page.click(".eo-guess-doubles")
    page.wait_for_selector(".eo-console-verdict .eo-is-bad")
    page.click(".eo-run-cluster")
    page.wait_for_selector(".eo-ran:has-text('on the cluster')", timeout=MOST_SECONDS_TO_A_REAL_CRASH * 1000)
    assert "pid" in page.locator(".eo-console-spacetime").inner_text()
    seconds = read + time.monotonic() - begun
    assert seconds <= MOST_SECONDS_TO_A_REAL_CRASH, f"{read:.0f} s of reading, {seconds - read:.0f} s of waiting"
