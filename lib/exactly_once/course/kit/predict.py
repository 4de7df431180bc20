"""`predict(…)`: a question that the learner answers before the truth is shown, and `reveal`, the truth.

letters = predict("04-letters", "What does a crash at each letter do?", rows="ABCDE", choices=("harmless", "doubles"))
letters.reveal(table, it_did={"A": "harmless", …})

Prose that gives the answer away stands in Markdown, in a `<details class="eo-after-04-letters">`; an answer opens it.
"""

import re
from collections.abc import Mapping
from numbers import Number

from ...errors import BadInput
from ...widgets.ask.model import ONE, AskModel, fits
from ...widgets.ask.widget import Ask
from .. import predictions
from ..chapters import one_sentence_errors
from .reveal import Reveal
from .with_servers import Lacking

NAME = re.compile(r"\d\d-[a-z0-9-]+")
_questions = {}  # of this kernel, by name: a cell that runs again must not lose what hangs on its question


def predict(name, question, choices=None, rows=None):
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

    def __init__(self, name, question, blanks, revealed=()):
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
    def said(self):
        """The kept answer: one text, or {row: text or number}; None when nothing was predicted."""
        kept = self.model.kept
        return kept if kept is None or list(kept) != [ONE] else kept[ONE]

    def read(self):
        """Read the kept answer again: another notebook, or a reset, may have changed it."""
        kept = predictions.kept(self.name)
        kept = kept if fits(self.model.blanks, kept) else None
        if kept != self.model.kept:
            self.model.bring(kept)
            self.redraw()

    def reveal(self, *things, it_did=None):
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

    def redraw(self):
        """Bring everything that was revealed up to the answer."""
        for each in self.revealed:
            each.redraw()

    def _truth(self, it_did):
        if list(self.model.blanks) == [ONE]:
            it_did = it_did if isinstance(it_did, Mapping) else {ONE: it_did}
        if not isinstance(it_did, Mapping) or set(it_did) != set(self.model.blanks):
            rows = ", ".join(self.model.blanks)
            raise BadInput(
                f"it_did is {it_did!r}; it is what happened in each row: a dictionary with {rows or 'one text'}."
            )
        return {row: _plain(it_did[row], blank) for row, blank in self.model.blanks.items()}

    def _ipython_display_(self):
        from IPython.display import display

        display(self.widget.bundle(), raw=True)

    def __repr__(self):
        return repr(self.widget)


def _plain(value, blank):
    return int(value) if blank is int and isinstance(value, Number) else str(value)


def _blanks(choices, rows):
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


def _choices(choices):
    found = () if choices is None or isinstance(choices, str) else tuple(map(str, choices))
    if len(found) < 2 or len(set(found)) < len(found):
        raise BadInput(f"The choices are {choices!r}; give two texts or more, each another.")
    return found
