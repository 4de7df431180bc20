"""What all widgets share: actions by name, errors in place, fields, undo, work in the background, contrast."""

import json
import re
import threading
from dataclasses import dataclass

import pytest
import traitlets

from exactly_once.errors import BadInput
from exactly_once.show.base.theme import CSS
from exactly_once.widgets.ask.ask_model import AskModel
from exactly_once.widgets.ask.ask_widget import Ask
from exactly_once.widgets.base.buttons import AskingButton, reveal_button
from exactly_once.widgets.base.controls import error_html
from exactly_once.widgets.base.model import BackgroundWork, BaseState, Model, typed_number
from exactly_once.widgets.base.widget import HERE, HtmlWidget, script


@dataclass(frozen=True)
class State(BaseState):
    """A number, and what was done with it."""

    number: int = 3
    runs: tuple = ()


class Counter(Model):
    """A model with one field, one action that needs it, and actions that fail."""

    what = "The counter"
    needs_fields = ("run",)

    def actions(self):
        return {
            "number": lambda value: self.update(number=typed_number("number", "The number", value, 1, 6)),
            "run": lambda _: self.update(runs=(*self.state.runs, self.state.number)),
            "refuse": lambda _: self._refuse_it(),
            "break": lambda _: 1 / 0,
            "twice": lambda _: [self.update(number=number) for number in (4, 5)],
        }

    def _refuse_it(self):
        raise BadInput("Not today: <b>it is closed</b>. Come tomorrow.")


@pytest.fixture
def told():
    return []


@pytest.fixture
def model(told):
    made = Counter(State())
    made.changed = lambda: told.append(1)
    return made


def test_an_action_is_carried_out_by_its_name_and_the_screen_is_told_once(model, told):
    model.do("twice")
    assert model.state.number == 5
    assert told == [1]
    model.do("dance")
    assert model.state.error.message.startswith("The counter's action is 'dance'; it can be number, run,")


def test_a_refusal_is_a_sentence_and_goes_with_the_next_action(model):
    model.do("refuse")
    assert "&lt;b&gt;it is closed" in error_html(model.state.error)
    assert "<details" not in error_html(model.state.error)
    model.do("run")
    assert model.state.error is None


def test_any_other_error_stands_in_place_with_its_traceback_folded(model, told):
    model.do("break")
    html = error_html(model.state.error)
    assert "The counter itself failed (ZeroDivisionError: division by zero)" in html
    assert re.search(r"<details.*<summary>.*Traceback", html, re.S)
    assert told == [1]


@pytest.mark.parametrize("typed", ["", "  ", "99", "0", "-1", "two", "1.5", "²", None, {}, "9" * 40])
def test_a_wrong_field_keeps_what_was_typed_and_what_needs_it_does_not_run(model, typed):
    model.do("number", typed)
    assert model.state.refused["number"][0] == str(typed)
    assert model.state.refused["number"][1].startswith("The number is ")
    assert model.state.number == 3
    model.do("run")
    assert model.state.runs == ()
    assert model.state.error.field == "number"
    assert error_html(model.state.error) == "", "its sentence stands beside the field"
    model.do("number", " 4 ")
    model.do("run")
    assert (model.state.runs, model.state.refused, model.state.error) == ((4,), {}, None)


class Worker(BackgroundWork):
    """A model whose work waits for a gate."""

    what = "The worker"

    def __init__(self):
        super().__init__(BaseState())
        self.gate, self.began, self.over = threading.Event(), [], []

    def actions(self):
        return {
            "go": lambda _: self.begin("go", self._task),
            "fail": lambda _: self.begin("fail", lambda _: 1 / 0),
            "stop": lambda _: self.stop(),
            "refuse": lambda _: self._refuse_it(),
        }

    def _refuse_it(self):
        raise BadInput("Nothing to kill.")

    def _task(self, work):
        self.began.append(work)
        assert self.gate.wait(300)

    def patience(self, work):
        return 0.0

    def overdue(self, work):
        self.over.append(work)
        self.gate.set()


