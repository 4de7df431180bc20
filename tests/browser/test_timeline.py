"""The transaction timeline in JupyterLab, in a real browser: every control and its effect; keys, themes."""

import re

import pytest
from jupyter import reached_by_keys
from playwright.sync_api import expect

from exactly_once.widgets import TimelineModel

pytestmark = pytest.mark.not_by_day

CELLS = ("from exactly_once.widgets import transaction_timeline", "transaction_timeline()")


class Timeline:
    """The timeline on a page; `click` and its like wait until their step is done."""

    def __init__(self, page):
        self.page, self.root = page, page.locator(".eo-timeline")

    def __call__(self, selector):
        return self.root.locator(selector)

    def has(self, selector, words):
        """Wait until an element has these words in it."""
        expect(self(selector)).to_contain_text(words)

    def says(self, words):
        self.has(".eo-banner", words)

    def count(self, words):
        expect(self(".eo-count")).to_have_text(words)

    def do(self, place, *steps):
        """Click buttons of a producer, or of the "toolbar"."""
        for step in steps:
            at = int(self(".eo-count").inner_text().split()[0]) + 1
            self(f".eo-{place} .eo-do-{step}").click()
            self.count(f"{at} of {at}")

    def go(self, step):
        self(".eo-slider").fill(str(step))
        self.count(f"{step + 1} of {int(self('.eo-slider').get_attribute('max')) + 1}")

    def story(self, story):
        self(".eo-story").select_option(story)
        self.count(f"1 of {len(TimelineModel(story).state.way) + 1}")

    def reads(self, uncommitted, committed):
        """Wait until the two isolation levels see so many records."""
        words = [re.compile(rf"^{each} records?,?$") for each in (uncommitted, committed)]
        expect(self("text").filter(has_text=re.compile(r"^\d+ records?"))).to_have_text(words)


@pytest.fixture
def timeline(desk):
    """The page after its cells ran again: with a timeline that nobody has touched."""
    desk.evaluate("document.querySelectorAll('.eo-timeline').forEach(each => each.remove())")
    desk.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    desk.wait_for_selector(".eo-timeline .eo-tt")
    desk.evaluate("document.querySelector('.eo-timeline').scrollIntoView()")
    return Timeline(desk)


@pytest.mark.parametrize("client", ["p1", pytest.param("p2", marks=pytest.mark.slow)])
def test_each_button_of_a_producer_does_its_part(timeline, client):
    standing, position = f".eo-{client} h3", f".eo-timeline-positions .eo-{client}"
    timeline.do(client, "begin", "send")
    timeline.has(".flag-lso", "LSO 0")
    timeline.has(".flag-hw", "HW 1")
    timeline.reads(1, 0)
    timeline.do(client, "late")
    timeline.has(standing, "has to abort, transaction open")
    timeline.do(client, "arrive")
    timeline.reads(2, 0)
    timeline.do(client, "abort")
    timeline.says(f"{client.upper()} has aborted. The last stable offset moves from 0 to 3.")
    timeline.has(".flag-lso", "LSO 0 → 3")
    timeline.do(client, "begin", "send", "offsets")
    timeline.has(position, "0 ◆ 1 pending")
    timeline.do(client, "commit")
    timeline.reads(3, 1)
    timeline.has(position, "1 ◆")
    timeline.do(client, "begin", "stall")
    timeline.has(standing, "stalled")
    expect(timeline(".eo-do-wake")).to_be_focused()  # the focus stays in its place
    timeline.do(client, "wake", "kill")
    timeline.has(standing, "dead ✖")
    expect(timeline(f".eo-{client} [aria-disabled=true]")).to_have_count(7)  # a dead producer does nothing
    timeline.do(client, "restart")
    timeline.has(".eo-tt", "epoch 2")


def test_a_story_is_gone_through_by_buttons_keys_and_slider_and_under_both_protocols(timeline):
    keyboard = timeline.page.keyboard
    timeline.story("hanging")
    timeline.has(".eo-timeline-ahead", "Next: P1 begins a transaction.")
    for button, step in (("next", 2), ("last", 11), ("previous", 10), ("first", 1)):
        timeline(f".eo-go-{button}").click()
        timeline.count(f"{step} of 11")
    timeline(".eo-slider").focus()
    for key, step in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", 11)):
        keyboard.press(key)
        timeline.count(f"{step} of 11")
    timeline.says("A hanging transaction: no time-out will end it.")
    timeline.has(".eo-timeline-ahead", "The story ends here")
    timeline(".eo-protocol-KIP-890").click()
    expect(timeline(".eo-protocol-KIP-890")).to_have_attribute("aria-pressed", "true")
    timeline.go(6)
    timeline.says("The late a2 is refused, and nothing hangs.")
    timeline(".eo-protocol-KIP-890").focus()
    keyboard.press("ArrowLeft")
    timeline.says("A hanging transaction: no time-out will end it.")
    assert timeline.page.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"
    timeline(".eo-clear").click()
    timeline.count("1 of 1")
    expect(timeline(".eo-story")).to_have_value("own")
    expect(timeline(".eo-clear")).to_have_attribute("aria-disabled", "true")


def test_what_is_not_possible_says_why_and_a_step_of_ones_own_leaves_the_story(timeline):
    why = "P1 has no transaction open; begin one first."
    expect(timeline(".eo-p1 .eo-do-commit")).to_have_attribute("title", why)
    timeline(".eo-p1 .eo-do-commit").click(force=True)
    timeline.count("1 of 1")
    timeline.story("commit")
    timeline.go(1)
    timeline.do("toolbar", "tick")
    expect(timeline(".eo-story")).to_have_value("own")
    timeline.go(0)
    timeline.has(".eo-timeline-ahead", "Next: P1: begin")


def test_all_events_stand_in_a_table(timeline):
    timeline.story("stalled")
    timeline(".eo-go-last").click()
    timeline.says("P1 is fenced: PRODUCER_FENCED.")
    timeline("summary:has-text('All events')").click()
    timeline.has(".eo-timeline-folds table", "aborts P1’s transaction: it is open for 60 s")


def test_all_of_it_is_reached_by_keys(timeline):
    timeline(".eo-story").focus()
    reached = reached_by_keys(timeline.page, 20)
    controls = "story protocol-classic protocol-KIP-890 do-down do-hold do-tick play slider clear picture"
    clients = "begin send late offsets commit abort kill stall"
    assert {f"eo-{each}" for each in controls.split()} | {f"eo-do-{each}" for each in clients.split()} <= reached
    timeline(".eo-p2 .eo-do-begin").focus()
    timeline.page.keyboard.press("Enter")
    timeline.says("P2 has a transaction open.")
    timeline.page.keyboard.press("ArrowRight")
    timeline.page.keyboard.press("Enter")
    timeline.says("P2 has a transaction open. b1 is in the log")
