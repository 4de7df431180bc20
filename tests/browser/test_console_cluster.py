"""The crash console on a real cluster, in a real browser: a crash by hand, and a live run."""

import pytest

pytestmark = pytest.mark.cluster
STARTING_MS = 90_000


def test_a_real_crash_and_a_live_run(console):
    console.click(".eo-point-B")
    console.click(".eo-run-cluster")
    console.wait_for_selector(".eo-status :text('luster')")
    console.wait_for_selector(".eo-verdict :text('Not exactly once.')", timeout=STARTING_MS)
    assert "on the cluster" in console.locator(".eo-facts").inner_text()
    assert "pid" in console.locator(".eo-spacetime").inner_text()
    assert console.locator(".eo-tape .eo-again").count() == 1

    console.wait_for_selector('.eo-console[data-busy="idle"]')
    console.click(".eo-live")
    console.wait_for_selector(".eo-kill-now", timeout=STARTING_MS)
    console.wait_for_selector(".eo-tape :text('hour 1')", timeout=STARTING_MS)
    console.click(".eo-arm-C")
    console.wait_for_selector('.eo-arm-C[aria-pressed="true"]')
    console.wait_for_selector(".eo-verdict :text('was killed at C')", timeout=STARTING_MS)
    console.wait_for_selector(".eo-tape .eo-again", timeout=STARTING_MS)
    console.click(".eo-kill-now")
    console.wait_for_selector(".eo-verdict :text('was killed from outside')", timeout=STARTING_MS)
    assert console.locator(".eo-arm-C").get_attribute("aria-pressed") == "false", "an armed point strikes once"
    console.focus(".eo-stop")
    console.keyboard.press("Enter")
    console.wait_for_selector('.eo-console[data-busy="idle"]')
    assert console.locator(".eo-point-B").is_visible()
    assert "was killed" in console.locator(".eo-verdict").inner_text()
