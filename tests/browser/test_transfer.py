"""The transfer lab in JupyterLab, in a real browser: every control and its effect; keys, themes."""

import pytest
from jupyter import change_theme, reached_by_keys
from playwright.sync_api import expect

from exactly_once.paths import temporary

CUT = """[...document.querySelectorAll(`.eo-transfer :is(button:not(.eo-player-chip), p,
    td, th, h3, .eo-src > div)`)]
    .filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1).map(e => e.className || e.nodeName)"""
SMALL = """[...document.querySelectorAll('.eo-transfer *')].filter(e => e.innerText && e.children.length === 0
    && parseFloat(getComputedStyle(e).fontSize) < 12).map(e => e.className || e.nodeName)"""
CELLS = ("from exactly_once.widgets import transfer_lab", "transfer_lab('locks')")


@pytest.fixture
def lab_page(desk):
    """The page after its cells ran again: with a bank in which nothing was moved."""
    desk.evaluate("document.querySelectorAll('.eo-transfer').forEach(each => each.remove())")
    desk.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    desk.wait_for_selector(".eo-transfer .eo-player-step")
    return desk


def inside(page, selector):
    return page.locator(f".eo-transfer {selector}")


def moves(page, number):
    """Wait until so many moves are made."""
    page.wait_for_function(
        "number => document.querySelectorAll('.eo-player-chip:not(.eo-player-chip-undone)').length === number",
        arg=number,
    )


def take(page, *names):
    """Make moves, each waited for."""
    at = inside(page, ".eo-player-chip:not(.eo-player-chip-undone)").count()
    for number, name in enumerate(names, at + 1):
        page.click(f".eo-transfer [data-do=move][data-value='{name}']")
        moves(page, number)


def says(page, words):
    expect(inside(page, ".eo-banner")).to_contain_text(words)


def test_two_clicks_deadlock_two_movers_and_a_kill_frees_one(lab_page):
    page = lab_page
    take(page, "0s", "1s")
    says(page, "Deadlock. ● mover 1 waits for the lock of b, which ■ mover 2 holds")
    expect(inside(page, "[data-account=a]")).to_contain_text("lock: ● mover 1 · waits: ■ mover 2")
    take(page, "0c")
    says(page, "All is well so far")
    expect(inside(page, "[data-account=a]")).to_contain_text("lock: free")
    page.click(".eo-transfer .eo-run[data-value='1']")
    expect(inside(page, "section[aria-label='Mover 2']")).to_contain_text("insufficient funds")


def test_the_auditor_sees_too_little_and_a_kill_loses_it(lab_page):
    page = lab_page
    page.click(".eo-stage-halves")
    expect(inside(page, ".eo-stage-halves")).to_have_attribute("aria-pressed", "true")
    take(page, "0s", "0s", "0s")
    says(page, "7 are in no account at this moment")
    expect(inside(page, ".eo-part-away")).to_have_text("on its way: 7")
    page.click(".eo-transfer .eo-run[data-value='2']")
    says(page, "The auditor saw 3, and the bank opened with 10")
    take(page, "0c")
    says(page, "7 are lost for good")
    expect(inside(page, ".eo-part-lost")).to_have_text("✗ lost: 7")
    expect(inside(page, ".eo-sum")).to_contain_text("3opened with 10")


def test_a_sleeper_keeps_its_lock_and_wakes(lab_page):
    page = lab_page
    page.click(".eo-stage-halves")
    take(page, "0s", "0p")
    expect(inside(page, "[data-account=a]")).to_contain_text("lock: ● mover 1")
    page.click(".eo-transfer .eo-player-step[data-value='3s']")
    moves(page, 3)
    expect(inside(page, ".eo-player-chip[aria-current]")).to_contain_text("read a")


def test_undo_redo_a_move_and_the_end(lab_page):
    page = lab_page
    take(page, "0s", "0s", "0s")
    page.click(".eo-transfer .eo-undo")
    moves(page, 2)
    page.click(".eo-transfer .eo-redo")
    moves(page, 3)
    inside(page, ".eo-player-chip").first.click()
    moves(page, 1)
    page.click(".eo-transfer .eo-restart")
    expect(inside(page, ".eo-player-chip")).to_have_count(0)
    page.click(".eo-transfer .eo-run-out")
    says(page, "All have ended. The accounts hold 10")


