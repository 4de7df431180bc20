"""The crash console in JupyterLab, in a real browser: clicks, keys, themes, sizes."""

import re

import pytest
from jupyter import notebook, open_notebook, reached_by_keys

CELLS = ("from exactly_once.widgets import crash_console", "crash_console()")
OWN = """\
def mine(node):
    node.crash_point("A")
    raise ValueError("I am <b>broken</b>")

crash_console(mine)"""


def verdict(page):
    return page.locator(".eo-console-verdict").inner_text()


def run_at(page, point):
    """Click a letter of the controls, and wait for its verdict."""
    page.click(f".eo-point-{point}")
    page.wait_for_selector(f'.eo-point-{point}[aria-pressed="true"]')
    page.wait_for_selector(".eo-console-verdict .eo-says:is(.eo-is-bad, .eo-is-good, .eo-is-none)")
    page.wait_for_selector('.eo-console[data-busy="idle"]')


def test_click_b_read_the_verdict(console):
    console.click(".eo-console-code .eo-letter-B")
    console.wait_for_selector('.eo-point-B[aria-pressed="true"]')
    console.wait_for_selector(".eo-console-verdict .eo-is-bad")
    assert verdict(console).startswith("✗ Not exactly once.")
    assert "hour 3" in verdict(console)
    assert console.locator(".eo-console-tape .eo-again").inner_text().split() == ["43.3", "hour", "3", "×", "twice"]
    assert "4 is · 4 should be" in console.locator(".eo-counter").inner_text()
    assert re.fullmatch(r"eo2-B3w-\w{4}", console.locator(".eo-token").inner_text())
    assert console.locator(".eo-console-spacetime svg").is_visible()
    assert "dies here, at hour 3" in console.locator(".eo-console-code").inner_text()


@pytest.mark.not_by_day
def test_the_chosen_letter_is_readable_under_the_pointer(console):
    run_at(console, "B")
    console.hover(".eo-console-code .eo-letter-B")
    colour, ground = console.evaluate(
        """(() => { const style = getComputedStyle(document.querySelector('.eo-console-code .eo-letter-B'));
                    return [style.color, style.backgroundColor]; })()"""
    )
    assert colour != ground


@pytest.mark.not_by_day
def test_fill_the_matrix_and_go_to_a_cell(console):
    console.click(".eo-tab-matrix")
    before = console.locator(".eo-fill-matrix").bounding_box()["y"]
    console.click(".eo-fill-matrix")
    console.wait_for_selector(".eo-matrix :text('50 of 50 done')")
    console.wait_for_selector('.eo-console[data-busy="idle"]')
    assert abs(console.locator(".eo-fill-matrix").bounding_box()["y"] - before) < 3, "an update moves the page"
    words = console.locator(".eo-matrix .eo-word").all_inner_texts()
    assert len(words) == 50
    assert not any("not run" in word for word in words)
    console.click('.eo-matrix [data-value="at_most_once|C"]')
    console.wait_for_selector(".eo-console-verdict :text('missing from the output')")
    assert console.locator(".eo-strategy").input_value() == "at_most_once"
    assert console.locator('.eo-tab-run[aria-selected="true"]').is_visible(), "its run is shown"


@pytest.mark.not_by_day
def test_every_control_is_reached_and_used_by_keyboard(console):
    wanted = {
        "eo-strategy", "eo-point-B", "eo-item", "eo-earlier", "eo-console-later", "eo-run-cluster", "eo-stop",
        "eo-tab-run",
        *(f"eo-letter-{point}" for point in "ABCDE"), "eo-guess-harmless", "eo-guess-doubles", "eo-guess-loses",
        "eo-run-simulated", "eo-kind", "eo-console-kill",
    }  # fmt: skip
    console.focus(".eo-strategy")
    assert wanted <= reached_by_keys(console)

    console.focus('.eo-console [data-key="menu"]')
    console.keyboard.press("Enter")
    console.wait_for_selector(".eo-kill-executor", state="visible")
    console.keyboard.press("Escape")
    console.wait_for_selector(".eo-kill-executor", state="hidden")

    console.focus(".eo-point-B")
    for expected in "CD":
        console.keyboard.press("ArrowRight")
        console.wait_for_selector(f'.eo-point-{expected}[aria-pressed="true"]')
        assert console.evaluate(f"document.activeElement.matches('.eo-point-{expected}')")
        console.wait_for_selector(f".eo-console-spacetime :text('SIGKILL at {expected}')")
    console.focus(".eo-item")
    console.keyboard.press("ArrowUp")
    console.keyboard.press("Tab")
    console.wait_for_selector(".eo-console-code :text('at hour 4')")
    console.focus(".eo-console-code .eo-letter-E")
    console.keyboard.press("Space")
    console.wait_for_selector('.eo-console-code .eo-letter-E[aria-pressed="true"]')
    assert console.evaluate("document.activeElement.matches('.eo-console-code .eo-letter-E')"), (
        "the focus is where it was"
    )
    console.focus(".eo-strategy")
    console.keyboard.press("ArrowDown")
    console.wait_for_selector(".eo-console-code :text('def at_most_once')")
    console.click(".eo-tab-matrix")
    console.focus(".eo-replay")
    console.keyboard.type("eo1-B3w-AAAA")
    console.keyboard.press("Enter")
    console.wait_for_selector(".eo-field-says:has-text('eo1-B3w-AAAA')")
    assert console.locator(".eo-replay").input_value() == "eo1-B3w-AAAA", "the field is there, with what was typed"
    assert console.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"


@pytest.mark.not_by_day
def test_a_cell_of_the_tape_lights_its_arrow_its_stamp_and_its_line(console):
    run_at(console, "B")
    console.hover(".eo-console-tape .eo-again")
    lit = console.locator(".eo-console-spacetime .eo-lit")
    assert lit.count() == 2
    assert lit.locator("text").first.text_content() == "75"
    assert console.locator(".eo-console-code .eo-lit").inner_text().startswith("node.output.push")


@pytest.mark.not_by_day
def test_the_focus_can_be_seen(console):
    console.focus(".eo-strategy")
    console.keyboard.press("Tab")
    style = console.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert style == "solid"


@pytest.mark.not_by_day
def test_a_handler_that_raises_shows_its_traceback_and_the_console_goes_on(page, lab):
    notebook(lab.folder / "own.ipynb", CELLS[0], OWN)
    open_notebook(page, lab, "own.ipynb")
    console = page
    console.wait_for_selector(".eo-run-simulated")
    run_at(console, "A")
    text = verdict(console)
    assert "The handler failed" in text
    assert "ValueError: I am <b>broken</b>" in text
    console.select_option(".eo-strategy", "at_least_once")
    console.wait_for_selector(".eo-console-code :text('def at_least_once')")
    console.click(".eo-run-simulated")
    console.wait_for_selector(".eo-console-verdict :text('xactly once')")
