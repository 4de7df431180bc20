"""The adversary in JupyterLab, in a real browser: a handler broken by clicks, the simplest. Keys are the player's."""

import pytest

pytestmark = pytest.mark.not_by_day

CELLS = (
    """from exactly_once.widgets import adversary
def naive(node):
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        node.output.push(window.average())
        node.state.save(window)
        node.positions.save(next_positions)
        positions = next_positions""",
    "adversary(naive, crashes=1, pauses=1, lost_replies=1)",
)


def wait_for_moves(page, number):
    page.wait_for_function("number => document.querySelectorAll('.eo-player-move').length === number", arg=number)


@pytest.fixture
def game(desk):
    """Give the page before the first move."""
    desk.wait_for_selector(".eo-step-0")
    if desk.locator(".eo-restart:not([aria-disabled])").count():
        desk.click(".eo-restart")
    wait_for_moves(desk, 0)
    return desk


def test_clicks_break_at_least_once_and_the_simplest_is_shown(game):
    page = game
    for number, node in enumerate("000111001", 1):
        page.click(f".eo-step-{node}")
        wait_for_moves(page, number)
    page.wait_for_selector(".eo-banner-bad:has-text('Broken after 9 moves and 0 faults.')")
    assert "Hour 1 is in the output twice" in page.locator(".eo-banner").inner_text()
    assert page.locator(".eo-cell.eo-again").count() == 1
    assert "node.output.push" in page.locator(".eo-guilty").inner_text()
    outlooks = ["… can still end well", "! only a fault can still save it", "✗ broken"]
    assert page.locator(".eo-outlook").all_inner_texts() == outlooks
    cut = "each => each.scrollWidth > each.clientWidth"
    assert not any(each.evaluate(cut) for each in page.locator(".eo-player-move").all())
    page.wait_for_selector("text=0, 1 and 8 are enough")
    page.click(".eo-undo")
    page.wait_for_selector(".eo-banner-warn:has-text('Only a fault can still save it')")
    page.click(".eo-redo")
    page.wait_for_selector(".eo-banner-bad")
    page.click(".eo-simplest")
    page.wait_for_selector(".eo-own")
    wait_for_moves(page, 8)
    page.click(".eo-own")
    wait_for_moves(page, 9)
    page.click(".eo-open-debugger")
    page.wait_for_selector(".eo-opened .eo-debugger")
