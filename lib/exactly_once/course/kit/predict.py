"""`predict(…)`: a question that the learner answers before the truth is shown, and `reveal`, the truth.

letters = predict("04-letters", "What does a crash at each letter do?", rows="ABCDE", choices=("harmless", "doubles"))
letters.reveal(table, it_did={"A": "harmless", …})

Prose that gives the answer away stands in Markdown, in a `<details class="eo-after-04-letters">`; an answer opens it.
"""

import re
from collections.abc import Iterable, Mapping
from html import escape
from numbers import Number
from typing import Any

from ...chapters.items import reply_to
from ...errors import BadInput
from ...show import CSS, Picture
from ...show.base.picture import marked
from ...widgets.ask.ask_model import ONE, AskModel, fits
from ...widgets.ask.ask_widget import Ask
from .. import predictions
from ..chapters import one_sentence_errors
from .with_servers import Lacking

FOLDED = "Not predicted yet: predict above, and this opens. Or open it now."
AS_SAID, OTHERWISE = '<b class="eo-good">✓ as you said</b>', '<b class="eo-bad">✗ not so</b>'
STYLE = """
.eo-reveal > details { border: 1px dashed var(--eo-line); border-radius: 4px; padding: 7px 14px; }
.eo-reveal > details > summary { cursor: pointer; color: var(--eo-dim); }
.eo-reveal > details[open] > summary { margin-bottom: 8px; }
.eo-reveal pre { word-break: normal; overflow-wrap: anywhere; }
details[class*="eo-after-"] { margin-bottom: 1em; }
.eo-reveal table.eo-told { border-collapse: collapse; margin: 0 0 10px; font-size: 13px; }
.eo-reveal table.eo-told :is(th, td) { padding: 4px 18px 4px 0; text-align: left; background: none;
  border-bottom: 1px solid var(--eo-line); color: var(--eo-text); }
.eo-reveal table.eo-told td.eo-why { max-width: 70ch; white-space: normal; }
.eo-reveal table.eo-told thead th { color: var(--eo-dim); font-size: 13px; }
"""


class Reveal:
    """Things that a question covers. In a notebook they are one output, which the answer changes in place."""

    def __init__(self, question: Any, things: Any, truth: Any) -> None:
        self.question, self.truth = question, truth
        self._html = "".join(map(_html, things))
        self._text = "\n".join(thing if isinstance(thing, str) else repr(thing) for thing in things)
        self._handle = None

    def redraw(self) -> None:
        """Bring the output up to the answer, wherever it was shown."""
        self._note()
        if self._handle is not None:
            self._handle.update(self.bundle(), raw=True)

    def bundle(self) -> dict[str, str]:
        """Return the output that the notebook saves."""
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _note(self) -> None:
        if self.truth is not None and self.question.model.kept is not None:
            predictions.judge(self.question.name, lambda answer: answer == self.truth, self.truth)

    def _ipython_display_(self) -> None:
        from IPython.display import display

        self._note()
        self._handle = display(self.bundle(), raw=True, display_id=True)

    def _repr_html_(self) -> str:
        inside = self._told() + self._html
        if self.question.model.kept is None:
            inside = f"<details><summary>{FOLDED}</summary>{inside}</details>"
        return f'<style>{CSS}{STYLE}</style><div class="eo eo-reveal eo-reveal-{self.question.name}">{inside}</div>'

    def _told(self) -> str:
        """Return a table of the prediction beside the result."""
        if self.truth is None:
            return ""
        said, rows = self.question.model.kept, ""
        for row, did in self.truth.items():
            mine = "not predicted" if said is None else said[row]
            mark = "" if said is None else AS_SAID if mine == did else OTHERWISE
            cells = "".join(f"<td>{each}</td>" for each in (marked(str(mine)), marked(str(did)), mark))
            rows += f"<tr>{_row(row)}{cells}</tr>"
            if sentence := self._reply(row):
                rows += f'<tr>{"<td></td>" * bool(row)}<td class="eo-why" colspan="3">{marked(sentence)}</td></tr>'
        first = "" if list(self.truth) == [ONE] else "<th></th>"
        return (
            f'<table class="eo-told"><thead><tr>{first}<th scope="col">you said</th><th scope="col">it did</th>'
            f"<th></th></tr></thead><tbody>{rows}</tbody></table>"
        )

    def _reply(self, row: str) -> str | None:
        """Return the sentence for the wrong choice in a row; None for a right choice or without a sentence."""
        said = self.question.model.kept
        return None if said is None or said[row] == self.truth[row] else reply_to(self.question.name, row, said[row])

    def __repr__(self) -> str:
        said, lines = self.question.model.kept, []
        if said is None:
            return "Not predicted. Predict above, and this opens."
        for row, did in (self.truth or {}).items():
            mark = "✓" if said[row] == did else "✗"
            lines.append(f"{mark} {row + ': ' if row else ''}you said {said[row]}, it did {did}")
            if sentence := self._reply(row):
                lines.append(f"  {sentence}")
        return "\n".join([*lines, self._text] if self._text else lines)


def _row(row: str) -> str:
    return f'<th scope="row">{marked(row)}</th>' if row else ""


