"""Predictions and gaps in JupyterLab, in a real browser: answer, see the fold open; *Run All* passes."""

import nbformat
import pytest
from jupyter import notebook, open_notebook

from exactly_once.course import my_work

ASK = """
from exactly_once.course.kit import gap, predict
letters = predict("04-test", "What does a crash do, and how often is hour `3` there?",
                  rows={"at A": ("harmless", "doubles", "loses"), "hour 3": int})
letters
"""
TELL = """
from exactly_once import show
letters.reveal(show.Picture("<p class='secret'>Here it is.</p>"), it_did={"at A": "harmless", "hour 3": 2})
"""
CHIPS = """
one = predict("04-chips", "What is in the output in the end?", choices=("1 2 3", "1 2 3 3", "3"))
one
"""
UNCOVER = 'one.reveal(it_did="1 2 3 3")'
GAP = """
def mine(producer, kind):
    return 1
filled = gap("03-copies", mine)
filled
"""
PROSE = '<details class="eo-after-04-test"><summary>Why?</summary>\n\n**Because** of that.\n\n</details>'


def open_kit(page, lab, name="kit.ipynb", theme="JupyterLab Light"):
    for file in ("predictions.json", "progress.json"):
        (my_work.folder() / file).unlink(missing_ok=True)
    my_work.note("03-copies", False)  # with the cell below two tries, which open the library's version
    notebook(lab.folder / name, ASK.strip(), TELL.strip(), CHIPS.strip(), UNCOVER, GAP.strip())
    book = nbformat.read(lab.folder / name, as_version=4)
    book.cells.insert(2, nbformat.v4.new_markdown_cell(PROSE))
    nbformat.write(book, lab.folder / name)
    open_notebook(page, lab, name, theme)
    page.wait_for_selector(".eo-ask .eo-ask-chip")
    page.wait_for_selector(".eo-gap details")


def answer(page):
    page.click(".eo-ask .eo-chip-0-1")
    page.fill(".eo-ask .eo-fill-1", "2")
    page.keyboard.press("Tab")
    page.click(".eo-ask .eo-keep:not([aria-disabled])")


@pytest.mark.not_by_day
def test_an_answer_opens_what_was_folded_output_and_prose(page, lab):
    open_kit(page, lab)
    assert not page.locator(".secret").is_visible(), "all cells ran, and nothing is given away"
    assert not page.locator("strong:text('Because')").is_visible()
    assert page.locator(".eo-reveal summary").first.inner_text().startswith("Not predicted yet")
    answer(page)
    page.wait_for_selector(".secret", state="visible")
    page.wait_for_selector("strong:text('Because')", state="visible")
    rows = page.locator(".eo-reveal-04-test table.eo-told tbody tr").all_inner_texts()
    assert [row.split("\t") for row in rows] == [
        ["at A", "doubles", "harmless", "✗ not so"],
        ["hour 3", "2", "2", "✓ as you said"],
    ]
    page.click(".eo-ask .eo-chip-0-0", force=True)
    chosen = page.locator(".eo-ask .eo-chip-0-1").first
    assert chosen.get_attribute("aria-pressed") == "true", "a kept answer stands"
    assert "✓" not in chosen.inner_text(), "it says that an answer is right"
    page.emulate_media(forced_colors="active")
    ground = "e => getComputedStyle(e).backgroundColor"
    assert chosen.evaluate(ground) != page.locator(".eo-ask .eo-chip-0-0").first.evaluate(ground)
    page.emulate_media(forced_colors="none")
    page.click(".eo-anew")
    page.wait_for_selector(".secret", state="hidden")
    page.wait_for_selector("strong:text('Because')", state="hidden")


@pytest.mark.slow
def test_the_saved_page_is_as_it_was_seen(page, lab):
    open_kit(page, lab, "saved.ipynb")
    answer(page)
    page.wait_for_selector(".secret", state="visible")
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_function("!document.querySelector('.jp-mod-dirty, .lm-mod-dirty')")
    cells = [
        cell for cell in nbformat.read(lab.folder / "saved.ipynb", as_version=4).cells if cell.cell_type == "code"
    ]
    opened, folded = (cells[number].outputs[0]["data"]["text/html"] for number in (1, 3))
    assert "<details" not in opened
    assert "✓ as you said" in opened
    assert "<details><summary>Not predicted yet" in folded
    assert "1 2 3 3" in cells[2].outputs[0]["data"]["text/html"], "a page without widgets has the question"


@pytest.mark.not_by_day
def test_it_is_answered_by_keys(page, lab):
    open_kit(page, lab)
    page.focus(".eo-ask .eo-chip-0-0")
    for key in ("ArrowRight", "Space", "Tab", "2", "Tab"):
        page.keyboard.press(key)
    page.wait_for_selector(".eo-ask .eo-keep:not([aria-disabled])")
    page.keyboard.press("Enter")
    page.wait_for_selector(".secret", state="visible")
    assert page.locator(".jp-Notebook .jp-Cell").count() == 6, "no key went to the notebook"