def test_a_second_click_during_work_is_ignored_and_errors_end_with_it():
    model = Worker()
    model.do("go")
    model.do("go")
    model.do("refuse")
    assert (model.state.busy, model.state.error.message) == ("running", "Nothing to kill.")
    model.gate.set()
    assert model.wait(300)
    assert (model.state.busy, model.state.error, len(model.began)) == ("idle", None, 1)


def test_who_waits_for_work_sees_its_result_on_the_screen():
    """Work that ends is no longer there, and its result not yet drawn, for a moment: nobody may be told "done"."""
    model, waiting = Worker(), []

    def draw():
        if model.state.busy == "idle" and not waiting:
            waiting.append(threading.Thread(target=model.wait))
            waiting[0].start()
            waiting[0].join(0.2)
            waiting.append(waiting[0].is_alive())

    model.changed = draw
    model.gate.set()
    model.do("go")
    assert model.wait(300)
    assert waiting[1:] == [True]


def test_what_work_raises_stays_after_its_end():
    model = Worker()
    model.do("fail")
    model.wait(60)
    assert model.state.busy == "idle"
    assert "ZeroDivisionError" in model.state.error.message


def test_work_that_does_not_stop_in_time_is_overdue_once():
    model = Worker()
    model.do("go")
    model.do("stop")
    model.do("stop")
    assert model.wait(300)
    assert len(model.over) == 1


class Widget(HtmlWidget):
    """A widget that draws a number, and can be told to fail at it."""

    text = traitlets.Unicode().tag(sync=True)
    broken = False

    def fragments(self):
        if self.broken:
            raise RuntimeError("cannot draw")
        return {"text": str(self.model.state.number)}

    def on_message(self, do, value):
        if do == "burst":
            raise RuntimeError("cannot hear")
        return super().on_message(do, value)


def test_what_fails_behind_a_message_or_a_drawing_stands_on_the_screen():
    widget = Widget(Counter(State()))
    answers = []
    widget.send = answers.append
    widget._heard(None, {"do": "number", "value": "5", "number": 7}, ())
    assert (widget.text, widget.error) == ("5", "")
    widget._heard(None, {"do": "burst"}, ())
    assert "The counter itself failed (RuntimeError: cannot hear)" in widget.error
    widget.broken = True
    widget._heard(None, {"do": "number", "value": "6"}, ())
    assert "RuntimeError: cannot draw" in widget.error
    widget.broken = False
    widget._heard(None, {"do": "number", "value": "9"}, ())
    widget._heard(None, {"do": "run"}, ())
    assert answers[0] == {"heard": 7}
    assert "field" not in answers[-2], "whoever typed it and went on is not held back"
    assert answers[-1]["field"] == "number", "whoever starts something is led back to the field"


def test_a_page_that_missed_a_drawing_is_sent_it_when_it_says_hello():
    widget = Widget(Counter(State()))
    sent, answers = [], []
    widget.send, widget.send_state = answers.append, lambda names: sent.append(widget.get_state(names))
    before = widget.drawn
    widget.model.do("number", "5")
    assert sent.pop() == {"text": "5", "drawn": before + 1}, "number and drawing go together"
    widget._heard(None, {"do": "hello", "value": widget.drawn}, ())
    assert sent == [], "it has all"
    for missed in (before, None):
        widget._heard(None, {"do": "hello", "value": missed}, ())
        state = sent.pop()
        assert (state["text"], state["drawn"]) == ("5", widget.drawn)
        assert "_esm" not in state
    assert answers == [], "nobody waits for an answer"


def fails():
    raise RuntimeError("<no> such thing")


def test_a_button_says_what_failed_behind_it():
    below = reveal_button(fails)
    below.children[0].children[0].click()
    assert "RuntimeError: &lt;no&gt; such thing" in below.children[0].value
    asking = AskingButton("Reset", "", "Sure?", ("Yes", ""), ("No", ""), fails, "eo-x")
    asking.yes.click()
    assert "It did not go through: RuntimeError: &lt;no&gt; such thing" in asking.says.value


