"""The queue stepper in JupyterLab, in a real browser: each control by its effect, keys, themes, the kernel."""

import pytest
from jupyter import change_theme

from exactly_once.paths import temporary

CELLS = ("from exactly_once.widgets import queue_stepper", "queue_stepper()")
MOVES = ".eo-queue-stepper .eo-moves button"


def wait_for_steps(page, number):
    page.wait_for_function(
        "([moves, number]) => document.querySelectorAll(moves).length === number", arg=[MOVES, number]
    )


def wait_for(page, words):
    page.wait_for_selector(f".eo-queue-stepper .eo-banner:has-text({words!r})")


def click(page, *selectors):
    """Press controls, one after the other, each when the one before has been carried out."""
    for selector in selectors:
        before = page.locator(MOVES).count()
        page.click(f".eo-queue-stepper {selector}")
        if selector.startswith(".eo-step"):
            wait_for_steps(page, before + 1)


def values(page):
    return page.locator(".eo-queue-stepper .eo-taken b").all_inner_texts()


@pytest.fixture
def queue(desk):
    """Give the page with two pushers of two values each, before the first step."""
    desk.wait_for_selector(".eo-queue-stepper .eo-step-0")
    for choice in (".eo-queue-lock-free", ".eo-pushers-2", ".eo-values-2"):
        click(desk, choice)
        desk.wait_for_selector(f".eo-queue-stepper {choice}[aria-pressed=true]")
    wait_for_steps(desk, 0)
    return desk


def test_steps_sleep_and_help_are_seen_in_the_cells(queue):
    click(queue, ".eo-step-1", ".eo-step-1", ".eo-sleep-1")
    queue.wait_for_selector(".eo-asleep :text('asleep before: move the hint to 1')")
    assert queue.locator(".eo-step-1").get_attribute("aria-disabled") == "true"
    click(queue, ".eo-step-0", ".eo-step-0", ".eo-step-0", ".eo-step-0")
    wait_for(queue, "Pusher 1 helps.")
    assert values(queue) == ["2a", "1a"]
    assert "the hint says 2" in queue.locator(".eo-queue-stepper-hint").inner_text()
    click(queue, ".eo-run-0")
    wait_for(queue, "Pusher 2 sleeps, and the others have finished.")
    click(queue, ".eo-sleep-1", ".eo-all")
    wait_for(queue, "All have ended.")
    assert sorted(values(queue)) == ["1a", "1b", "2a", "2b"]


def test_a_death_doubles_and_with_a_prepared_place_it_does_not(queue):
    click(queue, ".eo-step-0", ".eo-step-0", ".eo-kill-0", ".eo-all")
    wait_for(queue, "1a is in the queue twice")
    assert queue.locator(".eo-again").count() == 2
    click(queue, ".eo-queue-prepared")
    wait_for_steps(queue, 0)
    click(queue, *[".eo-step-0"] * 6, ".eo-kill-0", ".eo-all")
    wait_for(queue, "All have ended.")
    assert sorted(values(queue)) == ["1a", "1b", "2a", "2b"]


def test_a_spinlock_spins_and_reserving_pushers_undo_each_other(queue):
    click(queue, ".eo-queue-spinlock", ".eo-pushers-3")
    wait_for_steps(queue, 0)
    queue.wait_for_selector(".eo-player-node:nth-child(3)")
    click(queue, ".eo-step-0", ".eo-step-0", ".eo-sleep-0", ".eo-run-2")
    wait_for(queue, "Pusher 3 spins. Pusher 1 has the lock and sleeps.")
    assert "has the lock" in queue.locator(".eo-player-node").first.inner_text()
    click(queue, ".eo-queue-reserving", ".eo-all")
    wait_for(queue, "nobody has come to an end")
    click(queue, ".eo-run-1")
    queue.wait_for_selector(".eo-player-node:nth-child(2) :text('has ended')")


