"""The producer lab in JupyterLab, in a real browser: every control, clicks on messages, keys, themes."""

import pytest
from jupyter import notebook, open_notebook, reached_by_keys

from exactly_once.paths import temporary

CELLS = ("from exactly_once.widgets import producer_lab", "producer_lab()")
CUT = """[...document.querySelectorAll('.eo-producer *:not(.eo-scroll, .eo-menu)')]
    .filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1).map(e => e.className || e.nodeName)"""


@pytest.fixture
def producer(desk):
    """The page after its cells ran again: with a lab that nobody has touched."""
    desk.evaluate("document.querySelectorAll('.eo-producer').forEach(each => each.remove())")
    desk.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    desk.wait_for_selector(".eo-producer .eo-lane-kafka")
    desk.evaluate("document.querySelector('.eo-producer').scrollIntoView()")
    return desk


def go(page, step):
    page.evaluate(
        """step => { const slider = document.querySelector('.eo-producer .eo-slider');
             slider.value = step - 1; slider.dispatchEvent(new Event('input')); }""",
        step,
    )
    page.wait_for_function(
        "step => document.querySelector('.eo-producer .eo-count').innerText.startsWith(step)", arg=f"{step} of"
    )


def log(page, lane):
    """Return the letters of a lane's log at the last step."""
    page.click(".eo-producer .eo-go-last")
    return "".join(
        page.locator(f".eo-producer .eo-lane-{lane} .eo-log li:not(.eo-producer-next) b").all_inner_texts()
    )


def wait_for_faults(page, *words):
    page.wait_for_function(
        """words => { const all = [...document.querySelectorAll('.eo-producer .eo-producer-chip')];
             return all.length === words.length && all.every((each, n) => each.innerText.includes(words[n])); }""",
        arg=list(words),
    )


def verdict(page, lane):
    return page.locator(f".eo-producer .eo-lane-{lane} .eo-banner").inner_text()


def ask(page, packet, what, lane="naive"):
    """Open the menu of a packet of a lane, and choose what is to happen to it."""
    menu = page.locator(f".eo-producer .eo-lane-{lane} .eo-menu:has(> summary[aria-label^='{packet}'])")
    menu.locator("summary").click()
    menu.locator(f"button:has-text('{what}')").click()


def settings(page):
    """Unfold the settings; a click elsewhere folds them again."""
    page.click(".eo-producer .eo-producer-settings > summary")
    page.wait_for_selector(".eo-producer .eo-producer-settings[open] .eo-menu-body")


def without_faults(page):
    page.click(".eo-producer .eo-clear")
    wait_for_faults(page)


def test_keys_and_buttons_step_and_it_plays_and_stops(producer):
    page = producer
    last = int(page.locator(".eo-producer .eo-count").inner_text().split()[-1])
    page.focus(".eo-producer .eo-slider")
    for key, step in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", last), ("Home", 1)):
        page.keyboard.press(key)
        assert page.locator(".eo-producer .eo-count").inner_text() == f"{step} of {last}"
    for button, step in (("next", 2), ("last", last), ("previous", last - 1), ("first", 1)):
        page.click(f".eo-producer .eo-go-{button}")
        assert page.locator(".eo-producer .eo-count").inner_text() == f"{step} of {last}"
    page.click(".eo-producer .eo-go-first")
    page.select_option(".eo-producer .eo-speed", "220")
    paused = "document.querySelector('.eo-producer .eo-play').getAttribute('aria-pressed') === 'false'"
    page.click(".eo-producer .eo-play")
    page.wait_for_function(paused)
    assert page.locator(".eo-producer .eo-count").inner_text() == f"10 of {last}", "where the lanes first differ"
    says = page.locator(".eo-producer .eo-producer-says").inner_text()
    assert says.startswith("Batch d arrives. Naive appended it at offset 2 (step 6)")
    assert says.endswith("The other two refuse it and wait for number 2. ≠ Here the lanes differ for the first time.")
    page.click(".eo-producer .eo-play")
    page.wait_for_function(paused)
    assert page.locator(".eo-producer .eo-count").inner_text() == f"{last} of {last}", "and goes on from there"
    page.select_option(".eo-producer .eo-speed", "1300")
    page.click(".eo-producer .eo-play")
    page.wait_for_function("Number(document.querySelector('.eo-producer .eo-slider').value) >= 2")
    page.click(".eo-producer .eo-play")
    assert page.locator(".eo-producer .eo-play").get_attribute("aria-pressed") == "false"
    assert log(page, "naive") == "abdbcc"
    assert "b, c are there twice, c after d" in verdict(page, "naive")
    assert verdict(page, "kafka").startswith("✓ Kafka’s rule: a to d, in order, once each.")
    assert page.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"


