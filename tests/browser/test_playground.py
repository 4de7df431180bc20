"""The clock playground in JupyterLab, in a real browser: mouse, keys, themes."""

import pytest
from jupyter import again

pytestmark = pytest.mark.not_by_day

CELLS = ("from exactly_once.widgets import clock_playground", "clock_playground()")
EXAMPLE = {"a": "1", "b": "1", "c": "2", "d": "3", "e": "4", "f": "2", "g": "4", "h": "5", "i": "6", "j": "7"}


def stamps(page):
    return page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.eo-playground-event')].map("
        "each => [each.dataset.name, each.querySelector('.eo-stamp').textContent]))"
    )


def wait_for_stamps(page, expected):
    page.wait_for_function(
        "expected => Object.entries(expected).every(([name, stamp]) => "
        "document.querySelector(`.eo-playground-event[data-name='${name}'] .eo-stamp`)?.textContent === stamp) && "
        "document.querySelectorAll('.eo-playground-event').length === Object.keys(expected).length",
        arg=expected,
    )


def spot(page, row, column):
    """The point of a line and a column on the page: as the picture has them while no vectors are shown."""
    box = page.locator("svg.eo-diagram").bounding_box()
    return box["x"] + 14 + 46 * column, box["y"] + 44 + 76 * row


def event(page, name):
    """The point of an event. The picture is drawn anew at each move, so it is asked for in one go."""
    return page.evaluate(
        """name => {
             const circles = document.querySelectorAll(`.eo-playground-event[data-name="${name}"] > circle`);
             const box = circles[circles.length - 1].getBoundingClientRect();
             return [box.x + box.width / 2, box.y + box.height / 2];
           }""",
        name,
    )


def drag(page, start, end, drop=True):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
    page.mouse.move(*end, steps=3)
    if drop:
        page.mouse.up()


def error(page):
    return page.locator('.eo-playground [data-region="error"]').inner_text()


@pytest.fixture
def playground(desk):
    """The page after its cells ran again: with the example, untouched."""
    again(desk, ".eo-playground", ".eo-playground-event")
    desk.evaluate("document.querySelector('.eo-playground').scrollIntoView()")
    desk.wait_for_timeout(200)
    return desk


def test_click_an_event_drag_a_message_and_undo(playground):
    page = playground
    page.mouse.click(*spot(page, 2, 7))
    wait_for_stamps(page, EXAMPLE | {"k": "3"})
    drag(page, spot(page, 0, 8), spot(page, 1, 11))
    wait_for_stamps(page, EXAMPLE | {"k": "3", "l": "5", "m": "7"})
    assert page.locator(".eo-arrow").count() == 5
    page.click(".eo-undo")
    wait_for_stamps(page, EXAMPLE | {"k": "3"})
    page.click(".eo-redo")
    wait_for_stamps(page, EXAMPLE | {"k": "3", "l": "5", "m": "7"})


@pytest.mark.slow
def test_stamps_follow_while_an_event_is_dragged(playground):
    page = playground
    drag(page, event(page, "a"), spot(page, 0, 7), drop=False)
    followed = {"a": "4", "b": "1", "c": "1", "d": "2", "e": "3", "f": "2", "g": "3", "h": "4", "i": "5", "j": "6"}
    wait_for_stamps(page, followed)
    assert page.locator(".eo-undo").get_attribute("aria-disabled") == "true", "nothing is done before the drop"
    page.mouse.up()
    wait_for_stamps(page, followed)
    page.wait_for_selector('.eo-undo:not([aria-disabled="true"])')