def test_a_question_brings_little_into_the_page():
    """A chapter asks a dozen of them, and each brings its whole page."""
    card = Ask(AskModel("What is left?", {"": ("one", "two")}), "left")
    assert len(json.dumps(card.get_state(), default=str)) < 12_000
    assert script(core=True) in script(), "an instrument's page is a card's and more"


# JupyterLab's own values of the two variables that the style sheet follows, in its light and its dark theme.
THEMES = {"light": ("#ffffff", "#000000"), "dark": ("#111111", "#ffffff")}
ON_BACKGROUND = ("ink", "text", "dim", "blue", "green", "red", "amber", "purple", "grey")
ON_COLOUR = ("blue", "red", "amber")
TINT = 0.17  # the strongest tint of a colour that text of that colour stands on: that of a word of the matrix


def variables(theme):
    """Return {name: (red, green, blue)} of the style sheet's variables in a theme."""
    light, dark = re.findall(r"\{([^{}]*--eo-blue:[^{}]*)\}", CSS)
    rules = dict(re.findall(r"--eo-([a-z]+):\s*([^;]+);", light))
    if theme == "dark":
        rules |= dict(re.findall(r"--eo-([a-z]+):\s*([^;]+);", dark))
    background, ink = THEMES[theme]
    rules |= {"bg": background, "ink": ink}

    def colour(name):
        value = rules[name]
        if mixed := re.fullmatch(r"color-mix\(in srgb, var\(--eo-([a-z]+)\) (\d+)%, var\(--eo-([a-z]+)\)\)", value):
            return mix(colour(mixed[1]), colour(mixed[3]), int(mixed[2]) / 100)
        digits = value.removeprefix("#")
        digits = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
        return tuple(int(digits[at : at + 2], 16) for at in (0, 2, 4))

    return {name: colour(name) for name in rules}


def mix(one, other, share):
    return tuple(share * left + (1 - share) * right for left, right in zip(one, other, strict=True))


def contrast(one, other):
    """Return the contrast of two colours as WCAG 2.2 defines it."""

    def luminance(colour):
        parts = [part / 255 for part in colour]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_text_stands_out_from_what_it_stands_on(theme):
    found = variables(theme)
    background, panel = found["bg"], found["panel"]
    pairs = {f"{name} on the background": (found[name], background) for name in ON_BACKGROUND}
    pairs |= {f"{name} on a panel": (found[name], panel) for name in ON_BACKGROUND}
    pairs |= {f"on {name}": (found["on"], found[name]) for name in ON_COLOUR}
    pairs |= {
        f"{name} on its own tint": (found[name], mix(found[name], background, 0.09))
        for name in ("blue", "green", "red", "amber", "purple")
    }
    low = {name: round(contrast(*pair), 2) for name, pair in pairs.items() if contrast(*pair) < 4.5}
    assert low == {}
    assert contrast(found["edge"], background) >= 3, "the edge of a control"


def test_no_text_is_smaller_than_twelve_pixels():
    sheets = {path.name: path.read_text() for path in HERE.rglob("*.css")} | {"theme.py": CSS}
    small = {
        name: found
        for name, text in sheets.items()
        if (found := [size for size in re.findall(r"font(?:-size)?:[^;{}]*?([\d.]+)px", text) if float(size) < 12])
    }
    assert small == {}


def test_what_a_widget_lays_out_is_not_styled_for_something_else_as_well():
    shared = set(re.findall(r"\.(eo-[\w-]+)", CSS))
    clashes = {
        path.name: names
        for path in HERE.rglob("*.css")
        if (names := shared & set(re.findall(r"^\s*\.(eo-[\w-]+) \{", path.read_text(), re.M)))
    }
    assert clashes == {}
