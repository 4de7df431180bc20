"""The delivery lab in JupyterLab, in a real browser: controls, keys, play, themes."""

import pytest
from jupyter import notebook, open_notebook

from exactly_once.paths import temporary

CELLS = ("from exactly_once.widgets import delivery_lab", "delivery_lab()")


def open_lab(page, lab, name="delivery.ipynb", theme="JupyterLab Light"):
    notebook(lab.folder / name, *CELLS)
    open_notebook(page, lab, name, theme)
    page.wait_for_selector(".eo-delivery .eo-play")
    page.wait_for_timeout(300)


def wait_for_count(page, text):
    page.wait_for_function("text => document.querySelector('.eo-delivery .eo-count').innerText === text", arg=text)


def text(page, selector):
    return page.locator(f".eo-delivery {selector}").inner_text()


def test_keys_and_buttons_step_and_the_last_step_brings_the_verdict(page, lab):
    open_lab(page, lab)
    last = int(text(page, ".eo-count").split()[-1])
    page.focus(".eo-slider")
    for key, number in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", last), ("Home", 1)):
        page.keyboard.press(key)
        wait_for_count(page, f"{number} of {last}")
        assert page.locator(".eo-delivery-verdict").count() == (number == last)
    page.click(".eo-go-next")
    wait_for_count(page, f"2 of {last}")
    assert text(page, ".eo-delivery-step-says") == "The producer sends record 1."
    page.click(".eo-go-last")
    assert "At-least-once was promised, and is kept" in text(page, ".eo-delivery-verdict")
    assert text(page, ".eo-big.eo-doubled") == "× 1"
    assert page.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"


def test_it_plays_by_itself_and_stops_when_told(page, lab):
    open_lab(page, lab)
    page.click(".eo-play")
    page.wait_for_function("Number(document.querySelector('.eo-delivery .eo-slider').value) >= 2")
    page.click(".eo-play")
    held = text(page, ".eo-count")
    page.wait_for_timeout(1_500)
    assert text(page, ".eo-count") == held
    page.click(".eo-play")
    page.click(".eo-delivery-reset")
    wait_for_count(page, held.replace(held.split()[0], "1", 1))


def test_each_control_makes_another_run(page, lab):
    open_lab(page, lab)
    page.click(".eo-retry-give-up")
    page.wait_for_selector(".eo-promise:has-text('Neither')")
    page.click(".eo-position-first")
    page.wait_for_selector(".eo-promise:has-text('At-most-once')")
    page.select_option(".eo-sending", "broker before")
    page.wait_for_function("document.querySelector('.eo-delivery .eo-count').innerText.startsWith('1 of')")
    page.wait_for_timeout(500)
    page.click(".eo-go-last")
    assert "Record 3 never took effect" in text(page, ".eo-delivery-verdict")
    page.fill("input.eo-sending_at", "9")
    page.keyboard.press("Tab")
    page.wait_for_selector(".eo-delivery .eo-field-says:has-text('must be between 1 and 6')")
    page.fill("input.eo-sending_at", "5")
    page.keyboard.press("Tab")
    page.wait_for_function("!document.querySelector('.eo-delivery .eo-field-says')")
    page.click(".eo-go-last")
    assert "Record 5 never took effect" in text(page, ".eo-delivery-verdict")


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_nothing_is_cut_off(page, lab, theme):
    open_lab(page, lab, f"delivery-{theme.lower()}.ipynb", f"JupyterLab {theme}")
    page.select_option(".eo-receiving", "after")
    page.click(".eo-update-overwrite")
    page.wait_for_timeout(600)
    page.click(".eo-go-last")
    page.evaluate("document.querySelector('.eo-delivery').scrollIntoView()")
    page.wait_for_timeout(400)
    page.screenshot(path=temporary("screenshots") / f"delivery-{theme.lower()}.png")
    box = page.locator(".eo-delivery").bounding_box()
    assert box["x"] + box["width"] <= 1280
    assert box["height"] <= 690, "the lab fits a screen"
    cut = page.evaluate(
        """[...document.querySelectorAll('.eo-delivery :is(button, p, td, th, small, .eo-cell)')]
           .filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1).map(e => e.className || e.nodeName)"""
    )
    assert cut == []
