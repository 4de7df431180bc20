"""Proving in JupyterLab, in a real browser: bounds by keyboard, the counterexample, Stop, the debugger below."""

import pytest

pytestmark = pytest.mark.not_by_day

CELLS = ("from exactly_once.widgets import crash_console", "crash_console()")
BAD, GOOD, OPEN = ".eo-proved .eo-is-bad", ".eo-proved .eo-is-good", ".eo-proved .eo-is-none"


def in_view(page, selector):
    """Tell whether the whole of an element is in the part of the notebook that can be seen."""
    box = page.locator(selector).first.bounding_box()
    panel = page.locator(".jp-NotebookPanel-notebook").first.bounding_box()
    return box["y"] >= panel["y"] and box["y"] + box["height"] <= panel["y"] + panel["height"]


def test_prove_from_the_top_brings_the_counterexample_into_view_and_it_opens(desk):
    page = desk
    page.wait_for_selector(".eo-tab-prove")
    page.wait_for_timeout(400)  # the diagram asks for its width once
    page.click(".eo-tab-prove")
    page.click(".eo-prove")
    page.wait_for_selector(BAD)
    assert page.locator(".eo-found svg.eo-st").is_visible()
    assert "× twice" in page.locator(".eo-found .eo-cells").inner_text()
    assert in_view(page, BAD)
    page.click(".eo-open-proof")
    page.wait_for_selector(".eo-opened .eo-debugger-step-says:has-text('Step 1 of')")
    page.click(".eo-opened .eo-next-fault")
    page.wait_for_selector(".eo-opened .eo-debugger-step-says:has-text('dies: SIGKILL')")
    assert "at_least_once" in page.locator(".eo-opened .eo-debugger-code").inner_text()
    page.click(".eo-tab-run")
    page.click(".eo-letter-D")
    page.wait_for_selector(".eo-console-verdict .eo-is-bad")
    page.click(".eo-open-run")
    page.wait_for_selector(".eo-opened .eo-debugger-fault:has-text('SIGKILL at D')")
    assert page.locator(".eo-opened .eo-debugger").count() == 1


def test_the_keyboard_is_enough_and_stop_works(desk):
    page = desk
    page.select_option(".eo-strategy", "lock_free")
    page.click(".eo-tab-prove")
    page.focus(".eo-nodes")
    page.keyboard.press("Control+a")
    page.keyboard.type("3")
    for value in ("8", "1"):
        page.keyboard.press("Tab")
        page.keyboard.press("Control+a")
        page.keyboard.type(value)
    for _ in range(7):  # five more kinds of faults, the limit of time, Prove
        page.keyboard.press("Tab")
    page.wait_for_timeout(200)
    assert page.evaluate("document.activeElement.className").startswith("eo-button eo-prove")
    page.keyboard.press("Enter")
    page.wait_for_selector(".eo-proving .eo-status:has-text('a second')")
    assert page.locator(".eo-proving .eo-status progress").is_visible()
    page.focus(".eo-stop")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{OPEN}:has-text('it was stopped')")
    assert "Proved" not in page.locator(".eo-proved").inner_text()
    page.fill(".eo-nodes", "2")
    page.fill(".eo-items", "2")
    page.keyboard.press("Tab")
    page.click(".eo-prove")
    page.wait_for_selector(f"{GOOD}:has-text('Proved: no violation within these bounds')")
    page.fill(".eo-nodes", "99")
    page.keyboard.press("Tab")
    page.wait_for_selector(".eo-field-says:has-text('Nodes is 99')")
    page.fill(".eo-nodes", "1")
    page.keyboard.press("Tab")
    page.wait_for_selector(".eo-field-says", state="detached")
    assert page.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"
