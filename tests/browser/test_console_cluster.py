"""The crash console on a real cluster, in a real browser: a crash by hand, and a live run."""

import pytest

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster]
STARTING_MS = 150_000  # of a cluster, on a busy machine
# Notes what each picture of the live run says, and how high it is.
WATCH = """
(() => {
  window.watched = []; window.heights = new Set();
  const text = name => document.querySelector('.eo-' + name).innerText;
  new MutationObserver(() => {
    if (document.querySelector('.eo-console').dataset.busy !== 'live') return;
    window.watched.push([text('console-verdict'), text('console-facts'), text('console-tape')]);
    window.heights.add(document.querySelector('.eo-console').offsetHeight);
  }).observe(document.querySelector('.eo-console'), {childList: true, subtree: true, characterData: true});
})()
"""


def test_a_real_crash_and_a_live_run(console):
    console.click(".eo-point-B")
    console.wait_for_selector(".eo-console-verdict :text('Not exactly once.')")
    console.click(".eo-run-cluster")
    console.wait_for_selector(".eo-status :text('luster')")
    console.wait_for_selector(".eo-ran:has-text('on the cluster')", timeout=STARTING_MS)
    assert "Not exactly once." in console.locator(".eo-console-verdict").inner_text()
    assert "pid" in console.locator(".eo-console-spacetime").inner_text()
    assert console.locator(".eo-console-tape .eo-again").count() == 1

    console.wait_for_selector('.eo-console[data-busy="idle"]')
    console.click(".eo-tab-live")
    assert console.locator(".eo-kill-now").get_attribute("aria-disabled") == "true"
    console.evaluate(WATCH)
    console.click(".eo-live")
    console.wait_for_selector(".eo-kill-now:not([aria-disabled])", timeout=STARTING_MS)
    console.wait_for_selector(".eo-console-tape :text('hour 1')", timeout=STARTING_MS)
    console.click(".eo-arm-C")
    console.wait_for_selector(".eo-console-verdict :text('was killed at C')", timeout=STARTING_MS)
    console.wait_for_selector(".eo-console-tape .eo-again", timeout=STARTING_MS)
    console.click(".eo-kill-now")
    console.wait_for_selector(".eo-console-verdict :text('was killed from outside')", timeout=STARTING_MS)
    assert console.locator(".eo-arm-C").get_attribute("aria-pressed") == "false", "an armed point strikes once"
    console.focus(".eo-stop")
    console.keyboard.press("Enter")
    console.wait_for_selector('.eo-console[data-busy="idle"]')
    watched = console.evaluate("window.watched")
    assert not any("in the middle of a pass" in facts and "agree" in facts for _, facts, _ in watched)
    assert not any("Exactly once" in verdict and "Nothing has been pushed" in tape for verdict, _, tape in watched)
    heights = console.evaluate("[...window.heights]")  # a Set: each height once, in the order in which it came
    assert heights == sorted(heights), "a live run takes the room of its longest verdict, and never jumps back"
    assert heights[-1] < heights[0] + 50, "it needs three lines more at most"
    assert console.locator(".eo-point-B").is_visible()
    assert "was killed" in console.locator(".eo-console-verdict").inner_text()
