"""The log viewer in JupyterLab, in a real browser: keys, clicks, a story, themes."""

import pytest
from jupyter import change_theme, reached_by_keys

from exactly_once.paths import temporary

pytestmark = pytest.mark.not_by_day

CELLS = ("from exactly_once.widgets import log_viewer", "log_viewer()")


def says(page):
    return page.locator('.eo-log-viewer [data-region="says"]').inner_text()


def wait_for_words(page, words):
    page.wait_for_selector(f'.eo-log-viewer [data-region="says"] :text("{words}")')


@pytest.fixture
def viewer(desk):
    """The page after its cells ran again: with an empty log."""
    desk.evaluate("document.querySelectorAll('.eo-log-viewer').forEach(each => each.remove())")
    desk.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    desk.wait_for_selector(".eo-log-viewer .eo-partition-1")
    desk.evaluate("document.querySelector('.eo-log-viewer').scrollIntoView()")
    return desk


def test_by_keyboard_a_record_is_sent_copied_and_lost(viewer):
    page = viewer
    page.focus("input.eo-send")
    page.keyboard.type("ann")
    page.keyboard.press("Enter")
    wait_for_words(page, "murmur2")
    assert page.evaluate("document.activeElement.matches('input.eo-send')"), "the next key can be typed at once"
    assert page.locator("input.eo-send").input_value() == "ann"
    assert page.locator(".eo-leads .eo-cell").all_inner_texts() == ["r1·\nann · e0"]
    page.focus(".eo-acks-all")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector('.eo-acks-1[aria-pressed="true"]')
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the button Send
    wait_for_words(page, "acknowledged with acks=1")
    page.focus(".eo-kill-0")
    page.keyboard.press("Enter")
    wait_for_words(page, "✗ r2 is lost")
    assert page.locator(".eo-lost").all_inner_texts() == ["✗ r1\nacks=all", "✗ r2\nacks=1"]
    assert "✖ dead" in page.locator(".eo-log-viewer-broker.eo-dead").inner_text()
    page.focus(".eo-undo")
    page.keyboard.press("Enter")
    page.wait_for_function("!document.querySelector('.eo-gone')")
    page.focus(".eo-story")
    reached = reached_by_keys(page)
    wanted = {
        "eo-story", "eo-partitions-2", "eo-min_insync-1", "eo-unclean", "eo-undo", "eo-reset", "eo-send", "eo-acks-0",
        "eo-send-key", "eo-replication-auto", "eo-replicate", "eo-elections-manual", "eo-read", "eo-rewind",
        "eo-kill-2", "eo-pause-2", "eo-fetch-0-1", "eo-shrink-0-2",
    }  # fmt: skip
    assert wanted <= reached
    assert page.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"


def test_a_story_is_clicked_through(viewer):
    page = viewer
    page.select_option(".eo-story", "unclean")
    page.wait_for_selector(".eo-log-viewer-ahead :text('Step 1 of 10')")
    button = page.locator(".eo-next-step").bounding_box()
    for number in range(2, 10):
        page.click(".eo-next-step")
        page.wait_for_selector(f".eo-log-viewer-ahead :text('Step {number} of 10')")
        assert page.locator(".eo-next-step").bounding_box() == button, "the button stays under the pointer"
    assert "uncleanly" in says(page)
    assert page.locator(".eo-lost").count() == 1
    assert page.locator(".eo-dead .eo-parts").inner_text() == "r2✗\nbob · e0"
    marks = [each.get_attribute("style") for each in page.locator(".eo-partition .eo-tape-high").all()]
    assert marks == ["--at:2", "--at:1", "--at:1"], "the dead leader's high watermark is what it was"
    page.click(".eo-elections-manual")
    page.wait_for_selector('.eo-elections-manual[aria-pressed="true"]')
    page.click(".eo-kill-1")
    page.wait_for_selector(".eo-elect-0")
    page.click(".eo-story-log summary")
    assert page.locator(".eo-story-log li").count() == 10
    page.fill("input.eo-send", "x" * 25)
    page.click(".eo-send-key")
    page.wait_for_selector('.eo-log-viewer .eo-field-says:has-text("25 characters")')
    assert page.locator("input.eo-send").input_value() == "x" * 25, "what was typed stays"


@pytest.mark.some(ci=1)
@pytest.mark.parametrize("theme", ["Dark", "Light"])
def test_nothing_is_cut_off(viewer, theme):
    page = viewer
    change_theme(page, f"JupyterLab {theme}")
    page.select_option(".eo-story", "unclean")
    page.wait_for_selector(".eo-log-viewer-ahead :text('Step 1 of 10')")
    for number in range(2, 10):
        page.click(".eo-next-step")
        page.wait_for_selector(f".eo-log-viewer-ahead :text('Step {number} of 10')")
        cut = page.evaluate(
            """[...document.querySelectorAll(`.eo-log-viewer :is(button, p, header span,
             .eo-tape-who, .eo-tape-who small,
             .eo-cell small)`)]
               .filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1).map(e => e.className || e.nodeName)"""
        )
        assert cut == []
    page.screenshot(path=temporary("screenshots") / f"log-viewer-{theme.lower()}.png")
    box = page.locator(".eo-log-viewer").bounding_box()
    assert box["x"] + box["width"] <= 1280