def test_undo_redo_the_way_and_the_token(queue):
    click(queue, ".eo-step-0", ".eo-step-0", ".eo-step-1")
    token = queue.locator("code.eo-token").inner_text()
    click(queue, ".eo-undo")
    queue.wait_for_selector(".eo-undone:has-text('1 step undone')")
    click(queue, ".eo-redo")
    wait_for_steps(queue, 3)
    queue.click(f"{MOVES} >> nth=0")
    wait_for_steps(queue, 1)
    click(queue, ".eo-restart")
    wait_for(queue, "Nothing is in the queue yet.")
    queue.fill("input.eo-token", token)
    queue.keyboard.press("Enter")
    wait_for_steps(queue, 3)
    assert values(queue) == ["1a"]
    queue.fill("input.eo-token", "ep2-wrong")
    queue.keyboard.press("Enter")
    queue.wait_for_selector(".eo-queue-stepper .eo-field-says:has-text('token')")
    click(queue, ".eo-values-1")
    wait_for_steps(queue, 0)
    assert queue.locator(".eo-queue-stepper .eo-field-says").count() == 0
    queue.evaluate("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }")
    click(queue, ".eo-copy")
    queue.wait_for_selector(".eo-copy:has-text('Copied')")
    assert queue.evaluate("window.copied") == queue.locator("code.eo-token").inner_text()


def test_the_keyboard_is_enough(queue):
    queue.focus(".eo-step-0")
    queue.keyboard.press("Enter")
    wait_for_steps(queue, 1)
    assert queue.evaluate("document.activeElement.dataset.key") == "step-0", "the focus is where it was"
    queue.keyboard.press("2")
    wait_for_steps(queue, 2)
    queue.keyboard.press("u")
    wait_for_steps(queue, 1)
    queue.keyboard.press("ArrowRight")
    assert queue.evaluate("document.activeElement.dataset.key") == "run-0"
    queue.keyboard.press("ArrowRight")
    queue.keyboard.press("Enter")
    queue.wait_for_selector(".eo-asleep")
    queue.keyboard.press("Enter")
    queue.wait_for_function("!document.querySelector('.eo-asleep')")
    assert queue.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_it_fits_one_screen_and_nothing_is_cut_off(queue, theme):
    page = queue
    change_theme(page, f"JupyterLab {theme}")
    click(page, ".eo-pushers-3", ".eo-queue-prepared")
    page.wait_for_selector(".eo-player-node:nth-child(3)")
    wait_for_steps(page, 0)
    click(page, *[".eo-step-0"] * 4, ".eo-step-1", ".eo-sleep-2")
    page.wait_for_selector(".eo-asleep")
    page.evaluate("document.querySelector('.eo-queue-stepper').scrollIntoView()")
    page.screenshot(path=temporary("screenshots") / f"queue-{theme.lower()}.png")
    box = page.locator(".eo-queue-stepper").bounding_box()
    assert box["x"] + box["width"] <= 1280
    assert box["height"] <= 690
    cut = page.evaluate(
        """[...document.querySelectorAll(`.eo-queue-stepper :is(button:not(.eo-player-move), p,
             td, th, h3, small, b)`)]
           .filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1).map(e => e.className || e.nodeName)"""
    )
    assert cut == []
    rows = page.evaluate(
        "[...document.querySelectorAll('.eo-player-node .eo-player-row')].map(row => row.offsetHeight)"
    )
    assert max(rows) < 50, "the buttons of each pusher stand in one row"
    small = page.evaluate(
        """[...document.querySelectorAll('.eo-queue-stepper *')]
           .filter(e => e.innerText && parseFloat(getComputedStyle(e).fontSize) < 12).map(e => e.className)"""
    )
    assert small == []


def test_a_kernel_that_was_restarted_is_told(queue):
    click(queue, ".eo-step-0")
    queue.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
    queue.wait_for_selector(".eo-queue-stepper .eo-gone-says:has-text('The kernel was restarted')")
    assert queue.locator(".eo-step-0").get_attribute("aria-disabled") == "true"
