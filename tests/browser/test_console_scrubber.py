"""The kill scrubber in JupyterLab: the ✖ is dragged by the pointer and by keys, and everything follows."""

import pytest

pytestmark = pytest.mark.not_by_day


@pytest.fixture
def strip(console):
    """Give a console whose places have all been run."""
    console.click(".eo-point-B")
    console.wait_for_selector(".eo-console-counts:has-text('harmless 28 · × doubles 20 · ≠ corrupts 12')")
    console.wait_for_selector(".eo-tick[data-place='59'].eo-is-harmless", state="attached")
    console.wait_for_selector('.eo-console[data-busy="idle"]')
    console.evaluate("document.querySelector('.eo-console').scrollIntoView()")
    return console


def says(page):
    return page.locator(".eo-console-kill").get_attribute("aria-valuetext")


def test_each_place_has_a_colour_a_sign_and_words(strip):
    ticks = strip.evaluate(
        """[...document.querySelectorAll('.eo-tick')].map(tick =>
             [tick.dataset.word, tick.textContent, getComputedStyle(tick, '::after').backgroundColor])"""
    )
    assert len(ticks) == 60
    assert {(word, sign) for word, sign, _ in ticks} == {("harmless", "✓"), ("doubles", "×"), ("corrupts", "≠")}
    assert len({colour for _, _, colour in ticks}) == 3
    assert strip.locator(".eo-hour").all_inner_texts() == ["start", *(f"hour {hour}" for hour in range(1, 7))]
    assert strip.locator(".eo-console-track .eo-letter:visible").all_inner_texts() == list("ABCDE")


def test_by_keys(strip):
    assert says(strip) == "after push of hour 3: doubles"
    strip.focus(".eo-console-kill")
    for key, words, shown in (
        ("ArrowRight", "before increment of hour 3: doubles", "SIGKILL before database.increment"),
        ("ArrowLeft", "after push of hour 3: doubles", "SIGKILL at B"),
        ("End", "after save of positions of hour 6: harmless", "SIGKILL at E"),
        ("PageDown", "before read of hour 5: harmless", "SIGKILL before input.read"),
        ("Home", "before load of positions at the start: harmless", "SIGKILL before positions.load"),
    ):
        strip.keyboard.press(key)
        assert says(strip) == words
        strip.wait_for_selector(f".eo-console-spacetime :text('{shown}')")
    strip.wait_for_selector(".eo-console-verdict .eo-is-good")
    assert strip.evaluate("document.activeElement.matches('.eo-console-kill')")


def test_by_the_pointer_everything_follows(strip):
    ticks = [strip.locator(f".eo-tick[data-place='{place}']").bounding_box() for place in (23, 27)]
    start, end = [(box["x"] + box["width"] / 2, box["y"] + 20) for box in ticks]
    top = strip.locator(".eo-console-strip").bounding_box()["y"]
    strip.mouse.move(*start)
    strip.mouse.down()
    strip.mouse.move(*end, steps=6)
    assert says(strip) == "after save of state of hour 3: corrupts"
    strip.wait_for_selector(".eo-console-spacetime :text('SIGKILL at D')")
    assert strip.locator(".eo-console-verdict").inner_text().startswith("✗ Not exactly once.")
    assert "5 is · 4 should be" in strip.locator(".eo-counter").inner_text()
    assert "≠ wrong" in strip.locator(".eo-console-tape").inner_text()
    assert strip.locator('.eo-point-D[aria-pressed="true"]').count() == 1, "the letter follows"
    assert strip.locator(".eo-console-strip").bounding_box()["y"] == top, "nothing moves under the hand"
    strip.mouse.up()
    strip.wait_for_function("document.querySelector('.eo-ran').innerText.includes('eo2-D3w')")
