"""The delivery lab in JupyterLab, in a real browser: play up to the fault, answers, menus, controls, keys, themes."""

import pytest
from jupyter import notebook, open_notebook

from exactly_once.paths import temporary

CELLS = ("from exactly_once.widgets import delivery_lab", "delivery_lab()")
OPEN_MENU = ".eo-delivery-menu:not([hidden])"
AT_FAULT = ".eo-delivery-ask [data-say=once]"


def open_lab(page, lab, name="delivery.ipynb", theme="JupyterLab Light"):
    notebook(lab.folder / name, *CELLS)
    open_notebook(page, lab, name, theme)
    page.wait_for_selector(".eo-delivery .eo-play")
    page.wait_for_timeout(300)
    page.select_option(".eo-delivery .eo-speed", "220")


def wait_for_count(page, text):
    page.wait_for_function("text => document.querySelector('.eo-delivery .eo-count').innerText === text", arg=text)


def text(page, selector):
    return page.locator(f".eo-delivery {selector}").inner_text()


def record(who, number):
    """Return the selector of a record in a machine."""
    return f".eo-delivery-{who} [data-record='{number}']"


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
    assert text(page, ".eo-delivery-track button") == "1", "it is on its way"
    page.click(".eo-go-last")
    assert "At-least-once was promised, and is kept" in text(page, ".eo-delivery-verdict")
    assert text(page, ".eo-doubled") == "× 1"
    assert page.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"


def test_it_plays_to_the_fault_asks_and_goes_on_with_the_answer(page, lab):
    open_lab(page, lab)
    page.click(".eo-play")
    page.wait_for_selector(AT_FAULT)
    held = text(page, ".eo-count")
    assert "The acknowledgement of record 3 gets lost" in text(page, ".eo-here")
    assert text(page, ".eo-play") == "▶ Play"
    page.wait_for_timeout(700)
    assert text(page, ".eo-count") == held, "it waits for an answer"
    page.click("[data-say=once]")
    page.wait_for_selector(".eo-delivery-verdict")
    assert "You said once: ✗ it is more than once." in text(page, ".eo-delivery-why")
    assert "Record 3 was sent again: the sender could not know that it had arrived." in text(page, ".eo-delivery-why")
    copies = page.locator(".eo-delivery-copy").all_inner_texts()
    assert ["wrong" in copy for copy in copies] == [True, True, False, False]
    page.click(".eo-play")
    page.wait_for_function("document.querySelector('.eo-delivery-verdict') === null")
    page.wait_for_selector(".eo-delivery-verdict")
    page.click(".eo-go-first")
    page.click(".eo-delivery-reset")
    wait_for_count(page, held.replace(held.split()[0], "1", 1))
    page.click(".eo-go-last")
    assert "You said" not in text(page, ".eo-here"), "another run, another question"


def test_it_plays_by_itself_and_stops_when_told(page, lab):
    open_lab(page, lab)
    page.select_option(".eo-delivery .eo-speed", "1300")
    page.click(".eo-play")
    page.wait_for_function("Number(document.querySelector('.eo-delivery .eo-slider').value) >= 2")
    page.click(".eo-play")
    held = text(page, ".eo-count")
    page.wait_for_timeout(1500)
    assert text(page, ".eo-count") == held


def test_the_pointer_on_a_record_opens_the_menu_of_its_faults_and_the_run_plays_from_there(page, lab):
    open_lab(page, lab)
    page.hover(record("producer", 5))
    page.wait_for_selector(OPEN_MENU)
    assert text(page, f"{OPEN_MENU} p") == "At the producer, with record 5:"
    assert page.locator(f"{OPEN_MENU} button").count() == 7
    page.mouse.move(2, 2)
    page.wait_for_selector(OPEN_MENU, state="detached")
    page.hover(record("producer", 5))
    page.click(f"{OPEN_MENU} button:has-text('the request is lost')")
    page.wait_for_selector(AT_FAULT)
    assert (
        text(page, ".eo-delivery-step-says")
        == "Record 5 gets lost on its way to the log. The producer waits, and no answer comes."
    )
    assert text(page, ".eo-delivery-track .eo-delivery-lost") == "✖ 5"
    page.click(".eo-go-last")
    page.hover(record("log", 2))
    page.click(f"{OPEN_MENU} button:has-text('it dies after the effect')")
    page.wait_for_selector(f"{AT_FAULT} >> visible=true")
    assert "The consumer dies right after it counts record 2" in text(page, ".eo-here")
    assert "is dead" in text(page, ".eo-delivery-consumer")
    assert page.input_value(".eo-receiving_at") == "2"
    page.hover(record("producer", 5))
    page.click(f"{OPEN_MENU} button:has-text('nothing')")
    page.wait_for_function("document.querySelectorAll('.eo-delivery .eo-marks span').length === 1")


