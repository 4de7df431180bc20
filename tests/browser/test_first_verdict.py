"""A newcomer's first minutes: from opening chapter 00 to the first verdict and the first real crash.

The reading is counted here; the waiting depends on the machine.
"""

import re
import shutil

import jupyter
import nbformat
import pytest

from exactly_once.paths import ROOT

pytestmark = pytest.mark.not_by_day

WORDS_A_MINUTE = 250
# Of reading. The first verdict is to come within a minute of opening, the first real crash within three.
MOST_SECONDS = 45
MOST_SECONDS_TO_A_REAL_CRASH = 90
NAME = "00-start-here.ipynb"


def reading(cells):
    """Return the seconds that a learner reads: a picture's description is for who does not see the picture."""
    return sum(len(re.sub("<img[^>]*>", "", cell.source).split()) for cell in cells) / WORDS_A_MINUTE * 60


def chapter():
    """Return the chapter's file and its cells."""
    path = ROOT / "notebooks" / NAME
    return path, nbformat.read(path, as_version=4).cells


def run_cells(page, lab, path, workspace, number):
    """Open a copy of the chapter, and run its first cells."""
    shutil.copy(path, lab.folder / NAME)
    open_chapter(page, lab, workspace)
    for _ in range(number):
        page.evaluate("window.jupyterapp.commands.execute('notebook:run-cell-and-select-next')")


def open_chapter(page, lab, workspace):
    page.goto(lab.url(f"lab/workspaces/{workspace}/tree/{NAME}"))
    page.wait_for_selector(".jp-NotebookPanel .jp-Cell")
    jupyter.wait_for_idle(page)


@pytest.mark.slow
def test_the_first_verdict_comes_after_little_reading_and_the_next_day_says_what_to_do(fresh_page, lab):
    page = fresh_page
    path, cells = chapter()
    console = next(number for number, cell in enumerate(cells) if "crash_console()" in cell.source)
    asks = " ".join(cell.source for cell in cells[:console])
    assert reading(cells[: console + 1]) <= MOST_SECONDS
    run_cells(page, lab, path, "first", console + 1)
    page.wait_for_function(
        "document.querySelector('.eo-console .eo-toolbar')?.getBoundingClientRect().top"
        " >= document.querySelector('.jp-WindowedPanel-outer').getBoundingClientRect().top"
    )

    # The clicks that the text asks for, to the letter.
    assert "choose one of the four chips: the crash at B runs at once" in asks
    page.click(".eo-guess-loses")
    page.wait_for_selector(".eo-console-verdict .eo-is-bad")
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
@pytest.mark.slow
def test_the_first_real_crash_comes_after_little_reading(fresh_page, lab):
    page = fresh_page
    path, cells = chapter()
    asked = next(number for number, cell in enumerate(cells) if "Now kill a real process" in cell.source)
    assert "crash_console()" in cells[asked - 1].source
    assert reading(cells[: asked + 1]) <= MOST_SECONDS_TO_A_REAL_CRASH
    run_cells(page, lab, path, "real", asked)
    page.click(".eo-guess-doubles")
    page.wait_for_selector(".eo-console-verdict .eo-is-bad")
    page.click(".eo-run-cluster")
    page.wait_for_selector(".eo-ran:has-text('on the cluster')", timeout=180_000)
    assert "pid" in page.locator(".eo-console-spacetime").inner_text()