def test_a_drag_that_would_make_a_circle_is_refused_in_words(playground):
    page = playground
    drag(page, spot(page, 1, 11), spot(page, 0, 8))
    wait_for_stamps(page, EXAMPLE | {"k": "7", "l": "8"})
    drag(page, event(page, "l"), spot(page, 0, 0.6), drop=False)
    page.wait_for_selector(".eo-playground-event.eo-playground-refused")
    assert "l comes before k already (l → " in error(page)
    page.mouse.up()
    page.wait_for_function("!document.querySelector('.eo-playground-refused')")
    wait_for_stamps(page, EXAMPLE | {"k": "7", "l": "8"})
    assert "nothing happens before itself" in error(page)
    page.mouse.click(*event(page, "a"))
    page.wait_for_function("document.querySelector('.eo-playground [data-region=error]').innerText === ''")


def test_everything_by_keyboard(playground):
    page = playground
    page.click(".eo-clear")
    wait_for_stamps(page, {})
    page.focus(".eo-example")
    page.keyboard.press("Tab")  # the name of the first process
    for _ in range(20):
        if page.evaluate("document.activeElement.matches('svg.eo-diagram')"):
            break
        page.keyboard.press("Tab")
    page.wait_for_selector(".eo-playground-cursor")
    page.keyboard.press("Enter")
    wait_for_stamps(page, {"a": "1"})
    assert page.locator(".eo-spoken").text_content()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("m")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("m")
    wait_for_stamps(page, {"a": "1", "b": "2", "c": "3"})
    page.wait_for_function("document.querySelector('.eo-playground-cursor')")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Home")
    assert "event a on P1, local; Lamport stamp 1" in page.locator(".eo-spoken").text_content()
    page.keyboard.press("Shift+ArrowRight")
    wait_for_stamps(page, {"a": "2", "b": "1", "c": "2"})
    page.keyboard.press("Shift+ArrowLeft")
    wait_for_stamps(page, {"a": "1", "b": "2", "c": "3"})
    page.keyboard.press("Enter")
    page.wait_for_selector(".eo-chosen")
    page.keyboard.press("Escape")
    page.wait_for_function("!document.querySelector('.eo-chosen')")
    page.keyboard.press("Delete")
    wait_for_stamps(page, {"b": "1", "c": "2"})
    page.keyboard.press("Control+z")
    wait_for_stamps(page, {"a": "1", "b": "2", "c": "3"})
    page.keyboard.press("Control+Shift+z")
    wait_for_stamps(page, {"b": "1", "c": "2"})
    assert page.evaluate("document.activeElement.matches('svg.eo-diagram')"), "the focus stays"
    assert page.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"


@pytest.mark.slow
def test_a_message_click_by_click_and_escape_gives_it_up(playground):
    page = playground
    page.click(".eo-tool-message")
    page.wait_for_selector('.eo-tool-message[aria-pressed="true"]')
    page.mouse.click(*spot(page, 2, 6))
    page.mouse.move(*spot(page, 1, 9))
    page.wait_for_selector(".eo-rope")
    page.keyboard.press("Escape")
    page.wait_for_function("!document.querySelector('.eo-rope')")
    page.mouse.click(*spot(page, 2, 6))
    page.mouse.click(*spot(page, 1, 9.5))
    wait_for_stamps(page, EXAMPLE | {"k": "3", "l": "7"})


@pytest.mark.slow
def test_processes_are_named_added_and_removed_and_a_bad_name_is_kept_to_be_mended(playground):
    page = playground
    page.fill(".eo-name-2", "P1")
    page.keyboard.press("Enter")
    page.wait_for_selector('.eo-name-2[aria-invalid="true"]')
    assert "called 'P1' already" in error(page)
    assert page.locator(".eo-name-2").input_value() == "P1"
    page.fill(".eo-name-2", "broker")
    page.keyboard.press("Enter")
    page.wait_for_selector('.eo-name-2[aria-invalid="false"]')
    page.click(".eo-add-process")
    page.wait_for_selector(".eo-name-4")
    page.click('[data-key="remove-2"]')
    page.wait_for_function("document.querySelectorAll('input.eo-name').length === 3")
    wait_for_stamps(page, {"a": "1", "b": "1", "f": "2", "g": "2"})