def test_every_record_and_its_menu_are_reached_by_keys(page, lab):
    open_lab(page, lab)
    page.focus(record("producer", 1))
    for key in ("ArrowDown", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    assert text(page, f"{OPEN_MENU} b") == "4", "the focus opens the menu"
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    assert page.locator(OPEN_MENU).count() == 0
    assert page.evaluate("document.activeElement.dataset.record") == "4", "Escape leads back to the record"
    for key in ("Enter", "End", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector(AT_FAULT)
    assert text(page, ".eo-delivery-step-says").startswith("The broker dies when it has written record 4")
    assert page.evaluate("document.activeElement.matches('.eo-delivery .eo-play')")
    page.focus("[data-say=never]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector(".eo-delivery-why:has-text('You said more than once: ✓ right.')")
    assert page.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"


def test_each_control_makes_another_run(page, lab):
    open_lab(page, lab)
    page.click(".eo-retry-give-up")
    page.wait_for_selector(".eo-promise:has-text('Neither')")
    page.click(".eo-position-first")
    page.wait_for_selector(".eo-delivery-here:has-text('gives up · first')")
    assert text(page, ".eo-promise").endswith("At-most-once: neither side ever does anything again.")
    page.click(".eo-go-last")
    page.select_option(".eo-sending", "broker before")
    page.wait_for_selector(".eo-delivery-step-says:text-is('The producer sends record 3.')")
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
    assert text(page, ".eo-delivery-producer li:has(.eo-delivery-gone) em") == "○ lost"
    page.click(".eo-update-overwrite")
    page.wait_for_selector(".eo-delivery-consumer:has-text('holds')")


def test_a_packet_slides_unless_motion_is_unwanted(page, lab):
    open_lab(page, lab)
    slides = "document.querySelector('.eo-delivery-track > span').getAnimations().length"
    page.click(".eo-go-next")
    assert page.evaluate(
        f"{slides} || getComputedStyle(document.querySelector('.eo-delivery-track > span')).animationName"
    )
    page.click(".eo-go-last")
    page.locator(".eo-slider").fill("1")
    assert page.evaluate(slides) == 0, "what leaps does not slide"
    page.emulate_media(reduced_motion="reduce")
    page.click(".eo-go-first")
    page.click(".eo-go-next")
    assert page.evaluate(slides) == 0


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_nothing_is_cut_off(page, lab, theme):
    open_lab(page, lab, f"delivery-{theme.lower()}.ipynb", f"JupyterLab {theme}")
    page.select_option(".eo-receiving", "after")
    page.wait_for_function("document.querySelectorAll('.eo-delivery .eo-marks span').length === 2")
    page.click(".eo-update-overwrite")
    page.wait_for_selector(".eo-delivery-consumer:has-text('holds')")
    page.click(".eo-go-last")
    page.wait_for_selector(".eo-delivery-verdict")
    page.evaluate("document.querySelector('.eo-delivery').scrollIntoView()")
    page.screenshot(path=temporary("screenshots") / f"delivery-{theme.lower()}.png")
    box = page.locator(".eo-delivery").bounding_box()
    assert box["x"] + box["width"] <= 1280
    assert box["height"] <= 690, "the lab fits a screen"
    cut = page.evaluate(
        """[...document.querySelectorAll('.eo-delivery :is(button, p, td, th, small, .eo-delivery-machine)')]
           .filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1).map(e => e.className || e.nodeName)"""
    )
    assert cut == []