def test_the_explorer_answers_and_shows_and_one_comes_back(lab_page):
    page = lab_page
    take(page, "2s")
    for claim in ("deadlock", "money", "audit"):
        page.click(f".eo-transfer .eo-ask-{claim}")
        expect(inside(page, f".eo-claim-{claim}")).to_contain_text("Yes")
    page.click(".eo-transfer .eo-show-money")
    says(page, "7 are lost for good")
    page.click(".eo-transfer .eo-own")
    moves(page, 1)
    page.click(".eo-stage-transaction")
    page.click(".eo-transfer .eo-ask-money")
    expect(inside(page, ".eo-claim-money")).to_contain_text("No, with one kill")


def test_the_line_at_which_a_mover_stands_is_in_view(lab_page):
    page = lab_page
    page.click(".eo-stage-cas")
    take(page, "0s", "0s", "1s", "1s", "0s")
    line = inside(page, ".eo-player-next-line").last
    expect(line).to_contain_text("store.cas(account, version, balance + amount)")
    expect(line).to_be_in_viewport()
    frame, it = inside(page, ".eo-listing").bounding_box(), line.bounding_box()
    assert frame["y"] <= it["y"] <= frame["y"] + frame["height"] - it["height"]


def test_movers_auditor_token_and_debugger(lab_page):
    page = lab_page
    page.click(".eo-movers-3")
    expect(inside(page, ".eo-player-node")).to_have_count(4)
    page.select_option(".eo-transfer .eo-auditor", "none")
    expect(inside(page, ".eo-player-node")).to_have_count(3)
    take(page, "2s")
    token = inside(page, ".eo-token").inner_text()
    assert token.startswith("ep2-simulated-")
    page.click(".eo-transfer .eo-copy")
    expect(inside(page, ".eo-copy")).to_contain_text("opied") if page.evaluate("!!navigator.clipboard") else None
    page.click(".eo-transfer .eo-open-debugger")
    page.wait_for_selector(".eo-opened .eo-debugger")


def test_the_keyboard_is_enough(lab_page):
    page = lab_page
    page.focus(".eo-transfer .eo-stage-locks")
    page.keyboard.press("ArrowRight")
    expect(inside(page, ".eo-stage-ordered")).to_have_attribute("aria-pressed", "true")
    page.focus(".eo-transfer .eo-player-step")
    page.keyboard.press("Enter")
    moves(page, 1)
    assert page.evaluate("document.activeElement.dataset.value") == "0s", "the focus is where it was"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.classList.contains('eo-run')")
    page.keyboard.press("Backspace")
    moves(page, 0)
    page.focus(".eo-transfer .eo-stage-ordered")
    reached = reached_by_keys(page)
    wanted = {"eo-movers-2", "eo-auditor", "eo-run-out", "eo-player-step", "eo-run", "eo-kill", "eo-sleep",
              "eo-ask-deadlock"}  # fmt: skip
    assert wanted <= reached
    assert page.locator(".jp-CodeCell").count() == len(CELLS), "no key went to the notebook"


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_it_fits_one_screen_and_nothing_is_cut_off(lab_page, theme):
    page = lab_page
    change_theme(page, f"JupyterLab {theme}")
    for stage in ("transaction", "locks", "ordered", "halves", "cas"):
        for movers in (2, 3):
            page.click(f".eo-stage-{stage}")
            page.click(f".eo-movers-{movers}")
            expect(inside(page, ".eo-player-node")).to_have_count(movers + 1, timeout=60_000)
            take(page, "0s", "1p", "0s", f"{movers}s")
            for claim in ("deadlock", "money", "audit"):
                page.click(f".eo-transfer .eo-ask-{claim}")
            page.wait_for_function("document.querySelectorAll('.eo-claims b').length === 3")
            page.click(".eo-transfer .eo-show-audit")
            page.wait_for_selector(".eo-transfer .eo-own")
            page.evaluate("document.querySelector('.eo-transfer').scrollIntoView()")
            page.screenshot(path=temporary("screenshots") / f"transfer-{stage}-{movers}-{theme.lower()}.png")
            box = page.locator(".eo-transfer").bounding_box()
            assert box["x"] + box["width"] <= 1280
            assert box["height"] <= 680, (stage, movers)
            assert page.evaluate(CUT) == [], (stage, movers)
            assert page.evaluate(SMALL) == []
