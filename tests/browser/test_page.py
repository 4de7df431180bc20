"""The common parts of the widgets' pages, without a notebook: tabs, rows of buttons, the stepper, motion."""

import json

import pytest

from exactly_once import widgets
from exactly_once.explore import prove
from exactly_once.handlers import at_least_once
from exactly_once.paths import ROOT
from exactly_once.widgets.ask.ask_model import AskModel
from exactly_once.widgets.ask.ask_widget import Ask
from exactly_once.widgets.base.controls import button, row
from exactly_once.widgets.base.widget import css, script

TABS = """<div class="eo" id="root"><div class="eo-tabs" aria-label="What to see">
<button data-tab="matrix">Matrix</button>
<button data-tab="prove">Prove</button><button data-tab="live">Live</button></div>
<div data-panel="matrix">one</div><div data-panel="prove">two</div><div data-panel="live">three</div></div>"""


@pytest.fixture
def blank(opened):
    """Give an empty page with the script and the style sheet that all widgets share."""
    page = opened.new_page()

    def put(html, code):
        page.set_content(f"<style>{css()}</style>{html}")
        page.add_script_tag(content=f"{script()}\nconst root = document.getElementById('root');\n{code}")
        return page

    yield put
    page.close()


def test_tabs_follow_clicks_and_arrow_keys(blank):
    page = blank(TABS, "window.seen = []; tabs({ root }, root.querySelector('.eo-tabs'), (name) => seen.push(name));")
    assert page.locator("[role=tab][tabindex='0']").all_inner_texts() == ["Matrix"]
    page.focus("[data-tab=matrix]")
    for key, shown in (("ArrowRight", "two"), ("ArrowRight", "three"), ("ArrowRight", "one"), ("End", "three")):
        page.keyboard.press(key)
        assert page.locator("[role=tabpanel]").locator("visible=true").all_inner_texts() == [shown]
        assert page.locator("[role=tab][aria-selected=true]").evaluate("tab => tab === document.activeElement")
    page.click("[data-tab=prove]")
    assert page.evaluate("seen") == ["matrix", "prove", "live", "matrix", "live", "prove"]
    panel = page.locator("[role=tabpanel]:not([hidden])")
    assert panel.get_attribute("aria-labelledby") == page.locator("[aria-selected=true]").get_attribute("id")


def test_a_row_of_buttons_is_one_stop_and_the_arrows_move_in_it(blank):
    buttons = row("eo-actions", "Edit", *(button(f"eo-{name}", name, name) for name in ("undo", "clear", "example")))
    html = f'<div class="eo" id="root"><input id="before">{buttons}<input id="after"></div>'
    page = blank(
        html,
        "window.told = []; listen({ root }, (what) => told.push(what)); rove(root.querySelector('[data-arrows]'));",
    )
    page.focus("#before")
    stops = []
    for key in ("Tab", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Enter", "Tab"):
        page.keyboard.press(key)
        stops.append(page.evaluate("document.activeElement.dataset.do ?? document.activeElement.id"))
    assert stops == ["undo", "clear", "example", "undo", "example", "example", "after"]
    assert page.evaluate("told") == ["example"], "to move is not to press"


def test_the_stepper_plays_at_the_speed_that_is_chosen_and_ends_at_the_last_step(blank):
    page = blank(
        '<div class="eo" id="root"><div id="steps"></div></div>',
        "window.seen = [];"
        "const model = { get: (name) => ({ last: 4, marks: [2], at: 0 })[name] };"
        "const page = { root, undo: [], on() {}, answers: [], latest: (_, at) => seen.push(at) };"
        "stepper(page, model, document.getElementById('steps'), 'go', true).reset();",
    )
    page.select_option(".eo-speed", "fast")
    page.click(".eo-play")
    page.wait_for_selector(".eo-play[aria-pressed=false]")
    assert page.evaluate("seen") == [1, 2, 3, 4], "it stops by itself at the last step"
    assert page.locator(".eo-play").get_attribute("aria-pressed") == "false"
    page.click(".eo-next-fault")
    assert page.locator(".eo-count").inner_text() == "3 of 5"
    assert page.locator(".eo-marks span").count() == 1
    page.locator(".eo-slider").evaluate("slider => slider.setAttribute('aria-disabled', 'true')")
    page.click(".eo-go-next")
    assert page.locator(".eo-count").inner_text() == "3 of 5", "what is off does not step"


def test_nothing_moves_for_whoever_asked_for_that(blank):
    page = blank('<div class="eo" id="root"><span class="eo-spin"></span></div>', "")
    animation = "getComputedStyle(document.querySelector('.eo-spin')).animationName"
    assert page.evaluate(animation) == "eo-turn"
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(animation) == "none"
    assert page.evaluate("glide()") == "auto"


# The book's model, of four functions, over the values that a widget's kernel would send.
MODEL = ROOT / "tools" / "book" / "pages" / "model.js"
PLAIN = """async ([source, stand_in, values]) => {
  const loaded = (text) => import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  const [{ default: widget }, { Recorded }] = [await loaded(source), await loaded(stand_in)];
  window.model = new Recorded(values, () => {});
  window.leave = await widget.render({ model, el: document.body });
}"""
MADE = {
    "adversary": lambda: widgets.adversary(at_least_once),
    "card": lambda: Ask(AskModel("What is left?", {"": ("one", "two")}), "left"),
    "console": lambda: widgets.crash_console(),
    "debugger": lambda: widgets.debugger(prove(at_least_once, crashes=1), at_least_once),
    "scene": lambda: widgets.scene("07"),
    "playground": lambda: widgets.clock_playground(),
    "timeline": lambda: widgets.transaction_timeline(),
    "twins": lambda: widgets.twins(),
}


@pytest.mark.some(day=3)
@pytest.mark.parametrize("name", MADE)
def test_a_page_needs_no_notebook_but_a_model_that_gets_sets_listens_and_sends(opened, name):
    widget = MADE[name]()
    found = {**widget.fragments(), **{each: getattr(widget, each) for each in widget.trait_names(sync=True)}}
    values = {each: value for each, value in found.items() if isinstance(value, (str, int, list, dict))}
    page = opened.new_page()
    try:
        page.set_content(f"<style>{widget._css}</style>")
        page.evaluate(PLAIN, [str(widget._esm), MODEL.read_text(), json.loads(json.dumps(values))])
        drawn = page.evaluate("[...document.querySelectorAll('[data-region]')].map(each => each.dataset.region)")
        assert set(drawn) <= {*values}, "a region that the kernel knows nothing of"
        control = "button[data-do]:not([aria-disabled]), button[data-go=next]"
        page.locator(control).locator("visible=true").first.click()
        page.evaluate("model.set('error', '<p>It is refused.</p>')")
        assert page.locator("[data-region=error]").inner_text() == "It is refused."
        page.evaluate("leave()")
    finally:
        page.close()
