"""The Twins console in JupyterLab, on the cluster: every control and its effect; keys, themes, one screen."""

import re
from pathlib import Path

import pytest
from jupyter import change_theme, reached_by_keys
from playwright.sync_api import expect

from exactly_once.paths import temporary

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster, pytest.mark.timeout(300)]
CELLS = ("from exactly_once.widgets import twins", "twins(pace=8)")
STARTING_MS = 200_000
MEASURE = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")


@pytest.fixture
def console(desk):
    """The page with a console of which nothing was started."""
    if inside(desk, ".eo-end:not([aria-disabled])").count():
        end(desk)
    desk.evaluate("document.querySelectorAll('.eo-twins').forEach(each => each.remove())")
    change_theme(desk, "JupyterLab Light")
    desk.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    desk.wait_for_selector(".eo-twins .eo-start:not([aria-disabled])")
    return desk


@pytest.fixture
def live(console):
    """The page with twins at work."""
    console.click(".eo-start")
    inside(console, twin(1, ".eo-stop:not([aria-disabled])")).wait_for(timeout=STARTING_MS)
    hours(console, 4)
    return console


def inside(page, selector):
    return page.locator(f".eo-twins {selector}")


def twin(number, selector=""):
    return f".eo-twin[aria-label='Twin {number}'] {selector}"


def says(page, words):
    expect(inside(page, ".eo-banner")).to_contain_text(words, timeout=30_000)


def hours(page, more):
    """Wait until so many more hours are in the output; return how many there are."""
    words = (
        "(document.querySelector('.eo-twins .eo-banner').innerText.match(/(\\d+) hours?, each once/) ?? [0, 0])[1]"
    )
    before = int(page.evaluate(words))
    page.wait_for_function(f"least => Number({words}) >= least", arg=before + more)
    return before + more


def status(page, number, words):
    expect(inside(page, twin(number, ".eo-status-of"))).to_contain_text(words, timeout=30_000)


def end(page):
    page.click(".eo-twins .eo-end")
    page.wait_for_selector(".eo-twins[data-busy=idle]")


@pytest.mark.slow
def test_nothing_runs_before_start_and_keys_are_enough(console):
    page = console
    says(page, "Nothing runs yet.")
    for css in ("eo-end", "eo-add", "eo-point", "eo-earlier", "eo-later", "eo-follow", "eo-to-fault"):
        assert inside(page, f".{css}").get_attribute("aria-disabled") == "true", css
    page.focus(".eo-twins .eo-start")
    page.keyboard.press("Enter")
    inside(page, twin(2, ".eo-stop:not([aria-disabled])")).wait_for(timeout=STARTING_MS)
    hours(page, 4)
    says(page, "✓ Exactly once so far:")
    assert re.search(r"executor \d, pid \d+", inside(page, twin(1)).inner_text())
    won = [int(number) for number in re.findall(r"\d+", inside(page, ".eo-twins-right > span").first.inner_text())]
    assert len(won) == 2
    assert min(won) > 0, "both make transitions"
    page.focus(".eo-twins .eo-end")
    reached = reached_by_keys(page)
    assert {"eo-add", "eo-point", "eo-pace", "eo-kill", "eo-stop", "eo-earlier", "eo-follow"} <= reached
    page.focus(twin(2, ".eo-stop"))
    page.keyboard.press("Enter")
    status(page, 2, "❚❚ stopped")
    page.focus(twin(2, ".eo-resume"))
    page.keyboard.press("Space")
    status(page, 2, "▶ running")
    page.focus(".eo-twins .eo-end")
    page.keyboard.press("Enter")
    page.wait_for_selector(".eo-twins[data-busy=idle]")
    says(page, "✓ Exactly once.")
    says(page, "0 kills and 1 stop:")
    expect(inside(page, ".eo-start")).to_have_text("▶ Start again")
    assert page.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"


def test_a_kill_a_stop_and_a_look_back(live):
    page = live
    before = inside(page, twin(2, ".eo-dim")).inner_text()
    page.click(twin(2, ".eo-kill"))
    says(page, "Twin 2 had no process for")
    status(page, 2, "▶ running")
    assert inside(page, twin(2, ".eo-dim")).inner_text() != before, "its next incarnation is another process"
    assert "SIGKILL" in inside(page, ".eo-is-fault").first.inner_text()

    page.click(twin(1, ".eo-stop"))
    status(page, 1, "❚❚ stopped")
    hours(page, 20)
    says(page, "Twin 1 has been stopped for")
    says(page, "Twin 2 has finished hours")
    expect(inside(page, "svg .warn").first).to_contain_text("holds")
    tape = inside(page, ".eo-heading .eo-more-words").nth(1)
    page.click(".eo-twins .eo-to-fault")
    expect(inside(page, "svg .ring")).to_have_count(1)
    there = tape.inner_text().partition(" of ")[0]
    hours(page, 3)
    assert tape.inner_text().startswith(there), "the picture stands still"
    page.click(".eo-twins .eo-earlier")
    expect(tape).not_to_contain_text(there)
    page.click(".eo-twins .eo-later")
    expect(tape).to_contain_text(there)
    page.click(".eo-twins .eo-follow")
    expect(inside(page, ".eo-follow")).to_have_attribute("aria-pressed", "true")
    expect(tape).not_to_contain_text(there)

    page.click(twin(1, ".eo-resume"))
    status(page, 1, "▶ running")
    says(page, "Twin 1 was stopped for")
    page.focus(".eo-twins .eo-pace")
    page.keyboard.press("Home")
    expect(inside(page, ".eo-toolbar .eo-field").last).to_contain_text("Pace: 0.5 hours/s")
    page.keyboard.press("End")
    expect(inside(page, ".eo-toolbar .eo-field").last).to_contain_text("Pace: 16 hours/s")
    hours(page, 20)
    end(page)
    says(page, "1 kill and 1 stop:")


@pytest.mark.slow
def test_a_third_twin_joins_and_all_fits_one_screen(live):
    page = live

    def look(name):
        for theme in ("Light", "Dark"):
            change_theme(page, f"JupyterLab {theme}")
            page.evaluate("document.querySelector('.eo-twins').scrollIntoView()")
            page.screenshot(path=temporary("screenshots") / f"twins-{name}-{theme.lower()}.png")
            box = page.locator(".eo-twins").bounding_box()
            assert box["x"] + box["width"] <= 1280
            assert box["height"] <= 680, name
            assert page.locator(".eo-twins").evaluate(MEASURE) == [], name

    look("calm")
    page.click(twin(1, ".eo-stop"))
    hours(page, 6)
    look("stopped")
    page.click(twin(1, ".eo-kill"))
    look("killed")
    page.click(".eo-twins .eo-add")
    status(page, 3, "▶ running")
    expect(inside(page, ".eo-add")).to_have_attribute("aria-disabled", "true")
    status(page, 1, "▶ running")
    for number in (1, 2):
        page.click(twin(number, ".eo-stop"))
        status(page, number, "❚❚ stopped")
    hours(page, 4)
    says(page, "Twin 3 has finished hours")
    look("three")
    end(page)
    says(page, "▲ twin 3")
    look("ended")
