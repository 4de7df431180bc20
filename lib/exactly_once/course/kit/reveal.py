"""The text after a prediction: folded HTML that the kernel unfolds, so that a saved page stays the same."""

from html import escape

from ...chapters import reply_to
from ...errors import BadInput
from ...show import CSS, Picture
from ...show.base.picture import marked
from ...widgets.ask.model import ONE
from .. import predictions

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

    def __init__(self, question, things, truth):
        self.question, self.truth = question, truth
        self._html = "".join(map(_html, things))
        self._text = "\n".join(thing if isinstance(thing, str) else repr(thing) for thing in things)
        self._handle = None

    def redraw(self):
        """Bring the output up to the answer, wherever it was shown."""
        self._note()
        if self._handle is not None:
            self._handle.update(self.bundle(), raw=True)

    def bundle(self):
        """Return the output that the notebook saves."""
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _note(self):
        if self.truth is not None and self.question.model.kept is not None:
            predictions.judge(self.question.name, lambda answer: answer == self.truth, self.truth)

    def _ipython_display_(self):
        from IPython.display import display

        self._note()
        self._handle = display(self.bundle(), raw=True, display_id=True)

    def _repr_html_(self):
        inside = self._told() + self._html
        if self.question.model.kept is None:
            inside = f"<details><summary>{FOLDED}</summary>{inside}</details>"
        return f'<style>{CSS}{STYLE}</style><div class="eo eo-reveal eo-reveal-{self.question.name}">{inside}</div>'

    def _told(self):
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

    def _reply(self, row):
        """Return the sentence for the wrong choice in a row; None for a right choice or without a sentence."""
        said = self.question.model.kept
        return None if said is None or said[row] == self.truth[row] else reply_to(self.question.name, row, said[row])

    def __repr__(self):
        said, lines = self.question.model.kept, []
        if said is None:
            return "Not predicted. Predict above, and this opens."
        for row, did in (self.truth or {}).items():
            mark = "✓" if said[row] == did else "✗"
            lines.append(f"{mark} {row + ': ' if row else ''}you said {said[row]}, it did {did}")
            if sentence := self._reply(row):
                lines.append(f"  {sentence}")
        return "\n".join([*lines, self._text] if self._text else lines)


def _row(row):
    return f'<th scope="row">{marked(row)}</th>' if row else ""


def _html(thing):
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
