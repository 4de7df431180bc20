"""The transaction timeline in JupyterLab, in a real browser: every control and its effect; keys, themes."""

import pytest
from jupyter import reached_by_keys
from playwright.sync_api import expect

from exactly_once.widgets import TimelineModel

pytestmark = pytest.mark.not_by_day

CELLS = ("from exactly_once.widgets import transaction_timeline", "transaction_timeline()")


@pytest.fixture
def timeline(desk):
    """The page after its cells ran again: with a timeline that nobody has touched."""
    desk.evaluate("document.querySelectorAll('.eo-timeline').forEach(each => each.remove())")
    desk.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    desk.wait_for_selector(".eo-timeline .eo-tt")
    desk.evaluate("document.querySelector('.eo-timeline').scrollIntoView()")
    return desk


def inside(page, selector):
    return page.locator(f".eo-timeline {selector}")


def count(page, words):
    """Wait until the stepper says "3 of 4"."""
    page.wait_for_function("words => document.querySelector('.eo-timeline .eo-count').innerText === words", arg=words)


def says(page, words):
    """Wait until the sentence on top begins with some words."""
    page.wait_for_function(
        """words => document.querySelector('.eo-timeline .eo-timeline-verdict')?.innerText.replace(/^[!✓] /, '')
             .startsWith(words)""",
        arg=words,
    )


def do(page, what, client=None):
    """Click a control, and wait until the step is done."""
    at = int(inside(page, ".eo-count").inner_text().split()[0])
    page.click(f".eo-timeline {f'.eo-{client} ' if client else ''}.eo-do-{what}")
    count(page, f"{at + 1} of {at + 1}")


def go(page, step):
    page.evaluate(
        """step => { const slider = document.querySelector('.eo-timeline .eo-slider');
             slider.value = step; slider.dispatchEvent(new Event('input')); }""",
        step,
    )
    last = inside(page, ".eo-slider").get_attribute("max")
    page.wait_for_function(
        "now => document.querySelector('.eo-timeline .eo-own-token').textContent.length > 0 && "
        "document.querySelector('.eo-timeline .eo-count').innerText === now",
        arg=f"{step + 1} of {int(last) + 1}",
    )


def tell(page, story):
    """Choose a story, and wait for its first moment."""
    page.select_option(".eo-timeline .eo-story", story)
    count(page, f"1 of {len(TimelineModel(story).state.way) + 1}")


def flags(page):
    """Return the words of the two flags."""
    return [inside(page, f".flag-{name} text").text_content() for name in ("lso", "hw")]


def reads(page):
    """Return how many records each isolation level sees: read_uncommitted, read_committed."""
    texts = inside(page, ".eo-tt text").all_text_contents()
    return [text.strip(",") for text in texts if " record" in text and text[0].isdigit()]


def shows(page, ask, wanted):
    """Wait until `ask` of the page gives the wanted value; the picture comes a moment after the count."""
    for _ in range(200):
        if ask(page) == wanted:
            return
        page.wait_for_timeout(50)
    assert ask(page) == wanted


def producer(page, client):
    return inside(page, f".eo-{client} p span")


def test_each_button_does_its_part(timeline):
    page = timeline
    do(page, "begin", "p1")
    says(page, "P1 has a transaction open. Nothing is written yet")
    do(page, "send", "p1")
    shows(page, flags, ["LSO 0", "HW 1"])
    do(page, "late", "p1")
    expect(producer(page, "p1")).to_have_text("has to abort, transaction open")
    do(page, "arrive", "p1")
    shows(page, reads, ["2 records", "0 records"])
    do(page, "abort", "p1")
    says(page, "P1 has aborted. The last stable offset moves from 0 to 3.")
    shows(page, flags, ["LSO 0 → 3", "HW 3"])
    do(page, "begin", "p2")
    do(page, "send", "p2")
    do(page, "offsets", "p2")
    pending = inside(page, ".eo-positions .eo-p2")
    expect(pending).to_contain_text("0 ◆ 1 pending")
    do(page, "hold")
    do(page, "commit", "p2")
    says(page, "P2’s commit is decided, and not yet seen.")
    do(page, "down")
    expect(inside(page, ".eo-timeline-verdict")).to_contain_text("The coordinator is dead")
    do(page, "release")
    shows(page, reads, ["3 records", "0 records"])  # nobody is there who could write them
    do(page, "back")
    says(page, "P2 has committed: records and position at once.")
    shows(page, reads, ["3 records", "1 record"])
    expect(pending).to_contain_text("1 ◆")
    do(page, "begin", "p2")
    do(page, "stall", "p2")
    expect(producer(page, "p2")).to_have_text("stalled")
    assert page.evaluate("document.activeElement.matches('.eo-timeline .eo-do-wake')"), "the focus stays in its place"
    do(page, "wake", "p2")
    expect(producer(page, "p2")).to_have_text("in transaction")
    do(page, "kill", "p2")
    expect(producer(page, "p2")).to_have_text("dead ✖")
    expect(inside(page, ".eo-p2 [aria-disabled=true]")).to_have_count(7)  # a dead producer does nothing
    do(page, "restart", "p2")
    expect(inside(page, ".eo-tt")).to_contain_text("e1, incarnation 2")
    do(page, "tick")
    expect(inside(page, ".eo-story")).to_have_value("own")