def test_a_request_is_dropped_by_its_menu_and_healed_at_a_click(producer):
    page = producer
    without_faults(page)
    go(page, 2)
    ask(page, "request b", "✖ drop")
    wait_for_faults(page, "first request of b lost")
    assert page.locator(".eo-producer .eo-count").inner_text().startswith("2 of"), "the step stays"
    assert page.evaluate("document.activeElement.matches('.eo-producer .eo-producer-lost')"), (
        "the focus stays on the message"
    )
    assert log(page, "naive") == "acdb"
    assert log(page, "article") == log(page, "kafka") == "abcd"
    assert "Refused, as a number was missing: c, d." in verdict(page, "kafka")
    go(page, 2)
    page.keyboard.press("Tab")
    page.click(".eo-producer .eo-lane-naive .eo-producer-lost")
    wait_for_faults(page)
    assert log(page, "naive") == "abcd"


def test_a_request_is_delayed_and_arrives_when_told(producer):
    page = producer
    without_faults(page)
    go(page, 2)
    ask(page, "request b", "◷ delay")
    wait_for_faults(page, "first request of b late")
    assert page.evaluate("document.activeElement.matches('.eo-producer .eo-producer-late')")
    assert log(page, "naive") == "acdbb"
    go(page, 5)
    page.click(".eo-producer .eo-lane-naive .eo-producer-late")
    go(page, 6)
    page.wait_for_selector(".eo-producer .eo-producer-says :text('The late b arrives.')")
    assert log(page, "naive") == "acbdb", "it is there before d, and its retry after d"


def test_the_menu_of_a_packet_is_worked_by_keys(producer):
    page = producer
    without_faults(page)
    go(page, 2)
    focused = "document.activeElement.textContent"
    menus = page.locator(".eo-producer .eo-network .eo-menu[open]")
    page.focus(".eo-producer .eo-lane-naive .eo-producer-request[aria-label^='request b']")
    page.keyboard.press("Enter")
    page.wait_for_function(f"{focused} === '✖ drop'")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) == "◷ delay"
    page.keyboard.press("ArrowUp")
    assert page.evaluate(focused) == "✖ drop"
    page.keyboard.press("Escape")
    assert menus.count() == 0
    assert page.evaluate("document.activeElement.ariaLabel") == "request b: drop or delay it, in all lanes"
    page.keyboard.press("Enter")
    page.wait_for_function(f"{focused} === '✖ drop'")
    page.mouse.click(*[page.locator(".eo-producer .eo-producer-says").bounding_box()[side] + 5 for side in "xy"])
    assert menus.count() == 0, "a click elsewhere closes it"
    go(page, 3)
    page.focus(".eo-producer .eo-lane-naive .eo-producer-reply")
    page.keyboard.press("Enter")
    page.wait_for_function(f"{focused} === '✖ drop'")
    assert menus.locator("button").all_inner_texts() == ["✖ drop"], "an answer is lost, or comes in time"
    page.keyboard.press("Enter")
    wait_for_faults(page, "first answer of a lost")
    assert log(page, "naive") == "abcda"
    assert log(page, "kafka") == "abcd"
    assert "Recognised: a." in verdict(page, "article")
    go(page, 2)
    page.focus(".eo-producer .eo-lane-naive .eo-producer-request[aria-label^='request b']")
    page.keyboard.press("ArrowRight")
    count = page.locator(".eo-producer .eo-count").inner_text()
    assert count.startswith("3 of"), "a packet leaves the arrows to the steps"
    assert page.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"


@pytest.mark.parametrize(("button", "word"), [("restart", "restart"), ("fail-over", "fail over")])
def test_the_broker_restarts_or_fails_over_after_the_step_on_the_screen(producer, button, word):
    page = producer
    without_faults(page)
    go(page, 3)
    page.click(f".eo-producer .eo-{button}")
    wait_for_faults(page, f"{word} at step 4")
    go(page, 4)
    said = page.locator(".eo-producer .eo-producer-says").inner_text()
    assert said.startswith("The broker ")
    assert "Naive loses what was on its way: the answer to a, b, c" in said
    leads = page.locator(".eo-producer .eo-title b:has-text('leads')").all_inner_texts()
    assert leads == ["broker 1 leads"] * 3 * (word == "fail over")
    assert log(page, "naive") == "adabc"
    assert "0@0" in page.locator(".eo-producer .eo-lane-kafka .eo-memory").inner_text()
    assert log(page, "kafka") == "abcd"
    page.click(".eo-producer .eo-producer-chip")
    wait_for_faults(page)