def _html(thing: Any) -> str:
    """Return a thing as a fragment of HTML. Raises `BadInput` for one that has none."""
    if isinstance(thing, Picture):
        return f"<div>{thing.fragment()}</div>"
    if isinstance(thing, str):
        return f"<p>{marked(thing)}</p>"
    own = getattr(thing, "_repr_html_", None)
    found = own() if callable(own) else None
    if found is None:
        if hasattr(thing, "_ipython_display_") or hasattr(thing, "_repr_mimebundle_"):
            raise BadInput(
                f"A {type(thing).__name__} cannot be folded: it has no HTML. Show it in a cell of its own, below."
            )
        return f"<pre>{escape(repr(thing))}</pre>"
    return f"<div>{found}</div>"


NAME = re.compile(r"\d\d-[a-z0-9-]+")
_questions = {}  # of this kernel, by name: a cell that runs again must not lose what hangs on its question


def predict(name: str, question: Any, choices: Any = None, rows: Any = None) -> "Question":
    """Return a `Question` for display: the learner's answer uncovers the following text.

    `name` is the chapter's number and a word, such as "04-letters". With `choices` alone, one click answers the
    question. With `rows`, the question is a table of blanks, each with the same `choices`, or for a whole number
    without `choices`. `rows` may also map each row to its own choices, or to `int`. A kept answer is shown.
    Raises `BadInput` for a name or blanks of another form.
    """
    one_sentence_errors()
    if not NAME.fullmatch(str(name)):
        raise BadInput(f"The question's name is {name!r}; give the chapter and a word, such as '04-letters'.")
    blanks = _blanks(choices, rows)
    known = _questions.get(name)
    if known is None or (known.model.question, known.model.blanks) != (question, blanks):
        _questions[name] = Question(name, question, blanks, known.revealed if known else ())
    else:
        known.read()
    return _questions[name]


class Question:
    """A question of a chapter. `said` is the kept answer; `reveal` shows the truth after the answer."""

    def __init__(self, name: str, question: Any, blanks: dict[str, Any], revealed: Iterable[Reveal] = ()) -> None:
        self.name = name
        kept = predictions.kept(name)
        self.model = AskModel(
            question, blanks, kept if fits(blanks, kept) else None, lambda answer: predictions.keep(name, answer)
        )
        self.revealed = []
        for each in revealed:
            each.question = self
            self.revealed.append(each)
        self.widget = Ask(self.model, name, self.redraw)

    @property
    def said(self) -> Any:
        """The kept answer: one text, or {row: text or number}; None when nothing was predicted."""
        kept = self.model.kept
        return kept if kept is None or list(kept) != [ONE] else kept[ONE]

    def read(self) -> None:
        """Read the kept answer again: another notebook, or a reset, may have changed it."""
        kept = predictions.kept(self.name)
        kept = kept if fits(self.model.blanks, kept) else None
        if kept != self.model.kept:
            self.model.bring(kept)
            self.redraw()

    def reveal(self, *things: Any, it_did: Any = None) -> Reveal:
        """Return a `Reveal` for display: folded until there is an answer, and open from then on.

        `it_did` is the result that the cell has computed: a text, or for a question with rows {row: text or number}.
        The result stands beside the answer, with a mark. `things` are shown below: pictures, tables, texts, all
        objects with HTML. Raises `BadInput` for a thing without HTML, and for a result with other rows. Where one of
        them is `Lacking` a server, its sentence stands alone.
        """
        for each in (*things, it_did):
            if isinstance(each, Lacking):
                things, it_did = (each,), None
        shown = Reveal(self, things, None if it_did is None else self._truth(it_did))
        self.revealed.append(shown)
        return shown

    def redraw(self) -> None:
        """Bring everything that was revealed up to the answer."""
        for each in self.revealed:
            each.redraw()

    def _truth(self, it_did: Any) -> dict[str, Any]:
        if list(self.model.blanks) == [ONE]:
            it_did = it_did if isinstance(it_did, Mapping) else {ONE: it_did}
        if not isinstance(it_did, Mapping) or set(it_did) != set(self.model.blanks):
            rows = ", ".join(self.model.blanks)
            raise BadInput(
                f"it_did is {it_did!r}; it is what happened in each row: a dictionary with {rows or 'one text'}."
            )
        return {row: _plain(it_did[row], blank) for row, blank in self.model.blanks.items()}

    def _ipython_display_(self) -> None:
        from IPython.display import display

        display(self.widget.bundle(), raw=True)

    def __repr__(self) -> str:
        return repr(self.widget)


def _plain(value: Any, blank: Any) -> str | int:
    number: Any = value
    return int(number) if blank is int and isinstance(value, Number) else str(value)


def _blanks(choices: Any, rows: Any) -> dict[str, Any]:
    """Return {row: choices, or `int`} for the arguments of `predict`."""
    if rows is None:
        return {ONE: _choices(choices)}
    if isinstance(rows, Mapping):
        if choices is not None:
            raise BadInput("Give choices for all rows, or rows with choices of their own, but not both.")
        blanks = {str(row): int if blank is int else _choices(blank) for row, blank in rows.items()}
    else:
        blanks = {str(row): int if choices is None else _choices(choices) for row in rows}
    if not blanks or ONE in blanks:
        raise BadInput(f"The rows are {rows!r}; give at least one, each with a name.")
    return blanks


def _choices(choices: Any) -> tuple[str, ...]:
    found = () if choices is None or isinstance(choices, str) else tuple(map(str, choices))
    if len(found) < 2 or len(set(found)) < len(found):
        raise BadInput(f"The choices are {choices!r}; give two texts or more, each another.")
    return found