def test_a_story_is_gone_through_by_buttons_keys_and_slider_and_under_both_protocols(timeline):
    page = timeline
    tell(page, "hanging")
    page.wait_for_selector(".eo-timeline .eo-timeline-ahead :text('Next: P1 begins a transaction.')")
    for button, step in (("next", 2), ("last", 11), ("previous", 10), ("first", 1)):
        page.click(f".eo-timeline .eo-go-{button}")
        count(page, f"{step} of 11")
    page.focus(".eo-timeline .eo-slider")
    for key, step in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", 11)):
        page.keyboard.press(key)
        count(page, f"{step} of 11")
    says(page, "A hanging transaction: no time-out will end it.")
    expect(inside(page, ".eo-timeline-ahead")).to_contain_text("The story ends here")
    page.click(".eo-timeline .eo-protocol-KIP-890")
    page.wait_for_selector('.eo-timeline .eo-protocol-KIP-890[aria-pressed="true"]')
    go(page, 6)
    says(page, "The late a2 is refused, and nothing hangs.")
    page.focus(".eo-timeline .eo-protocol-KIP-890")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector('.eo-timeline .eo-protocol-classic[aria-pressed="true"]')
    says(page, "A hanging transaction: no time-out will end it.")
    assert page.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"
    page.click(".eo-timeline .eo-clear")
    count(page, "1 of 1")
    says(page, "Nothing is open.")
    expect(inside(page, ".eo-story")).to_have_value("own")
    expect(inside(page, ".eo-clear")).to_have_attribute("aria-disabled", "true")


def test_all_events_stand_in_a_table_and_a_token_brings_everything_back(timeline):
    page = timeline
    tell(page, "stalled")
    page.click(".eo-timeline .eo-go-last")
    says(page, "P1 is fenced: PRODUCER_FENCED.")
    page.click(".eo-timeline summary:has-text('All events')")
    table = inside(page, ".eo-timeline-folds table")
    expect(table).to_contain_text("aborts P1’s transaction: it is open for 60 s")
    page.click(".eo-timeline summary:has-text('Token')")
    token = inside(page, ".eo-own-token").inner_text()
    assert token.startswith("tt1-1-")
    page.click(".eo-timeline .eo-clear")
    count(page, "1 of 1")
    field = inside(page, "input.eo-token")
    field.fill(token.replace("1b", "1s", 1))
    field.press("Enter")
    page.wait_for_selector(".eo-timeline .eo-field-says:has-text('is no token of a timeline')")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill(token)
    field.press("Enter")
    count(page, "27 of 27")
    says(page, "P1 is fenced: PRODUCER_FENCED.")
    expect(inside(page, ".eo-field-says")).to_have_count(0)


def test_all_of_it_is_reached_by_keys(timeline):
    page = timeline
    page.focus(".eo-timeline .eo-story")
    reached = reached_by_keys(page, 20)
    controls = "story protocol-classic protocol-KIP-890 do-down do-hold do-tick play slider clear picture"
    clients = "begin send late offsets commit abort kill stall"
    assert {f"eo-{each}" for each in controls.split()} | {f"eo-do-{each}" for each in clients.split()} <= reached
    page.focus(".eo-timeline .eo-p2 .eo-do-begin")
    page.keyboard.press("Enter")
    says(page, "P2 has a transaction open.")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    says(page, "P2 has a transaction open. b1 is in the log")
