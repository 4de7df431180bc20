"""A question on the screen: chips or rows to fill, and the answer once it is kept."""

from collections.abc import Callable
from html import escape
from typing import Any

from ... import show
from ...show.base.picture import marked
from ..base.controls import button
from ..base.widget import HtmlWidget
from .ask_model import ONE


def card(model: Any) -> str:
    """Return the whole card of a question."""
    kept = model.kept is not None
    title = "You predicted" if kept else "Predict"
    inside = _chips(model, 0, ONE) if model.single else _rows(model)
    act = button("eo-anew eo-small", "anew", "Predict anew") if kept else _keep(model)
    hint = "Kept. What follows is uncovered." if kept else _what_to_do(model)
    return (
        f'<p class="eo-h">{title}</p><p class="eo-question">{marked(model.question)}</p>{inside}'
        f'<p class="eo-ask-foot">{act}<span class="eo-ask-hint" role="status">{escape(hint)}</span></p>'
    )


def static(model):
    """Return the card without buttons, for a page that is read without a kernel."""
    rows = "".join(
        f"<li>{escape(row)}: {escape(_options(blank))}</li>" if row else f"<li>{escape(_options(blank))}</li>"
        for row, blank in model.blanks.items()
    )
    said = "" if model.kept is None else f"<p><b>You said:</b> {escape(in_words(model.kept))}</p>"
    return f'<p class="eo-h">Predict</p><p class="eo-question">{marked(model.question)}</p><ul>{rows}</ul>{said}'


def in_words(answer):
    """Return an answer as one line."""
    return ", ".join(f"{row}: {value}" if row else str(value) for row, value in answer.items())


def _options(blank):
    return "a whole number" if blank is int else " / ".join(blank)


def _what_to_do(model: Any) -> str:
    if model.single:
        return "A click keeps your answer and uncovers what follows."
    left = sum(row not in model.state.filled for row in model.blanks)
    return f"{left} of {len(model.blanks)} still empty." if left else "Keep it, and what follows is uncovered."


def _keep(model: Any) -> str:
    if model.single:
        return ""
    return button("eo-keep", "keep", "Keep my prediction", off=not model.complete, primary=True)


def _rows(model):
    rows = "".join(
        f'<tr><th scope="row">{marked(row)}</th><td>{_blank(model, number, row)}</td></tr>'
        for number, row in enumerate(model.blanks)
    )
    return f'<table class="eo-blanks"><tbody>{rows}</tbody></table>'


def _blank(model, number, row):
    if model.blanks[row] is not int:
        return _chips(model, number, row)
    if model.kept is not None:
        return f'<b class="eo-num">{model.kept[row]}</b>'
    name, state = f"fill-{number}", model.state
    typed, sentence = state.refused.get(name, (state.filled.get(row, ""), ""))
    says = f'<span class="eo-field-says" role="alert">{escape(sentence)}</span>' if sentence else ""
    invalid = ' aria-invalid="true"' if sentence else ""
    return (
        f'<span class="eo-field"><input class="eo-ask-number eo-{name}" type="text" inputmode="numeric" '
        f'placeholder="number" value="{escape(str(typed))}" aria-label="{escape(row)}" data-do="{name}" '
        f'data-key="{name}"{invalid}>{says}</span>'
    )


def _chips(model: Any, number: int, row: str) -> str:
    do, chosen, off = f"fill-{number}", model.state.filled.get(row), model.kept is not None
    chips = "".join(
        button(
            f"eo-chip-{number}-{place}", do, choice, off, pressed=choice == chosen, value=choice, key=f"{do}-{place}",
            look="eo-ask-chip", html=marked(choice),
        )
        for place, choice in enumerate(model.blanks[row])
    )  # fmt: skip
    name = escape(row or "your answer")
    return f'<span class="eo-ask-chips" role="group" aria-label="{name}" data-arrows>{chips}</span>'


class Ask(HtmlWidget, page="ask/ask", core=True):
    """A question with blanks. `model` is its `AskModel`.

    When it is answered the page opens each `<details class="eo-after-NAME">` of its notebook, and closes them when
    the answer is taken back; `name` is the question's. `answer_changed()` is called when the kept answer has changed.
    """

    def __init__(self, model: Any, name: str, answer_changed: Callable[..., Any] = lambda: None) -> None:
        self._answer_changed = answer_changed
        super().__init__(model, opens=f"eo-after-{name}")

    def fragments(self) -> dict[str, Any]:
        """Return {trait: value} from the model's state."""
        return {"card": card(self.model), "answered": self.model.kept is not None}

    def on_message(self, do, value):
        """Carry out a request of the page."""
        before = self.model.kept
        super().on_message(do, value)
        if self.model.kept != before:
            self._answer_changed()

    def bundle(self):
        """Return the data that a notebook saves: the widget, and the question in HTML and in words for a page."""
        return self._repr_mimebundle_() | {
            "text/plain": repr(self),
            "text/html": f'<style>{show.CORE}</style><div class="eo eo-ask">{static(self.model)}</div>',
        }

    def __repr__(self):
        said = "Not predicted." if self.model.kept is None else f"You said {in_words(self.model.kept)}."
        return f"Predict: {self.model.question} {said}"