def test_batches_in_flight_the_first_alone_and_the_epoch(producer):
    page = producer
    without_faults(page)
    settings(page)
    for name, value in (("batches", "7"), ("in_flight", "6")):
        page.fill(f".eo-producer input.eo-{name}", value)
        page.keyboard.press("Tab")
    page.wait_for_selector(".eo-producer .eo-heads :text('up to 6 in flight')")
    page.wait_for_selector(".eo-producer .eo-lane-kafka .eo-batches li:nth-child(7)")
    page.keyboard.press("Escape")
    assert page.locator(".eo-producer .eo-menu[open]").count() == 0
    assert page.evaluate("document.activeElement.innerText") == "Settings ▾"
    assert page.locator(".eo-producer .eo-producer-chosen").inner_text() == "7 batches · up to 6 in flight"
    go(page, 2)
    ask(page, "request b", "✖ drop")
    wait_for_faults(page, "first request of b lost")
    assert log(page, "kafka") == "abcdefg", "the window does not matter to what never arrived"
    page.click(".eo-producer .eo-producer-chip")
    wait_for_faults(page)
    go(page, 4)
    ask(page, "answer to b", "✖ drop")
    wait_for_faults(page, "first answer of b lost")
    page.click(".eo-producer .eo-go-last")
    assert "the producer stopped" in verdict(page, "kafka")
    assert verdict(page, "article").startswith("✓")
    settings(page)
    page.select_option(".eo-producer .eo-client", "java")
    page.wait_for_selector(".eo-producer .eo-producer-chosen:has-text('number refused: Java')")
    page.wait_for_function("!document.querySelector('.eo-producer .eo-producer-stage').innerText.includes('stopped')")
    assert log(page, "kafka") == "abcdefg"
    assert "b timed out" in verdict(page, "kafka")
    settings(page)
    page.fill(".eo-producer input.eo-batches", "9")
    page.keyboard.press("Tab")
    page.wait_for_selector(".eo-producer .eo-producer-stage[data-stale]")
    assert "between 1 and 8" in page.locator(".eo-producer .eo-field-says").inner_text()
    page.click(".eo-producer .eo-producer-reset")
    wait_for_faults(page, "first answer of b lost", "first request of c late")
    page.wait_for_function("!document.querySelector('.eo-producer [data-stale]')")
    without_faults(page)
    settings(page)
    page.click(".eo-producer .eo-first-alone")
    page.wait_for_selector('.eo-producer .eo-first-alone[aria-pressed="false"]')
    go(page, 1)
    ask(page, "request a", "✖ drop", "kafka")
    wait_for_faults(page, "first request of a lost")
    assert log(page, "kafka") == "bcd"
    assert "a is lost, the producer stopped" in verdict(page, "kafka")
    assert log(page, "article") == "abcd"


def test_all_of_it_is_reached_by_keys_and_told_as_a_table(producer):
    page = producer
    page.focus(".eo-producer .eo-play")
    reached = reached_by_keys(page, 40)
    controls = "play speed slider restart fail-over clear"
    own = "producer-chip producer-reset producer-request"
    assert {f"eo-{each}" for each in [*controls.split(), *own.split()]} <= reached
    page.focus(".eo-producer .eo-producer-settings > summary")
    page.keyboard.press("Enter")
    assert {f"eo-{each}" for each in "batches in_flight first-alone client".split()} <= reached_by_keys(page, 6)
    page.click(".eo-producer .eo-folded summary:has-text('All steps')")
    table = page.locator(".eo-producer .eo-folded table").first
    assert table.locator("tbody tr").count() == int(page.locator(".eo-producer .eo-count").inner_text().split()[-1])
    assert "appends the late c at offset 5: it is there twice" in table.inner_text()
    page.click(".eo-producer .eo-folded summary:has-text('Tokens')")
    assert page.locator(".eo-producer .eo-folded table").last.inner_text().count("ep2-simulated-") == 3


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_nothing_is_cut_off_and_it_fits_a_screen(page, lab, theme):
    name = f"producer-{theme.lower()}.ipynb"
    notebook(lab.folder / name, "from exactly_once.widgets import producer_lab\nproducer_lab()")
    open_notebook(page, lab, name, f"JupyterLab {theme}")
    page.wait_for_selector(".eo-producer .eo-lane-kafka")
    page.evaluate("document.querySelector('.eo-producer').scrollIntoView()")
    steps = int(page.locator(".eo-producer .eo-count").inner_text().split()[-1])
    for step in range(1, steps + 1):
        go(page, step)
        assert page.evaluate(CUT) == []
        if step == steps // 2 + 1:
            page.screenshot(path=temporary("screenshots") / f"producer-{theme.lower()}.png")
    settings(page)
    page.fill(".eo-producer input.eo-batches", "8")
    page.keyboard.press("Tab")
    page.wait_for_selector(".eo-producer .eo-lane-kafka .eo-batches li:nth-child(8)")
    steps = int(page.locator(".eo-producer .eo-count").inner_text().split()[-1])
    for step in range(1, steps + 1, 3):
        go(page, step)
        assert page.evaluate(CUT) == []
    box = page.locator(".eo-producer").bounding_box()
    assert box["x"] + box["width"] <= 1280
    assert box["height"] <= 680
    small = page.evaluate(
        """[...document.querySelectorAll('.eo-producer *')].filter(e => e.innerText && e.children.length === 0
             && parseFloat(getComputedStyle(e).fontSize) < 12).map(e => e.className || e.nodeName)"""
    )
    assert small == []
