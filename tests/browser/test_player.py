"""The player in a real browser, by the scene of the page "How to write a scene": steps, the way, tokens, keys."""

import pytest
from jupyter import again
from tests.scene import CODE

pytestmark = pytest.mark.not_by_day

CELLS = (CODE,)
MOVES = ".eo-scene .eo-moves button"


@pytest.fixture
def seats(desk):
    """Give the page after its cell ran again: with seats that nobody has sold."""
    return again(desk, ".eo-scene", ".eo-step-0")


def wait_for_steps(page, number):
    page.wait_for_function(
        "([moves, number]) => document.querySelectorAll(moves).length === number", arg=[MOVES, number]
    )


def test_steps_undo_redo_the_way_and_the_token(seats):
    for number, control in enumerate((".eo-step-0", ".eo-step-1", ".eo-step-0"), 1):
        seats.click(control)
        wait_for_steps(seats, number)
    token = seats.locator("code.eo-token").inner_text()
    seats.click(".eo-undo")
    seats.wait_for_selector(".eo-undone:has-text('1 step undone')")
    seats.click(".eo-redo")
    wait_for_steps(seats, 3)
    seats.click(f"{MOVES} >> nth=0")
    wait_for_steps(seats, 1)
    seats.click(".eo-restart")
    wait_for_steps(seats, 0)
    seats.fill("input.eo-token", token)
    seats.keyboard.press("Enter")
    wait_for_steps(seats, 3)
    assert "Sold: 1. The counter says: 1." in seats.locator(".eo-player-picture").inner_text()
    seats.fill("input.eo-token", "ep2-wrong")
    seats.keyboard.press("Enter")
    seats.wait_for_selector(".eo-scene .eo-field-says:has-text('token')")
    seats.click(".eo-sellers-3")
    seats.wait_for_selector(".eo-player-node:nth-child(3)")
    assert seats.locator(".eo-scene .eo-field-says").count() == 0
    seats.evaluate("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }")
    seats.click(".eo-copy")
    seats.wait_for_selector(".eo-copy:has-text('Copied')")
    assert seats.evaluate("window.copied") == seats.locator("code.eo-token").inner_text()


def test_the_keyboard_is_enough(seats):
    seats.focus(".eo-step-0")
    seats.keyboard.press("Enter")
    wait_for_steps(seats, 1)
    assert seats.evaluate("document.activeElement.dataset.key") == "step-0", "the focus is where it was"
    seats.keyboard.press("2")
    wait_for_steps(seats, 2)
    for key, left in (("u", 1), ("1", 2), ("Backspace", 1)):
        seats.keyboard.press(key)
        wait_for_steps(seats, left)
    seats.keyboard.press("ArrowRight")
    assert seats.evaluate("document.activeElement.dataset.key") == "run-0"
    seats.keyboard.press("ArrowRight")
    seats.keyboard.press("Enter")
    seats.wait_for_selector(".eo-asleep")
    seats.keyboard.press("Enter")
    seats.wait_for_function("!document.querySelector('.eo-asleep')")
    assert seats.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"
